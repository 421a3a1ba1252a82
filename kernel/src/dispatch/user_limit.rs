//! How many jobs of a user may run at once: a limit in front of any queue.
//!
//! When as many jobs of a user run as may, his others are [held](Queue::hold); when one of them ends, they
//! are released. A job that is held keeps its place and stands in nobody's way.
//!
//! Cost: that of the queue; a look at each job where a user's job comes, starts, ends or waits again; and
//! where his limit is reached or no more reached, to hold or release each of his that wait.

use super::{Error, Job, Misuse, Queue, Refusal, Standing, Ticket};
use crate::invariant::{InvariantViolation, ensure};
use crate::reserve::Interval;
use crate::slices::put;
use crate::time::Instant;
use core::num::NonZeroU32;

/// What is known of a job of a [`UserLimit`].
#[derive(Clone, Copy, Debug)]
pub struct UserRow {
    ticket: Option<Ticket>,
    user: u32,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waits,
    /// It is held, as enough jobs of its user run.
    Limited,
    /// It is held by the caller.
    Held,
    Runs,
}

impl UserRow {
    /// What the rows are filled with; their content does not matter.
    pub const EMPTY: Self = Self { ticket: None, user: 0, state: State::Waits };
}

/// Whose a job is. Each function from the number of a job to the number of its user is one.
pub trait UserOf {
    /// The user of the job of this number, always the same.
    fn user_of(&self, id: u32) -> u32;
}

impl<F: Fn(u32) -> u32> UserOf for F {
    fn user_of(&self, id: u32) -> u32 {
        self(id)
    }
}

/// A queue of which at most so many jobs of a user run at once.
///
/// There must be a row for each entry of the queue. Jobs that come in by other calls than those of
/// [`Queue`], as [`Backfill::reserve`](super::Backfill::reserve), are not limited and do not count.
///
/// ```
/// use core::num::NonZeroU32;
/// use locox::dispatch::{Fcfs, Job, Ordered, Patience, Queue, Slot, UserLimit, UserRow};
/// use locox::handle::PoolId;
/// use locox::time::Instant;
///
/// // The user stands in the upper half of a job's number.
/// let user_of = |id| id >> 16;
/// let queue = Ordered::new(PoolId(0), [Slot::EMPTY; 8], Fcfs, Patience::ENDLESS);
/// let (now, rows) = (Instant::ZERO, [UserRow::EMPTY; 8]);
/// let mut queue = UserLimit::new(queue, rows, NonZeroU32::MIN, user_of, now);
/// for id in [0x1_0000, 0x1_0001, 0x2_0000] {
///     queue.push(now, Job::new(id, 1))?;
/// }
/// let first = queue.next(now, &mut |_| true).unwrap();
/// assert_eq!(first.1.id, 0x1_0000);
/// // The second job of user 1 has to wait, and is not in the way of user 2.
/// assert_eq!(queue.next(now, &mut |_| true).unwrap().1.id, 0x2_0000);
/// assert_eq!(queue.next(now, &mut |_| true), None);
/// queue.finished(now, first.0)?;
/// assert_eq!(queue.next(now, &mut |_| true).unwrap().1.id, 0x1_0001);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Invariants
///
/// - Each job that came by [`Queue::push`] and has not left has the row of its entry.
/// - A job is held as limited exactly while as many jobs of its user run as may, or more, and the caller
///   does not hold it.
#[derive(Clone, Debug)]
pub struct UserLimit<Q, F, R> {
    queue: Q,
    most: u32,
    user_of: F,
    rows: R,
}

impl<Q: Queue, F: UserOf, R: AsRef<[UserRow]> + AsMut<[UserRow]>> UserLimit<Q, F, R> {
    /// In front of a queue, which may have jobs in it, as after a restart: from `now` on at most `most` of a
    /// user are started while others of his run. What is held already is released when less of its user run
    /// than may. The queue is told the time if a job is held or released.
    ///
    /// Cost: the rows for each job that is there.
    pub fn new(queue: Q, rows: R, most: NonZeroU32, user_of: F, now: Instant) -> Self {
        let mut limit = Self { queue, most: most.get(), user_of, rows };
        limit.recount(now);
        limit
    }

