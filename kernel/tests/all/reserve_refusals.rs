//! Every reason of a refusal, and that it leaves the timeline as it was.

use locox::bits::{BitSet, Word};
use locox::handle::{self, PoolId};
use locox::reserve::{
    AlignedSubcube, Choice, Contiguous, Error, Fit, FreePes, Interval, Limits, Lowest, Mask,
    Masked, Misuse, Profile, Refusal, Request, Reservation, ReservationId, SetupError, Slot, Step,
    Timeline,
};
use locox::time::{Duration, Instant};

const LIMITS: Limits = Limits { pes: 8, reservations: 3 };

type Plain = Timeline<Vec<Word>>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn interval(start: u64, end: u64) -> Interval {
    Interval { start: at(start), end: at(end) }
}

fn request(ready: u64, length: u64, pes: u32) -> Request {
    Request::new(at(ready), Duration::from_ticks(length), pes)
}

fn busy(from: u64) -> Result<(), Error> {
    Err(Refusal::Busy { from: at(from) }.into())
}

fn set(members: &[u32]) -> BitSet<[Word; 1]> {
    let mut set = BitSet::empty([0], LIMITS.pes).unwrap();
    members.iter().for_each(|&pe| assert_eq!(set.insert(pe), Ok(true)));
    set
}

/// PEs 0 to 5 are busy from 10 to 20, PEs 2 to 7 from 30 to 40; the present is 5.
fn timeline() -> (Plain, [ReservationId; 2]) {
    let storage = vec![0; Timeline::words(LIMITS)];
    let mut timeline: Plain = Timeline::new(PoolId(1), LIMITS, storage).unwrap();
    let ids = [
        timeline.add(interval(10, 20), &set(&[0, 1, 2, 3, 4, 5])).unwrap(),
        timeline.add(interval(30, 40), &set(&[2, 3, 4, 5, 6, 7])).unwrap(),
    ];
    timeline.advance(at(5)).unwrap();
    (timeline, ids)
}

type Seen = (Instant, Vec<(Slot, Vec<u32>)>, Vec<(Reservation, Vec<u32>)>);

/// All that can be seen of a timeline.
fn seen(timeline: &Plain) -> Seen {
    let mut busy = set(&[]);
    let slots = timeline.slots().map(|slot| {
        timeline.busy_pes(slot.time, &mut busy).unwrap();
        (slot, busy.iter().collect())
    });
    let slots = slots.collect();
    let held = |r: Reservation| (r, timeline.pes_of(r.id).unwrap().iter().collect());
    (timeline.now(), slots, timeline.reservations().map(held).collect())
}

/// Calls all that places a request, and expects the same refusal of each.
fn refused(request: &Request, choice: &dyn Choice, reason: impl Into<Error>) {
    let reason = reason.into();
    for fit in Fit::ALL {
        let (mut timeline, [id, _]) = timeline();
        let before = seen(&timeline);
        assert_eq!(timeline.find(request, &fit, choice, &mut set(&[])), Err(reason), "{fit:?}");
        assert_eq!(timeline.reserve(request, &fit, choice), Err(reason), "{fit:?}");
        if !matches!(reason, Error::Refused(Refusal::Late { .. })) {
            let instead = timeline.find_instead(id, request, &fit, choice, &mut set(&[]));
            assert_eq!(instead, Err(reason));
        }
        assert_eq!(seen(&timeline), before);
        timeline.check_invariants().unwrap();
    }
}

#[test]
fn a_request_for_no_pe_is_refused() {
    refused(&request(10, 5, 0), &Lowest, Misuse::NoPes);
}

#[test]
fn a_request_for_no_time_is_refused() {
    refused(&request(10, 0, 1), &Lowest, Misuse::NoTime);
}

#[test]
fn more_pes_than_the_machine_has_are_never_possible() {
    refused(&request(10, 5, 9), &Lowest, Refusal::TooLarge { pes: 8 });
}

#[test]
fn a_deadline_before_ready_time_plus_duration_is_refused() {
    refused(&request(10, 5, 1).by(at(14)), &Lowest, Misuse::DeadlineTooEarly);
}

