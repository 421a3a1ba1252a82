//! The local scheduler: the rules one by one, and all short histories.

use locox::error::Error::{Misused, Refused};
use locox::node::{
    Action, Input, Lease, LocalRule, LocalScheduler, Misuse, OnReturn, Owner, Phase, Refusal,
    Writing,
};
use locox::time::{Duration, Instant};

const WAIT: u64 = 10;
const GRACE: u64 = 4;
const AGAIN: u64 = 3;

const AT_ONCE: LocalRule = LocalRule {
    on_return: OnReturn::Checkpoint,
    grace: Duration::from_ticks(GRACE),
    kill_again: Duration::from_ticks(AGAIN),
};
const SUSPEND_FIRST: LocalRule =
    LocalRule { on_return: OnReturn::Suspend { wait: Duration::from_ticks(WAIT) }, ..AT_ONCE };

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
    assert_eq!(station.step(at(7), Input::OwnerReturned), Ok(Some(Action::Checkpoint(Writing(1)))));
    assert_eq!(station.phase(), Phase::Leaving { until: at(7 + GRACE), writing: Writing(1) });
    assert_eq!(station.step(at(8), Input::CheckpointDone(Writing(1))), Ok(Some(Action::Vacate)));
    assert_eq!(station.phase(), Phase::Empty);
}

#[test]
fn a_guest_whose_checkpoint_takes_too_long_is_killed_after_the_grace() {
    let mut station = running(AT_ONCE);
    station.step(at(7), Input::OwnerReturned).unwrap();
    assert_eq!(station.wake_at(), Some(at(7 + GRACE)));
    assert_eq!(station.step(at(6 + GRACE), Input::Time), Ok(None));
    assert_eq!(station.step(at(7 + GRACE), Input::Time), Ok(Some(Action::Kill)));
    assert_eq!(station.step(at(7 + GRACE), Input::Gone), Ok(None));
    assert_eq!(station.phase(), Phase::Empty);
}

#[test]
fn a_kill_is_repeated_until_it_is_confirmed() {
    let mut station = running(AT_ONCE);
    station.step(at(7), Input::OwnerReturned).unwrap();
    let mut kills = 0;
    for now in 7 + GRACE..7 + GRACE + 10 * AGAIN {
        let killed = station.step(at(now), Input::Time) == Ok(Some(Action::Kill));
        kills += u64::from(killed);
        assert_eq!(station.step(at(now), Input::Place), Err(Refused(Refusal::OwnerPresent)));
        assert!(!station.is_busy(), "it stops with its processor");
    }
    assert_eq!(kills, 10);
    station.step(at(60), Input::OwnerLeft).unwrap();
    assert_eq!(station.step(at(60), Input::Place), Err(Refused(Refusal::Occupied)));
    assert_eq!(station.step(at(60), Input::Gone), Ok(None));
    assert_eq!(station.step(at(60), Input::Place), Ok(Some(Action::Start)));
}

#[test]
fn a_late_periodic_checkpoint_does_not_vacate_a_guest_whose_final_one_is_not_done() {
    let mut station = running(AT_ONCE);
    let asked = station.step(at(3), Input::Checkpoint);
    assert_eq!(asked, Ok(Some(Action::Checkpoint(Writing(1)))));
    let leaves = station.step(at(4), Input::OwnerReturned);
    assert_eq!(leaves, Ok(Some(Action::Checkpoint(Writing(2)))));
    assert_eq!(station.step(at(5), Input::CheckpointDone(Writing(1))), Ok(None));
    assert_eq!(station.step(at(6), Input::CheckpointDone(Writing(2))), Ok(Some(Action::Vacate)));
}

