//! Queues: which waiting job is tried next.
//!
//! A queue keeps jobs until a machine takes them. It knows nothing of machines: it offers jobs,
//! and the caller says of each whether it started. All are driven through one set of calls, those
//! of the trait [`Queue`].
//!
//! Some queues know an order only, that of a [`Discipline`]:
//!
//! | discipline | offers | a job can be overtaken |
//! |---|---|---|
//! | [`Fcfs`] | the first in line | never |
//! | [`Window`] | the first few in line | by what is in the window |
//! | [`Scan`] | the first of one size after the other | while the scan is elsewhere |
//! | [`Lazy`] | the first of each size of which none runs | by other sizes |
//!
//! Jobs stand in line by their [keys](Job::keyed), which the caller may change
//! ([`Queue::rekey`]): priorities, fair shares; without keys in the order of arrival.
//!
//! [`Patience`] bounds for all of them how often a job is overtaken by ones that came later.
//!
//! Others plan by requested times, by a policy of [`Backfill`]:
//!
//! | policy | has a promise | a job can be overtaken |
//! |---|---|---|
//! | [`Easy`] backfilling | the first job in line | if that does not delay the first one |
//! | [`Conservative`] backfilling | each job, from its arrival | if that delays nobody |
//!
//! Conservative backfilling also gives intervals to jobs with deadlines, by [`Backfill::reserve`].
//! [`UserLimit`] stands in front of any queue and bounds how many jobs of a user run at once.
//!
//! ```
//! use locox::dispatch::{Job, Ordered, Patience, Queue, Slot, Window};
//! use locox::handle::PoolId;
//! use locox::time::Instant;
//!
//! let now = Instant::ZERO;
//! // In firmware the slots are a static of zeros, borrowed.
//! let mut queue = Ordered::new(PoolId(0), [Slot::EMPTY; 8], Window::of(2), Patience::of(1));
//! for (id, pes) in [(1, 64), (2, 4), (3, 4)] {
//!     queue.push(now, Job::new(id, pes)).unwrap();
//! }
//! // A machine with 8 free PEs takes job 2 before job 1, but not job 3 as well.
//! let mut free = 8;
//! let mut start = |job: Job| {
//!     let fits = job.pes <= free;
//!     free -= if fits { job.pes } else { 0 };
//!     fits
//! };
//! let (second, job) = queue.next(now, &mut start).unwrap();
//! assert_eq!(job.id, 2);
//! assert_eq!(queue.next(now, &mut start), None);
//! queue.finished(now, second).unwrap();
//! ```

pub(crate) mod backfill;
mod error;
mod image;
mod job;
mod jobs;
mod line;
pub(crate) mod order;
mod slot;
mod tree;
mod user_limit;

pub use backfill::{Backfill, Cause, Conservative, Easy, Entry, Promises, Requests};
pub use error::{Error, Misuse, Refusal};
pub use job::{Job, SizeClass, Standing, Ticket};
pub use order::{Discipline, Fcfs, Lazy, Offers, Ordered, Patience, Scan, Window};
pub use slot::{JobSlot, Slot};
pub use user_limit::{UserLimit, UserOf, UserRow};

use crate::invariant::InvariantViolation;
use crate::reserve::Interval;
use crate::time::Instant;

/// Jobs that wait, and whose turn it is. It asks for as many items as a queue has calls: it is there to be called,
/// and an order of your own is a [`Discipline`].
///
/// A job has an entry of the queue's storage, and a ticket, from its arrival until it has ended or
/// is cancelled.
///
/// After each single event (a job arrives, ends or is cancelled, the time of [`Queue::wake_at`]
/// has come) call [`Queue::next`] until it returns `None`. Deciding once for all events of an
/// instant is allowed, and gives a different schedule.
///
/// A call that returns an error has changed nothing; nor is it news of the time. One exception: under conservative
/// backfilling a job whose time has passed is planned anew before another one is refused a place in the plan. In every
/// call, of this trait and of each queue, a time before the last one told means that one.
pub trait Queue {
    /// The name in tables and options.
    fn name(&self) -> &'static str;

    /// Jobs that wait.
    fn len(&self) -> usize;

    /// Whether none waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a job behind all others of its key and of smaller ones. It may ask for more PEs than are in service.
    ///
    /// # Errors
    ///
    /// [`Refusal::Full`], [`Misuse::NoPes`]. Of queues that plan also [`Refusal::TooLarge`],
    /// [`Refusal::Overflow`], [`Misuse::NoTime`], [`Misuse::Overflow`].
    fn push(&mut self, now: Instant, job: Job) -> Result<Ticket, Error>;

