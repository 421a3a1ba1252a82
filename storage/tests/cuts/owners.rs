//! Two owners of one flash: the one before is refused, and nothing that was answered is lost.

use crate::ledger::{Ledger, Ticket};
use crate::run::Numbers;
use crate::shared::{Operation, Shared};
use locox::time::Instant;
use locox_coordinators::coordinate::Durable;
use locox_storage::{ApplyError, Cut, DurableCoordinator, Flash, Nor, Store, StoreError};
use std::sync::{Arc, Mutex};

type Owner<const WRITE: usize> = DurableCoordinator<Ledger, Flash<Shared<WRITE>>>;
type Outcome<T> = Result<T, StoreError<Cut>>;

/// A record for each of these is in an area, and none more.
const RECORDS: u32 = 11;

fn over<const WRITE: usize>(flash: Shared<WRITE>) -> Flash<Shared<WRITE>> {
    Flash::new(flash).unwrap()
}

/// Slots for claims in an area.
const CLAIMS: usize = 3;

/// An owner that has noted the first tickets.
fn first_owner<const WRITE: usize>(tickets: u32) -> (Owner<WRITE>, Shared<WRITE>) {
    let flash = Shared::erased();
    let mut owner = DurableCoordinator::format(Ledger::default(), over(flash.clone())).unwrap();
    (0..tickets).for_each(|ticket| note(&mut owner, ticket).unwrap());
    (owner, flash)
}

fn recover<const WRITE: usize>(flash: &Shared<WRITE>) -> Outcome<Owner<WRITE>> {
    recover_over(flash.other())
}

fn recover_over<const WRITE: usize>(flash: Shared<WRITE>) -> Outcome<Owner<WRITE>> {
    DurableCoordinator::recover(Ledger::default(), over(flash)).map(|(owner, _)| owner)
}

fn note<const WRITE: usize>(owner: &mut Owner<WRITE>, ticket: u32) -> Outcome<()> {
    match owner.apply(Instant::from_ticks(ticket.into()), Ticket(ticket)) {
        Err(ApplyError::Store(error)) => Err(error),
        taken => {
            taken.unwrap();
            Ok(())
        }
    }
}

fn assert_has<const WRITE: usize>(owner: &Owner<WRITE>, tickets: &[u32], when: &str) {
    for ticket in tickets {
        assert!(owner.coordinator().has(Ticket(*ticket)), "{ticket} is lost, {when}");
    }
}

/// Whatever it does, and as often as it tries.
fn assert_refused<const WRITE: usize>(owner: &mut Owner<WRITE>, when: &str) {
    for ticket in [60, 61] {
        assert_eq!(note(owner, ticket), Err(StoreError::OtherOwner), "{when}");
        assert_eq!(owner.catch_up(), Err(StoreError::OtherOwner), "{when}");
    }
    assert!(owner.take_effect().is_none());
}

/// What an owner does, operation by operation.
fn operations_of<const WRITE: usize>(flash: &Shared<WRITE>, act: impl FnOnce()) -> Vec<Operation> {
    let seen = Arc::new(Mutex::new(vec![]));
    let note = Arc::clone(&seen);
    flash.before_each(move |next| note.lock().unwrap().push(next));
    act();
    std::mem::take(&mut *seen.lock().unwrap())
}

/// Runs `then` once before the operation of this number.
fn before<const WRITE: usize>(
    flash: &Shared<WRITE>,
    number: usize,
    then: impl FnOnce() + Send + 'static,
) {
    let (mut count, mut then) = (0, Some(then));
    flash.before_each(move |_| {
        count += 1;
        if count > number {
            then.take().into_iter().for_each(|then| then());
        }
    });
}

#[test]
fn the_owner_before_is_refused_and_nothing_answered_is_lost() {
    let (mut first, flash) = first_owner::<4>(3);
    let mut second = recover(&flash).unwrap();
    assert_refused(&mut first, "another one recovered");
    note(&mut second, 3).unwrap();
    assert_has(&recover(&flash).unwrap(), &[0, 1, 2, 3], "after all");
}

