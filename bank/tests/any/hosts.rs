//! The stations' own processors behind pins.

use core::convert::Infallible;
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use locox::fair::StationId;
use locox::node::{LocalRule, NodeDriver, OnReturn, OwnerLoad, OwnerRule, Probe};
use locox::time::{Duration, Instant};
use locox_bank::{Bank, Hosts, Name};
use locox_coordinators::station::{Checkpoint, Command, Effect, NodeId, Run};
use std::cell::Cell;

struct Sensor<'a>(&'a Cell<bool>);
struct Enable<'a>(&'a Cell<bool>);
struct NoWait;

impl ErrorType for Sensor<'_> {
    type Error = Infallible;
}

impl InputPin for Sensor<'_> {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.get())
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(!self.0.get())
    }
}

impl ErrorType for Enable<'_> {
    type Error = Infallible;
}

impl OutputPin for Enable<'_> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.set(false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.set(true);
        Ok(())
    }
}

impl DelayNs for NoWait {
    fn delay_ns(&mut self, _: u32) {}
}

const SECOND: Duration = Duration::from_ticks(1000);

fn hosts<'a>(
    owner: &'a Cell<bool>,
    power: &'a Cell<bool>,
) -> Hosts<Sensor<'a>, Enable<'a>, NoWait, 1> {
    let probe = Probe { reads: 1, gap_ns: 0, patience: SECOND };
    let owner_rule = OwnerRule {
        threshold: OwnerLoad::from_hundredths(25),
        quiet: SECOND,
        sample_present: SECOND,
        sample_away: SECOND,
    };
    let local_rule =
        LocalRule { on_return: OnReturn::Checkpoint, grace: SECOND, kill_again: SECOND };
    let pins = (Sensor(owner), Enable(power), NoWait);
    Hosts::new([NodeDriver::new(pins, probe, owner_rule, local_rule, Instant::ZERO).unwrap()])
}

fn reports<A: InputPin, E: OutputPin, D: DelayNs>(hosts: &mut Hosts<A, E, D, 1>) -> Vec<Command> {
    std::iter::from_fn(|| hosts.take_report()).collect()
}

#[test]
fn a_guest_comes_when_the_owner_leaves_and_goes_when_he_is_back() {
    let (owner, power) = (Cell::new(false), Cell::new(false));
    let mut hosts = hosts(&owner, &power);
    let at = |second: u64| Instant::from_ticks(1000 * second);
    let run = Run { job: Bank::station_job(Name { index: 0, generation: 1 }), attempt: 1 };
    let (node, home) = (NodeId(0), StationId(3));
    hosts.poll(at(0));
    let place = Effect::Place { node, run, home, begins: at(1) };
    hosts.hear(at(0), &place);
    assert_eq!(reports(&mut hosts), [Command::Vacated { run }], "the owner is there");
    hosts.poll(at(1));
    assert_eq!(reports(&mut hosts), [Command::NodeIdle { node }]);
    hosts.hear(at(1), &place);
    hosts.hear(at(1), &Effect::Ask { node, run });
    assert!(power.get());
    assert_eq!(reports(&mut hosts), [Command::Heard { run }, Command::Heard { run }]);
    owner.set(true);
    hosts.poll(at(2));
    let station = StationId(0);
    let saved = Command::Checkpointed { run, checkpoint: Checkpoint(1) };
    let back = [Command::OwnerBack { station }, saved, Command::Vacated { run }];
    assert_eq!(reports(&mut hosts), back);
    hosts.poll(at(3));
    assert!(!power.get());
}

#[test]
fn a_guest_that_nobody_knows_any_more_has_ended() {
    let (owner, power) = (Cell::new(false), Cell::new(false));
    let mut hosts = hosts(&owner, &power);
    let at = |second: u64| Instant::from_ticks(1000 * second);
    let run = Run { job: Bank::station_job(Name { index: 0, generation: 1 }), attempt: 1 };
    hosts.poll(at(0));
    hosts.poll(at(1));
    hosts.hear(at(1), &Effect::Place { node: NodeId(0), run, home: StationId(0), begins: at(1) });
    hosts.keep(at(1), |known| known == run);
    assert!(power.get());
    hosts.keep(at(1), |_| false);
    assert!(!power.get());
}

#[test]
fn what_concerns_others_is_passed_over() {
    let (owner, power) = (Cell::new(false), Cell::new(false));
    let mut hosts = hosts(&owner, &power);
    let run = Run { job: Bank::station_job(Name { index: 0, generation: 1 }), attempt: 1 };
    hosts.hear(Instant::ZERO, &Effect::Checkpoint { node: NodeId(5), run });
    hosts.hear(Instant::ZERO, &Effect::Poll);
    assert_eq!(reports(&mut hosts), []);
    hosts.hear(Instant::ZERO, &Effect::Ask { node: NodeId(0), run });
    assert_eq!(reports(&mut hosts), [Command::Vacated { run }]);
}
