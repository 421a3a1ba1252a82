//! The driver on mocked pins: what it reads, when, and that a pin that fails changes nothing.

use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use embedded_hal_mock::eh1::MockError;
use embedded_hal_mock::eh1::delay::{CheckedDelay, NoopDelay, Transaction as Gap};
use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction};
use locox::node::{
    Action, DriverError, Input, LocalRule, Misuse, NodeDriver, OnReturn, Owner, OwnerRule, Phase,
    Polled, Probe, Refusal, Writing,
};
use locox::time::{Duration, Instant};
use std::cell::Cell;
use std::io::ErrorKind;
use std::rc::Rc;

const QUIET: u64 = 4;
const RULE: OwnerRule = OwnerRule {
    threshold: locox::node::OwnerLoad::from_hundredths(3_000),
    quiet: Duration::from_ticks(QUIET),
    sample_present: Duration::from_ticks(2),
    sample_away: Duration::from_ticks(1),
};
const LOCAL: LocalRule = LocalRule {
    on_return: OnReturn::Checkpoint,
    grace: Duration::from_ticks(6),
    kill_again: Duration::from_ticks(2),
};
const PATIENCE: u64 = 3;
const ONE_READ: Probe = Probe { reads: 1, gap_ns: 0, patience: Duration::from_ticks(PATIENCE) };
const QUIET_POLL: Polled<MockError, MockError> = Polled::QUIET;

type Driver = NodeDriver<Pin, Pin, NoopDelay>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn reads(levels: &[State]) -> Pin {
    Pin::new(&levels.iter().map(|&level| Transaction::get(level)).collect::<Vec<_>>())
}

fn writes(levels: &[State]) -> Pin {
    Pin::new(&levels.iter().map(|&level| Transaction::set(level)).collect::<Vec<_>>())
}

fn driver(activity: Pin, enable: Pin, probe: Probe) -> Driver {
    NodeDriver::new((activity, enable, NoopDelay), probe, RULE, LOCAL, at(0)).unwrap()
}

fn done(driver: Driver) {
    let (mut activity, mut enable, _) = driver.release();
    activity.done();
    enable.done();
}

fn broken() -> MockError {
    MockError::Io(ErrorKind::NotConnected)
}

#[test]
fn the_node_is_enabled_while_the_guest_needs_it_and_only_then() {
    use State::{High, Low};
    // Samples at 0, 2, 4: quiet; at 5: the owner is back.
    let activity = reads(&[Low, Low, Low, High]);
    let enable = writes(&[Low, Low, Low, Low, High, High, Low]);
    let mut node = driver(activity, enable, ONE_READ);
    assert_eq!(node.poll(at(0)), QUIET_POLL);
    assert_eq!(node.poll(at(2)), QUIET_POLL);
    assert_eq!(node.poll(at(4)), Polled { owner: Some(Owner::Away), ..QUIET_POLL });
    assert_eq!(node.request(at(4), Input::Place), Ok(Some(Action::Start)));
    let returned = Polled {
        owner: Some(Owner::Present),
        action: Some(Action::Checkpoint(Writing(1))),
        ..QUIET_POLL
    };
    assert_eq!(node.poll(at(5)), returned);
    assert_eq!(node.wake_at(), Some(at(7)), "the next sample comes before the end of grace");
    assert_eq!(node.request(at(6), Input::CheckpointDone(Writing(1))), Ok(Some(Action::Vacate)));
    done(node);
}

#[test]
fn a_sample_is_the_share_of_readings_in_which_the_line_was_high() {
    use State::{High, Low};
    // Three of ten are at the threshold of 30 %, four are above it.
    let at_threshold = [High, High, High, Low, Low, Low, Low, Low, Low, Low];
    let above = [High, High, High, High, Low, Low, Low, Low, Low, Low];
    let mut levels = at_threshold.repeat(3);
    levels.extend(above);
    // Nine gaps between ten readings, four times.
    let gaps = CheckedDelay::new(&vec![Gap::delay_ns(1_000); 36]);
    let pins = (reads(&levels), writes(&[Low; 5]), gaps);
    let probe = Probe { reads: 10, gap_ns: 1_000, ..ONE_READ };
    let mut node = NodeDriver::new(pins, probe, RULE, LOCAL, at(0)).unwrap();
    for (time, owner) in [(0, None), (2, None), (4, Some(Owner::Away)), (5, Some(Owner::Present))] {
        assert_eq!(node.poll(at(time)).owner, owner);
    }
    let (mut activity, mut enable, mut gaps) = node.release();
    activity.done();
    enable.done();
    gaps.done();
}

#[test]
fn nothing_is_read_before_the_next_sample_is_due() {
    let mut node = driver(reads(&[State::Low]), writes(&[State::Low; 3]), ONE_READ);
    assert_eq!(node.poll(at(0)), QUIET_POLL);
    assert_eq!(node.wake_at(), Some(at(2)));
    assert_eq!(node.poll(at(1)), QUIET_POLL);
    done(node);
}

