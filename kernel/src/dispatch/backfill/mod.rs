//! Queues that plan by requested times.

mod conservative;
mod easy;
mod freed;
mod planner;
mod running;

pub use conservative::Conservative;
pub use easy::Easy;
pub use planner::Entry;

use super::jobs::Jobs;
use super::{Error, Job, Misuse, Queue, Refusal, Ticket};
use crate::bits::Word;
use crate::handle::PoolId;
use crate::invariant::{InvariantViolation, ensure};
use crate::reserve::{Placement, Profile, Request, SetupError};
use crate::time::{Duration, Instant};
use conservative::{Rest, limits};
use core::num::NonZeroU32;
use planner::{BackfillPolicy, Planner};

/// Backfilling under policy `P`, [`Easy`] or [`Conservative`], in the caller's entries `S`: an array,
/// a boxed or a borrowed slice.
///
/// It plans with the *number* of PEs; which ones a job gets, and whether it can be had after all,
/// is the machine's business. Jobs of [`Queue::push`] wait in line. Under conservative
/// backfilling there may be others beside them: those of [`Backfill::reserve`] get their interval
/// when they arrive, or are refused, and keep it. No other job is started that could be in the way of
/// it.
///
/// All that is promised holds as long as jobs end when they must, and the machine takes a job for
/// which enough PEs are free. If one does not, the job whose turn it is waits at the front of the
/// others, and as many PEs are kept for it.
///
/// What happens at one instant may be told in any order, and another order gives another schedule.
/// On a real machine that is the order of the reports. A simulator that decides from its plan tells
/// first of each job that has run as long as it requested that it has [finished](Queue::finished),
/// and asks for nothing; then it pushes what arrives, and asks after each; then it tells of all
/// other ends in the order of the starts, and asks after each of all that ended.
///
/// As many jobs may wait and run together as there are entries. In firmware words and entries lie
/// in statics of their own, which are all zeros, so they cost memory and no flash.
///
/// ```
/// use locox::dispatch::{Backfill, Entry, Job, Queue};
/// use locox::handle::PoolId;
/// use locox::time::{Duration, Instant};
///
/// let mut easy = Backfill::easy(PoolId(0), 8, [Entry::EMPTY; 16]);
/// let now = Instant::from_ticks;
/// let mut push = |id, pes, requested| {
///     easy.push(now(0), Job::new(id, pes).within(Duration::from_ticks(requested)))
/// };
/// let first = push(1, 6, 20)?;
/// let second = push(2, 8, 10)?;
/// push(3, 2, 25)?;
/// push(4, 2, 20)?;
/// // Job 2 has to wait for job 1; job 3 would delay it, job 4 does not.
/// assert_eq!(easy.next(now(0), &mut |_| true).map(|(_, job)| job.id), Some(1));
/// assert_eq!(easy.next(now(0), &mut |_| true).map(|(_, job)| job.id), Some(4));
/// assert_eq!(easy.next(now(0), &mut |_| true), None);
/// assert_eq!(easy.planned(second)?.map(|promise| promise.start), Some(now(20)));
/// # easy.finished(now(9), first)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// - `now` is the last time told.
/// - `free` counts the PEs on which nothing runs.
#[derive(Clone)]
pub struct Backfill<P, S> {
    policy: P,
    now: Instant,
    pes: u32,
    free: u32,
    jobs: Jobs,
    entries: S,
}

impl<P, S> Backfill<P, S> {
    const fn idle(id: PoolId, policy: P, pes: u32, entries: S) -> Self {
        Self { policy, now: Instant::ZERO, pes, free: pes, jobs: Jobs::new(id), entries }
    }
}

impl Backfill<(), ()> {
    /// Words of storage that conservative backfilling takes for so many PEs and entries.
    pub const fn words(pes: u32, entries: usize) -> usize {
        Profile::words(limits(pes, entries))
    }
}

