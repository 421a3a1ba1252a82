//! Owners that take turns on one flash, operation by operation.

use crate::ledger::{Ledger, Ticket};
use crate::run::Numbers;
use crate::shared::Shared;
use locox::time::Instant;
use locox_storage::{DurableCoordinator, Flash};
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

const OWNERS: usize = 3;
/// An owner waits at most for so many operations of the others: far fewer than a recovery has.
const PATIENCE: u32 = 6;

/// Whose turn it is.
///
/// - Only who has the turn draws who is next, so a seed is a schedule.
struct Turns {
    numbers: Numbers,
    turn: usize,
    waited: [u32; OWNERS],
    done: [bool; OWNERS],
}

impl Turns {
    fn pass(&mut self) {
        let there: Vec<_> = (0..OWNERS).filter(|owner| !self.done[*owner]).collect();
        if there.is_empty() {
            return;
        }
        let longest = *there.iter().max_by_key(|owner| self.waited[**owner]).unwrap();
        let drawn = there[self.numbers.below(there.len() as u64) as usize];
        self.turn = if self.waited[longest] >= PATIENCE { longest } else { drawn };
        self.waited.iter_mut().for_each(|waited| *waited += 1);
        self.waited[self.turn] = 0;
    }
}

#[derive(Clone)]
struct Table(Arc<(Mutex<Turns>, Condvar)>);

impl Table {
    fn new(seed: u64) -> Self {
        let (waited, done) = ([0; OWNERS], [false; OWNERS]);
        let turns = Turns { numbers: Numbers(seed), turn: 0, waited, done };
        Self(Arc::new((Mutex::new(turns), Condvar::new())))
    }

    /// The last operation of an owner is over; it waits until it may do the next one.
    fn next(&self, owner: usize) {
        let (turns, changed) = &*self.0;
        let mut turns = turns.lock().unwrap();
        if turns.turn == owner {
            turns.pass();
            changed.notify_all();
        }
        drop(changed.wait_while(turns, |turns| turns.turn != owner).unwrap());
    }
}

/// A place at the table, which is left in the end, also by a panic.
struct Seat(Table, usize);

impl Drop for Seat {
    fn drop(&mut self) {
        let Self(table, owner) = self;
        // Its last operation may be over before it has the turn again.
        table.next(*owner);
        let (turns, changed) = &*table.0;
        let mut turns = turns.lock().unwrap();
        turns.done[*owner] = true;
        turns.pass();
        changed.notify_all();
    }
}

type Owner = DurableCoordinator<Ledger, Flash<Shared<4>>>;

/// Notes tickets until it is refused; those that were answered.
fn notes(owner: &mut Owner, tickets: impl Iterator<Item = u32>) -> Vec<u32> {
    let now = |ticket| Instant::from_ticks(u64::from(ticket));
    tickets.take_while(|ticket| owner.apply(now(*ticket), Ticket(*ticket)).is_ok()).collect()
}

/// Recovers up to three times, and notes tickets whenever it becomes the owner.
fn recovers(number: u32, flash: &Shared<4>, mut tickets: Range<u32>) -> (Vec<u32>, u32) {
    let (mut answered, mut times) = (vec![], 0);
    for _ in 0..3 {
        let flash = Flash::new(flash.clone()).unwrap().owned_by(number);
        if let Ok((mut owner, _)) = DurableCoordinator::recover(Ledger::default(), flash) {
            answered.extend(notes(&mut owner, tickets.by_ref().take(7)));
            times += 1;
        }
    }
    (answered, times)
}

#[test]
fn three_owners_that_take_turns_at_each_operation_lose_nothing() {
    let (mut answered_by, mut recovered) = ([0; OWNERS], 0);
    for seed in 0..400 {
        let flash = Shared::<4>::erased();
        let over = Flash::new(flash.clone()).unwrap();
        let mut first = DurableCoordinator::format(Ledger::default(), over).unwrap();
        let mut answered = notes(&mut first, 0..seed as u32 % 12);
        let table = Table::new(seed);
        let flashes = [flash.clone(), flash.other(), flash.other()];
        for (owner, flash) in flashes.iter().enumerate() {
            let table = table.clone();
            flash.before_each(move |_| table.next(owner));
        }
        let [_, second, third] = flashes;
        let seats = [0, 1, 2].map(|owner| Seat(table.clone(), owner));
        let [of_first, of_second, of_third] = seats;
        let threads = [
            thread::spawn(move || {
                let _seat = of_first;
                (notes(&mut first, 12..20), 0)
            }),
            thread::spawn(move || {
                let _seat = of_second;
                recovers(2, &second, 20..41)
            }),
            thread::spawn(move || {
                let _seat = of_third;
                recovers(3, &third, 42..63)
            }),
        ];
        for (owner, thread) in threads.into_iter().enumerate() {
            let (tickets, times) = thread.join().unwrap();
            answered_by[owner] += tickets.len();
            recovered += times;
            answered.extend(tickets);
        }
        let over = Flash::new(flash.other()).unwrap();
        let (last, _) = DurableCoordinator::recover(Ledger::default(), over)
            .unwrap_or_else(|error| panic!("schedule {seed}: {error}"));
        for ticket in answered {
            assert!(last.coordinator().has(Ticket(ticket)), "schedule {seed}: {ticket} is lost");
        }
    }
    assert!(
        answered_by.iter().all(|count| *count > 200) && recovered > 400,
        "{answered_by:?} {recovered}"
    );
}