#[test]
fn a_guest_is_killed_when_its_lease_ends_whatever_it_does() {
    let leases: [(LocalRule, &[Input]); 3] = [
        (AT_ONCE, &[]),
        (AT_ONCE, &[Input::OwnerReturned]),
        (SUSPEND_FIRST, &[Input::OwnerReturned]),
    ];
    for (rule, before) in leases {
        let mut station = running(rule);
        assert_eq!(station.step(at(0), Input::LeasedUntil(at(2))), Ok(None));
        assert_eq!(station.step(at(1), Input::LeasedUntil(at(5))), Ok(None), "renewed");
        for &input in before {
            station.step(at(2), input).unwrap();
        }
        assert_eq!(station.wake_at(), Some(at(5)));
        assert_eq!(station.step(at(4), Input::Time), Ok(None));
        assert_eq!(station.step(at(5), Input::Time), Ok(Some(Action::Kill)));
        assert_eq!(station.step(at(5), Input::Gone), Ok(None));
        assert_eq!(station.wake_at(), None, "no lease without a guest");
    }
}

/// In any phase: it is neither continued nor stopped first, nor is its checkpoint taken.
#[test]
fn a_guest_whose_lease_has_ended_is_killed_whatever_is_said_next() {
    use Input::*;
    let before: [&[Input]; 4] = [&[], &[OwnerReturned], &[Preempt], &[MessageSent, OwnerReturned]];
    let said = [Preempt, Checkpoint, OwnerReturned, OwnerLeft, MessageSent, Time];
    for (rule, before) in
        [AT_ONCE, SUSPEND_FIRST].into_iter().flat_map(|it| before.map(|b| (it, b)))
    {
        for (input, now) in said.into_iter().flat_map(|it| [(it, 3), (it, 7)]) {
            let mut station = running(rule);
            station.step(at(0), LeasedUntil(at(3))).unwrap();
            for &input in before {
                station.step(at(1), input).unwrap();
            }
            let what = format!("{input:?} at {now} after {before:?}");
            assert_eq!(station.step(at(now), input), Ok(Some(Action::Kill)), "{what}");
            assert_eq!(station.phase(), Phase::Dying { again: at(now + AGAIN) }, "{what}");
        }
        // A later lease, and an end, need no kill.
        let mut station = running(rule);
        station.step(at(0), LeasedUntil(at(3))).unwrap();
        assert_eq!(station.step(at(3), LeasedUntil(at(5))), Ok(None));
        assert_eq!(station.step(at(4), Time), Ok(None));
        assert_eq!(station.step(at(5), Finished), Ok(None));
        assert_eq!(station.phase(), Phase::Empty);
    }
}

/// The slowest host against the fastest coordinator, in true time.
#[test]
fn a_lease_ends_on_its_host_before_the_coordinator_has_counted_it() {
    for drift in [0, 1, 50, 500, 10_000] {
        for length in [1_000_000u64, 600_000_000] {
            let kill = length / 100;
            let ticks = Duration::from_ticks;
            let lease = Lease { length: ticks(length), drift, kill: ticks(kill) };
            let ends = lease.until(at(0)).ticks() as f64;
            let part = f64::from(drift) * 1e-6;
            let gone = (ends + kill as f64) / (1.0 - part);
            let given_away = length as f64 / (1.0 + part);
            assert!(gone <= given_away, "{drift}: gone at {gone}, given away at {given_away}");
            assert!(gone > 0.97 * given_away, "no longer than needed before it");
        }
    }
    let hasty = Lease { length: Duration::from_ticks(5), drift: 0, kill: Duration::from_ticks(9) };
    assert_eq!(hasty.until(at(7)), at(7));
    assert_eq!(Lease { drift: u32::MAX, ..hasty }.until(at(7)), at(7));
}

#[test]
fn after_a_clock_that_went_back_deadlines_are_as_far_off_as_before_and_leases_are_over() {
    let mut station = running(AT_ONCE);
    station.step(at(100), Input::OwnerReturned).unwrap();
    station.clock_went_back(at(101), at(20));
    assert_eq!(station.wake_at(), Some(at(20 + GRACE - 1)));
    assert_eq!(station.step(at(20 + GRACE - 1), Input::Time), Ok(Some(Action::Kill)));
    let mut station = running(AT_ONCE);
    station.step(at(100), Input::LeasedUntil(at(5000))).unwrap();
    station.clock_went_back(at(100), at(20));
    assert_eq!(station.step(at(20), Input::Time), Ok(Some(Action::Kill)));
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
    assert_eq!(station.step(at(7 + WAIT), Input::Time), Ok(Some(Action::Checkpoint(Writing(1)))));
    assert_eq!(
        station.phase(),
        Phase::Leaving { until: at(7 + WAIT + GRACE), writing: Writing(1) }
    );
}

