//! The stations' own processors, behind pins.

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};
use heapless::Deque;
use locox::fair::StationId;
use locox::node::{Action, Input, NodeDriver, Owner};
use locox::time::Instant;
use locox_coordinators::station::{Checkpoint, Command, Effect, NodeId, Run};

/// Reports until they are taken: two polls of eight stations have that many at the most.
const REPORTS: usize = 64;

/// The processors of the stations from 0 on, each behind a sensor of its owner and an enable pin.
///
/// It hears what the coordinator tells them and reports by its commands. A guest here is what its
/// pin enables: it is saved as soon as that is asked for, under the number of the checkpoint.
// Invariants of the fields:
//
// - `runs` has the guest of each driver that has one.
pub struct Hosts<A, E, D, const N: usize> {
    drivers: [NodeDriver<A, E, D>; N],
    runs: [Option<Run>; N],
    reports: Deque<Command, REPORTS>,
}

impl<A: InputPin, E: OutputPin, D: DelayNs, const N: usize> Hosts<A, E, D, N> {
    /// Processors without guests.
    pub const fn new(drivers: [NodeDriver<A, E, D>; N]) -> Self {
        Self { drivers, runs: [None; N], reports: Deque::new() }
    }

    /// When to [`poll`](Self::poll) next.
    pub fn wake_at(&self) -> Option<Instant> {
        self.drivers.iter().filter_map(NodeDriver::wake_at).min()
    }

    /// The next report.
    pub fn take_report(&mut self) -> Option<Command> {
        self.reports.pop_front()
    }

    /// Looks at the sensors that are due, and lets time pass for guests. Pins that fail are looked
    /// at again by the next poll. Not before all reports are taken.
    pub fn poll(&mut self, now: Instant) {
        for at in 0..N {
            let Some(driver) = self.drivers.get_mut(at) else { return };
            if driver.wake_at() > Some(now) {
                continue;
            }
            let polled = driver.poll(now);
            match polled.owner {
                Some(Owner::Present) => {
                    self.report(Command::OwnerBack { station: StationId(at as u32) });
                }
                Some(Owner::Away) => self.report(Command::NodeIdle { node: NodeId(at as u32) }),
                None => {}
            }
            self.act(now, at, polled.action);
        }
    }

    /// What the coordinator tells one of these processors; others are passed over.
    pub fn hear(&mut self, now: Instant, effect: &Effect) {
        match *effect {
            Effect::Place { node, run, .. } | Effect::Resume { node, run, .. } => {
                self.place(now, node, run);
            }
            Effect::Preempt { node, run, .. } => self.ask(now, node, run, Some(Input::Preempt)),
            Effect::Checkpoint { node, run } => self.ask(now, node, run, Some(Input::Checkpoint)),
            Effect::Ask { node, run } => self.ask(now, node, run, None),
            Effect::Poll | Effect::SetAside { .. } => {}
        }
    }

    /// Guests of which the coordinator knows no more have ended.
    pub fn keep(&mut self, now: Instant, is_known: impl Fn(Run) -> bool) {
        for at in 0..N {
            let run = self.runs.get(at).copied().flatten();
            if run.is_some_and(|run| !is_known(run)) {
                self.request(now, at, Input::Finished);
                self.forget(at);
            }
        }
    }

    fn place(&mut self, now: Instant, node: NodeId, run: Run) {
        let at = node.0 as usize;
        let Some(driver) = self.drivers.get_mut(at) else { return };
        if self.runs.get(at) != Some(&Some(run)) {
            if driver.request(now, Input::Place).is_err() {
                return self.report(Command::Vacated { run });
            }
            if let Some(place) = self.runs.get_mut(at) {
                *place = Some(run);
            }
        }
        self.report(Command::Heard { run });
    }

    /// Passes on what concerns a run, if it is there; else says that it is not.
    fn ask(&mut self, now: Instant, node: NodeId, run: Run, input: Option<Input>) {
        let at = node.0 as usize;
        match (self.runs.get(at), input) {
            (None, _) => {}
            (Some(there), _) if *there != Some(run) => self.report(Command::Vacated { run }),
            (_, Some(input)) => self.request(now, at, input),
            (_, None) => self.report(Command::Heard { run }),
        }
    }

    fn request(&mut self, now: Instant, at: usize, input: Input) {
        let Some(driver) = self.drivers.get_mut(at) else { return };
        let action = driver.request(now, input).unwrap_or(None);
        self.act(now, at, action);
    }

    fn act(&mut self, now: Instant, at: usize, action: Option<Action>) {
        let Some(run) = self.runs.get(at).copied().flatten() else { return };
        match action {
            Some(Action::Checkpoint(writing)) => {
                self.report(Command::Checkpointed { run, checkpoint: Checkpoint(writing.0) });
                self.request(now, at, Input::CheckpointDone(writing));
            }
            Some(Action::Vacate) => {
                self.forget(at);
                self.report(Command::Vacated { run });
            }
            Some(Action::Kill) => {
                self.forget(at);
                self.report(Command::Vacated { run });
                self.request(now, at, Input::Gone);
            }
            Some(Action::Continue) => self.report(Command::Continued { run }),
            Some(Action::Start | Action::Suspend) | None => {}
        }
    }

    fn forget(&mut self, at: usize) {
        if let Some(run) = self.runs.get_mut(at) {
            *run = None;
        }
    }

    fn report(&mut self, report: Command) {
        let queued = self.reports.push_back(report);
        debug_assert!(queued.is_ok(), "reports are taken between polls");
    }
}
