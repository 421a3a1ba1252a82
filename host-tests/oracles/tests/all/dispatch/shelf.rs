//! Storage that somebody wrote to behind a queue's back: the check says what does not hold.

use locox::bits::Word;
use locox::dispatch::{
    Backfill, Entry, Fcfs, Job, Ordered, Patience, Queue, Slot, Ticket, UserLimit, UserRow,
};
use locox::handle::PoolId;
use locox::invariant::InvariantViolation;
use locox::time::{Duration, Instant};
use std::cell::Cell;
use std::num::NonZeroU32;
use std::rc::Rc;

/// Two pieces of storage, of which one is shown.
struct Shelf<T> {
    pieces: [Vec<T>; 2],
    shown: Rc<Cell<usize>>,
}

impl<T> AsRef<[T]> for Shelf<T> {
    fn as_ref(&self) -> &[T] {
        &self.pieces[self.shown.get()]
    }
}

impl<T> AsMut<[T]> for Shelf<T> {
    fn as_mut(&mut self) -> &mut [T] {
        &mut self.pieces[self.shown.get()]
    }
}

fn shelf<T>(pieces: [Vec<T>; 2]) -> (Shelf<T>, Rc<Cell<usize>>) {
    let shown = Rc::new(Cell::new(0));
    (Shelf { pieces, shown: shown.clone() }, shown)
}

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn job(id: u32, pes: u32) -> Job {
    Job::new(id, pes).within(Duration::from_ticks(10))
}

const JOBS: usize = 4;

/// The slots in which such jobs wait, first come, first served.
fn waiting(jobs: &[Job], then: impl FnOnce(&mut dyn Queue, &[Ticket])) -> Vec<Slot> {
    let mut queue = Ordered::new(PoolId(0), vec![Slot::EMPTY; JOBS], Fcfs, Patience::ENDLESS);
    let tickets: Vec<Ticket> = jobs.iter().map(|&it| queue.push(at(0), it).unwrap()).collect();
    then(&mut queue, &tickets);
    queue.move_into(vec![Slot::EMPTY; JOBS]).map_err(|_| ()).unwrap()
}

/// What the check says of a queue in which such jobs wait, when it has other slots.
fn check(jobs: &[Job], slots: Vec<Slot>) -> Result<(), InvariantViolation> {
    let (shelf, shown) = shelf([vec![Slot::EMPTY; JOBS], slots]);
    let mut queue = Ordered::new(PoolId(0), shelf, Fcfs, Patience::ENDLESS);
    jobs.iter().for_each(|&it| _ = queue.push(at(0), it).unwrap());
    assert_eq!(queue.check_invariants(), Ok(()));
    shown.set(1);
    queue.check_invariants()
}

#[test]
fn a_line_whose_slots_are_others_is_not_sound() {
    let not_in_order = Err(InvariantViolation("a line holds its own jobs in order"));
    let two = [job(1, 4), job(2, 2)];
    assert_eq!(check(&two, waiting(&two, |_, _| ())), Ok(()));
    let held = waiting(&two[..1], |queue, it| queue.hold(at(0), it[0]).unwrap());
    assert_eq!(check(&two[..1], held), not_in_order, "it is in the line of those that are held");
    let turned = [job(1, 4).keyed(1), job(2, 2)];
    assert_eq!(check(&two, waiting(&turned, |_, _| ())), not_in_order, "another one is last");
    // The one at the top adds up less than the other one asks for.
    let mut mixed = waiting(&two, |_, _| ());
    mixed[1] = waiting(&[job(1, 4), job(2, 1)], |_, _| ())[1];
    assert_eq!(check(&two, mixed), not_in_order, "the least of all is not known at the top");
}

#[test]
fn a_queue_that_lost_its_slots_is_not_sound() {
    let lost = |queue: &dyn Queue, shown: &Cell<usize>| {
        assert_eq!(queue.check_invariants(), Ok(()));
        shown.set(1);
        assert!(queue.check_invariants().is_err());
    };
    let (slots, shown) = shelf([vec![Slot::EMPTY; JOBS], vec![Slot::EMPTY; JOBS]]);
    let mut queue = Ordered::new(PoolId(0), slots, Fcfs, Patience::ENDLESS);
    queue.push(at(0), job(1, 1)).unwrap();
    lost(&queue, &shown);
    let (entries, shown) = shelf([vec![Entry::EMPTY; JOBS], vec![Entry::EMPTY; JOBS]]);
    let mut queue = Backfill::easy(PoolId(0), 4, entries);
    queue.push(at(0), job(1, 1)).unwrap();
    lost(&queue, &shown);
    let words = vec![0 as Word; Backfill::words(4, JOBS)];
    let (words, shown) = shelf([words.clone(), words]);
    let entries = vec![Entry::EMPTY; JOBS];
    let mut queue = Backfill::conservative(PoolId(0), 4, words, entries).unwrap();
    queue.push(at(0), job(1, 1)).unwrap();
    lost(&queue, &shown);
}

#[test]
fn jobs_that_run_in_another_order_of_ends_are_seen() {
    let run = |queue: &mut dyn Queue, order: [u32; 2]| {
        for id in 0..2 {
            queue.push(at(0), job(id, 1)).unwrap();
        }
        for wanted in order {
            let started = queue.next(at(0), &mut |job| job.id == wanted);
            assert!(started.is_some());
        }
    };
    let entries = || vec![Entry::EMPTY; JOBS];
    let mut other = Backfill::easy(PoolId(0), 4, entries());
    run(&mut other, [1, 0]);
    let others = other.move_into(entries()).map_err(|_| ()).unwrap();
    let (shelf, shown) = shelf([entries(), others]);
    let mut queue = Backfill::easy(PoolId(0), 4, shelf);
    run(&mut queue, [0, 1]);
    assert_eq!(queue.check_invariants(), Ok(()));
    shown.set(1);
    let seen = InvariantViolation("the jobs that run, by their ends");
    assert_eq!(queue.check_invariants(), Err(seen));
}

#[test]
fn a_limit_in_front_of_a_queue_that_lost_its_entries_is_not_sound() {
    let entries = vec![Entry::EMPTY; JOBS];
    let (entries, shown) = shelf([entries.clone(), entries]);
    let queue = Backfill::easy(PoolId(0), 4, entries);
    let rows = vec![UserRow::EMPTY; JOBS];
    let mut limit = UserLimit::new(queue, rows, NonZeroU32::MIN, |_| 0, at(0));
    limit.push(at(0), job(1, 1)).unwrap();
    assert_eq!(limit.check_invariants(), Ok(()));
    shown.set(1);
    assert!(limit.check_invariants().is_err());
}