#[test]
fn a_guest_that_is_leaving_leaves_even_if_the_owner_does() {
    let mut station = running(AT_ONCE);
    station.step(at(7), Input::OwnerReturned).unwrap();
    assert_eq!(station.step(at(8), Input::OwnerLeft), Ok(None));
    assert_eq!(station.step(at(8), Input::Place), Err(Refused(Refusal::Occupied)));
    assert_eq!(station.step(at(9), Input::CheckpointDone(Writing(1))), Ok(Some(Action::Vacate)));
}

#[test]
fn the_coordinator_preempts_a_running_and_a_suspended_guest() {
    let mut station = running(AT_ONCE);
    assert_eq!(station.step(at(3), Input::Preempt), Ok(Some(Action::Checkpoint(Writing(1)))));
    assert_eq!(station.step(at(4), Input::Preempt), Ok(None), "it is leaving already");
    let mut station = running(SUSPEND_FIRST);
    station.step(at(1), Input::OwnerReturned).unwrap();
    assert_eq!(station.step(at(3), Input::Preempt), Ok(Some(Action::Checkpoint(Writing(1)))));
    assert_eq!(station.phase(), Phase::Leaving { until: at(3 + GRACE), writing: Writing(1) });
}

#[test]
fn a_checkpoint_asked_for_in_between_does_not_stop_the_guest() {
    let mut station = running(AT_ONCE);
    assert_eq!(station.step(at(3), Input::Checkpoint), Ok(Some(Action::Checkpoint(Writing(1)))));
    assert_eq!(station.step(at(4), Input::CheckpointDone(Writing(1))), Ok(None));
    assert_eq!(station.phase(), Phase::Running);
    station.step(at(5), Input::Preempt).unwrap();
    assert_eq!(station.step(at(5), Input::Checkpoint), Ok(None), "one is on its way");
}

/// "A checkpoint will not be taken whenever there is an outstanding message from the remote end"; "the
/// checkpoint will be delayed for a short while until there are no outstanding messages" (Mutka and
/// Livny 1987, section 3).
#[test]
fn a_checkpoint_is_delayed_until_there_are_no_outstanding_messages() {
    let mut station = running(AT_ONCE);
    for sent in [1, 2] {
        assert_eq!(station.step(at(sent), Input::MessageSent), Ok(None));
    }
    assert_eq!(station.step(at(3), Input::Checkpoint), Ok(None));
    assert_eq!(station.step(at(4), Input::MessageAnswered), Ok(None), "one is outstanding");
    assert_eq!(station.step(at(4), Input::Checkpoint), Ok(None), "it is put off already");
    let taken = station.step(at(5), Input::MessageAnswered);
    assert_eq!(taken, Ok(Some(Action::Checkpoint(Writing(1)))));
    station.step(at(6), Input::MessageSent).unwrap();
    assert_eq!(station.step(at(7), Input::MessageAnswered), Ok(None), "it was put off only once");
}

#[test]
fn a_guest_that_must_leave_is_stopped_at_once_and_checkpointed_when_its_message_is_answered() {
    for leaves in [Input::OwnerReturned, Input::Preempt] {
        let mut station = running(AT_ONCE);
        station.step(at(5), Input::MessageSent).unwrap();
        assert_eq!(station.step(at(7), leaves), Ok(Some(Action::Suspend)));
        assert_eq!(station.phase(), Phase::Leaving { until: at(7 + GRACE), writing: Writing(1) });
        assert_eq!(station.step(at(8), Input::CheckpointDone(Writing(1))), Ok(None), "not begun");
        let taken = station.step(at(9), Input::MessageAnswered);
        assert_eq!(taken, Ok(Some(Action::Checkpoint(Writing(1)))));
        let out = station.step(at(10), Input::CheckpointDone(Writing(1)));
        assert_eq!(out, Ok(Some(Action::Vacate)));
    }
}

