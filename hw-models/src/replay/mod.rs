//! Replay: a workload on a machine under a queue discipline.
//!
//! Events happen by time; completions of one instant in the order in which their jobs started,
//! arrivals in the order of the workload. Which come first, and when the queue may start jobs, say
//! [`Decisions`]; it may also when a start that it has planned comes with no event.

mod front;
mod outcome;
mod queue;
mod saturated;
mod series;

pub use outcome::{JobRecord, Outcome, Refusals};
pub use queue::{LAZY_BACKLOG, QueueKind, UnknownQueue};
pub use saturated::{Saturated, saturated};
pub use series::Point;
pub(crate) use series::Spans;

use crate::events::EventQueue;
use crate::machine::{Machine, Placement};
use crate::swf::Strictness;
use crate::workload::{Job, Workload};
use front::Front;
use locox::dispatch::Queue;
use locox::subcube::Refusal;
use locox::time::{Duration, Instant};

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
    /// planned.
    fn default() -> Self {
        Self {
            strictness: Strictness::Strict,
            allocations: false,
            slowdown_bound: Duration::from_ticks(10),
            points: 500,
            decisions: Decisions::Planned,
        }
    }
}

/// A workload that cannot be run to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A job is larger than the machine.
    #[error(
        "{workload}{place}: job {id} asks for {processors} processors, but {machine} has \
         {available}; choose a larger machine, or reject such jobs with --lenient",
        place = place(.line)
    )]
    TooLarge {
        /// Name of the workload.
        workload: String,
        /// Number of the job.
        id: u64,
        /// Its line in the trace.
        line: Option<u64>,
        /// What it asks for.
        processors: u32,
        /// Name of the machine.
        machine: String,
        /// What the machine has.
        available: u32,
    },
    /// Times of submission fall.
    #[error("{workload}{place}: job {id} is submitted before the job in front of it; sort the jobs",
        place = place(.line))]
    OutOfOrder {
        /// Name of the workload.
        workload: String,
        /// Number of the job.
        id: u64,
        /// Its line in the trace.
        line: Option<u64>,
    },
    /// A job would end after the last instant.
    #[error("{workload}{place}: job {id} would end beyond the end of time; correct its run time",
        place = place(.line))]
    EndOfTime {
        /// Name of the workload.
        workload: String,
        /// Number of the job.
        id: u64,
        /// Its line in the trace.
        line: Option<u64>,
    },
    /// Nothing runs, nothing arrives, and jobs still wait.
    #[error(
        "{machine}: {waiting} jobs wait for ever ({why}); repair nodes, or choose another machine or queue"
    )]
    Stuck {
        /// Name of the machine.
        machine: String,
        /// Jobs that wait.
        waiting: usize,
        /// What the machine said last, in words.
        why: String,
    },
}

fn place(line: &Option<u64>) -> String {
    line.map(|line| format!(":{line}")).unwrap_or_default()
}

/// Runs all jobs of `workload` on `machine`, which must be idle, as `queue`, which must be empty
/// and have room for them, decides.
///
/// Cost: O(log r) for each event with r jobs running, plus what machine and queue take.
///
/// # Panics
///
/// If the queue refuses a job that the machine can run.
///
/// # Errors
///
/// [`ReplayError`]. Machine and queue are then in the middle of things, and should be dropped;
/// only jobs that are too large or out of order are found before anything runs.
///
/// ```
/// use locox::cube::Dim;
/// use locox_models::machine::{Hypercube, StrategyKind};
/// use locox_models::replay::{Options, QueueKind, replay};
/// use locox_models::workload::synthetic::Synthetic;
/// let day = Synthetic::cube_day().generate(1, 0).unwrap();
/// let mut cube = Hypercube::new(Dim::new(7).unwrap(), StrategyKind::Complete);
/// let mut queue = QueueKind::Fcfs.queue(day.jobs.len(), 128);
/// let outcome = replay(&day, &mut cube, &mut *queue, &Options::default()).unwrap();
/// assert_eq!(outcome.jobs.len(), day.jobs.len());
/// assert!(outcome.utilisation <= outcome.held_utilisation);
/// ```
pub fn replay(
    workload: &Workload,
    machine: &mut dyn Machine,
    queue: &mut dyn Queue,
    options: &Options,
) -> Result<Outcome, ReplayError> {
    check(workload, machine, options)?;
    let mut run = Run::new(&workload.jobs, machine, queue, options);
    run.all().map_err(|fault| fault.explain(workload, &run))?;
    Ok(Outcome::summarise(run, options))
}

fn check(workload: &Workload, machine: &dyn Machine, options: &Options) -> Result<(), ReplayError> {
    let name = || workload.name.clone();
    if let Some(pair) = workload.jobs.windows(2).find(|pair| pair[1].submit < pair[0].submit) {
        let Job { id, line, .. } = pair[1];
        return Err(ReplayError::OutOfOrder { workload: name(), id, line });
    }
    if options.strictness == Strictness::Lenient {
        return Ok(());
    }
    let Some(job) = workload.jobs.iter().find(|job| !machine.can_ever(job)) else { return Ok(()) };
    Err(ReplayError::TooLarge {
        workload: name(),
        id: job.id,
        line: job.line,
        processors: job.processors,
        machine: machine.name(),
        available: machine.processors(),
    })
}

fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        _ => one.or(other),
    }
}

/// What goes wrong under way.
enum Fault {
    EndOfTime(usize),
    Stuck,
}

