//! The local scheduler: the rules one by one, and all short histories.

use locox::denied::Denied::{No, Wrong};
use locox::node::{
    Action, Input, LocalRule, LocalScheduler, Misuse, OnReturn, Owner, Phase, Refusal,
};
use locox::time::{Duration, Instant};

const WAIT: u64 = 10;
const GRACE: u64 = 4;

const AT_ONCE: LocalRule =
    LocalRule { on_return: OnReturn::Checkpoint, grace: Duration::from_ticks(GRACE) };
const SUSPEND_FIRST: LocalRule = LocalRule {
    on_return: OnReturn::Suspend { wait: Duration::from_ticks(WAIT) },
    grace: Duration::from_ticks(GRACE),
};

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

/// A station whose owner is away and whose guest runs, at time 0.
fn running(rule: LocalRule) -> LocalScheduler {
    let mut station = LocalScheduler::new(rule);
    assert_eq!(station.step(at(0), Input::OwnerLeft), Ok(None));
    assert_eq!(station.step(at(0), Input::Place), Ok(Some(Action::Start)));
    station
}

#[test]
fn the_guest_is_preempted_at_once_when_the_owner_returns() {
    let mut station = running(AT_ONCE);
    assert_eq!(station.step(at(7), Input::OwnerReturned), Ok(Some(Action::Checkpoint)));
    assert_eq!(station.phase(), Phase::Leaving { until: at(7 + GRACE) });
    assert_eq!(station.step(at(8), Input::CheckpointDone), Ok(Some(Action::Vacate)));
    assert_eq!(station.phase(), Phase::Empty);
}

#[test]
fn a_guest_whose_checkpoint_takes_too_long_is_killed_after_the_grace() {
    let mut station = running(AT_ONCE);
    station.step(at(7), Input::OwnerReturned).unwrap();
    assert_eq!(station.wake_at(), Some(at(7 + GRACE)));
    assert_eq!(station.step(at(6 + GRACE), Input::Time), Ok(None));
    assert_eq!(station.step(at(7 + GRACE), Input::Time), Ok(Some(Action::Kill)));
    assert_eq!(station.phase(), Phase::Empty);
}

#[test]
fn a_suspended_guest_goes_on_if_the_owner_leaves_again() {
    let mut station = running(SUSPEND_FIRST);
    assert_eq!(station.step(at(7), Input::OwnerReturned), Ok(Some(Action::Suspend)));
    assert_eq!(station.phase(), Phase::Suspended { until: at(7 + WAIT) });
    assert_eq!(station.step(at(12), Input::OwnerLeft), Ok(Some(Action::Continue)));
    assert_eq!(station.phase(), Phase::Running);
}

#[test]
fn a_suspended_guest_leaves_when_it_has_waited_enough() {
    let mut station = running(SUSPEND_FIRST);
    station.step(at(7), Input::OwnerReturned).unwrap();
    assert_eq!(station.step(at(6 + WAIT), Input::Time), Ok(None));
    assert_eq!(station.step(at(7 + WAIT), Input::Time), Ok(Some(Action::Checkpoint)));
    assert_eq!(station.phase(), Phase::Leaving { until: at(7 + WAIT + GRACE) });
}

#[test]
fn a_guest_that_is_leaving_leaves_even_if_the_owner_does() {
    let mut station = running(AT_ONCE);
    station.step(at(7), Input::OwnerReturned).unwrap();
    assert_eq!(station.step(at(8), Input::OwnerLeft), Ok(None));
    assert_eq!(station.step(at(8), Input::Place), Err(No(Refusal::Occupied)));
    assert_eq!(station.step(at(9), Input::CheckpointDone), Ok(Some(Action::Vacate)));
}

#[test]
fn the_coordinator_preempts_a_running_and_a_suspended_guest() {
    let mut station = running(AT_ONCE);
    assert_eq!(station.step(at(3), Input::Preempt), Ok(Some(Action::Checkpoint)));
    assert_eq!(station.step(at(4), Input::Preempt), Ok(None), "it is leaving already");
    let mut station = running(SUSPEND_FIRST);
    station.step(at(1), Input::OwnerReturned).unwrap();
    assert_eq!(station.step(at(3), Input::Preempt), Ok(Some(Action::Checkpoint)));
    assert_eq!(station.phase(), Phase::Leaving { until: at(3 + GRACE) });
}

#[test]
fn a_checkpoint_asked_for_in_between_does_not_stop_the_guest() {
    let mut station = running(AT_ONCE);
    assert_eq!(station.step(at(3), Input::Checkpoint), Ok(Some(Action::Checkpoint)));
    assert_eq!(station.step(at(4), Input::CheckpointDone), Ok(None));
    assert_eq!(station.phase(), Phase::Running);
    station.step(at(5), Input::Preempt).unwrap();
    assert_eq!(station.step(at(5), Input::Checkpoint), Ok(None), "one is on its way");
}