impl<S: AsRef<[Entry]> + AsMut<[Entry]>> Backfill<Easy, S> {
    /// An idle machine of `pes` PEs and an empty line under [`Easy`] backfilling; what the entries
    /// held does not matter.
    pub const fn easy(id: PoolId, pes: u32, entries: S) -> Self {
        Self::idle(id, Easy::new(), pes, entries)
    }

    /// The same, where only the first `depth` jobs behind the head may overtake it.
    pub const fn with_depth(mut self, depth: u32) -> Self {
        self.policy.depth = depth;
        self
    }
}

impl<const N: usize, const M: usize> Backfill<Conservative<[Word; N]>, [Entry; M]> {
    /// An idle machine of `PES` PEs and an empty line, with the storage inside: for a `static` of
    /// a host. One in firmware is paid for in flash as well as in memory.
    ///
    /// An array of fewer than [`Backfill::words`] does not compile.
    pub const fn new_static<const PES: u32>(id: PoolId) -> Self {
        let policy = const {
            match Conservative::<[Word; N]>::in_array(PES, M) {
                Ok(policy) => policy,
                Err(_) => panic!("too few words, or a number of PEs or entries out of range"),
            }
        };
        Self::idle(id, policy, PES, [Entry::EMPTY; M])
    }
}

impl<W, S> Backfill<Conservative<W>, S>
where
    W: AsRef<[Word]> + AsMut<[Word]>,
    S: AsRef<[Entry]> + AsMut<[Entry]>,
{
    /// An idle machine of `pes` PEs and an empty line under [`Conservative`] backfilling; what the
    /// storage held does not matter.
    ///
    /// # Errors
    ///
    /// [`SetupError`] numbers of PEs or entries, or fewer words than [`Backfill::words`].
    pub fn conservative(id: PoolId, pes: u32, words: W, entries: S) -> Result<Self, SetupError> {
        let policy = Conservative::new(pes, words, entries.as_ref().len())?;
        Ok(Self::idle(id, policy, pes, entries))
    }

    /// The same, where after an early end only the first `depth` jobs in line are moved to the
    /// earliest interval, others only if they can start now.
    pub const fn with_depth(mut self, depth: u32) -> Self {
        self.policy.depth = depth;
        self
    }

    /// The same, where all jobs are moved, `most` of them at a time: the first ones when the early
    /// end is told, then others whenever it is asked who starts. Until all have been looked at, it
    /// wants to be asked at once ([`Queue::wake_at`]), also if nobody starts.
    pub const fn in_steps_of(mut self, most: NonZeroU32) -> Self {
        self.policy.rest = Rest::Later(None);
        self.with_depth(most.get())
    }

    /// Gives a job the earliest interval for which `request` asks and in which it delays no job
    /// that has a promise. It will neither be moved nor delayed by others.
    ///
    /// # Errors
    ///
    /// [`Refusal::Late`] with the earliest finish that would be possible;
    /// [`Misuse::DeadlineTooEarly`]; those of [`Queue::push`]. All is as before.
    pub fn reserve(
        &mut self,
        now: Instant,
        id: u32,
        request: &Request,
    ) -> Result<(Ticket, Placement), Error> {
        let job = Job::new(id, request.pes).within(request.duration);
        self.check(now, &job)?;
        let deadline = request.deadline.unwrap_or(Instant::MAX);
        let earliest = request.ready.checked_add(request.duration).ok_or(Misuse::Overflow)?;
        if earliest > deadline {
            return Err(Misuse::DeadlineTooEarly.into());
        }
        self.admit(&job)?;
        let (policy, mut planner) = self.parts(now);
        let (row, placed) = policy.reserve(&mut planner, job, (request.ready, deadline))?;
        Ok((planner.ticket(row), placed))
    }
}

impl<P: BackfillPolicy, S: AsRef<[Entry]> + AsMut<[Entry]>> Backfill<P, S> {
    /// Whether it makes sense to ask for a job now.
    fn check(&self, now: Instant, job: &Job) -> Result<(), Misuse> {
        let end = now.checked_add(job.requested);
        match () {
            () if job.pes == 0 => Err(Misuse::NoPes),
            () if job.requested == Duration::ZERO => Err(Misuse::NoTime),
            () if now < self.now => Err(Misuse::Past),
            () if end.is_none_or(|end| end == Instant::MAX) => Err(Misuse::Overflow),
            () => Ok(()),
        }
    }