#[test]
fn the_grace_goes_on_while_a_checkpoint_is_put_off() {
    let mut station = running(SUSPEND_FIRST);
    station.step(at(5), Input::MessageSent).unwrap();
    assert_eq!(station.step(at(7), Input::OwnerReturned), Ok(Some(Action::Suspend)));
    assert_eq!(station.step(at(7 + WAIT), Input::Time), Ok(None), "it is stopped already");
    let end = 7 + WAIT + GRACE;
    assert_eq!(station.wake_at(), Some(at(end)));
    assert_eq!(station.step(at(end - 1), Input::Time), Ok(None));
    assert_eq!(station.step(at(end), Input::Time), Ok(Some(Action::Kill)));
    assert_eq!(station.step(at(end), Input::MessageAnswered), Ok(None), "it is to die");
    assert_eq!(station.step(at(end), Input::Gone), Ok(None));
    station.step(at(end), Input::OwnerLeft).unwrap();
    station.step(at(end), Input::Place).unwrap();
    let taken = station.step(at(end), Input::Preempt);
    assert_eq!(taken, Ok(Some(Action::Checkpoint(Writing(1)))), "the next guest sent nothing");
}

#[test]
fn a_message_sent_just_before_the_guest_was_stopped_makes_its_checkpoint_void() {
    let mut station = running(AT_ONCE);
    station.step(at(7), Input::OwnerReturned).unwrap();
    assert_eq!(station.step(at(7), Input::MessageSent), Ok(None));
    assert_eq!(station.step(at(8), Input::CheckpointDone(Writing(1))), Ok(None));
    let again = station.step(at(9), Input::MessageAnswered);
    assert_eq!(again, Ok(Some(Action::Checkpoint(Writing(2)))));
    assert_eq!(station.phase(), Phase::Leaving { until: at(7 + GRACE), writing: Writing(2) });
    assert_eq!(station.step(at(10), Input::CheckpointDone(Writing(2))), Ok(Some(Action::Vacate)));
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
    let away = || {
        let mut away = LocalScheduler::new(AT_ONCE);
        away.step(at(0), Input::OwnerLeft).unwrap();
        away
    };
    let mut talkative = running(AT_ONCE);
    for _ in 0..u16::MAX {
        talkative.step(at(1), Input::MessageSent).unwrap();
    }
    let cases = [
        (LocalScheduler::new(AT_ONCE), Input::Place, Refused(Refusal::OwnerPresent)),
        (running(AT_ONCE), Input::Place, Refused(Refusal::Occupied)),
        (away(), Input::Preempt, Misused(Misuse::NoGuest)),
        (away(), Input::Checkpoint, Misused(Misuse::NoGuest)),
        (away(), Input::CheckpointDone(Writing(1)), Misused(Misuse::NoGuest)),
        (away(), Input::Finished, Misused(Misuse::NoGuest)),
        (away(), Input::Gone, Misused(Misuse::NoGuest)),
        (away(), Input::LeasedUntil(at(9)), Misused(Misuse::NoGuest)),
        (away(), Input::MessageSent, Misused(Misuse::NoGuest)),
        (away(), Input::MessageAnswered, Misused(Misuse::NoGuest)),
        (running(AT_ONCE), Input::MessageAnswered, Misused(Misuse::NoMessage)),
        (talkative, Input::MessageSent, Misused(Misuse::TooManyMessages)),
        (running(AT_ONCE), Input::Gone, Misused(Misuse::NotKilled)),
        (suspended, Input::Finished, Misused(Misuse::GuestSuspended)),
    ];
    for (before, input, refusal) in cases {
        let mut station = before.clone();
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
        (Guest::Runs | Guest::Stopped, Action::Checkpoint(_)) if leaving => Guest::Stopped,
        (Guest::Runs | Guest::Stopped, Action::Checkpoint(_)) => guest,
        (Guest::Stopped, Action::Vacate) => Guest::None,
        // Which it need not obey.
        (Guest::Stopped, Action::Kill) => Guest::Stopped,
        _ => panic!("{action:?} to a guest that is {guest:?}"),
    }
}