#[test]
fn a_misuse_is_named_before_a_refusal() {
    refused(&request(10, 5, 9).by(at(14)), &Lowest, Misuse::DeadlineTooEarly);
    refused(&request(u64::MAX - 5, 10, 9), &Lowest, Misuse::Overflow);
    let (mut timeline, _) = timeline();
    let either = [request(10, 5, 9).by(at(14)), request(50, 5, 1)];
    let wrong = Err(Misuse::DeadlineTooEarly.into());
    assert_eq!(timeline.reserve_one_of(&either, &Lowest), wrong);
}

#[test]
fn a_mask_that_makes_no_sense_is_named_before_a_refusal() {
    let wide = BitSet::empty([0 as Word; 1], 9).unwrap();
    let (upper, lower) = (set(&[4, 5, 6, 7]), set(&[2, 3]));
    let [too_large, endless] = [request(10, 5, 9), request(0, u64::MAX - 5, 1)];
    for (mask, misuse) in [
        (Mask::only(&wide), Misuse::WrongSet),
        (Mask::ANY.with(&wide), Misuse::WrongSet),
        (Mask::only(&upper).with(&lower), Misuse::WrongMask),
    ] {
        let choice = Masked { mask, choice: Lowest };
        refused(&too_large, &choice, misuse);
        refused(&endless, &choice, misuse);
        let (mut timeline, _) = timeline();
        timeline.reserve(&request(50, 5, 1), &Fit::First, &Lowest).unwrap();
        let (before, wrong) = (seen(&timeline), Err(misuse.into()));
        for one in [too_large, endless, request(50, 5, 2)] {
            assert_eq!(timeline.reserve(&one, &Fit::First, &choice).map(|_| ()), wrong);
            let either = timeline.reserve_one_of(&[request(50, 5, 2), one], &choice);
            assert_eq!(either.map(|_| ()), wrong);
            let period = Duration::from_ticks(u64::MAX);
            let series = timeline.reserve_series(&one, period, &choice, &mut [None; 2]);
            assert_eq!(series.map(|_| ()), wrong);
        }
        assert_eq!(seen(&timeline), before);
    }
    let (mut timeline, _) = timeline();
    timeline.reserve(&request(50, 5, 1), &Fit::First, &Lowest).unwrap();
    let both = Masked { mask: Mask::ANY.with(&lower), choice: Lowest };
    let one = timeline.reserve(&request(50, 5, 1), &Fit::First, &both);
    assert_eq!(one, Err(Misuse::WrongMask.into()), "more are required than asked for");
    // What can never be is named before what cannot be now.
    let few = Masked { mask: Mask::only(&lower), choice: Lowest };
    let three = timeline.reserve(&request(50, 5, 3), &Fit::First, &few);
    assert_eq!(three, Err(Refusal::Masked { allowed: 2 }.into()));
}

#[test]
fn a_misuse_is_named_where_an_attempt_has_no_room_for_a_step() {
    let (mut timeline, [first, second]) = timeline();
    timeline.cancel(first).unwrap();
    let before = seen(&timeline);
    let stale = Misuse::Handle(handle::Misuse::Stale);
    let mut steps: [Step; 0] = [];
    let mut attempt = timeline.attempt(&mut steps);
    let none = attempt.reserve(&request(50, 5, 0), &Fit::First, &Lowest);
    assert_eq!(none, Err(Misuse::NoPes.into()));
    assert_eq!(attempt.cancel(first), Err(stale.into()));
    assert_eq!(attempt.move_to(first, at(60)), Err(stale.into()));
    assert_eq!(attempt.move_to(second, at(u64::MAX - 3)), Err(Misuse::Overflow.into()));
    assert_eq!(attempt.move_to(second, at(4)), Err(Misuse::Past.into()));
    let no_step = Refusal::NoStep { steps: 0 }.into();
    let one = attempt.reserve(&request(50, 5, 1), &Fit::First, &Lowest);
    assert_eq!(one, Err(no_step));
    assert_eq!(attempt.cancel(second), Err(no_step));
    assert_eq!(attempt.move_to(second, at(60)), Err(no_step));
    drop(attempt);
    assert_eq!(seen(&timeline), before);
}