    /// Looks anew at the jobs of the queue, as [`UserLimit::new`] does: after calls on
    /// [`UserLimit::queue_mut`] that changed which jobs are there, such as `restore`.
    ///
    /// Cost: the rows for each job that is there.
    pub fn recount(&mut self, now: Instant) {
        let Self { queue, user_of, rows, .. } = self;
        rows.as_mut().fill(UserRow::EMPTY);
        queue.visit(&mut |ticket, job, standing, _| {
            let state = match standing {
                Standing::Waits => State::Waits,
                Standing::Held => State::Limited,
                Standing::Runs => State::Runs,
                Standing::Reserved => return,
            };
            let row = UserRow { ticket: Some(ticket), user: user_of.user_of(job.id), state };
            put(rows.as_mut(), ticket.handle().index() as usize, row);
        });
        for row in 0..self.rows.as_ref().len() {
            let known = self.rows.as_ref().get(row).filter(|row| row.ticket.is_some());
            if let Some(user) = known.map(|row| row.user) {
                self.settle(now, user);
            }
        }
    }
}

impl<Q, F, R: AsRef<[UserRow]> + AsMut<[UserRow]>> UserLimit<Q, F, R> {
    /// The queue behind the limit.
    pub const fn queue(&self) -> &Q {
        &self.queue
    }

    /// The queue behind the limit, for calls that are not those of [`Queue`], such as
    /// [`Backfill::withdraw`](super::Backfill::withdraw).
    pub const fn queue_mut(&mut self) -> &mut Q {
        &mut self.queue
    }

    /// The queue without the limit. What is held remains held.
    pub fn into_queue(self) -> Q {
        self.queue
    }

    /// The row of an entry of the queue.
    fn row(&mut self, ticket: Ticket) -> Option<&mut UserRow> {
        self.rows.as_mut().get_mut(ticket.handle().index() as usize)
    }

    /// Jobs of a user that run.
    fn running(&self, user: u32) -> u32 {
        let runs = |row: &&UserRow| row.state == State::Runs && row.user == user;
        self.rows.as_ref().iter().filter(|row| row.ticket.is_some()).filter(runs).count() as u32
    }
}

impl<Q: Queue, F, R: AsRef<[UserRow]> + AsMut<[UserRow]>> UserLimit<Q, F, R> {
    /// A job has another state from now on, or none any more; the others of its user are held or released.
    fn change(&mut self, now: Instant, ticket: Ticket, state: Option<State>) {
        let Some(row) = self.row(ticket).filter(|row| row.ticket.is_some()) else { return };
        let user = row.user;
        match state {
            Some(state) => (row.ticket, row.state) = (Some(ticket), state),
            None => row.ticket = None,
        }
        self.settle(now, user);
    }

    /// Holds the jobs of a user that wait, or releases them.
    fn settle(&mut self, now: Instant, user: u32) {
        let limited = self.running(user) >= self.most;
        let Self { queue, rows, .. } = self;
        for row in rows.as_mut().iter_mut().filter(|row| row.user == user) {
            let Some(ticket) = row.ticket else { continue };
            let (changed, to) = match row.state {
                State::Waits if limited => (queue.hold(now, ticket), State::Limited),
                State::Limited if !limited => (queue.release(now, ticket), State::Waits),
                _ => continue,
            };
            debug_assert!(changed.is_ok(), "a job that waits can be held and released");
            row.state = to;
        }
    }
}