#[test]
fn a_record_takes_one_write_and_eleven_reads() {
    let (mut owner, flash) = first_owner::<4>(1);
    let operations = operations_of(&flash, || note(&mut owner, 1).unwrap());
    let reads = operations.iter().filter(|next| **next == Operation::Read).count();
    assert_eq!((reads, operations.len()), (11, 12));
}

#[test]
fn the_error_says_what_to_do() {
    let said = StoreError::<Cut>::OtherOwner.to_string();
    assert_eq!(said, "the flash has another owner: stop one of the two, then recover");
}

/// Another one recovers before each operation of what the first owner does. `is_safe` gets the operations from there
/// on, and says whether nothing may be lost.
fn recovers_before_each_operation<const WRITE: usize>(
    tickets: u32,
    act: impl Fn(&mut Owner<WRITE>) -> Outcome<()>,
    is_safe: fn(&[Operation]) -> bool,
) -> u32 {
    let (mut owner, flash) = first_owner::<WRITE>(tickets);
    let operations = operations_of(&flash, || act(&mut owner).unwrap());
    let mut refused = 0;
    for (number, next) in operations.iter().enumerate() {
        if !is_safe(&operations[number..]) {
            continue;
        }
        let when = format!("{WRITE}, {tickets} tickets, before operation {number}: {next:?}");
        let (mut first, flash) = first_owner::<WRITE>(tickets);
        let mut answered: Vec<_> = (0..tickets).collect();
        let second = Arc::new(Mutex::new(None));
        let (others, there) = (flash.other(), Arc::clone(&second));
        before(&flash, number, move || *there.lock().unwrap() = Some(recover(&others).unwrap()));
        match act(&mut first) {
            Ok(()) => answered.push(tickets),
            Err(error) => {
                assert_eq!(error, StoreError::OtherOwner, "{when}");
                refused += 1;
            }
        }
        let mut second = second.lock().unwrap().take().expect("it was there");
        assert_has(&second, &answered, &when);
        assert_refused(&mut first, &when);
        note(&mut second, 50).expect(&when);
        answered.push(50);
        assert_has(&recover(&flash).expect(&when), &answered, &when);
    }
    refused
}

fn append<const WRITE: usize>(tickets: u32) -> impl Fn(&mut Owner<WRITE>) -> Outcome<()> {
    move |owner| note(owner, tickets)
}

#[test]
fn a_recovery_within_an_append_sees_it_or_has_it_refused() {
    for tickets in [0, 1, RECORDS - 1] {
        let refused = [
            recovers_before_each_operation::<1>(tickets, append(tickets), |_| true),
            recovers_before_each_operation::<4>(tickets, append(tickets), |_| true),
            recovers_before_each_operation::<8>(tickets, append(tickets), |_| true),
            recovers_before_each_operation::<16>(tickets, append(tickets), |_| true),
            recovers_before_each_operation::<32>(tickets, append(tickets), |_| true),
            recovers_before_each_operation::<64>(tickets, append(tickets), |_| true),
        ];
        assert!(refused.iter().all(|refused| *refused > 5), "{refused:?}");
    }
}

/// What no flash excludes is a whole recovery between the last slots that are looked at and the write behind that.
#[test]
fn a_recovery_within_a_checkpoint_loses_nothing_but_between_a_look_and_the_write_behind_it() {
    for tickets in [0, 5, RECORDS] {
        // With a new record behind it, which is what a full area leads to.
        let refused = recovers_before_each_operation::<4>(
            tickets,
            |owner| owner.catch_up().and_then(|()| note(owner, tickets)),
            |from| from.iter().take(CLAIMS + 1).all(|next| *next == Operation::Read),
        );
        assert!(refused > 20, "{refused}");
    }
}