#[test]
fn a_guest_that_overstays_is_killed_at_the_next_poll() {
    use State::{High, Low};
    let activity = reads(&[Low, Low, Low, Low]);
    let enable = writes(&[Low, Low, Low, Low, High, High, Low]);
    let mut node = driver(activity, enable, ONE_READ);
    for time in [0, 2, 4] {
        let _ = node.poll(at(time));
    }
    node.request(at(4), Input::Place).unwrap();
    assert_eq!(node.request(at(4), Input::Preempt), Ok(Some(Action::Checkpoint(Writing(1)))));
    assert_eq!(node.phase(), Phase::Leaving { until: at(10), writing: Writing(1) });
    assert_eq!(node.poll(at(10)).action, Some(Action::Kill));
    done(node);
}

#[test]
fn a_pin_that_cannot_be_read_is_read_again_after_the_time_between_two_samples() {
    let activity = Pin::new(&[
        Transaction::get(State::Low).with_error(broken()),
        Transaction::get(State::Low),
    ]);
    let mut node = driver(activity, writes(&[State::Low; 3]), ONE_READ);
    assert_eq!(node.poll(at(0)), Polled { unread: Some(broken()), ..QUIET_POLL });
    assert_eq!(node.wake_at(), Some(at(2)), "the time between two samples");
    assert_eq!(node.poll(at(1)), QUIET_POLL, "and an earlier poll reads it as well");
    assert_eq!(node.wake_at(), Some(at(3)));
    done(node);
}

#[test]
fn a_guest_is_not_placed_on_a_node_that_cannot_be_enabled() {
    use State::{High, Low};
    let enable = Pin::new(&[
        Transaction::set(Low),
        Transaction::set(Low),
        Transaction::set(Low),
        Transaction::set(Low),
        Transaction::set(High).with_error(broken()),
    ]);
    let mut node = driver(reads(&[Low, Low, Low]), enable, ONE_READ);
    for time in [0, 2, 4] {
        let _ = node.poll(at(time));
    }
    assert_eq!(node.request(at(4), Input::Place), Err(DriverError::Enable(broken())));
    assert_eq!(node.phase(), Phase::Empty);
    done(node);
}

/// Pins of a broken board: each fails while its switch is on.
#[derive(Clone, Default)]
struct Board {
    active: Rc<Cell<bool>>,
    blind: Rc<Cell<bool>>,
    stuck: Rc<Cell<bool>>,
    enabled: Rc<Cell<bool>>,
}

impl ErrorType for Board {
    type Error = MockError;
}

impl InputPin for Board {
    fn is_high(&mut self) -> Result<bool, MockError> {
        if self.blind.get() { Err(broken()) } else { Ok(self.active.get()) }
    }

    fn is_low(&mut self) -> Result<bool, MockError> {
        self.is_high().map(|high| !high)
    }
}

impl OutputPin for Board {
    fn set_high(&mut self) -> Result<(), MockError> {
        if self.stuck.get() {
            return Err(broken());
        }
        self.enabled.set(true);
        Ok(())
    }

    fn set_low(&mut self) -> Result<(), MockError> {
        if self.stuck.get() {
            return Err(broken());
        }
        self.enabled.set(false);
        Ok(())
    }
}

/// A node whose owner is away and whose guest runs since 4.
fn with_guest(board: &Board) -> NodeDriver<Board, Board, NoopDelay> {
    let pins = (board.clone(), board.clone(), NoopDelay);
    let mut node = NodeDriver::new(pins, ONE_READ, RULE, LOCAL, at(0)).unwrap();
    for time in [0, 2, 4] {
        let _ = node.poll(at(time));
    }
    assert_eq!(node.request(at(4), Input::Place), Ok(Some(Action::Start)));
    node
}

#[test]
fn a_guest_that_is_leaving_is_killed_though_no_pin_works() {
    let board = Board::default();
    let mut node = with_guest(&board);
    assert_eq!(node.request(at(4), Input::Preempt), Ok(Some(Action::Checkpoint(Writing(1)))));
    board.blind.set(true);
    board.stuck.set(true);
    let polled = node.poll(at(10));
    assert_eq!(polled.action, Some(Action::Kill));
    assert_eq!((polled.unread, polled.unset), (Some(broken()), Some(broken())));
    assert_eq!(node.poll(at(12)).action, Some(Action::Kill), "again, as nobody confirmed it");
    assert_eq!(node.request(at(13), Input::Gone), Ok(None));
    assert_eq!(node.phase(), Phase::Empty);
}

#[test]
fn an_owner_who_cannot_be_seen_counts_as_present_when_patience_is_over() {
    let board = Board::default();
    let mut node = with_guest(&board);
    board.blind.set(true);
    for time in 5..5 + PATIENCE {
        let polled = node.poll(at(time));
        assert_eq!((polled.owner, polled.action, polled.unread), (None, None, Some(broken())));
        assert_eq!(node.wake_at(), Some(at(time + 1)));
    }
    let polled = node.poll(at(5 + PATIENCE));
    assert_eq!(polled.owner, Some(Owner::Present));
    assert_eq!(polled.action, Some(Action::Checkpoint(Writing(1))));
    // Once it can be seen that nobody is there, quiet has to last as ever.
    board.blind.set(false);
    let away = (9..40).find(|&time| node.poll(at(time)).owner == Some(Owner::Away));
    assert_eq!(away, Some(14));
}

