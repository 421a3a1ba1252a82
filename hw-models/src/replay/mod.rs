//! Replay: a workload on a machine under a queue discipline.
//!
//! Events happen by time; completions of one instant in the order in which their jobs started,
//! arrivals in the order of the workload. Which come first, and when the queue may start jobs, say
//! [`Decisions`]; it may also when a start that it has planned comes with no event. What outages do
//! says [`Options::outages`].

mod agenda;
mod front;
mod options;
mod order;
mod outage_figures;
mod outage_queue;
mod outcome;
mod queue;
mod record;
mod saturated;
mod series;

pub use options::{Decisions, Options};
pub use order::{HALF_LIFE, Order, UnknownOrder};
pub use outage_figures::OutageFigures;
pub use outage_queue::OutageQueue;
pub use outcome::{Outcome, Refusals};
pub use queue::{LAZY_BACKLOG, QueueKind, UnknownQueue};
pub use record::JobRecord;
pub use saturated::{Saturated, saturated};
pub use series::Point;
pub(crate) use series::Spans;

use crate::events::EventQueue;
use crate::machine::{Machine, Placement};
use crate::outages::Outage;
use crate::swf::Strictness;
use crate::workload::{Job, Workload};
use agenda::{Agenda, Turn};
use front::Front;
use locox::subcube::Refusal;
use locox::time::Instant;
use outage_figures::OutageTally;

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
    /// There are outages for a machine that knows none.
    #[error("{machine}: its model knows no outages; leave them out, or choose another machine")]
    NoOutages {
        /// Name of the machine.
        machine: String,
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
    queue: &mut dyn OutageQueue,
    options: &Options<'_>,
) -> Result<Outcome, ReplayError> {
    check(workload, machine, options)?;
    let mut records: Vec<JobRecord> = workload.jobs.iter().map(JobRecord::rejected).collect();
    let told = |index: usize, record| records[index] = record;
    let jobs = &mut workload.jobs.iter().cloned();
    let mut run = Run::new(jobs, machine, queue, options, told);
    run.all().map_err(|fault| fault.explain(&workload.name, &run))?;
    let (refusals, peak_queue, tally) = (run.refusals, run.peak_queue, run.tally);
    let mut outcome = Outcome::summarise(records, machine, queue, refusals, peak_queue, options);
    if !options.outages.is_empty() {
        outcome.add_outages(&tally, options);
    }
    Ok(outcome)
}

/// Runs jobs that come one by one, in the order of their arrival, and tells of each when it starts,
/// or that it is too large; of one that an outage hits, again when it starts again. No job is held that neither waits nor runs, so memory follows how many
/// do at once. Returns the most that waited at once.
///
/// # Panics
///
/// As [`replay`]. Times of submission must not fall.
///
/// # Errors
///
/// [`ReplayError::EndOfTime`], [`ReplayError::Stuck`]; `name` is the workload's.
///
/// ```
/// use locox_models::machine::Pool;
/// use locox_models::replay::{Options, QueueKind, replay_each};
/// use locox_models::workload::synthetic::Synthetic;
/// let day = Synthetic::cube_day().generate(1, 0).unwrap();
/// let mut queue = QueueKind::Easy.queue(day.jobs.len(), 128);
/// let (mut pool, mut waited) = (Pool::new(128), 0);
/// let told = |record: locox_models::replay::JobRecord| waited += record.wait();
/// let jobs = day.jobs.iter().cloned();
/// replay_each(&day.name, jobs, &mut pool, &mut *queue, &Options::default(), told).unwrap();
/// assert!(waited > 0);
/// ```
pub fn replay_each(
    name: &str,
    mut jobs: impl Iterator<Item = Job>,
    machine: &mut dyn Machine,
    queue: &mut dyn OutageQueue,
    options: &Options<'_>,
    mut told: impl FnMut(JobRecord),
) -> Result<usize, ReplayError> {
    let mut run = Run::new(&mut jobs, machine, queue, options, |_, record| told(record));
    run.all().map_err(|fault| fault.explain(name, &run))?;
    Ok(run.peak_queue)
}

fn check(
    workload: &Workload,
    machine: &dyn Machine,
    options: &Options<'_>,
) -> Result<(), ReplayError> {
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
    EndOfTime { id: u64, line: Option<u64> },
    Stuck,
    NoOutages,
}

