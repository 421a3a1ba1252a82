//! Replay: a workload on a machine under a queue discipline.
//!
//! Events happen by time; completions of one instant in the order in which their jobs started,
//! arrivals in the order of the workload. Which come first, and when the queue may start jobs, say
//! [`Decisions`]; it may also when a start that it has planned comes with no event. What outages do
//! says [`Options::outages`].

mod agenda;
mod batsim;
mod error;
mod fragmentation;
mod front;
mod ledger;
mod live;
mod observed;
mod options;
mod order;
mod outage_figures;
mod outage_queue;
mod outcome;
mod queue;
mod record;
mod saturated;
mod series;
mod simulation;

pub use batsim::BatsimWriter;
pub use error::ReplayError;
pub use live::{Live, News, Rejection, Request};
pub use observed::{Observer, replay_observed};
pub use options::{Decisions, Options};
pub use order::{HALF_LIFE, Order, UnknownOrder};
pub use outage_figures::OutageFigures;
pub use outage_queue::OutageQueue;
pub use outcome::{Outcome, Refusals, WAIT_STEPS};
pub use queue::{LAZY_BACKLOG, QueueKind, UnknownQueue};
pub use record::JobRecord;
pub use saturated::{Saturated, saturated};
pub use series::Point;
pub(crate) use series::Spans;
pub use simulation::{Event, Simulation};

use crate::machine::Machine;
use crate::moment::Moment;
use crate::swf::Strictness;
use crate::workload::{Job, Workload};
use std::ops::ControlFlow;

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
    let outcome = replay_watched(workload, machine, queue, options, |_| ControlFlow::Continue(()));
    Ok(outcome?.expect("nobody breaks it off"))
}

/// As [`replay`]; `watch` sees each event, and may break the replay off, of which nothing is told then.
///
/// # Panics
///
/// As [`replay`].
///
/// # Errors
///
/// As [`replay`].
///
/// ```
/// use locox_models::machine::Pool;
/// use locox_models::replay::{Event, Options, QueueKind, replay_watched};
/// use locox_models::workload::synthetic::Synthetic;
/// use std::ops::ControlFlow;
/// let day = Synthetic::cube_day().generate(1, 0).unwrap();
/// let (mut pool, mut queue) = (Pool::new(128), QueueKind::Fcfs.queue(day.jobs.len(), 128));
/// let mut started = 0;
/// let outcome = replay_watched(&day, &mut pool, &mut *queue, &Options::default(), |event| {
///     started += u32::from(matches!(event, Event::Started { .. }));
///     if started == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
/// });
/// assert_eq!((outcome, started), (Ok(None), 10));
/// ```
pub fn replay_watched(
    workload: &Workload,
    machine: &mut dyn Machine,
    queue: &mut dyn OutageQueue,
    options: &Options<'_>,
    mut watch: impl FnMut(&Event) -> ControlFlow<()>,
) -> Result<Option<Outcome>, ReplayError> {
    replay_shown(workload, machine, queue, options, |event, _| watch(event))
}

/// As [`replay_watched`]; `watch` may also ask how the replay stands after the event.
///
/// # Panics
///
/// As [`replay`].
///
/// # Errors
///
/// As [`replay`].
///
/// ```
/// use locox_models::machine::Pool;
/// use locox_models::replay::{Options, QueueKind, replay_shown};
/// use locox_models::workload::synthetic::Synthetic;
/// use std::ops::ControlFlow;
/// let day = Synthetic::cube_day().generate(1, 0).unwrap();
/// let (mut pool, mut queue) = (Pool::new(128), QueueKind::Fcfs.queue(day.jobs.len(), 128));
/// let mut last = None;
/// replay_shown(&day, &mut pool, &mut *queue, &Options::default(), |_, moment| {
///     let moment = last.insert(moment());
///     assert!(moment.used <= moment.processors && moment.running <= moment.used as usize);
///     ControlFlow::Continue(())
/// })
/// .unwrap();
/// let last = last.unwrap();
/// assert_eq!((last.waiting, last.running, last.done), (0, 0, day.jobs.len() as u64));
/// ```
pub fn replay_shown(
    workload: &Workload,
    machine: &mut dyn Machine,
    queue: &mut dyn OutageQueue,
    options: &Options<'_>,
    mut watch: impl FnMut(&Event, &dyn Fn() -> Moment) -> ControlFlow<()>,
) -> Result<Option<Outcome>, ReplayError> {
    check(workload, machine, options)?;
    let mut records: Vec<JobRecord> = workload.jobs.iter().map(JobRecord::rejected).collect();
    let jobs = workload.jobs.iter().cloned();
    let mut simulation = Simulation::new(&workload.name, jobs, machine, queue, *options);
    loop {
        let event = simulation.step()?;
        if watch(&event, &|| simulation.moment()).is_break() {
            return Ok(None);
        }
        match event {
            Event::Started { job, record } => records[job] = record,
            Event::Done => break,
            _ => {}
        }
    }
    let mut outcome = simulation.outcome(|| records.iter());
    outcome.jobs = records;
    Ok(Some(outcome))
}

/// Runs jobs that come one by one, in the order of their arrival, and tells of each when it starts,
/// or that it is too large; of one that an outage hits, again when it starts again. No job is held that
/// neither waits nor runs, so memory follows how many do at once. Returns the most that waited at once.
/// [`replay_observed`] tells of a job when it is done, in the order of arrival, and yields figures.
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
    jobs: impl Iterator<Item = Job>,
    machine: &mut dyn Machine,
    queue: &mut dyn OutageQueue,
    options: &Options<'_>,
    mut told: impl FnMut(JobRecord),
) -> Result<usize, ReplayError> {
    let mut simulation = Simulation::new(name, jobs, machine, queue, *options);
    loop {
        match simulation.step()? {
            Event::Started { record, .. } | Event::Rejected { record, .. } => told(record),
            Event::Done => return Ok(simulation.peak_queue),
            _ => {}
        }
    }
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
