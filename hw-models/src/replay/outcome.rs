//! What a replay yields: a record for each job, and figures over all.

use super::fragmentation;
use super::outage_figures::OutageTally;
use super::series::{Point, add_levels, series};
use super::{JobRecord, Options, OutageFigures, PromiseFigures, StopFigures, UserWaits};
use crate::machine::Refusal;
use crate::stats::percentile;
use locox::grid::Refusal as Boxes;
use locox::subcube::Refusal as Subcube;
use locox::time::{Duration, Instant};
use std::borrow::Borrow;

/// Refused attempts to start a job, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refusals {
    /// The job was larger than the machine.
    pub too_large: u64,
    /// Too few processors were free.
    pub too_few_free: u64,
    /// Enough were free, but they made up no subcube, or no box.
    pub fragmented: u64,
    /// The search for a subcube was given up.
    pub undecided: u64,
    /// Nodes were out of service.
    pub faulty: u64,
}

impl Refusals {
    /// Attempts that were refused, for whatever reason.
    pub fn all(&self) -> u64 {
        self.too_large + self.too_few_free + self.fragmented + self.undecided + self.faulty
    }

    pub(super) fn count(&mut self, refusal: Refusal) {
        *match refusal {
            Refusal::Subcube(Subcube::TooLarge) | Refusal::Box(Boxes::TooLarge) => {
                &mut self.too_large
            }
            Refusal::Subcube(Subcube::TooFewFree { .. })
            | Refusal::Box(Boxes::TooFewFree { .. }) => &mut self.too_few_free,
            Refusal::Subcube(Subcube::Fragmented { .. })
            | Refusal::Box(Boxes::Fragmented)
            | Refusal::Apart
            | Refusal::Nodes => &mut self.fragmented,
            Refusal::Subcube(Subcube::Faulty) | Refusal::Box(Boxes::Faulty) => &mut self.faulty,
            Refusal::Subcube(Subcube::Undecided) => &mut self.undecided,
            _ => return,
        } += 1;
    }
}

/// The result of a replay. Means and percentiles are over the jobs that ran, times are in ticks. Of
/// a job that outages hit, the last run alone counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Name of the machine.
    pub machine: String,
    /// Name of the queue discipline.
    pub queue: String,
    /// Processors of the machine.
    pub processors: u32,
    /// The jobs in the order of the workload; none where observers were told of them, by
    /// [`replay_observed`](super::replay_observed).
    pub jobs: Vec<JobRecord>,
    /// Jobs that ran.
    pub ran: u64,
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
    /// How long 0, 1, 2, … of [`WAIT_STEPS`] parts of the jobs waited at most; nothing if none ran.
    pub wait_curve: Vec<f64>,
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
    /// [Fragmentation](locox::subcube#fragmentation) for the mix of the jobs, averaged over the makespan; none if it was
    /// not asked for, or if the machine does not say.
    pub fragmentation: Option<f64>,
    /// What outages did; none if there were none to replay.
    pub outages: Option<OutageFigures>,
    /// What became of promises; none if the queue makes none.
    pub promises: Option<PromiseFigures>,
    /// What became of stops; none if no manager decided.
    pub stops: Option<StopFigures>,
    /// Waits of users; none of fewer than two, and where observers were told of the jobs.
    pub users: Option<UserWaits>,
}

/// Into how many equal parts of the jobs [`Outcome::wait_curve`] divides.
pub const WAIT_STEPS: u32 = 200;

/// What a replay knows at its end besides its jobs.
pub(super) struct End<'a> {
    pub(super) machine: String,
    pub(super) queue: &'static str,
    pub(super) processors: u32,
    pub(super) refusals: Refusals,
    pub(super) peak_queue: usize,
    pub(super) tally: &'a OutageTally,
    pub(super) promises: Option<PromiseFigures>,
    /// The levels of fragmentation and since when, if it was measured.
    pub(super) fragmentation: Option<&'a [(Instant, f64)]>,
    pub(super) options: &'a Options<'a>,
}