impl<Q: Queue, F: UserOf, R: AsRef<[UserRow]> + AsMut<[UserRow]>> UserLimit<Q, F, R> {
    /// A job has come; the others of its user are held or released.
    fn take_row(
        &mut self,
        now: Instant,
        ticket: Ticket,
        job: Job,
        state: State,
    ) -> Result<(), Refusal> {
        let (user, entries) = (self.user_of.user_of(job.id), self.rows.as_ref().len() as u32);
        let row = self.row(ticket).ok_or(Refusal::Full { entries })?;
        *row = UserRow { ticket: Some(ticket), user, state };
        self.settle(now, user);
        Ok(())
    }
}

impl<Q, F, R> Queue for UserLimit<Q, F, R>
where
    Q: Queue,
    F: UserOf,
    R: AsRef<[UserRow]> + AsMut<[UserRow]>,
{
    fn name(&self) -> &'static str {
        self.queue.name()
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    /// # Errors
    ///
    /// Those of the queue; [`Refusal::Full`] also without a row for its entry.
    fn push(&mut self, now: Instant, job: Job) -> Result<Ticket, Error> {
        let ticket = self.queue.push(now, job)?;
        if let Err(full) = self.take_row(now, ticket, job, State::Waits) {
            let gone = self.queue.cancel(now, ticket);
            debug_assert!(gone.is_ok(), "a job that came just now waits");
            return Err(full.into());
        }
        Ok(ticket)
    }

    /// As many jobs of a user may be adopted as run: the limit is for those that start.
    fn adopt(&mut self, now: Instant, job: Job, started: Instant) -> Result<Ticket, Error> {
        let ticket = self.queue.adopt(now, job, started)?;
        if let Err(full) = self.take_row(now, ticket, job, State::Runs) {
            let gone = self.queue.finished(now, ticket);
            debug_assert!(gone.is_ok(), "a job that was adopted just now runs");
            return Err(full.into());
        }
        Ok(ticket)
    }

    fn next(&mut self, now: Instant, start: &mut dyn FnMut(Job) -> bool) -> Option<(Ticket, Job)> {
        let (ticket, job) = self.queue.next(now, start)?;
        self.change(now, ticket, Some(State::Runs));
        Some((ticket, job))
    }

    fn finished(&mut self, now: Instant, ticket: Ticket) -> Result<Job, Misuse> {
        let job = self.queue.finished(now, ticket)?;
        self.change(now, ticket, None);
        Ok(job)
    }

    fn cancel(&mut self, now: Instant, ticket: Ticket) -> Result<Job, Misuse> {
        let job = self.queue.cancel(now, ticket)?;
        self.change(now, ticket, None);
        Ok(job)
    }

    fn requeue(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        self.queue.requeue(now, ticket)?;
        self.change(now, ticket, Some(State::Waits));
        Ok(())
    }

    fn hold(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        self.queue.hold(now, ticket)?;
        self.change(now, ticket, Some(State::Held));
        Ok(())
    }

    fn release(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        self.queue.release(now, ticket)?;
        self.change(now, ticket, Some(State::Waits));
        Ok(())
    }

    fn rekey(&mut self, now: Instant, ticket: Ticket, key: u64) -> Result<(), Misuse> {
        self.queue.rekey(now, ticket, key)
    }

    fn planned(&self, ticket: Ticket) -> Result<Option<Interval>, Misuse> {
        self.queue.planned(ticket)
    }

    fn visit(&self, visit: &mut dyn FnMut(Ticket, Job, Standing, u64)) {
        self.queue.visit(visit);
    }

    fn wake_at(&self) -> Option<Instant> {
        self.queue.wake_at()
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.queue.check_invariants()?;
        for row in self.rows.as_ref().iter().filter(|row| row.ticket.is_some()) {
            let running = self.running(row.user);
            let limited = running >= self.most;
            let as_limited = match row.state {
                State::Waits => !limited,
                State::Limited => limited,
                State::Held | State::Runs => true,
            };
            ensure(as_limited, "jobs are held while as many of their user run as may")?;
        }
        Ok(())
    }
}
