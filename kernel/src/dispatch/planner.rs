//! What a planner is asked and told: queues that know how long jobs may run.

use crate::broken::Broken;
use crate::handle::{Handle, Misuse};
use crate::reserve::{Denied, Placement};
use crate::time::{Duration, Instant};
use core::fmt;

/// A rigid job: it needs so many PEs at once, for no longer than was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TimedJob {
    /// The caller's number for it; the planner does not look at it.
    pub id: u32,
    /// How many PEs, at least one.
    pub pes: u32,
    /// How long it may run, at least one tick. It may end earlier. If it runs longer, it is taken
    /// to end any moment.
    pub requested: Duration,
}

/// Names a job of one planner, from its arrival to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ticket(pub(super) Handle);

/// A ticket with which nothing can be done. The call that returns it has changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum WrongTicket {
    /// Another planner issued it, or the job has ended or was cancelled.
    Misuse(Misuse),
    /// The job waits: it cannot end, only be cancelled.
    Waits,
    /// The job runs: it cannot be cancelled, only end.
    Runs,
}

impl From<Misuse> for WrongTicket {
    fn from(misuse: Misuse) -> Self {
        Self::Misuse(misuse)
    }
}

impl fmt::Display for WrongTicket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misuse(misuse) => misuse.fmt(f),
            Self::Waits => f.write_str("the job has not started"),
            Self::Runs => f.write_str("the job has started already"),
        }
    }
}

impl core::error::Error for WrongTicket {}

/// A queue that plans by requested times, over any machine.
///
/// It plans with the *number* of PEs; which ones a job gets, and whether it can be had after all,
/// is the machine's business. After each single event (a job arrives, ends or is cancelled, a
/// planned start has come) call [`Planner::next`] until it returns `None`. Deciding once for all
/// events of an instant is allowed, and gives a different schedule.
///
/// Two kinds of jobs come. Those of [`Planner::push`] wait in line. Those of [`Planner::reserve`]
/// have a deadline: they get their interval when they arrive, or are refused, and keep it. No
/// other job is started that could be in the way of it.
///
/// All that is promised holds as long as jobs end when they must, and the machine takes a job for
/// which enough PEs are free. If one does not, the job whose turn it is waits at the front of the
/// others, and as many PEs are kept for it.
pub trait Planner {
    /// The name in tables and options.
    fn name(&self) -> &'static str;

    /// Jobs that wait, in line or for their interval.
    fn len(&self) -> usize;

    /// Whether none waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a job behind the others in line.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooLarge`](crate::reserve::Refusal::TooLarge), `Full`; [`Misuse::NoPes`](crate::reserve::Misuse::NoPes),
    /// `NoTime`, `Overflow` and `Past`. All is as before.
    fn push(&mut self, job: TimedJob, now: Instant) -> Result<Ticket, Denied>;

    /// Gives a job the earliest interval from `ready` on that ends by `deadline` and delays no job
    /// that has a promise. It will neither be moved nor delayed by others.
    ///
    /// # Errors
    ///
    /// [`Refusal::Late`](crate::reserve::Refusal::Late) with the earliest finish that would be possible;
    /// [`Misuse::DeadlineTooEarly`](crate::reserve::Misuse::DeadlineTooEarly); those of [`Planner::push`]. All is as before.
    fn reserve(
        &mut self,
        job: TimedJob,
        ready: Instant,
        deadline: Instant,
        now: Instant,
    ) -> Result<(Ticket, Placement), Denied>;

    /// Offers jobs whose turn it is to `start` until it takes one, that is, starts it and returns
    /// true; this job runs from now on. Only jobs are offered for which enough PEs are free.
    ///
    /// A time before the last one told means that one.
    fn next(
        &mut self,
        now: Instant,
        start: &mut dyn FnMut(TimedJob) -> bool,
    ) -> Option<(Ticket, TimedJob)>;

    /// A running job has ended and its PEs are free.
    ///
    /// # Errors
    ///
    /// [`WrongTicket`]; all is as before.
    fn finished(&mut self, ticket: Ticket, now: Instant) -> Result<TimedJob, WrongTicket>;

    /// Removes a waiting job.
    ///
    /// # Errors
    ///
    /// [`WrongTicket`]; all is as before.
    fn cancel(&mut self, ticket: Ticket, now: Instant) -> Result<TimedJob, WrongTicket>;

    /// From when to when a job is to run, as far as it is planned: that of a running job counts
    /// from its start; `None` of one in line that has no promise.
    ///
    /// # Errors
    ///
    /// [`Misuse`] of a ticket that is stale or foreign.
    fn planned(&self, ticket: Ticket) -> Result<Option<Placement>, Misuse>;

    /// When to call [`Planner::next`] if nothing happens before: the next planned start that does
    /// not lie in the past or present. Cost: the jobs that wait.
    fn wake(&self) -> Option<Instant>;

    /// Recomputes all derived data and compares; for tests and fuzzers.
    ///
    /// # Errors
    ///
    /// [`Broken`] names the invariant that does not hold.
    fn check_invariants(&self) -> Result<(), Broken>;
}