    /// A job runs already, since `started`, that this queue did not start: one from before a restart without an
    /// image, or somebody else's. It has an entry, a ticket and its PEs until it has [finished](Queue::finished),
    /// as if it had been started; for [`Patience`] it has overtaken whoever waits. Its key counts if it is to
    /// wait again.
    ///
    /// It may run on PEs that are out of service: the queue does not know which it has. So it may ask for more than
    /// are in service, but not for more than have no job; meanwhile all that is in service may be taken, and
    /// others wait. [`Backfill::claim`] is the same.
    ///
    /// Under conservative backfilling, if its PEs are promised before it is to end, all jobs that wait are planned
    /// anew, in their order, and may be promised a later time.
    ///
    /// Cost: that of an arrival and a start; where all are planned anew as [`Backfill::withdraw`].
    ///
    /// # Errors
    ///
    /// [`Refusal::Full`], [`Misuse::NoPes`]. Of queues that plan also [`Refusal::TooLarge`],
    /// [`Refusal::TooFewFree`], [`Misuse::NoTime`], [`Misuse::Future`], [`Misuse::Overflow`].
    fn adopt(&mut self, now: Instant, job: Job, started: Instant) -> Result<Ticket, Error>;

    /// Offers jobs whose turn it is to `start` until it takes one, that is, starts it and returns
    /// true; this job runs from now on.
    ///
    /// A job that no machine will ever take must be cancelled, or it may wait in the way of all. A
    /// [`Backfill`] passes over jobs that ask for more PEs than are in service.
    fn next(&mut self, now: Instant, start: &mut dyn FnMut(Job) -> bool) -> Option<(Ticket, Job)>;

    /// A running job has ended and its PEs are free.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::Waits`].
    fn finished(&mut self, now: Instant, ticket: Ticket) -> Result<Job, Misuse>;

    /// Removes a waiting job.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::Runs`].
    fn cancel(&mut self, now: Instant, ticket: Ticket) -> Result<Job, Misuse>;

    /// A running job has failed, and its PEs are free: it waits again, under the same ticket, where its
    /// key and its first arrival say. Under conservative backfilling it gets the earliest interval, as
    /// one that arrives does; a job of [`Backfill::reserve`] has a place in line from now on, and the
    /// start of its interval as key.
    ///
    /// Cost: a look at each job that came before it and waits, and that of an end and an arrival.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::Waits`].
    fn requeue(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse>;

    /// Passes over a waiting job from now on, until its [release](Queue::release): it keeps its place in
    /// line, and stands in nobody's way. What it was promised is others'. Nothing happens if it is held
    /// already.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::Runs`]; [`Misuse::Reserved`] of a job of [`Backfill::reserve`].
    fn hold(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse>;

    /// A job that was held is offered again, from its place in line. Under conservative backfilling it gets
    /// the earliest interval, as one that arrives does. Nothing happens if it is not held.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::Runs`].
    fn release(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse>;

    /// Gives a job in line another key, so that it stands elsewhere: among those of its new key in
    /// the order of arrival. Under conservative backfilling its promise remains; EASY promises to
    /// whoever is the first then.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::Runs`]; [`Misuse::Reserved`] of a job of [`Backfill::reserve`].
    fn rekey(&mut self, now: Instant, ticket: Ticket, key: u64) -> Result<(), Misuse>;

    /// From when to when a job is to run, as far as it is planned: that of a running job counts
    /// from its start; `None` of one that has no promise.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`].
    fn planned(&self, ticket: Ticket) -> Result<Option<Interval>, Misuse>;

    /// Calls `visit` for each job that waits or runs, in no order of note, with its number of arrival: among
    /// jobs of the same key in line the smaller one comes first. Cost: all entries that have been in use.
    fn visit(&self, visit: &mut dyn FnMut(Ticket, Job, Standing, u64));

    /// When to call [`Queue::next`] if nothing happens before: the next planned start, or end of an outage known to
    /// [`Promises`], that does not lie in the past or present; at once if [`Backfill::in_steps_of`] has steps to go. [`Promises`] that
    /// only wait for jobs which have run longer than they said need no call until one of these ends.
    fn wake_at(&self) -> Option<Instant>;

    /// Recomputes all derived data and compares; for tests and fuzzers.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] names the invariant that does not hold.
    fn check_invariants(&self) -> Result<(), InvariantViolation>;
}