/// Whatever pins do and whenever it polls, a firmware that sleeps until `wake_at` does not spin: only an owner and a guest
/// with something to say at once have the next poll at once.
#[test]
fn after_a_poll_the_next_one_lies_ahead() {
    let mut random = 1u64;
    let mut below = |bound: u64| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % bound
    };
    for patience in [0, 1, 3, 40] {
        let board = Board::default();
        let probe = Probe { patience: Duration::from_ticks(patience), ..ONE_READ };
        let pins = (board.clone(), board.clone(), NoopDelay);
        let mut node = NodeDriver::new(pins, probe, RULE, LOCAL, at(0)).unwrap();
        let mut now = 0;
        for _ in 0..4000 {
            board.blind.set(below(3) > 0);
            board.active.set(below(9) == 0);
            let polled = node.poll(at(now));
            let wake = node.wake_at().unwrap();
            assert!(
                wake > at(now) || polled.owner.is_some(),
                "{patience}: {wake} after a poll at {now}"
            );
            let at_most = at(now + 2.max(patience));
            assert!(wake <= at_most, "{patience}: {wake} after a poll at {now}");
            let input =
                [Input::Place, Input::Preempt, Input::Gone, Input::LeasedUntil(at(now + below(9)))];
            if below(3) == 0 {
                _ = node.request(at(now), input[below(4) as usize]);
            }
            now = match below(8) {
                0 => now.saturating_sub(below(20)),
                1 => now + below(4),
                _ => node.wake_at().unwrap().ticks().max(now),
            };
        }
    }
}

#[test]
fn a_guest_gives_way_to_its_owner_though_the_node_cannot_be_disabled() {
    let board = Board::default();
    let mut node = with_guest(&board);
    board.stuck.set(true);
    board.active.set(true);
    let returned = node.poll(at(5));
    assert_eq!(returned.owner, Some(Owner::Present));
    assert_eq!(returned.action, Some(Action::Checkpoint(Writing(1))));
    assert_eq!(returned.unset, Some(broken()));
    assert_eq!(node.request(at(6), Input::CheckpointDone(Writing(1))), Ok(Some(Action::Vacate)));
    assert!(board.enabled.get());
    board.stuck.set(false);
    assert_eq!(node.poll(at(7)).unset, None);
    assert!(!board.enabled.get(), "the next poll disables the node");
}

#[test]
fn a_clock_that_goes_back_is_told_once_and_sampling_goes_on() {
    let board = Board::default();
    let mut node = with_guest(&board);
    assert!(!node.poll(at(1000)).time_went_back);
    board.active.set(true);
    let polled = node.poll(at(3));
    assert!(polled.time_went_back);
    assert_eq!(polled.owner, Some(Owner::Present), "it was looked at once");
    assert_eq!(node.poll(at(4)), QUIET_POLL);
    assert_eq!(node.poll(at(9)).action, Some(Action::Kill), "grace is as long as ever");
}

#[test]
fn a_request_with_an_earlier_time_is_told_by_the_next_poll() {
    let board = Board::default();
    let mut node = with_guest(&board);
    node.request(at(50), Input::LeasedUntil(at(5000))).unwrap();
    let requested = node.request(at(7), Input::Checkpoint);
    assert_eq!(requested, Ok(Some(Action::Kill)), "nobody knows how long the lease has lasted");
    assert!(node.poll(at(8)).time_went_back);
}

#[test]
fn bad_parameters_and_requests_are_refused() {
    let none = |reads| Probe { reads, ..ONE_READ };
    let fresh = || (reads(&[]), writes(&[]), NoopDelay);
    let (mut activity, mut enable, _) = fresh();
    let pins = (activity.clone(), enable.clone(), NoopDelay);
    let refused = NodeDriver::new(pins, none(0), RULE, LOCAL, at(0)).err().unwrap();
    assert_eq!(refused, DriverError::Misused(Misuse::Zero { parameter: "reads" }));
    assert_eq!(refused.to_string(), "reads must not be zero");
    let pins = (activity.clone(), enable.clone(), NoopDelay);
    let rule = OwnerRule { sample_away: Duration::ZERO, ..RULE };
    let refused = NodeDriver::new(pins, none(1), rule, LOCAL, at(0)).err().unwrap();
    assert_eq!(refused, DriverError::Misused(Misuse::Zero { parameter: "sample_away" }));
    activity.done();
    enable.done();

    let mut node = driver(reads(&[]), writes(&[State::Low]), ONE_READ);
    let refused = node.request(at(0), Input::Place);
    assert_eq!(refused, Err(DriverError::Refused(Refusal::OwnerPresent)));
    done(node);
}