#[test]
fn a_guest_that_ends_leaves_the_station_empty() {
    let mut station = running(AT_ONCE);
    assert_eq!(station.step(at(3), Input::Finished), Ok(None));
    assert_eq!(station.step(at(3), Input::Place), Ok(Some(Action::Start)));
    station.step(at(4), Input::Preempt).unwrap();
    assert_eq!(station.step(at(4), Input::Finished), Ok(None), "it ended just before");
    assert_eq!(station.phase(), Phase::Empty);
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let mut suspended = running(SUSPEND_FIRST);
    suspended.step(at(1), Input::OwnerReturned).unwrap();
    let mut away = LocalScheduler::new(AT_ONCE);
    away.step(at(0), Input::OwnerLeft).unwrap();
    let cases = [
        (LocalScheduler::new(AT_ONCE), Input::Place, No(Refusal::OwnerPresent)),
        (running(AT_ONCE), Input::Place, No(Refusal::Occupied)),
        (away, Input::Preempt, Wrong(Misuse::NoGuest)),
        (away, Input::Checkpoint, Wrong(Misuse::NoGuest)),
        (away, Input::CheckpointDone, Wrong(Misuse::NoGuest)),
        (away, Input::Finished, Wrong(Misuse::NoGuest)),
        (suspended, Input::Finished, Wrong(Misuse::GuestSuspended)),
    ];
    for (before, input, refusal) in cases {
        let mut station = before;
        assert_eq!(station.step(at(5), input), Err(refusal));
        assert_eq!(station, before);
    }
}

/// A guest as the station's machine sees it: only what it is told to do.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Guest {
    None,
    Runs,
    Stopped,
}

fn obey(guest: Guest, action: Action, leaving: bool) -> Guest {
    match (guest, action) {
        (Guest::None, Action::Start) => Guest::Runs,
        (Guest::Runs, Action::Suspend) => Guest::Stopped,
        (Guest::Stopped, Action::Continue) => Guest::Runs,
        (Guest::Runs | Guest::Stopped, Action::Checkpoint) if leaving => Guest::Stopped,
        (Guest::Runs | Guest::Stopped, Action::Checkpoint) => guest,
        (Guest::Stopped, Action::Vacate | Action::Kill) => Guest::None,
        _ => panic!("{action:?} to a guest that is {guest:?}"),
    }
}

fn every_history(station: LocalScheduler, guest: Guest, now: u64, left: u32, seen: &mut u32) {
    use Input::*;
    const INPUTS: [Input; 8] =
        [Place, Preempt, Checkpoint, OwnerReturned, OwnerLeft, CheckpointDone, Finished, Time];
    for input in INPUTS {
        for now in [now, now + WAIT / 2, now + WAIT] {
            let (mut station, mut guest) = (station, guest);
            let Ok(action) = station.step(at(now), input) else { continue };
            if input == Finished {
                guest = Guest::None;
            }
            if let Some(action) = action {
                let leaving = matches!(station.phase(), Phase::Leaving { .. });
                guest = obey(guest, action, leaving);
            }
            let expected = match station.phase() {
                Phase::Empty => Guest::None,
                Phase::Running => Guest::Runs,
                Phase::Suspended { .. } | Phase::Leaving { .. } => Guest::Stopped,
            };
            assert_eq!(guest, expected);
            assert!(guest != Guest::Runs || station.owner() == Owner::Away);
            assert_eq!(
                station.is_busy(),
                matches!(station.phase(), Phase::Running | Phase::Leaving { .. })
            );
            assert!(station.owner() == Owner::Away || gone_in_time(station, now));
            *seen += 1;
            if left > 1 {
                every_history(station, guest, now, left - 1, seen);
            }
        }
    }
}

/// Whether time alone empties the station soon enough after the owner's return.
fn gone_in_time(mut station: LocalScheduler, now: u64) -> bool {
    let mut waits = 0;
    while let Some(wake) = station.wake_at() {
        if wake > at(now + WAIT + GRACE) || waits == 2 {
            return false;
        }
        station.step(wake.max(at(now)), Input::Time).unwrap();
        waits += 1;
    }
    station.phase() == Phase::Empty
}

#[test]
fn in_every_short_history_a_guest_runs_only_while_the_owner_is_away_and_is_gone_in_time() {
    for rule in [AT_ONCE, SUSPEND_FIRST] {
        let mut seen = 0;
        every_history(LocalScheduler::new(rule), Guest::None, 0, 5, &mut seen);
        assert!(seen > 100_000, "{seen} steps");
    }
}

#[test]
fn a_local_scheduler_fits_in_sixty_four_bytes() {
    assert!(size_of::<LocalScheduler>() <= 64, "{} bytes", size_of::<LocalScheduler>());
}