#[test]
fn times_that_overflow_are_refused() {
    refused(&request(u64::MAX, 1, 1), &Lowest, Misuse::Overflow);
    refused(&request(u64::MAX - 5, 5, 1), &Lowest, Misuse::Overflow);
    refused(&request(0, u64::MAX - 5, 1), &Lowest, Refusal::Overflow);
    // It would have to wait until 40.
    refused(&request(15, u64::MAX - 30, 8), &Lowest, Refusal::Overflow);
}

#[test]
fn not_before_the_deadline_comes_with_the_earliest_finish() {
    refused(&request(10, 5, 3).by(at(24)), &Lowest, Refusal::Late { finish: at(25) });
    refused(&request(10, 15, 3).by(at(54)), &Lowest, Refusal::Late { finish: at(55) });
    // Ready in the past: the present counts, and 7 is before 5 + 3.
    refused(&request(1, 3, 1).by(at(7)), &Lowest, Refusal::Late { finish: at(8) });
}

#[test]
fn the_earliest_finish_is_one_that_the_choice_can_take() {
    // PEs 0 and 1 and 6 and 7 are free together only until 30, four in a row from 40 on.
    refused(&request(20, 15, 4).by(at(50)), &Contiguous, Refusal::Late { finish: at(55) });
    refused(&request(5, 10, 4).by(at(20)), &AlignedSubcube, Refusal::Late { finish: at(30) });
}

#[test]
fn too_few_pes_in_service_are_told_apart_from_not_now() {
    let (mut timeline, _) = timeline();
    timeline.withdraw(0).unwrap();
    timeline.withdraw(4).unwrap();
    let before = seen(&timeline);
    let find = |pes, choice: &dyn Choice| {
        timeline.find(&request(0, 5, pes), &Fit::First, choice, &mut set(&[])).map(|p| p.start)
    };
    assert_eq!(find(6, &Lowest), Ok(at(5)));
    assert_eq!(find(7, &Lowest), Err(Refusal::Faulty { serving: 6 }.into()));
    assert_eq!(find(9, &Lowest), Err(Refusal::TooLarge { pes: 8 }.into()));
    assert_eq!(find(3, &Contiguous), Ok(at(5)));
    assert_eq!(find(4, &Contiguous), Err(Refusal::Faulty { serving: 6 }.into()));
    assert_eq!(find(4, &AlignedSubcube), Err(Refusal::Faulty { serving: 6 }.into()));
    assert_eq!(seen(&timeline), before);
}

#[test]
fn a_full_timeline_refuses_until_a_reservation_has_ended() {
    let (mut timeline, _) = timeline();
    timeline.reserve(&request(50, 5, 1), &Fit::First, &Lowest).unwrap();
    let before = seen(&timeline);
    let again = request(60, 5, 1);
    assert_eq!(
        timeline.reserve(&again, &Fit::First, &Lowest),
        Err(Refusal::Full { reservations: 3 }.into())
    );
    assert_eq!(
        timeline.add(interval(60, 65), &set(&[1])),
        Err(Refusal::Full { reservations: 3 }.into())
    );
    assert_eq!(seen(&timeline), before);
    timeline.advance(at(20)).unwrap();
    assert!(timeline.reserve(&again, &Fit::First, &Lowest).is_ok());
    assert_eq!(
        timeline.reserve(&again, &Fit::First, &Lowest),
        Err(Refusal::Full { reservations: 3 }.into())
    );
}

#[test]
fn what_the_caller_places_is_checked() {
    let (mut timeline, [first, _]) = timeline();
    let before = seen(&timeline);
    let wide = BitSet::empty([0 as Word; 1], 9).unwrap();
    for (at, pes, reason) in [
        (interval(4, 9), &[0][..], Error::from(Misuse::Past)),
        (interval(6, 6), &[0], Error::from(Misuse::NoTime)),
        (interval(7, 6), &[0], Error::from(Misuse::NoTime)),
        (interval(6, u64::MAX), &[6], Error::from(Misuse::Overflow)),
        (interval(6, 9), &[], Error::from(Misuse::NoPes)),
        (interval(6, 11), &[5, 6], Error::from(Refusal::Busy { from: at(10) })),
        (interval(15, 35), &[1, 6], Error::from(Refusal::Busy { from: at(15) })),
        (interval(15, 35), &[6], Error::from(Refusal::Busy { from: at(30) })),
    ] {
        assert_eq!(timeline.add(at, &set(pes)), Err(reason));
    }
    assert_eq!(timeline.add(interval(6, 9), &wide), Err(Misuse::WrongSet.into()));
    assert_eq!(timeline.replace(first, interval(6, 9), &wide), Err(Misuse::WrongSet.into()));
    let busy = timeline.replace(first, interval(15, 35), &set(&[1, 2]));
    assert_eq!(busy, Err(Refusal::Busy { from: at(30) }.into()));
    assert_eq!(timeline.replace(first, interval(4, 9), &set(&[0])), Err(Misuse::Past.into()));
    assert_eq!(timeline.replace(first, interval(6, 9), &set(&[])), Err(Misuse::NoPes.into()));
    assert_eq!(seen(&timeline), before);
}