impl Fault {
    fn explain<T>(self, workload: &str, run: &Run<'_, T>) -> ReplayError {
        let machine = run.front.machine.name();
        match self {
            Self::NoOutages => ReplayError::NoOutages { machine },
            Self::EndOfTime { id, line } => {
                ReplayError::EndOfTime { workload: workload.into(), id, line }
            }
            Self::Stuck => {
                ReplayError::Stuck { machine, waiting: run.waiting(), why: run.why_nobody_starts() }
            }
        }
    }
}

/// A replay under way.
///
/// - `next` is the next job to arrive, and `arrived` counts those before it.
/// - `indices` says of those that wait or run which of them they are.
/// - `held_back` has those that the queue would refuse while so few processors serve, with their indices.
struct Run<'a, T> {
    front: Front<'a>,
    options: &'a Options<'a>,
    agenda: Agenda<'a>,
    jobs: &'a mut dyn Iterator<Item = Job>,
    next: Option<Job>,
    arrived: usize,
    indices: Vec<usize>,
    held_back: Vec<(usize, Job)>,
    completions: EventQueue<usize>,
    /// Room for the jobs that end at one instant; none for one that has ended already.
    ending: Vec<Option<usize>>,
    told: T,
    refusals: Refusals,
    last_refusal: Option<Refusal>,
    peak_queue: usize,
    tally: OutageTally,
}

impl<T> Run<'_, T> {
    /// Jobs that wait.
    fn waiting(&self) -> usize {
        self.front.queue.len() + self.held_back.len()
    }

    /// What the machine said last; a queue that plans does not ask it in vain.
    fn why_nobody_starts(&self) -> String {
        let out = (self.tally.out() > 0).then_some(Refusal::Faulty);
        let why = self.last_refusal.or(out);
        why.map_or("never tried".into(), |refusal| refusal.to_string())
    }
}

impl<'a, T: FnMut(usize, JobRecord)> Run<'a, T> {
    fn new(
        jobs: &'a mut dyn Iterator<Item = Job>,
        machine: &'a mut dyn Machine,
        queue: &'a mut dyn OutageQueue,
        options: &'a Options<'a>,
        told: T,
    ) -> Self {
        let next = jobs.next();
        Self {
            front: Front::new(machine, queue, options.order),
            options,
            agenda: Agenda::new(options.outages),
            jobs,
            next,
            arrived: 0,
            indices: vec![],
            held_back: vec![],
            completions: EventQueue::new(),
            ending: vec![],
            told,
            refusals: Refusals::default(),
            last_refusal: None,
            peak_queue: 0,
            tally: OutageTally::default(),
        }
    }

    fn all(&mut self) -> Result<(), Fault> {
        while let Some(now) = self.next_instant() {
            if self.agenda.next_at() == Some(now) {
                self.change_service(now)?;
            }
            match self.options.decisions {
                Decisions::Planned => self.as_planned(now)?,
                Decisions::EachEvent => self.one_event(now)?,
                Decisions::EachInstant => self.all_at_once(now)?,
            }
        }
        if self.waiting() > 0 { Err(Fault::Stuck) } else { Ok(()) }
    }

    /// When the next event happens, be it only that a planned start has come.
    fn next_instant(&self) -> Option<Instant> {
        let arrival = self.next.as_ref().map(|job| job.submit);
        let event = earlier(earlier(self.completions.next_at(), arrival), self.agenda.next_at());
        earlier(event, self.front.queue.wake_at())
    }

    /// Outages end and begin, after all jobs that complete at this instant.
    fn change_service(&mut self, now: Instant) -> Result<(), Fault> {
        self.complete_all(now);
        while let Some(turn) = self.agenda.take(now) {
            match turn {
                Turn::Ends(affected) => self.front.repair(now, affected),
                Turn::Begins(place, outage) => self.withdraw(now, place, outage)?,
            }
        }
        self.tally.levels.push((now, self.front.out_of_service()));
        self.let_in(now);
        self.start_jobs(now)
    }