/// The first owner does something before each operation of a recovery; what it answered then.
fn acts_before_each_operation_of_a_recovery<const WRITE: usize>(
    tickets: u32,
    act: impl Fn(&mut Owner<WRITE>) -> Vec<u32> + Clone + Send + 'static,
) -> (u32, u32) {
    let (_owner, flash) = first_owner::<WRITE>(tickets);
    let others = flash.other();
    let count = operations_of(&others, || _ = recover_over(others.clone()).unwrap()).len();
    let (mut recovered, mut refused) = (0, 0);
    for number in 0..count {
        let when = format!("{tickets} tickets, before operation {number} of {count}");
        let (first, flash) = first_owner::<WRITE>(tickets);
        let first = Arc::new(Mutex::new((first, (0..tickets).collect::<Vec<_>>())));
        let (others, there, act) = (flash.other(), Arc::clone(&first), act.clone());
        before(&others, number, move || {
            let (owner, answered) = &mut *there.lock().unwrap();
            answered.extend(act(owner));
        });
        let second = recover_over(others);
        let (owner, answered) = &mut *first.lock().unwrap();
        match second {
            Ok(mut second) => {
                recovered += 1;
                assert_has(&second, answered, &when);
                assert_refused(owner, &when);
                note(&mut second, 50).expect(&when);
                answered.push(50);
            }
            Err(error) => {
                refused += 1;
                assert_eq!(error, StoreError::OtherOwner, "{when}");
            }
        }
        assert_has(&recover(&flash).expect(&when), answered, &when);
    }
    (recovered, refused)
}

/// Tickets from this one on, until one is refused.
fn notes<const WRITE: usize>(
    from: u32,
    count: u32,
) -> impl Fn(&mut Owner<WRITE>) -> Vec<u32> + Clone + Send + 'static {
    move |owner| (from..from + count).take_while(|ticket| note(owner, *ticket).is_ok()).collect()
}

#[test]
fn an_append_within_a_recovery_is_seen_or_refused() {
    for tickets in 0..=2 * RECORDS {
        acts_before_each_operation_of_a_recovery::<4>(tickets, notes(tickets, 1));
    }
    acts_before_each_operation_of_a_recovery::<1>(RECORDS, notes(RECORDS, 1));
    acts_before_each_operation_of_a_recovery::<64>(RECORDS, notes(RECORDS, 1));
    // With images, after which the recovery is the one that is refused.
    let (recovered, refused) = acts_before_each_operation_of_a_recovery::<4>(2, notes(2, 12));
    assert!(recovered > 0 && refused > 0, "{recovered} {refused}");
    let (recovered, refused) = acts_before_each_operation_of_a_recovery::<4>(2, notes(2, 40));
    assert!(recovered > 0 && refused > 0, "{recovered} {refused}");
}

#[test]
fn the_owner_before_is_refused_whatever_images_were_stored_since() {
    for (tickets, images) in (0..4).flat_map(|tickets| (0..6).map(move |images| (tickets, images)))
    {
        let (mut first, flash) = first_owner::<4>(tickets);
        let mut twin = first.clone();
        let mut second = recover(&flash).unwrap();
        (0..images).for_each(|_| second.catch_up().unwrap());
        assert_refused(&mut first, "after images");
        assert_eq!(twin.catch_up(), Err(StoreError::OtherOwner));
        note(&mut second, 40).unwrap();
    }
}

/// They have the same claim, as two have that recovered in step.
#[test]
fn of_twins_the_one_that_comes_later_is_refused() {
    for images in 0..5 {
        let (mut first, flash) = first_owner::<4>(2);
        let mut twins = [first.clone(), first.clone()];
        (0..images).for_each(|_| first.catch_up().unwrap());
        note(&mut first, 2).unwrap();
        assert_eq!(note(&mut twins[0], 3), Err(StoreError::OtherOwner), "{images}");
        assert_eq!(twins[1].catch_up(), Err(StoreError::OtherOwner), "{images}");
        note(&mut first, 4).unwrap();
        assert_has(&recover(&flash).unwrap(), &[0, 1, 2, 4], "twins");
    }
}

