//! What a replay records, and what it decides when.

use super::order::Order;
use crate::swf::Strictness;
use locox::time::Duration;

/// What a replay is to record, and how it treats jobs that can never run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// A job larger than the machine is an error, or is rejected and counted.
    pub strictness: Strictness,
    /// Keep which processors each job got; costs memory.
    pub allocations: bool,
    /// Run times below this count as this in the bounded slowdown.
    pub slowdown_bound: Duration,
    /// Points of the series over time; none costs nothing.
    pub points: usize,
    /// When the queue is asked for jobs.
    pub decisions: Decisions,
    /// In which order jobs stand in line.
    pub order: Order,
}

/// The order of an instant, and when the queue is asked for jobs to start. The schedules differ
/// where several things happen at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decisions {
    /// As planned: a job that has reached its requested time is free all through the instant.
    ///
    /// First each job ends that has run as long as it requested, and nothing is decided. Then come
    /// the arrivals, with a decision after each; then all completions, those that were taken first
    /// among them, with a decision after each. This is what simulators do that decide from their
    /// plan; on a real machine processors are free when an end is reported.
    #[default]
    Planned,
    /// Completions before arrivals, with a decision after each single event.
    EachEvent,
    /// Completions and arrivals, then one decision.
    EachInstant,
}

impl Default for Options {
    /// Strict, without allocations, slowdown bounded at 10 ticks, 500 points, decisions as
    /// planned, jobs in line in the order of arrival.
    fn default() -> Self {
        Self {
            strictness: Strictness::Strict,
            allocations: false,
            slowdown_bound: Duration::from_ticks(10),
            points: 500,
            decisions: Decisions::Planned,
            order: Order::Arrival,
        }
    }
}
