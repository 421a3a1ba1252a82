//! A replay of which others are told, and that keeps no job that is done.

use super::ledger::Ledger;
use super::{
    Event, JobRecord, Options, OutageQueue, Outcome, ReplayError, Simulation, check_queue,
};
use crate::machine::Machine;
use crate::moment::Moment;
use crate::workload::Job;
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// Who is told of the jobs of a replay: who writes them, counts them, or shows how far it is.
pub trait Observer {
    /// A job has ended, or will never run because it is too large, and so has each that came before it:
    /// jobs are told in the order in which they came. A break ends the replay.
    fn job(&mut self, record: &JobRecord) -> ControlFlow<()>;

    /// Something has happened; `moment` says how the replay stands.
    fn event(&mut self, _moment: &dyn Fn() -> Moment) {}
}

/// Runs jobs that come one by one, in the order of their arrival, and tells observers of each. Jobs larger
/// than the machine are rejected.
///
/// Held are the jobs that wait or run, those that came after the first of these, and of each other job
/// about ten bytes, and eight more at the end, from which all figures of the outcome are as exact as those of
/// [`replay`](super::replay).
/// The outcome lists no jobs. It is none if an observer broke the replay off.
///
/// # Panics
///
/// As [`replay`](super::replay). Times of submission must not fall.
///
/// # Errors
///
/// [`ReplayError::Counts`], [`ReplayError::EndOfTime`], [`ReplayError::Stuck`], [`ReplayError::NoOutages`]; `name` is the workload's.
///
/// ```
/// use locox_models::machine::Pool;
/// use locox_models::replay::{JobRecord, Observer, Options, QueueKind, replay, replay_observed};
/// use locox_models::workload::synthetic::Synthetic;
/// use std::ops::ControlFlow;
///
/// struct Longest(u64);
///
/// impl Observer for Longest {
///     fn job(&mut self, record: &JobRecord) -> ControlFlow<()> {
///         self.0 = self.0.max(record.wait());
///         ControlFlow::Continue(())
///     }
/// }
///
/// let day = Synthetic::cube_day().generate(1, 0).unwrap();
/// let (options, queue) = (Options::default(), || QueueKind::Easy.queue(day.jobs.len(), 128));
/// let (mut jobs, mut longest) = (day.jobs.iter().cloned(), Longest(0));
/// let (mut pool, mut easy) = (Pool::new(128), queue());
/// let outcome =
///     replay_observed(&day.name, &mut jobs, &mut pool, &mut *easy, &options, &mut [&mut longest]);
/// let listed = replay(&day, &mut Pool::new(128), &mut *queue(), &options).unwrap();
/// assert_eq!(Some(longest.0), listed.jobs.iter().map(|job| job.wait()).max());
/// assert_eq!(outcome.unwrap().unwrap().wait_p99, listed.wait_p99);
/// ```
pub fn replay_observed(
    name: &str,
    jobs: &mut dyn Iterator<Item = Job>,
    machine: &mut dyn Machine,
    queue: &mut dyn OutageQueue,
    options: &Options<'_>,
    observers: &mut [&mut dyn Observer],
) -> Result<Option<Outcome>, ReplayError> {
    check_queue(machine, queue)?;
    let mut simulation = Simulation::new(name, jobs, machine, queue, *options);
    let (mut window, mut ledger) = (Window::default(), Ledger::default());
    loop {
        match simulation.step()? {
            Event::Arrived { .. } => window.jobs.push_back(Place::Waits),
            Event::Rejected { record, .. } => window.jobs.push_back(Place::Done(record)),
            Event::Started { job, record } => *window.place(job) = Place::Runs(record),
            Event::Ended { job } => window.end(job),
            Event::Done => break,
            Event::Service | Event::Choice => {}
        }
        observers.iter_mut().for_each(|observer| observer.event(&|| simulation.moment()));
        while let Some(record) = window.next_done() {
            ledger.add(&record);
            if observers.iter_mut().any(|observer| observer.job(&record).is_break()) {
                return Ok(None);
            }
        }
    }
    Ok(Some(simulation.outcome(|| ledger.records())))
}

/// The jobs from the first on that has not been told.
///
/// - `told` counts those before it.
#[derive(Default)]
struct Window {
    told: usize,
    jobs: VecDeque<Place>,
}

enum Place {
    Waits,
    /// So far; an outage may end it.
    Runs(JobRecord),
    Done(JobRecord),
}

impl Window {
    fn place(&mut self, job: usize) -> &mut Place {
        &mut self.jobs[job - self.told]
    }

    fn end(&mut self, job: usize) {
        let place = self.place(job);
        *place = match std::mem::replace(place, Place::Waits) {
            Place::Runs(record) => Place::Done(record),
            other => other,
        };
    }

    /// The first job, if it is done.
    fn next_done(&mut self) -> Option<JobRecord> {
        let Place::Done(_) = self.jobs.front()? else { return None };
        let Some(Place::Done(record)) = self.jobs.pop_front() else { return None };
        self.told += 1;
        Some(record)
    }
}
