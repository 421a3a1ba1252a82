//! What became of a job.

use super::{Promise, PromisedPlace};
use crate::machine::Token;
use crate::workload::Job;
use locox::time::{Duration, Instant};

/// What became of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord {
    /// Its number in the trace.
    pub id: u64,
    /// When it arrived.
    pub submit: Instant,
    /// When it started; when it arrived, if it was rejected.
    pub start: Instant,
    /// When it ended; when it arrived, if it was rejected.
    pub finish: Instant,
    /// Processors that it asked for.
    pub processors: u32,
    /// Processors that it held.
    pub held: u32,
    /// How long its user said it would run.
    pub requested: Option<Duration>,
    /// Whether it ran; false if it is larger than the machine.
    pub success: bool,
    /// The processors that it held, `0-3 8-11`, if asked for by [`Options::allocations`](super::Options::allocations).
    pub allocated: Option<String>,
    /// What the machine knew it by, if it ran.
    pub token: Option<Token>,
    /// What it was promised while it waited, by a queue of [promises](super::QueueKind::Promises).
    pub promise: Option<Promise>,
    /// The places that it was promised while it was one of the first in line, one after the other, if asked for by
    /// [`Options::promised_places`](super::Options::promised_places).
    pub promised_places: Vec<PromisedPlace>,
}

impl JobRecord {
    /// The record of a job that has not started.
    pub(super) fn rejected(job: &Job) -> Self {
        Self {
            id: job.id,
            submit: job.submit,
            start: job.submit,
            finish: job.submit,
            processors: job.processors,
            held: 0,
            requested: job.requested,
            success: false,
            allocated: None,
            token: None,
            promise: None,
            promised_places: vec![],
        }
    }

    /// Time in the queue, in ticks.
    pub fn wait(&self) -> u64 {
        self.start.ticks() - self.submit.ticks()
    }

    /// Time on the machine, in ticks.
    pub fn run(&self) -> u64 {
        self.finish.ticks() - self.start.ticks()
    }

    /// Time from arrival to end, in ticks.
    pub fn turnaround(&self) -> u64 {
        self.finish.ticks() - self.submit.ticks()
    }

    /// Turnaround over run time, where a run time below `bound` counts as `bound`, and at least 1.
    pub fn bounded_slowdown(&self, bound: Duration) -> f64 {
        let run = self.run().max(bound.ticks()).max(1);
        (self.turnaround() as f64 / run as f64).max(1.0)
    }
}