#[test]
fn whoever_formats_a_flash_that_is_in_use_is_its_owner() {
    for images in 0..4 {
        let (mut first, flash) = first_owner::<4>(2);
        let mut twin = first.clone();
        (0..images).for_each(|_| first.catch_up().unwrap());
        let second = DurableCoordinator::format(Ledger::default(), over(flash.other()));
        let mut second = second.unwrap();
        assert_refused(&mut first, "formatted");
        assert_eq!(twin.catch_up(), Err(StoreError::OtherOwner));
        note(&mut second, 0).unwrap();
        (0..images).for_each(|_| second.catch_up().unwrap());
        let third = recover(&flash).unwrap();
        assert_eq!(
            (third.coordinator().has(Ticket(0)), third.coordinator().has(Ticket(1))),
            (true, false)
        );
    }
}

#[test]
fn no_command_is_answered_that_was_written_after_another_one_formatted() {
    for images in 0..2 {
        let begin = || {
            let (mut owner, flash) = first_owner::<4>(2);
            (0..images).for_each(|_| owner.catch_up().unwrap());
            (owner, flash)
        };
        let (mut owner, flash) = begin();
        let operations = operations_of(&flash, || note(&mut owner, 2).unwrap());
        let write = operations.iter().position(|next| *next == Operation::Write).unwrap();
        for number in 0..=write {
            let (mut first, flash) = begin();
            let others = flash.other();
            before(&flash, number, move || {
                drop(DurableCoordinator::format(Ledger::default(), over(others)).unwrap());
            });
            assert_eq!(note(&mut first, 2), Err(StoreError::OtherOwner), "{number}");
            assert_refused(&mut first, "formatted");
        }
    }
}

#[test]
fn a_format_that_is_cut_before_it_erases_stops_the_owner_before() {
    for images in 0..2 {
        let (mut first, flash) = first_owner::<4>(2);
        (0..images).for_each(|_| first.catch_up().unwrap());
        let others = flash.other();
        let erased = operations_of(&others, || {
            others.cut_after(2 * 16);
            assert!(DurableCoordinator::format(Ledger::default(), over(others.clone())).is_err());
        });
        assert_eq!(erased.last(), Some(&Operation::Erase));
        assert_refused(&mut first, "a format has begun");
    }
}

/// Another one's write, or worn cells.
#[test]
fn a_record_that_does_not_read_back_is_not_answered() {
    let (mut owner, flash) = first_owner::<4>(1);
    let (mut written, cells) = (false, flash.other());
    // Behind the image of a slot and the first record, in the second half.
    let at = 1024 + 2 * 64;
    flash.before_each(move |next| {
        if written {
            cells.change(|cells| cells[at..at + 4].fill(0));
        }
        written |= next == Operation::Write;
    });
    assert_eq!(note(&mut owner, 1), Err(StoreError::OtherOwner));
    assert_has(&recover(&flash).unwrap(), &[0], "without it");
}

#[test]
fn cuts_within_many_recoveries_in_a_row_lose_nothing() {
    let (_owner, flash) = first_owner::<4>(3);
    // All words that a recovery writes, and a page.
    let writes = 3 * 16 + 16 + 16 + 1;
    let mut cuts = 0;
    for writes in 0..writes {
        let flash = flash.copied();
        for _ in 0..7 {
            let others = flash.other();
            others.cut_after(writes);
            if recover_over(others).is_err() {
                cuts += 1;
            }
        }
        let mut owner = recover(&flash).unwrap();
        assert_has(&owner, &[0, 1, 2], &format!("cut after {writes} writes"));
        note(&mut owner, 3).unwrap();
        assert_has(&recover(&flash).unwrap(), &[0, 1, 2, 3], "after cuts");
    }
    assert!(cuts > 400, "{cuts}");
}

