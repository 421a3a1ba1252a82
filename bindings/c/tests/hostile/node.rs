//! Owners of workstations, and guests there.

use crate::dice::{DONE, Dice, Spoiler, calls, is_wrong};
use locox::error::Error;
use locox::node::{
    Action, Input, LocalRule, LocalScheduler, Misuse, OnReturn, Owner, OwnerActivity, OwnerLoad,
    OwnerRule, Phase, Refusal, Writing,
};
use locox::time::{Duration, Instant};
use locox_c::locox_status::{self, *};
use locox_c::*;
use std::mem::zeroed;
use std::ptr::null_mut;

fn misused(misuse: Misuse) -> (locox_status, u64) {
    let status = match misuse {
        Misuse::Zero { .. } => LOCOX_ZERO,
        Misuse::TimeWentBack => LOCOX_PAST,
        Misuse::NoGuest => LOCOX_NO_GUEST,
        Misuse::GuestSuspended => LOCOX_GUEST_SUSPENDED,
        Misuse::NotKilled => LOCOX_NOT_KILLED,
        Misuse::NoMessage => LOCOX_NO_MESSAGE,
        Misuse::TooManyMessages => LOCOX_TOO_MANY_MESSAGES,
        other => panic!("{other:?} has no status"),
    };
    (status, 0)
}

#[test]
fn an_owner_answers_as_the_kernel_does_whatever_is_said() {
    // SAFETY: zeroed is not started, zeros are a rule, and as the calls say.
    unsafe {
        let mut owner: locox_owner = zeroed();
        let mut rule: locox_owner_rule = zeroed();
        let good = &raw mut owner;
        assert_eq!(locox_owner_standard(60, &raw mut rule), LOCOX_OK);
        let zero = locox_owner_rule { sample_away: 0, ..rule };
        let loud = locox_owner_rule { threshold: LOCOX_LOAD_FULL + 1, ..rule };
        assert_eq!(locox_owner_start(good, &raw const zero, 0), LOCOX_ZERO);
        assert_eq!(locox_owner_start(good, &raw const loud, 0), LOCOX_BAD_ARGUMENT);
        assert_eq!(locox_owner_clock_went_back(good, 0), LOCOX_NOT_STARTED);
        assert_eq!(locox_owner_start(good, &raw const rule, 0), LOCOX_OK);
        let study = OwnerRule::study(Duration::from_ticks(60));
        let mut twin = OwnerActivity::new(study, Instant::ZERO).unwrap();
        let (mut dice, mut now) = (Dice(71), 0u64);
        for _ in 0..calls() / 4 {
            now += dice.below(60);
            let time = now.saturating_sub(if dice.one_in(30) { 70 } else { 0 });
            let load = if dice.one_in(20) { dice.number(12_000) } else { dice.number(26) };
            let (mut changed, mut present, mut next) = (77u32, 77u32, 77u64);
            let mut spoiler = Spoiler::new(&mut dice);
            let place = spoiler.pointer(good);
            let to_changed = spoiler.optional(&raw mut changed);
            let to_present = spoiler.optional(&raw mut present);
            let spoiled = spoiler.spoiled;
            let status = locox_owner_sample(place, time, load, to_changed, to_present);
            if spoiled {
                assert!(is_wrong(status), "{status:?}");
                continue;
            }
            let sampled = u16::try_from(load).ok().filter(|load| *load <= 10_000);
            let sampled = sampled.ok_or((LOCOX_BAD_ARGUMENT, 0)).and_then(|load| {
                let load = OwnerLoad::from_hundredths(load);
                twin.sample(Instant::from_ticks(time), load).map_err(misused)
            });
            match sampled {
                Err(why) => assert_eq!((status, changed, present), (why.0, 77, 77)),
                Ok(change) => {
                    assert_eq!(status, LOCOX_OK);
                    let is_present = u32::from(twin.owner() == Owner::Present);
                    let is_change = u32::from(change.is_some());
                    assert_eq!(changed, if to_changed.is_null() { 77 } else { is_change });
                    assert_eq!(present, if to_present.is_null() { 77 } else { is_present });
                }
            }
            assert_eq!(locox_owner_next_sample(good, &raw mut next), LOCOX_OK);
            assert_eq!(next, twin.next_sample().ticks());
            if dice.one_in(200) {
                now = now.saturating_sub(100);
                assert_eq!(locox_owner_clock_went_back(good, now), LOCOX_OK);
                twin.clock_went_back(Instant::from_ticks(now));
            }
        }
    }
}

fn input_of(what: u32, writing: u32, until: u64) -> Option<Input> {
    Some(match what {
        0 => Input::Time,
        1 => Input::Place,
        2 => Input::Preempt,
        3 => Input::Checkpoint,
        4 => Input::OwnerReturned,
        5 => Input::OwnerLeft,
        6 => Input::CheckpointDone(Writing(writing)),
        7 => Input::Finished,
        8 => Input::Gone,
        9 => Input::LeasedUntil(Instant::from_ticks(until)),
        10 => Input::MessageSent,
        11 => Input::MessageAnswered,
        _ => return None,
    })
}