/// Which checkpoint may be written when, told from what happens alone.
#[derive(Clone, Copy, Default)]
struct Shadow {
    outstanding: u32,
    /// A checkpoint is wanted and not begun.
    due: bool,
}

impl Shadow {
    fn see(&mut self, before: Phase, input: Input, action: Option<Action>, after: Phase) {
        match input {
            Input::MessageSent => self.outstanding += 1,
            Input::MessageAnswered => self.outstanding -= 1,
            _ => {}
        }
        let stays = |phase| matches!(phase, Phase::Running | Phase::Suspended { .. });
        let leaves = matches!(after, Phase::Leaving { .. });
        self.due |= stays(before) && (leaves || input == Input::Checkpoint);
        self.due |= leaves && input == Input::MessageSent;
        match action {
            Some(Action::Checkpoint(_)) => {
                assert!(self.due && self.outstanding == 0);
                self.due = false;
            }
            Some(Action::Vacate) => assert!(!self.due && self.outstanding == 0),
            _ => {}
        }
        if matches!(after, Phase::Empty | Phase::Dying { .. }) {
            self.due = false;
        }
        if after == Phase::Empty {
            self.outstanding = 0;
        }
        assert!(!self.due || self.outstanding > 0, "it is put off for nothing");
    }
}

fn every_history(
    station: LocalScheduler,
    (guest, shadow): (Guest, Shadow),
    now: u64,
    left: u32,
    seen: &mut u32,
) {
    use Input::*;
    // The last checkpoint in a history is one of these.
    let done = [1, 2, 3].map(|number| CheckpointDone(Writing(number)));
    let owner = [Place, Preempt, Checkpoint, OwnerReturned, OwnerLeft];
    let others = [Finished, Gone, Time, MessageSent, MessageAnswered];
    for input in owner.into_iter().chain(others).chain(done) {
        for now in [now, now + WAIT / 2, now + WAIT] {
            let (mut station, mut guest, mut shadow) = (station.clone(), guest, shadow);
            let before = station.phase();
            let Ok(action) = station.step(at(now), input) else { continue };
            shadow.see(before, input, action, station.phase());
            if matches!(input, Finished | Gone) {
                guest = Guest::None;
            }
            if let Some(action) = action {
                let leaving = matches!(station.phase(), Phase::Leaving { .. });
                guest = obey(guest, action, leaving);
            }
            let expected = match station.phase() {
                Phase::Empty => Guest::None,
                Phase::Running => Guest::Runs,
                Phase::Suspended { .. } | Phase::Leaving { .. } | Phase::Dying { .. } => {
                    Guest::Stopped
                }
            };
            assert_eq!(guest, expected);
            assert!(guest != Guest::Runs || station.owner() == Owner::Away);
            assert_eq!(
                station.is_busy(),
                matches!(station.phase(), Phase::Running | Phase::Leaving { .. })
            );
            assert!(station.owner() == Owner::Away || gone_in_time(station.clone(), now));
            *seen += 1;
            if left > 1 {
                every_history(station, (guest, shadow), now, left - 1, seen);
            }
        }
    }
}

/// Whether time alone empties the station, or has the guest killed, soon enough after the owner's
/// return.
fn gone_in_time(mut station: LocalScheduler, now: u64) -> bool {
    let mut waits = 0;
    while let Some(wake) = station.wake_at() {
        if matches!(station.phase(), Phase::Dying { .. }) {
            return true;
        }
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
        let nobody = (Guest::None, Shadow::default());
        every_history(LocalScheduler::new(rule), nobody, 0, 6, &mut seen);
        assert!(seen > 1_000_000, "{seen} steps");
    }
}

#[test]
fn a_local_scheduler_fits_in_ninety_six_bytes() {
    assert!(size_of::<LocalScheduler>() <= 96, "{} bytes", size_of::<LocalScheduler>());
}