/// All who ever owned the flash go on between recoveries that are cut at any write.
#[test]
fn owners_beside_recoveries_that_are_cut_lose_nothing() {
    let mut numbers = Numbers(3);
    let (mut recovered, mut refused) = (0, 0);
    for _ in 0..300 {
        let (first, flash) = first_owner::<4>(3);
        let (mut owners, mut answered) = (vec![first], vec![0, 1, 2]);
        for ticket in 3..40 {
            if numbers.below(2) == 0 {
                let others = flash.other();
                others.cut_after(numbers.below(100) as u32);
                if let Ok(owner) = recover_over(others.clone()) {
                    recovered += 1;
                    others.cut_after(Nor::FOR_EVER);
                    assert_has(&owner, &answered, "recovered");
                    owners.push(owner);
                }
            }
            let owner = numbers.below(owners.len() as u64) as usize;
            match note(&mut owners[owner], ticket) {
                Ok(()) => {
                    assert_eq!(owner, owners.len() - 1, "only the last one answers");
                    answered.push(ticket);
                }
                Err(error) => {
                    assert_eq!(error, StoreError::OtherOwner);
                    refused += 1;
                }
            }
        }
        assert_has(&recover(&flash).unwrap(), &answered, "after cuts");
    }
    assert!(recovered > 1000 && refused > 1000, "{recovered} {refused}");
}

/// Recoveries before any image: more of them than there are slots for claims.
#[test]
fn of_many_that_recover_at_the_same_time_one_becomes_the_owner() {
    for count in 1..8 {
        for chosen in 0..count {
            let (mut first, flash) = first_owner::<4>(3);
            let mut all: Vec<_> = (0..count)
                .map(|_| {
                    let (mut flash, mut pool) =
                        (over(flash.other()), Durable::new(Ledger::default()));
                    flash.recover(&mut pool).unwrap();
                    assert!(pool.coordinator().has(Ticket(2)));
                    assert!(!flash.has_room(), "without an image nothing is answered");
                    pool.resync();
                    (flash, pool)
                })
                .collect();
            assert_refused(&mut first, "claimed");
            let (flash_of, pool) = &mut all[chosen];
            let is_owner = flash_of.checkpoint(pool).is_ok();
            assert!(is_owner || chosen + 1 < count, "{chosen} of {count}");
            for (other, (flash, pool)) in all.iter_mut().enumerate() {
                let stored = flash.checkpoint(pool);
                if other != chosen && is_owner {
                    assert_eq!(stored, Err(StoreError::OtherOwner), "{other} beside {chosen}");
                }
            }
            assert_has(&recover(&flash).unwrap(), &[0, 1, 2], "after all");
        }
    }
}

/// Bits of the slots for claims and the marks, of both areas.
fn bits_of_claims() -> impl Iterator<Item = usize> {
    let area = 1024;
    [area, 2 * area].into_iter().flat_map(|end| 8 * (end - 4 * 64)..8 * end)
}

#[test]
fn a_bit_that_turned_in_a_claim_locks_nobody_out_and_nobody_in() {
    for bit in bits_of_claims() {
        let when = format!("bit {bit}");
        let turn = |flash: &Shared<4>| flash.change(|cells| cells[bit / 8] ^= 1 << (bit % 8));
        let (mut first, flash) = first_owner::<4>(2);
        turn(&flash);
        note(&mut first, 2).expect(&when);
        let second = recover(&flash).expect(&when);
        assert_has(&second, &[0, 1, 2], &when);
        assert_refused(&mut first, &when);

        let (mut first, flash) = first_owner::<4>(2);
        let mut second = recover(&flash).unwrap();
        turn(&flash);
        assert_refused(&mut first, &when);
        note(&mut second, 2).expect(&when);
        second.catch_up().expect(&when);
        assert_has(&recover(&flash).expect(&when), &[0, 1, 2], &when);
    }
}
