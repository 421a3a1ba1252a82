//! What a replay yields: a record for each job, and figures over all.

use super::outage_figures::OutageTally;
use super::series::{Point, add_outages, series};
use super::{JobRecord, Options, OutageFigures};
use crate::machine::Machine;
use crate::stats::percentile;
use locox::dispatch::Queue;
use locox::subcube::Refusal;
use locox::time::{Duration, Instant};

/// Refused attempts to start a job, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refusals {
    /// The job was larger than the machine.
    pub too_large: u64,
    /// Too few processors were free.
    pub too_few_free: u64,
    /// Enough were free, but they made up no subcube.
    pub fragmented: u64,
    /// The search for a subcube was given up.
    pub undecided: u64,
    /// Nodes were out of service.
    pub faulty: u64,
}

impl Refusals {
    pub(super) fn count(&mut self, refusal: Refusal) {
        *match refusal {
            Refusal::TooLarge => &mut self.too_large,
            Refusal::TooFewFree { .. } => &mut self.too_few_free,
            Refusal::Fragmented { .. } => &mut self.fragmented,
            Refusal::Undecided => &mut self.undecided,
            Refusal::Faulty => &mut self.faulty,
            _ => return,
        } += 1;
    }
}

/// The result of a replay. Means and percentiles are over the jobs that ran, times are in ticks. Of
/// a job that outages hit, the last run alone counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Name of the machine.
    pub machine: String,
    /// Name of the queue discipline.
    pub queue: String,
    /// Processors of the machine.
    pub processors: u32,
    /// The jobs in the order of the workload.
    pub jobs: Vec<JobRecord>,
    /// Jobs larger than the machine, which did not run.
    pub rejected: u64,
    /// Processors asked for by running jobs, as a share of all, averaged over the makespan.
    pub utilisation: f64,
    /// The same for the processors held, rounding included.
    pub held_utilisation: f64,
    /// Mean time in the queue.
    pub mean_wait: f64,
    /// Half of the jobs waited no longer.
    pub wait_p50: f64,
    /// 95 % of the jobs waited no longer.
    pub wait_p95: f64,
    /// 99 % of the jobs waited no longer.
    pub wait_p99: f64,
    /// Mean time from arrival to end.
    pub mean_turnaround: f64,
    /// Mean of [`JobRecord::bounded_slowdown`].
    pub mean_bounded_slowdown: f64,
    /// From the first arrival to the last end of the jobs that ran.
    pub makespan: Duration,
    /// Refused attempts. A job that was refused is not tried again before a job or an outage has ended.
    pub refusals: Refusals,
    /// Arrivals and completions.
    pub events: u64,
    /// The most jobs that waited at once.
    pub peak_queue: usize,
    /// Utilisation and queue over time.
    pub series: Vec<Point>,
    /// What outages did; none if there were none to replay.
    pub outages: Option<OutageFigures>,
}

impl Outcome {
    pub(super) fn summarise(
        jobs: Vec<JobRecord>,
        machine: &dyn Machine,
        queue: &dyn Queue,
        refusals: Refusals,
        peak_queue: usize,
        options: &Options<'_>,
    ) -> Self {
        let ran = || jobs.iter().filter(|job| job.success);
        let count = ran().count();
        let (start, finish) = extent(&jobs);
        let makespan = finish.since(start).unwrap_or_default();
        let processors = machine.processors();
        let capacity = makespan.ticks() as f64 * f64::from(processors);
        let share = |work: f64| if capacity > 0.0 { work / capacity } else { 0.0 };
        let work = |processors: u32, job: &JobRecord| f64::from(processors) * job.run() as f64;
        let over_jobs = |total: f64| if count > 0 { total / count as f64 } else { 0.0 };
        let mut waits: Vec<f64> = ran().map(|job| job.wait() as f64).collect();
        waits.sort_unstable_by(f64::total_cmp);
        let wait = |share| percentile(&waits, share).unwrap_or(0.0);
        Self {
            machine: machine.name(),
            queue: queue.name().into(),
            processors,
            rejected: (jobs.len() - count) as u64,
            utilisation: share(ran().map(|job| work(job.processors, job)).sum()),
            held_utilisation: share(ran().map(|job| work(job.held, job)).sum()),
            mean_wait: over_jobs(waits.iter().sum()),
            wait_p50: wait(0.50),
            wait_p95: wait(0.95),
            wait_p99: wait(0.99),
            mean_turnaround: over_jobs(ran().map(|job| job.turnaround() as f64).sum()),
            mean_bounded_slowdown: over_jobs(
                ran().map(|job| job.bounded_slowdown(options.slowdown_bound)).sum(),
            ),
            makespan,
            refusals,
            events: (jobs.len() + count) as u64,
            peak_queue,
            series: series(&jobs, start, makespan, processors, options.points),
            jobs,
            outages: None,
        }
    }

    /// Adds what outages did.
    pub(super) fn add_outages(&mut self, tally: &OutageTally, options: &Options<'_>) {
        let extent = extent(&self.jobs);
        let capacity = self.makespan.ticks() as f64 * f64::from(self.processors);
        let work = self.utilisation * capacity;
        self.outages = Some(tally.figures(extent, work, capacity));
        let (levels, processors) = (&tally.levels, self.processors);
        add_outages(&mut self.series, levels, extent, processors, options.points);
    }
}

/// The first arrival and the last end of the jobs that ran.
fn extent(jobs: &[JobRecord]) -> (Instant, Instant) {
    let ran = || jobs.iter().filter(|job| job.success);
    let start = ran().map(|job| job.submit).next().unwrap_or_default();
    let finish = ran().map(|job| job.finish).max().unwrap_or_default();
    (start, finish)
}
