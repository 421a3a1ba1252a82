//! What a replay records, and what it decides when.

use super::order::Order;
use crate::outages::Outage;
use crate::swf::Strictness;
use crate::workload::Job;
use locox::time::Duration;

/// What a replay is to record, and how it treats jobs that can never run.
///
/// ```
/// use locox::time::Instant;
/// use locox_models::machine::Pool;
/// use locox_models::outages::Outage;
/// use locox_models::replay::{Options, QueueKind, replay};
/// use locox_models::workload::synthetic::Synthetic;
/// let day = Synthetic::cube_day().generate(1, 0).unwrap();
/// let at = Instant::from_ticks;
/// let half_a_day = [Outage::of(64, at(0), Some(at(43_200)))];
/// let options = Options { outages: &half_a_day, ..Options::default() };
/// let mut queue = QueueKind::Easy.queue(day.jobs.len(), 128);
/// let outcome = replay(&day, &mut Pool::new(128), &mut *queue, &options).unwrap();
/// let of_outages = outcome.outages.unwrap();
/// assert!(of_outages.utilisation > outcome.utilisation);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options<'a> {
    /// A job larger than the machine is an error, or is rejected and counted.
    pub strictness: Strictness,
    /// Keep which processors each job got; costs memory.
    pub allocations: bool,
    /// Keep which places a queue promised the first so many jobs in line, and when; none costs nothing.
    pub promised_places: usize,
    /// Run times below this count as this in the bounded slowdown.
    pub slowdown_bound: Duration,
    /// Points of the series over time; none costs nothing.
    pub points: usize,
    /// When the queue is asked for jobs.
    pub decisions: Decisions,
    /// In which order jobs stand in line.
    pub order: Order,
    /// When processors are out of service, in any order.
    ///
    /// When an outage begins, the jobs that it hits fail. They wait again, where their keys and first
    /// arrivals say, and when they start they run for their whole run time. Which jobs are hit says the
    /// machine. At an instant first jobs end, then outages, then others begin, then the queue is asked;
    /// then comes what else happens. A queue that plans with places, on a machine that has some, learns of an outage when it is
    /// announced, if that is before it begins and its nodes and its end are known; no other plan knows when one will begin or
    /// end. In the line of a queue that plans, a job that asks for more than serve stands in nobody's way.
    pub outages: &'a [Outage],
    /// Measure [fragmentation](locox::subcube#fragmentation) for the mix of these jobs, on machines that
    /// [have places](crate::machine::Machine::places). That takes longer, by the size of the machine at each
    /// change; `None` costs nothing.
    pub fragmentation: Option<&'a [Job]>,
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
    /// Arrivals before completions, with a decision after each single event: who decides sees all that
    /// has come when something ends.
    ArrivalsFirst,
    /// Completions, all of them before anything is planned anew, and arrivals, then one decision.
    EachInstant,
}

impl Default for Options<'_> {
    /// Strict, without allocations and promised places, slowdown bounded at 10 ticks, 500 points, decisions as
    /// planned, jobs in line in the order of arrival, no outages, fragmentation not measured.
    fn default() -> Self {
        Self {
            strictness: Strictness::Strict,
            allocations: false,
            promised_places: 0,
            slowdown_bound: Duration::from_ticks(10),
            points: 500,
            decisions: Decisions::Planned,
            order: Order::Arrival,
            outages: &[],
            fragmentation: None,
        }
    }
}
