//! Replay: a workload on a machine under a queue discipline.
//!
//! Events happen by time; completions of one instant in the order in which their jobs started,
//! arrivals in the order of the workload. Which come first, and when the queue may start jobs, say
//! [`Decisions`]; it may also when a start that it has planned comes with no event. What outages do
//! says [`Options::outages`].

mod agenda;
mod batsim;
mod demands;
mod error;
mod fragmentation;
mod front;
mod ledger;
mod live;
mod managed;
mod observed;
mod options;
mod order;
mod outage_figures;
mod outage_queue;
mod outcome;
mod planned;
mod promise_figures;
mod promised_places;
mod promises;
mod queue;
mod record;
mod saturated;
mod series;
mod simulation;
mod stop_figures;

pub use batsim::BatsimWriter;
pub use error::ReplayError;
pub use live::{Live, News, Rejection, Request};
pub use managed::replay_managed;
pub use observed::{Observer, replay_observed};
pub use options::{Decisions, Options};
pub use order::{HALF_LIFE, Order, UnknownOrder};
pub use outage_figures::OutageFigures;
pub use outage_queue::OutageQueue;
pub use outcome::{Outcome, Refusals, WAIT_STEPS};
pub use promise_figures::{Counts, Promise, PromiseFigures, Reasons, cause_name};
pub use promised_places::PromisedPlace;
pub use queue::{LAZY_BACKLOG, QueueKind, UnknownQueue};
pub use record::JobRecord;
pub use saturated::{Saturated, saturated};
pub use series::Point;
pub(crate) use series::Spans;
pub use simulation::{Event, Simulation};
pub use stop_figures::{StopFigures, UserWaits, Waits};

use crate::machine::{Machine, Rule};
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
    let go_on = |_: &Event, _: &dyn Fn() -> Moment| ControlFlow::Continue(());
    let outcome = replay_watched(workload, machine, queue, options, go_on)?;
    Ok(outcome.expect("nobody breaks it off"))
}

/// As [`replay`]; `watch` sees each event, may ask how the replay stands after it, and may break the replay off, of which
/// nothing is told then.
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
/// let mut last = None;
/// replay_watched(&day, &mut pool, &mut *queue, &Options::default(), |_, moment| {
///     let moment = last.insert(moment());
///     assert!(moment.used <= moment.processors && moment.running <= moment.used as usize);
///     ControlFlow::Continue(())
/// })
/// .unwrap();
/// let last = last.unwrap();
/// assert_eq!((last.waiting, last.running, last.done), (0, 0, day.jobs.len() as u64));
///
/// let (mut pool, mut queue) = (Pool::new(128), QueueKind::Fcfs.queue(day.jobs.len(), 128));
/// let broken_off = replay_watched(&day, &mut pool, &mut *queue, &Options::default(), |event, _| {
///     if matches!(event, Event::Started { job: 9, .. }) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
/// });
/// assert_eq!(broken_off, Ok(None));
/// ```
pub fn replay_watched(
    workload: &Workload,
    machine: &mut dyn Machine,
    queue: &mut dyn OutageQueue,
    options: &Options<'_>,
    mut watch: impl FnMut(&Event, &dyn Fn() -> Moment) -> ControlFlow<()>,
) -> Result<Option<Outcome>, ReplayError> {
    check(workload, machine, queue, options)?;
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
    outcome.users = UserWaits::of(&workload.jobs, &records);
    outcome.jobs = records;
    Ok(Some(outcome))
}

/// A queue that promises numbers of processors has no place to tell a machine that wants one.
fn check_queue(machine: &dyn Machine, queue: &dyn OutageQueue) -> Result<(), ReplayError> {
    let counts = queue.moved_later().is_some() && !queue.plans_places();
    match machine.rule() {
        None | Some(Rule::Count(_)) => Ok(()),
        Some(_) if !counts => Ok(()),
        Some(_) => Err(ReplayError::Counts { machine: machine.name() }),
    }
}

fn check(
    workload: &Workload,
    machine: &dyn Machine,
    queue: &dyn OutageQueue,
    options: &Options<'_>,
) -> Result<(), ReplayError> {
    check_queue(machine, queue)?;
    let name = || workload.name.clone();
    let in_boxes = matches!(machine.rule(), Some(Rule::Boxes(..)));
    if queue.plans_places()
        && in_boxes
        && let Some(job) = workload.jobs.iter().find(|job| job.shape.is_some())
    {
        return Err(ReplayError::Mesh { workload: name(), id: job.id, line: job.line });
    }
    check_jobs(workload, machine, options)
}

/// Their order, and that the machine can run them.
fn check_jobs(
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
    Err(too_large(workload.name.clone(), job, machine))
}

/// That a machine could never run a job.
fn too_large(workload: String, job: &Job, machine: &dyn Machine) -> ReplayError {
    let Job { id, line, processors, .. } = *job;
    let (rule, machine, available) = (machine.rule(), machine.name(), machine.processors());
    match rule {
        Some(Rule::Nodes(cluster, _)) if processors <= available => {
            ReplayError::NoNodes { workload, id, line, asked: cluster.told(job), machine }
        }
        _ => ReplayError::TooLarge { workload, id, line, processors, machine, available },
    }
}