#[test]
fn a_reservation_is_not_moved_where_others_are() {
    let (mut timeline, [first, second]) = timeline();
    let before = seen(&timeline);
    assert_eq!(timeline.set_end(first, at(31)), Err(Refusal::Busy { from: at(30) }.into()));
    assert_eq!(timeline.set_end(first, at(10)), Err(Misuse::NoTime.into()));
    assert_eq!(timeline.set_end(first, Instant::MAX), Err(Misuse::Overflow.into()));
    assert_eq!(timeline.set_end(second, Instant::MAX), Err(Misuse::Overflow.into()));
    assert_eq!(timeline.move_to(first, at(21)), Err(Refusal::Busy { from: at(30) }.into()));
    assert_eq!(timeline.move_to(second, at(19)), Err(Refusal::Busy { from: at(19) }.into()));
    assert_eq!(timeline.move_to(second, at(4)), Err(Misuse::Past.into()));
    assert_eq!(timeline.move_to(second, at(u64::MAX - 3)), Err(Misuse::Overflow.into()));
    assert_eq!(seen(&timeline), before);
}

#[test]
fn a_running_reservation_keeps_its_start_and_may_change_its_end() {
    let (mut timeline, [first, _]) = timeline();
    timeline.advance(at(15)).unwrap();
    assert_eq!(timeline.set_end(first, at(15)), Err(Misuse::NoTime.into()));
    assert_eq!(timeline.move_to(first, at(14)), Err(Misuse::Past.into()));
    assert_eq!(timeline.set_end(first, at(28)), Ok(()));
    assert_eq!(timeline.reservation(first).unwrap().at, interval(10, 28));
    assert_eq!(timeline.cancel(first), Ok(interval(15, 28)));
    timeline.check_invariants().unwrap();
}

#[test]
fn a_cancelled_or_ended_or_foreign_id_is_refused() {
    let (mut timeline, [first, second]) = timeline();
    timeline.cancel(first).unwrap();
    let reused = timeline.reserve(&request(10, 5, 2), &Fit::First, &Lowest).unwrap().0;
    assert_eq!(reused.index(), first.index());

    let mut other: Plain =
        Timeline::new(PoolId(2), LIMITS, vec![0; Timeline::words(LIMITS)]).unwrap();
    let foreign = other.add(interval(50, 60), &set(&[1])).unwrap();
    let ended = timeline.reserve(&request(5, 2, 1), &Fit::First, &Lowest).unwrap().0;
    timeline.advance(at(7)).unwrap();

    let before = seen(&timeline);
    for (id, misuse) in [
        (first, handle::Misuse::Stale),
        (ended, handle::Misuse::Stale),
        (foreign, handle::Misuse::Foreign),
    ] {
        let misuse = Misuse::Handle(misuse);
        let refusal = Error::from(misuse);
        assert_eq!(timeline.cancel(id), Err(misuse));
        assert_eq!(timeline.reservation(id), Err(misuse));
        assert_eq!(timeline.pes_of(id).err(), Some(misuse));
        assert_eq!(timeline.set_end(id, at(90)), Err(refusal));
        assert_eq!(timeline.move_to(id, at(90)), Err(refusal));
        assert_eq!(timeline.replace(id, interval(90, 95), &set(&[1])), Err(refusal));
        let instead =
            timeline.find_instead(id, &request(9, 1, 1), &Fit::First, &Lowest, &mut set(&[]));
        assert_eq!(instead, Err(refusal));
    }
    assert_eq!(seen(&timeline), before);
    assert!(timeline.cancel(second).is_ok());
}

