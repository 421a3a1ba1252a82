//! The driver on mocked pins: what it reads, when, and that a pin that fails changes nothing.

use embedded_hal_mock::eh1::MockError;
use embedded_hal_mock::eh1::delay::{CheckedDelay, NoopDelay, Transaction as Gap};
use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction};
use locox::node::{
    Action, DriverError, Input, LocalRule, Misuse, NodeDriver, OnReturn, Owner, OwnerRule, Phase,
    Polled, Probe, Refusal,
};
use locox::time::{Duration, Instant};
use std::io::ErrorKind;

const QUIET: u64 = 4;
const RULE: OwnerRule = OwnerRule {
    threshold: locox::node::Load::from_hundredths(3_000),
    quiet: Duration::from_ticks(QUIET),
    sample_present: Duration::from_ticks(2),
    sample_away: Duration::from_ticks(1),
};
const LOCAL: LocalRule =
    LocalRule { on_return: OnReturn::Checkpoint, grace: Duration::from_ticks(6) };
const ONE_READ: Probe = Probe { reads: 1, gap_ns: 0 };

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
    assert_eq!(node.poll(at(0)), Ok(Polled::default()));
    assert_eq!(node.poll(at(2)), Ok(Polled::default()));
    assert_eq!(node.poll(at(4)), Ok(Polled { owner: Some(Owner::Away), action: None }));
    assert_eq!(node.request(at(4), Input::Place), Ok(Some(Action::Start)));
    let returned = Polled { owner: Some(Owner::Present), action: Some(Action::Checkpoint) };
    assert_eq!(node.poll(at(5)), Ok(returned));
    assert_eq!(node.wake_at(), Some(at(7)), "the next sample comes before the end of grace");
    assert_eq!(node.request(at(6), Input::CheckpointDone), Ok(Some(Action::Vacate)));
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
    let probe = Probe { reads: 10, gap_ns: 1_000 };
    let mut node = NodeDriver::new(pins, probe, RULE, LOCAL, at(0)).unwrap();
    for (time, owner) in [(0, None), (2, None), (4, Some(Owner::Away)), (5, Some(Owner::Present))] {
        assert_eq!(node.poll(at(time)).unwrap().owner, owner);
    }
    let (mut activity, mut enable, mut gaps) = node.release();
    activity.done();
    enable.done();
    gaps.done();
}

#[test]
fn nothing_is_read_before_the_next_sample_is_due() {
    let mut node = driver(reads(&[State::Low]), writes(&[State::Low; 3]), ONE_READ);
    assert_eq!(node.poll(at(0)), Ok(Polled::default()));
    assert_eq!(node.wake_at(), Some(at(2)));
    assert_eq!(node.poll(at(1)), Ok(Polled::default()));
    done(node);
}

#[test]
fn a_guest_that_overstays_is_killed_at_the_next_poll() {
    use State::{High, Low};
    let activity = reads(&[Low, Low, Low, Low]);
    let enable = writes(&[Low, Low, Low, Low, High, High, Low]);
    let mut node = driver(activity, enable, ONE_READ);
    for time in [0, 2, 4] {
        let _ = node.poll(at(time)).unwrap();
    }
    node.request(at(4), Input::Place).unwrap();
    assert_eq!(node.request(at(4), Input::Preempt), Ok(Some(Action::Checkpoint)));
    assert_eq!(node.phase(), Phase::Leaving { until: at(10) });
    assert_eq!(node.poll(at(10)).unwrap().action, Some(Action::Kill));
    done(node);
}

#[test]
fn a_pin_that_cannot_be_read_leaves_the_sample_due() {
    let activity = Pin::new(&[
        Transaction::get(State::Low).with_error(broken()),
        Transaction::get(State::Low),
    ]);
    let mut node = driver(activity, writes(&[State::Low; 2]), ONE_READ);
    assert_eq!(node.poll(at(0)), Err(DriverError::Activity(broken())));
    assert_eq!(node.wake_at(), Some(at(0)));
    assert_eq!(node.poll(at(0)), Ok(Polled::default()));
    assert_eq!(node.wake_at(), Some(at(2)));
    done(node);
}

#[test]
fn a_pin_that_cannot_be_set_leaves_guest_and_owner_as_they_were() {
    use State::{High, Low};
    let activity = reads(&[Low, Low, Low, High, High]);
    let enable = Pin::new(&[
        Transaction::set(Low),
        Transaction::set(Low),
        Transaction::set(Low),
        Transaction::set(Low),
        Transaction::set(High).with_error(broken()),
        Transaction::set(High),
        Transaction::set(High).with_error(broken()),
        Transaction::set(High),
    ]);
    let mut node = driver(activity, enable, ONE_READ);
    for time in [0, 2, 4] {
        let _ = node.poll(at(time)).unwrap();
    }
    assert_eq!(node.request(at(4), Input::Place), Err(DriverError::Enable(broken())));
    assert_eq!(node.phase(), Phase::Empty);
    node.request(at(4), Input::Place).unwrap();
    assert_eq!(node.poll(at(5)), Err(DriverError::Enable(broken())));
    assert_eq!((node.phase(), node.owner()), (Phase::Running, Owner::Away));
    let returned = Polled { owner: Some(Owner::Present), action: Some(Action::Checkpoint) };
    assert_eq!(node.poll(at(5)), Ok(returned), "the owner's return is not lost");
    done(node);
}

#[test]
fn bad_parameters_and_requests_are_refused() {
    let none = |reads| Probe { reads, gap_ns: 0 };
    let fresh = || (reads(&[]), writes(&[]), NoopDelay);
    let (mut activity, mut enable, _) = fresh();
    let pins = (activity.clone(), enable.clone(), NoopDelay);
    let refused = NodeDriver::new(pins, none(0), RULE, LOCAL, at(0)).err().unwrap();
    assert_eq!(refused, DriverError::Wrong(Misuse::Zero { parameter: "reads" }));
    assert_eq!(refused.to_string(), "reads must not be zero");
    let pins = (activity.clone(), enable.clone(), NoopDelay);
    let rule = OwnerRule { sample_away: Duration::ZERO, ..RULE };
    let refused = NodeDriver::new(pins, none(1), rule, LOCAL, at(0)).err().unwrap();
    assert_eq!(refused, DriverError::Wrong(Misuse::Zero { parameter: "sample_away" }));
    activity.done();
    enable.done();

    let mut node = driver(reads(&[]), writes(&[State::Low]), ONE_READ);
    let refused = node.request(at(0), Input::Place);
    assert_eq!(refused, Err(DriverError::No(Refusal::OwnerPresent)));
    done(node);
}