impl Fault {
    fn explain(self, workload: &Workload, run: &Run) -> ReplayError {
        match self {
            Self::EndOfTime(index) => {
                let Job { id, line, .. } = workload.jobs[index];
                ReplayError::EndOfTime { workload: workload.name.clone(), id, line }
            }
            Self::Stuck => ReplayError::Stuck {
                machine: run.front.machine.name(),
                waiting: run.front.queue.len(),
                why: run.last_refusal.map_or("never tried".into(), |refusal| refusal.to_string()),
            },
        }
    }
}

/// A replay under way. Jobs are known by their index in the workload.
struct Run<'a> {
    front: Front<'a>,
    options: &'a Options,
    /// Jobs that have arrived.
    arrived: usize,
    completions: EventQueue<usize>,
    /// Where the running jobs sit.
    placements: Vec<Option<Placement>>,
    /// Room for the jobs that end at one instant.
    ending: Vec<usize>,
    records: Vec<JobRecord>,
    refusals: Refusals,
    last_refusal: Option<Refusal>,
    peak_queue: usize,
}

impl<'a> Run<'a> {
    fn new(
        jobs: &'a [Job],
        machine: &'a mut dyn Machine,
        queue: &'a mut dyn Queue,
        options: &'a Options,
    ) -> Self {
        Self {
            front: Front::new(jobs, machine, queue),
            options,
            arrived: 0,
            completions: EventQueue::new(),
            placements: vec![None; jobs.len()],
            ending: vec![],
            records: jobs.iter().map(JobRecord::rejected).collect(),
            refusals: Refusals::default(),
            last_refusal: None,
            peak_queue: 0,
        }
    }

    fn all(&mut self) -> Result<(), Fault> {
        while let Some(now) = self.next_instant() {
            match self.options.decisions {
                Decisions::Planned => self.as_planned(now)?,
                Decisions::EachEvent => self.one_event(now)?,
                Decisions::EachInstant => self.all_at_once(now)?,
            }
        }
        if !self.front.queue.is_empty() {
            return Err(Fault::Stuck);
        }
        Ok(())
    }

    /// When the next event happens, be it only that a planned start has come.
    fn next_instant(&self) -> Option<Instant> {
        let arrival = self.front.jobs.get(self.arrived).map(|job| job.submit);
        earlier(earlier(self.completions.next_at(), arrival), self.front.queue.wake_at())
    }

    fn as_planned(&mut self, now: Instant) -> Result<(), Fault> {
        let mut ending = std::mem::take(&mut self.ending);
        while let Some(index) = self.completion(now) {
            ending.push(index);
            if self.front.ends_as_planned(index) {
                self.end(now, index);
            }
        }
        let mut decided = false;
        while self.arrive(now) {
            self.start_jobs(now)?;
            decided = true;
        }
        for index in ending.drain(..) {
            self.end(now, index);
            self.start_jobs(now)?;
            decided = true;
        }
        self.ending = ending;
        if decided { Ok(()) } else { self.start_jobs(now) }
    }

    fn one_event(&mut self, now: Instant) -> Result<(), Fault> {
        match self.completion(now) {
            Some(index) => self.end(now, index),
            None => _ = self.arrive(now),
        }
        self.start_jobs(now)
    }

    fn all_at_once(&mut self, now: Instant) -> Result<(), Fault> {
        while let Some(index) = self.completion(now) {
            self.end(now, index);
        }
        while self.arrive(now) {}
        self.start_jobs(now)
    }

    /// The next job that completes at this instant.
    fn completion(&mut self, now: Instant) -> Option<usize> {
        self.completions.next_at().filter(|&at| at == now)?;
        self.completions.take().map(|(_, index)| index)
    }

    /// Takes the processors of a job back, if that has not happened before.
    fn end(&mut self, now: Instant, index: usize) {
        if let Some(placement) = self.placements[index].take() {
            self.front.finish(now, index, placement);
        }
    }

    /// Whether a job arrives at this instant.
    fn arrive(&mut self, now: Instant) -> bool {
        let arrives = self.front.jobs.get(self.arrived).is_some_and(|job| job.submit == now);
        if arrives {
            self.front.arrive(now, self.arrived);
            self.arrived += 1;
        }
        arrives
    }

    fn start_jobs(&mut self, now: Instant) -> Result<(), Fault> {
        while let Some((index, placement)) = self.next_start(now) {
            self.started(index, placement, now)?;
        }
        self.peak_queue = self.peak_queue.max(self.front.queue.len());
        Ok(())
    }

    fn next_start(&mut self, now: Instant) -> Option<(usize, Placement)> {
        let Self { front, refusals, last_refusal, .. } = self;
        front.start(now, |refusal| {
            refusals.count(refusal);
            *last_refusal = Some(refusal);
        })
    }

    fn started(&mut self, index: usize, placement: Placement, now: Instant) -> Result<(), Fault> {
        let finish = now.checked_add(self.front.jobs[index].run).ok_or(Fault::EndOfTime(index))?;
        self.completions.schedule(finish, index);
        self.placements[index] = Some(placement);
        let record = &mut self.records[index];
        record.start = now;
        record.finish = finish;
        record.held = placement.held;
        record.success = true;
        record.token = Some(placement.token);
        record.allocated =
            self.options.allocations.then(|| self.front.machine.allocated(placement));
        Ok(())
    }
}