#[test]
fn the_past_is_neither_asked_about_nor_returned_to() {
    let (mut timeline, _) = timeline();
    let before = seen(&timeline);
    assert_eq!(timeline.advance(at(4)), Err(Misuse::Past));
    assert_eq!(timeline.free_at(at(4)), Err(Misuse::Past));
    assert_eq!(timeline.fewest_free(interval(4, 9)), Err(Misuse::Past));
    assert_eq!(timeline.free_pes(interval(4, 9), &mut set(&[])), Err(Misuse::Past));
    assert_eq!(timeline.busy_pes(at(4), &mut set(&[])), Err(Misuse::Past));
    assert_eq!(timeline.fewest_free(interval(9, 9)), Err(Misuse::NoTime));
    let mut wide = BitSet::empty([0 as Word; 1], 9).unwrap();
    assert_eq!(timeline.free_pes(interval(9, 10), &mut wide), Err(Misuse::WrongSet));
    assert_eq!(timeline.busy_pes(at(9), &mut wide), Err(Misuse::WrongSet));
    assert_eq!(seen(&timeline), before);
}

#[test]
fn a_pe_that_the_machine_does_not_have_cannot_fail() {
    let (mut timeline, _) = timeline();
    let before = seen(&timeline);
    assert_eq!(timeline.withdraw(8), Err(Misuse::NoSuchPe));
    assert_eq!(timeline.repair(8), Err(Misuse::NoSuchPe));
    assert_eq!(timeline.repair(3), Ok(()), "it is in service");
    assert_eq!(seen(&timeline), before);
}

#[test]
fn outages_are_noted_at_the_end_of_time_as_before_it() {
    let (mut timeline, _) = timeline();
    timeline.withdraw(3).unwrap();
    timeline.advance(Instant::MAX).unwrap();
    timeline.withdraw(6).unwrap();
    timeline.withdraw(6).unwrap();
    timeline.check_invariants().unwrap();
    let busy = |timeline: &Plain| seen(timeline).1;
    let slot = |busy| Slot { time: Instant::MAX, busy };
    assert_eq!(busy(&timeline), [(slot(2), vec![3, 6])]);
    for (pe, left) in [(3, vec![6]), (3, vec![6]), (6, vec![])] {
        timeline.repair(pe).unwrap();
        timeline.check_invariants().unwrap();
        assert_eq!(busy(&timeline), [(slot(left.len() as u32), left)]);
    }

    let mut profile = Profile::new(PoolId(3), LIMITS, vec![0; Profile::words(LIMITS)]).unwrap();
    profile.add(interval(10, 20), 5).unwrap();
    profile.set_out_of_service(1).unwrap();
    profile.advance(Instant::MAX).unwrap();
    for out in [4, 4, 2, 0] {
        profile.set_out_of_service(out).unwrap();
        profile.check_invariants().unwrap();
        assert!(profile.slots().eq([slot(out)]));
        assert_eq!(profile.free_at(Instant::MAX), Ok(8 - out));
    }
}

#[test]
fn a_choice_that_breaks_its_word_gets_nothing() {
    /// Says yes, and leaves too many.
    struct Greedy;
    impl Choice for Greedy {
        fn choose(&self, _: &mut FreePes<'_>, _: u32) -> bool {
            true
        }
    }
    let (mut timeline, _) = timeline();
    let before = seen(&timeline);
    // Only where exactly as many are free as are asked for does it keep its word.
    assert_eq!(
        timeline.find(&request(5, 2, 8), &Fit::First, &Greedy, &mut set(&[])).unwrap().start,
        at(5)
    );
    let refused = timeline.reserve(&request(5, 2, 7), &Fit::First, &Greedy);
    assert_eq!(refused, Err(Refusal::Faulty { serving: 8 }.into()));
    assert_eq!(seen(&timeline), before);
}