fn plain(action: Option<Action>) -> locox_guest_action {
    let of = |kind| locox_guest_action { kind, writing: 0 };
    match action {
        None => of(0),
        Some(Action::Start) => of(1),
        Some(Action::Suspend) => of(2),
        Some(Action::Continue) => of(3),
        Some(Action::Checkpoint(writing)) => locox_guest_action { kind: 4, writing: writing.0 },
        Some(Action::Vacate) => of(5),
        Some(Action::Kill) => of(6),
    }
}

fn phase_of(twin: &LocalScheduler) -> locox_guest_phase {
    let (phase, writing, until) = match twin.phase() {
        Phase::Empty => (0, 0, 0),
        Phase::Running => (1, 0, 0),
        Phase::Suspended { until } => (2, 0, until.ticks()),
        Phase::Leaving { until, writing } => (3, writing.0, until.ticks()),
        Phase::Dying { again } => (4, 0, again.ticks()),
    };
    let owner_present = (twin.owner() == Owner::Present).into();
    locox_guest_phase { phase, writing, until, owner_present, busy: twin.is_busy().into() }
}

fn guests(suspends: u32, seed: u64) {
    let ticks = Duration::from_ticks;
    let on_return = match suspends {
        0 => OnReturn::Checkpoint,
        _ => OnReturn::Suspend { wait: ticks(50) },
    };
    let mut twin =
        LocalScheduler::new(LocalRule { on_return, grace: ticks(30), kill_again: ticks(5) });
    let rule = locox_guest_rule { suspends, padding: 0, wait: 50, grace: 30, kill_again: 5 };
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut guest: locox_guest = zeroed();
        let good = &raw mut guest;
        let mut wake = 77;
        assert_eq!(locox_guest_wake_at(good, &raw mut wake), LOCOX_NOT_STARTED);
        assert_eq!(locox_guest_start(good, null_mut()), LOCOX_NULL);
        assert_eq!(locox_guest_start(good, &raw const rule), LOCOX_OK);
        let (mut dice, mut now, mut writing) = (Dice(seed), 0u64, 0u32);
        for _ in 0..calls() / 4 {
            now += dice.below(20);
            let what = dice.beyond(12);
            let until = now + dice.below(60);
            let blank = locox_guest_action { kind: 77, writing: 77 };
            let mut action = blank;
            let mut spoiler = Spoiler::new(&mut dice);
            let place = spoiler.pointer(good);
            let to = spoiler.pointer(&raw mut action);
            let spoiled = spoiler.spoiled;
            let status = locox_guest_step(place, now, what, writing, until, to);
            if spoiled {
                assert!(is_wrong(status), "{status:?}");
                assert_eq!(action, blank);
                continue;
            }
            let expected = match input_of(what, writing, until) {
                None => (LOCOX_BAD_ARGUMENT, 0),
                Some(input) => match twin.step(Instant::from_ticks(now), input) {
                    Err(Error::Refused(Refusal::OwnerPresent)) => (LOCOX_OWNER_PRESENT, 0),
                    Err(Error::Refused(Refusal::Occupied)) => (LOCOX_OCCUPIED, 0),
                    Err(Error::Misused(misuse)) => misused(misuse),
                    Ok(expected) => {
                        assert_eq!(action, plain(expected));
                        DONE
                    }
                    other => panic!("{other:?} has no status"),
                },
            };
            assert_eq!(status, expected.0);
            if status != LOCOX_OK {
                assert_eq!(action, blank);
            } else if action.kind == LOCOX_DO_CHECKPOINT {
                writing = action.writing.wrapping_sub(u32::from(dice.one_in(5)));
            }
            let mut phase: locox_guest_phase = zeroed();
            assert_eq!(locox_guest_stands(good, &raw mut phase), LOCOX_OK);
            assert_eq!(phase, phase_of(&twin));
            let status = locox_guest_wake_at(good, &raw mut wake);
            let expected = twin.wake_at().map(Instant::ticks);
            assert_eq!(status, if expected.is_some() { LOCOX_OK } else { LOCOX_NONE });
            assert!(expected.is_none_or(|expected| expected == wake));
            if dice.one_in(200) {
                let before = now;
                now = now.saturating_sub(100);
                assert_eq!(locox_guest_clock_went_back(good, before, now), LOCOX_OK);
                twin.clock_went_back(Instant::from_ticks(before), Instant::from_ticks(now));
            }
        }
    }
}

#[test]
fn a_guest_answers_as_the_kernel_does_whatever_happens() {
    guests(0, 72);
    guests(1, 73);
}

#[test]
fn a_lease_ends_when_the_kernel_says() {
    assert_eq!(locox_lease_until(600_000, 100, 5000, 0), 594_880);
    assert_eq!(locox_lease_until(u64::MAX, u32::MAX, 0, u64::MAX), u64::MAX);
}
