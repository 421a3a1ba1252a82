//! Queues: which waiting job is tried next.
//!
//! A queue keeps jobs until a machine takes them. It knows nothing of machines: it offers jobs, in
//! the order of its discipline, and the caller says of each whether it started.
//!
//! | discipline | offers | a job can be overtaken |
//! |---|---|---|
//! | [`Fcfs`] | the oldest job | never |
//! | [`Window`] | the oldest few jobs, the oldest first | by what is in the window |
//! | [`Scan`] | the oldest job of one size after the other | while the scan is elsewhere |
//! | [`Lazy`] | the oldest job of each size of which none runs | by other sizes |
//!
//! [`Patience`] bounds that for all of them. None of these knows how long jobs run; a [`Planner`]
//! does:
//!
//! | planner | has a promise | a job can be overtaken |
//! |---|---|---|
//! | [`Easy`] backfilling | the first job in line | if that does not delay the first one |
//! | [`Conservative`] backfilling | each job, from its arrival | if that delays nobody |
//!
//! Both also give intervals to jobs with deadlines.
//!
//! ```
//! use locox::cube::Dim;
//! use locox::dispatch::{Dispatcher, Job, Patience, Queue, Slot, Window};
//!
//! let mut queue = Queue::new(Window::of(2), Patience::of(1), [Slot::EMPTY; 8]);
//! for (id, nodes) in [(1, 64), (2, 4), (3, 4)] {
//!     queue.push(Job { id, class: Dim::holding(nodes).unwrap() }).unwrap();
//! }
//! // A machine with 8 free nodes takes job 2 before job 1, but not job 3 as well.
//! let mut free = 8;
//! let mut start = |job: Job| {
//!     let fits = job.class.nodes() <= free;
//!     free -= if fits { job.class.nodes() } else { 0 };
//!     fits
//! };
//! assert_eq!(queue.next(&mut start).map(|job| job.id), Some(2));
//! assert_eq!(queue.next(&mut start), None);
//! ```

mod backfill;
mod conservative;
mod desk;
mod discipline;
mod easy;
mod entries;
mod fcfs;
mod lazy;
mod lines;
mod planner;
mod queue;
mod rule;
mod scan;
mod window;

pub use backfill::{Backfill, backfill_words};
pub use conservative::Conservative;
pub use discipline::{Discipline, Offers};
pub use easy::Easy;
pub use entries::Entry;
pub use fcfs::Fcfs;
pub use lazy::Lazy;
pub use lines::Slot;
pub use planner::{Planner, Ticket, TimedJob, WrongTicket};
pub use queue::{Patience, Queue};
pub use rule::Rule;
pub use scan::Scan;
pub use window::Window;

use crate::broken::Broken;
use crate::cube::Dim;
use core::fmt;

/// A job as a queue sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Job {
    /// The caller's number for it; jobs that wait at the same time have different ones.
    pub id: u32,
    /// Its size: log2 of the nodes that it needs, rounded up.
    pub class: Dim,
}

/// Jobs that wait, in the order of a discipline.
pub trait Dispatcher {
    /// The discipline's name in tables and options.
    fn name(&self) -> &'static str;

    /// Jobs that wait.
    fn len(&self) -> usize;

    /// Whether none waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a job behind all others. Constant cost.
    ///
    /// # Errors
    ///
    /// [`QueueFull`]; the queue is as before.
    fn push(&mut self, job: Job) -> Result<(), QueueFull>;

    /// Offers jobs to `start` until it takes one, that is, starts it and returns true; this job
    /// leaves the queue and is returned. Call it again, until it returns `None`, whenever jobs or
    /// nodes have come.
    ///
    /// A job that no machine will ever take must be cancelled, or it may wait in the way of all.
    fn next(&mut self, start: &mut dyn FnMut(Job) -> bool) -> Option<Job>;

    /// A job that was returned by [`Dispatcher::next`] has ended.
    fn finished(&mut self, job: Job);

    /// Removes a waiting job. Cost: the jobs that wait.
    ///
    /// # Errors
    ///
    /// [`NotWaiting`]; the queue is as before.
    fn cancel(&mut self, id: u32) -> Result<Job, NotWaiting>;

    /// Recomputes all derived data and compares; for tests and fuzzers.
    ///
    /// # Errors
    ///
    /// [`Broken`] names the invariant that does not hold.
    fn check_invariants(&self) -> Result<(), Broken>;
}

/// Every slot of the queue holds a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct QueueFull;

impl fmt::Display for QueueFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the queue is full")
    }
}

impl core::error::Error for QueueFull {}

/// No job of this number waits: it was never queued, or has left the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NotWaiting(pub u32);

impl fmt::Display for NotWaiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "job {} does not wait", self.0)
    }
}

impl core::error::Error for NotWaiting {}