#[test]
fn reservations_hit_by_a_failure_are_named_keep_their_pes_and_can_be_moved() {
    let (mut timeline, [first, second]) = timeline();
    let undisturbed = seen(&timeline).1;
    timeline.withdraw(3).unwrap();
    assert!(timeline.holders(3).eq([first, second]));
    assert!(timeline.holders(0).eq([first]));
    assert_eq!(timeline.free_at(at(25)), Ok(7));
    assert!(timeline.pes_of(first).unwrap().contains(3));

    // Ready at its start, where two others are free, it can stay.
    let again = request(10, 10, 6);
    let mut pes = set(&[]);
    let placement = timeline.find_instead(first, &again, &Fit::First, &Lowest, &mut pes).unwrap();
    assert_eq!(placement, interval(10, 20));
    assert!(pes.iter().eq([0, 1, 2, 4, 5, 6]));
    timeline.replace(first, placement, &pes).unwrap();
    assert!(timeline.holders(3).eq([second]));
    // What it has it may keep, as the whole or a part of what it is to have.
    for pes in [&[2, 3, 4, 5, 6][..], &[0, 2, 3, 4], &[2, 3, 4, 5, 6, 7]] {
        assert_eq!(timeline.replace(second, interval(32, 40), &set(pes)), Ok(()));
        assert_eq!(timeline.replace(second, interval(30, 40), &set(&[1, 3])), busy(30));
        assert_eq!(timeline.replace(second, interval(32, 41), &set(&[1, 3])), busy(40));
        timeline.check_invariants().unwrap();
    }
    assert_eq!(timeline.replace(second, interval(32, 40), &set(&[2, 4, 5, 6, 7])), Ok(()));
    assert_eq!(timeline.replace(second, interval(32, 40), &set(&[2, 3])), busy(32));
    timeline.repair(3).unwrap();
    timeline.replace(second, interval(30, 40), &set(&[2, 3, 4, 5, 6, 7])).unwrap();
    timeline.withdraw(3).unwrap();
    // An extension needs all PEs, and one is out.
    assert_eq!(timeline.set_end(second, at(50)), Err(Refusal::Busy { from: at(40) }.into()));
    assert_eq!(timeline.set_end(second, at(35)), Ok(()));
    assert_eq!(timeline.set_end(second, at(36)), Err(Refusal::Busy { from: at(35) }.into()));
    timeline.check_invariants().unwrap();

    timeline.repair(3).unwrap();
    assert_eq!(timeline.set_end(second, at(40)), Ok(()));
    timeline.replace(first, interval(10, 20), &set(&[0, 1, 2, 3, 4, 5])).unwrap();
    assert_eq!(seen(&timeline).1, undisturbed);
}

#[test]
fn a_profile_promises_no_more_than_is_in_service() {
    let storage = vec![0; Profile::words(LIMITS)];
    let mut profile = Profile::new(PoolId(3), LIMITS, storage).unwrap();
    let id = profile.add(interval(10, 20), 5).unwrap();
    assert_eq!(profile.add(interval(0, 15), 4), Err(Refusal::Busy { from: at(10) }.into()));
    assert_eq!(profile.set_out_of_service(9), Err(Misuse::NoSuchPe));
    profile.set_out_of_service(4).unwrap();
    // More is promised from 10 to 20 than is there.
    let slots: Vec<_> = profile.slots().map(|slot| (slot.time.ticks(), slot.busy)).collect();
    assert_eq!(slots, [(0, 4), (10, 9), (20, 4)]);
    assert_eq!(profile.free_at(at(10)), Ok(0));
    assert_eq!(profile.find(&request(5, 6, 4), &Fit::First).unwrap().start, at(20));
    assert_eq!(
        profile.find(&request(5, 6, 5), &Fit::First),
        Err(Refusal::Faulty { serving: 4 }.into())
    );
    assert_eq!(
        profile.replace(id, interval(10, 20), 6),
        Err(Refusal::Busy { from: at(10) }.into())
    );
    // What is promised to it it may keep, and less, but no longer.
    assert_eq!(profile.replace(id, interval(12, 20), 5), Ok(()));
    assert_eq!(profile.replace(id, interval(12, 21), 5), busy(20));
    profile.set_out_of_service(1).unwrap();
    assert_eq!(profile.replace(id, interval(10, 20), 6), Ok(()));
    profile.check_invariants().unwrap();
    assert_eq!(profile.cancel(id), Ok(interval(10, 20)));
    assert_eq!(profile.cancel(id), Err(Misuse::Handle(handle::Misuse::Stale)));
}