/// Sums over the jobs that ran, in the order of the workload.
#[derive(Default)]
struct Sums {
    arrived: u64,
    ran: u64,
    extent: Option<(Instant, Instant)>,
    work: f64,
    held: f64,
    turnaround: f64,
    slowdown: f64,
    waits: Vec<f64>,
}

impl Sums {
    fn add(&mut self, job: &JobRecord, slowdown_bound: Duration) {
        self.arrived += 1;
        if !job.success {
            return;
        }
        self.ran += 1;
        let (start, finish) = self.extent.unwrap_or((job.submit, job.finish));
        self.extent = Some((start, finish.max(job.finish)));
        let work = |processors: u32| f64::from(processors) * job.run() as f64;
        self.work += work(job.processors);
        self.held += work(job.held);
        self.turnaround += job.turnaround() as f64;
        self.slowdown += job.bounded_slowdown(slowdown_bound);
        self.waits.push(job.wait() as f64);
    }
}

impl Outcome {
    /// The figures over jobs, which are not listed.
    pub(super) fn summarise<I: Iterator<Item: Borrow<JobRecord>>>(
        jobs: impl Fn() -> I,
        end: End<'_>,
    ) -> Self {
        let End { machine, queue, processors, refusals, peak_queue, .. } = end;
        let End { tally, fragmentation, options, .. } = end;
        let mut sums = Sums::default();
        jobs().for_each(|job| sums.add(job.borrow(), options.slowdown_bound));
        sums.waits.sort_unstable_by(f64::total_cmp);
        // The first arrival and the last end of the jobs that ran.
        let (start, finish) = sums.extent.unwrap_or_default();
        let makespan = finish.since(start).unwrap_or_default();
        let capacity = makespan.ticks() as f64 * f64::from(processors);
        let share = |work: f64| if capacity > 0.0 { work / capacity } else { 0.0 };
        let over_jobs = |total: f64| if sums.ran > 0 { total / sums.ran as f64 } else { 0.0 };
        let wait = |share| percentile(&sums.waits, share);
        let step = |step| wait(f64::from(step) / f64::from(WAIT_STEPS));
        let mut outcome = Self {
            machine,
            queue: queue.into(),
            processors,
            jobs: vec![],
            ran: sums.ran,
            rejected: sums.arrived - sums.ran,
            utilisation: share(sums.work),
            held_utilisation: share(sums.held),
            mean_wait: over_jobs(sums.waits.iter().sum()),
            wait_p50: wait(0.50).unwrap_or(0.0),
            wait_p95: wait(0.95).unwrap_or(0.0),
            wait_p99: wait(0.99).unwrap_or(0.0),
            wait_curve: (0..=WAIT_STEPS).filter_map(step).collect(),
            mean_turnaround: over_jobs(sums.turnaround),
            mean_bounded_slowdown: over_jobs(sums.slowdown),
            makespan,
            refusals,
            events: sums.arrived + sums.ran,
            peak_queue,
            series: series(jobs(), start, makespan, processors, options.points),
            promises: end.promises,
            ..Self::default()
        };
        if let Some(levels) = fragmentation {
            outcome.fragmentation = Some(fragmentation::mean(levels, (start, finish)));
            let levels = levels.iter().copied();
            add_levels(&mut outcome.series, levels, (start, finish), |it| &mut it.fragmentation);
        }
        if !options.outages.is_empty() {
            outcome.add_outages(tally, (start, finish));
        }
        outcome
    }

    /// Adds what outages did between the first arrival and the last end.
    fn add_outages(&mut self, tally: &OutageTally, extent: (Instant, Instant)) {
        let capacity = self.makespan.ticks() as f64 * f64::from(self.processors);
        let work = self.utilisation * capacity;
        self.outages = Some(tally.figures(extent, work, capacity));
        let processors = f64::from(self.processors);
        let levels = tally.levels.iter().map(|&(at, out)| (at, f64::from(out) / processors));
        add_levels(&mut self.series, levels, extent, |it| &mut it.out_of_service);
    }
}