    /// Whether a job could ever run, and an entry is left for it.
    fn admit(&self, job: &Job) -> Result<(), Refusal> {
        if job.pes > self.pes {
            return Err(Refusal::TooLarge);
        }
        if self.jobs.is_full(self.entries.as_ref()) { Err(Refusal::Full) } else { Ok(()) }
    }

    /// Removes a job that waits, or one that runs.
    fn remove(&mut self, now: Instant, ticket: Ticket, waits: bool) -> Result<Job, Misuse> {
        let (row, &Entry { job, .. }) = self.jobs.find_if(self.entries.as_ref(), ticket, waits)?;
        let (policy, mut planner) = self.parts(now);
        policy.remove(&mut planner, row);
        Ok(job)
    }

    /// The policy, and what it plans with. A time before the last one told means that one.
    fn parts(&mut self, now: Instant) -> (&mut P, Planner<'_>) {
        let Self { policy, now: present, free, jobs, entries, .. } = self;
        let (now, entries) = (now.max(*present), entries.as_mut());
        (policy, Planner { now, present, free, kept: 0, jobs, entries })
    }
}

impl<P: BackfillPolicy, S: AsRef<[Entry]> + AsMut<[Entry]>> Queue for Backfill<P, S> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn len(&self) -> usize {
        self.jobs.waiting as usize
    }

    fn push(&mut self, now: Instant, job: Job) -> Result<Ticket, Error> {
        self.check(now, &job)?;
        self.admit(&job)?;
        let (policy, mut planner) = self.parts(now);
        let row = policy.push(&mut planner, job)?;
        Ok(planner.ticket(row))
    }

    fn next(&mut self, now: Instant, start: &mut dyn FnMut(Job) -> bool) -> Option<(Ticket, Job)> {
        let (policy, mut planner) = self.parts(now);
        planner.advance();
        let row = policy.next(&mut planner, start)?;
        let job = planner.entry(row)?.job;
        Some((planner.ticket(row), job))
    }

    fn finished(&mut self, now: Instant, ticket: Ticket) -> Result<Job, Misuse> {
        self.remove(now, ticket, false)
    }

    fn cancel(&mut self, now: Instant, ticket: Ticket) -> Result<Job, Misuse> {
        self.remove(now, ticket, true)
    }

    fn rekey(&mut self, now: Instant, ticket: Ticket, key: u64) -> Result<(), Misuse> {
        let (row, entry) = self.jobs.find_if(self.entries.as_ref(), ticket, true)?;
        if self.policy.is_reserved(entry) {
            return Err(Misuse::Reserved);
        }
        let (policy, mut planner) = self.parts(now);
        planner.advance();
        planner.jobs.rekey(planner.entries, row, key);
        policy.rekeyed();
        Ok(())
    }

    fn planned(&self, ticket: Ticket) -> Result<Option<Placement>, Misuse> {
        let (_, entry) = self.jobs.find(self.entries.as_ref(), ticket)?;
        Ok(if entry.waits() { self.policy.promised(entry) } else { Some(entry.note.at) })
    }

    fn wake_at(&self) -> Option<Instant> {
        self.policy.wake_at(&self.jobs, self.entries.as_ref(), self.now)
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        let entries = self.entries.as_ref();
        self.jobs.check(entries)?;
        let running = self.jobs.open_slots(entries).filter(|entry| !entry.waits());
        let running: u64 = running.map(|entry| u64::from(entry.job.pes)).sum();
        let in_use = u64::from(self.pes).checked_sub(u64::from(self.free));
        ensure(in_use == Some(running), "the PEs on which nothing runs")?;
        self.policy.check(&self.jobs, entries)
    }
}