#[test]
fn limits_out_of_range_and_short_storage_are_refused() {
    let new = |pes, reservations, words| {
        let limits = Limits { pes, reservations };
        Timeline::new(PoolId(0), limits, vec![0; words]).err()
    };
    assert_eq!(new(0, 1, 100), Some(SetupError::Limits));
    assert_eq!(new(1, 0, 100), Some(SetupError::Limits));
    assert_eq!(new(Limits::MOST + 1, 1, 100), Some(SetupError::Limits));
    assert_eq!(new(1, u32::MAX, 100), Some(SetupError::Limits));
    let words = Timeline::words(LIMITS);
    assert_eq!(new(8, 3, words - 1), Some(SetupError::StorageTooSmall { needed: words }));
    assert_eq!(new(8, 3, words), None);
}

#[test]
fn reasons_say_how_many_there_are_in_the_singular_and_in_the_plural() {
    let said = |refusal: Refusal| refusal.to_string();
    assert_eq!(said(Refusal::TooLarge { pes: 1 }), "the machine has 1 PE only");
    assert_eq!(said(Refusal::TooLarge { pes: 2 }), "the machine has 2 PEs only");
    let faulty = said(Refusal::Faulty { serving: 1 });
    assert_eq!(faulty, "the machine has 1 PE in service only, until some are repaired");
    assert_eq!(said(Refusal::Full { reservations: 1 }), "there is room for 1 reservation only");
    assert_eq!(said(Refusal::Full { reservations: 0 }), "there is room for 0 reservations only");
    assert_eq!(said(Refusal::Masked { allowed: 3 }), "the mask allows 3 PEs only");
    assert_eq!(said(Refusal::NoStep { steps: 1 }), "the attempt has room for 1 step only");
}

#[test]
fn every_reason_reads_as_one_line() {
    let reasons = [
        Refusal::TooLarge { pes: 8 },
        Refusal::Faulty { serving: 6 },
        Refusal::Late { finish: at(77) },
        Refusal::Overflow,
        Refusal::Busy { from: at(77) },
        Refusal::Full { reservations: 3 },
        Refusal::Masked { allowed: 2 },
        Refusal::NoStep { steps: 0 },
    ];
    let faults = [
        Misuse::NoPes,
        Misuse::NoTime,
        Misuse::Overflow,
        Misuse::DeadlineTooEarly,
        Misuse::Past,
        Misuse::NoSuchPe,
        Misuse::WrongSet,
        Misuse::Handle(handle::Misuse::Stale),
    ];
    for error in reasons.map(Error::Refused).into_iter().chain(faults.map(Error::Misused)) {
        let text = error.to_string();
        assert!(!text.is_empty() && !text.contains('\n') && !text.ends_with('.'), "{text}");
        let has_time = matches!(error, Error::Refused(Refusal::Late { .. } | Refusal::Busy { .. }));
        assert_eq!(text.contains("77"), has_time, "{text}");
    }
    assert_eq!(interval(3, 77).to_string(), "3..77");
}

#[test]
fn a_timeline_and_a_profile_can_stand_in_a_static() {
    use std::sync::Mutex;
    static TIMELINE: Mutex<Timeline<[Word; Timeline::words(LIMITS)]>> =
        Mutex::new(Timeline::new_static::<8, 3>(PoolId(0)));
    static PROFILE: Mutex<Profile<[Word; Profile::words(LIMITS)]>> =
        Mutex::new(Profile::new_static::<8, 3>(PoolId(0)));
    let (mut timeline, mut profile) = (TIMELINE.lock().unwrap(), PROFILE.lock().unwrap());
    let (_, on_pes) = timeline.reserve(&request(5, 10, 8), &Fit::First, &Lowest).unwrap();
    let (_, by_count) = profile.reserve(&request(5, 10, 8), &Fit::First).unwrap();
    assert_eq!((on_pes, by_count), (interval(5, 15), interval(5, 15)));
    assert_eq!((timeline.limits(), profile.limits()), (LIMITS, LIMITS));
}