    fn withdraw(&mut self, now: Instant, place: usize, outage: &Outage) -> Result<(), Fault> {
        let (affected, failed) = self.front.withdraw(now, outage).ok_or(Fault::NoOutages)?;
        self.agenda.note(place, affected);
        for run in &failed {
            self.tally.failed_runs += 1;
            self.tally.restarted += u64::from(run.first);
            self.tally.lost += run.lost;
        }
        if !failed.is_empty() {
            self.completions.retain(|&at| self.front.runs(at));
        }
        Ok(())
    }

    /// Those that were held back join the line if enough processors serve.
    fn let_in(&mut self, now: Instant) {
        for (index, job) in std::mem::take(&mut self.held_back) {
            self.join(now, index, job);
        }
    }

    fn as_planned(&mut self, now: Instant) -> Result<(), Fault> {
        let mut ending = std::mem::take(&mut self.ending);
        while let Some(at) = self.completion(now) {
            let as_planned = self.front.ends_as_planned(at);
            if as_planned {
                self.front.finish(now, at);
            }
            ending.push((!as_planned).then_some(at));
        }
        let mut decided = false;
        while self.arrive(now) {
            self.start_jobs(now)?;
            decided = true;
        }
        for at in ending.drain(..) {
            if let Some(at) = at {
                self.front.finish(now, at);
            }
            self.start_jobs(now)?;
            decided = true;
        }
        self.ending = ending;
        if decided { Ok(()) } else { self.start_jobs(now) }
    }

    fn one_event(&mut self, now: Instant) -> Result<(), Fault> {
        match self.completion(now) {
            Some(at) => self.front.finish(now, at),
            None => _ = self.arrive(now),
        }
        self.start_jobs(now)
    }

    fn all_at_once(&mut self, now: Instant) -> Result<(), Fault> {
        self.complete_all(now);
        while self.arrive(now) {}
        self.start_jobs(now)
    }

    fn complete_all(&mut self, now: Instant) {
        while let Some(at) = self.completion(now) {
            self.front.finish(now, at);
        }
    }

    /// The next job that completes at this instant.
    fn completion(&mut self, now: Instant) -> Option<usize> {
        self.completions.next_at().filter(|&at| at == now)?;
        self.completions.take().map(|(_, at)| at)
    }

    /// Whether a job arrives at this instant.
    fn arrive(&mut self, now: Instant) -> bool {
        let Some(job) = self.next.take_if(|job| job.submit == now) else { return false };
        self.next = self.jobs.next();
        let index = self.arrived;
        self.arrived += 1;
        self.join(now, index, job);
        true
    }

    /// A job joins the line, or is held back, or is too large.
    fn join(&mut self, now: Instant, index: usize, job: Job) {
        if self.front.has_to_stay_out(&job) {
            self.held_back.push((index, job));
            return;
        }
        let rejected = JobRecord::rejected(&job);
        match self.front.arrive(now, job) {
            Some(at) => self.note(at, index),
            None => (self.told)(index, rejected),
        }
    }

    fn note(&mut self, at: usize, index: usize) {
        if at >= self.indices.len() {
            self.indices.resize(at + 1, 0);
        }
        self.indices[at] = index;
    }

    fn start_jobs(&mut self, now: Instant) -> Result<(), Fault> {
        while let Some((at, placement)) = self.next_start(now) {
            self.started(at, placement, now)?;
        }
        self.peak_queue = self.peak_queue.max(self.waiting());
        Ok(())
    }

    fn next_start(&mut self, now: Instant) -> Option<(usize, Placement)> {
        let Self { front, refusals, last_refusal, .. } = self;
        front.start(now, |refusal| {
            refusals.count(refusal);
            *last_refusal = Some(refusal);
        })
    }

    fn started(&mut self, at: usize, placement: Placement, now: Instant) -> Result<(), Fault> {
        let job = self.front.job(at);
        let (id, line) = (job.id, job.line);
        let finish = now.checked_add(job.run).ok_or(Fault::EndOfTime { id, line })?;
        self.completions.schedule(finish, at);
        let allocations = self.options.allocations;
        let record = JobRecord {
            start: now,
            finish,
            held: placement.held,
            success: true,
            token: Some(placement.token),
            allocated: allocations.then(|| self.front.machine.allocated(placement)),
            ..JobRecord::rejected(job)
        };
        (self.told)(self.indices[at], record);
        Ok(())
    }
}
