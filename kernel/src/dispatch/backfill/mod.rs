//! Queues that plan by requested times.

mod compression;
mod conservative;
pub(crate) mod easy;
mod estimate;
mod freed;
mod planner;
mod promises;
mod requests;
mod running;

pub use conservative::Conservative;
use easy::Capacity;
pub use easy::Easy;
pub use planner::Entry;
pub(super) use planner::{BackfillPolicy, ByNumber};
pub use promises::{Cause, Promises};
pub use requests::Requests;

use super::jobs::Jobs;
use super::{Error, Job, Misuse, Queue, Refusal, Standing, Ticket};
use crate::bits::Word;
use crate::handle::{self, PoolId};
use crate::image::Stored;
use crate::invariant::{InvariantViolation, ensure};
use crate::machine::{BadTimetable, Held};
use crate::require::require_words;
use crate::reserve::{Interval, Limits, Profile, Request, SetupError};
use crate::time::{Duration, Instant};
use conservative::limits;
use core::num::NonZeroU32;
use estimate::estimate;
use planner::Planner;

/// Backfilling under policy `P`, [`Easy`], [`Conservative`] or [`Promises`], in the caller's entries `S`: an array,
/// a boxed or a borrowed slice.
///
/// The first two plan with the *number* of PEs; which ones a job gets, and whether it can be had after all,
/// is the machine's business. Promises know [places](crate::machine). Jobs of [`Queue::push`] wait in line. Under conservative
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
/// PEs may [go out of service](Backfill::withdraw) and [come back](Backfill::repair). Jobs that ask for
/// more than are in service wait until these are enough, and stand in nobody's way.
// Invariants of the fields:
//
// - `now` is the last time told.
// - `pes` counts the PEs, `out` those of them that are out of service.
// - `held` counts the PEs of jobs that run. They may be more than are in service.
#[derive(Clone)]
pub struct Backfill<P, S> {
    pub(super) policy: P,
    pub(super) now: Instant,
    pub(super) pes: u32,
    pub(super) out: u32,
    pub(super) held: u32,
    pub(super) jobs: Jobs,
    pub(super) entries: S,
}

impl<P, S> Backfill<P, S> {
    const fn idle(id: PoolId, policy: P, pes: u32, entries: S) -> Self {
        let (now, jobs) = (Instant::ZERO, Jobs::new(id));
        Self { policy, now, pes, out: 0, held: 0, jobs, entries }
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

    /// A queue where only the first `depth` jobs behind the head may overtake it.
    pub const fn with_depth(mut self, depth: u32) -> Self {
        self.policy.depth = depth;
        self
    }

    /// When a job will start if every job takes the time that it requested and each in line gets, in
    /// its order, the earliest interval that delays nobody before it. A job that runs started at the
    /// start of the answer. `None` if too few PEs are in service, or if the job is held.
    ///
    /// It is an estimate: jobs that end early bring it forward, and jobs that overtake under [`Easy`]
    /// backfilling may put it off, but for the first in line. Nothing changes but `scratch`, a profile
    /// of as many PEs and of no fewer reservations than there are entries. Under [`Conservative`]
    /// backfilling [`Queue::planned`] answers for each job.
    ///
    /// Cost: an earliest fit and a reservation for each job that runs or stands before it.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::WrongProfile`].
    pub fn estimate<W: AsRef<[Word]> + AsMut<[Word]>>(
        &self,
        ticket: Ticket,
        scratch: &mut Profile<W>,
    ) -> Result<Option<Interval>, Misuse> {
        self.estimate_at(self.now, ticket, scratch)
    }

    /// The same as of a time that the queue has not been told.
    pub fn estimate_at<W: AsRef<[Word]> + AsMut<[Word]>>(
        &self,
        now: Instant,
        ticket: Ticket,
        scratch: &mut Profile<W>,
    ) -> Result<Option<Interval>, Misuse> {
        let entries = self.entries.as_ref();
        let (row, entry) = self.jobs.find(entries, ticket)?;
        if entry.runs() {
            return Ok(Some(entry.note.at));
        }
        let Limits { pes, reservations } = scratch.limits();
        if pes != self.pes || (reservations as usize) < entries.len() {
            return Err(Misuse::WrongProfile);
        }
        Ok(estimate(&self.jobs, entries, (self.now.max(now), self.out), row, scratch))
    }
}

impl<S: AsRef<[Entry]> + AsMut<[Entry]>> Backfill<Easy, S> {
    /// [`Queue::next`] on a machine that says itself which jobs it takes.
    pub fn next_on(&mut self, now: Instant, machine: &mut impl Capacity) -> Option<(Ticket, Job)> {
        let (policy, mut planner) = self.parts(now);
        planner.advance();
        let row = policy.next_on(&mut planner, machine)?;
        let job = planner.entry(row)?.job;
        Some((planner.ticket(row), job))
    }

    /// When a job could start if it were the first in line.
    pub fn earliest(&mut self, now: Instant, job: &Job) -> Option<Instant> {
        let (policy, planner) = self.parts(now);
        policy.earliest(&planner, job)
    }

    /// What the first job in line was promised is found anew: a [`Capacity`] has changed that the queue does not know.
    pub const fn forget_promise(&mut self) {
        self.policy.forget_promise();
    }

    /// The first job in line and its promise, if [`Queue::next`] said last that nobody starts, and nothing happened
    /// since.
    pub fn promised(&self) -> Option<(Ticket, Interval)> {
        let entries = self.entries.as_ref();
        let (place, promise) = self.policy.first_promised()?;
        Some((self.jobs.ticket(entries, self.jobs.at(entries, place)?), promise))
    }

    /// A job that waits, or runs, has other terms from now on, under the same ticket: one that waits stands where its
    /// key and its first arrival say, one that runs has started when it had. It may ask for more PEs than are in
    /// service. One that runs may have any number of PEs, also none: only these are free when it ends. So if PEs go out
    /// of service while it runs on them, [withdraw](Self::withdraw) them and leave it the others.
    /// [Requeued](Queue::requeue), one without PEs asks for one until its terms change.
    ///
    /// Cost: the logarithm of the jobs.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::NoPes`], [`Misuse::NoTime`], [`Misuse::Overflow`], [`Refusal::TooLarge`]; of a
    /// job that runs [`Refusal::TooFewFree`].
    pub fn change(&mut self, now: Instant, ticket: Ticket, job: Job) -> Result<(), Error> {
        let (row, entry) = self.jobs.find(self.entries.as_ref(), ticket)?;
        let (waits, since) = (entry.waits(), entry.note.at.start);
        let now = now.max(self.now);
        let (started, own) = if waits { (now, job.pes) } else { (since, entry.job.pes) };
        if waits && job.pes == 0 {
            return Err(Misuse::NoPes.into());
        }
        self.check_claimed(now, &job, started, own)?;
        let (policy, mut planner) = self.parts(now);
        policy.change(&mut planner, row, job);
        Ok(())
    }

    /// A job that waits was started by somebody else, and runs since `started` with these terms; or one that runs
    /// does so since then. It keeps its ticket, and its place for when it waits again. As for
    /// [`Backfill::change`], it may have no PE.
    ///
    /// Cost: the logarithm of the jobs.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`]; those of [`Queue::adopt`] but [`Refusal::Full`].
    pub fn claim(
        &mut self,
        now: Instant,
        ticket: Ticket,
        job: Job,
        started: Instant,
    ) -> Result<(), Error> {
        let (row, entry) = self.jobs.find(self.entries.as_ref(), ticket)?;
        let own = if entry.waits() { 0 } else { entry.job.pes };
        let now = now.max(self.now);
        self.check_claimed(now, &job, started, own)?;
        let (policy, mut planner) = self.parts(now);
        policy.claim(&mut planner, row, job, started);
        Ok(())
    }
}

impl Backfill<(), ()> {
    /// Rows of storage that [`Promises`] take for a queue of so many entries, with so many outages known at a time.
    pub const fn rows(entries: usize, outages: usize) -> usize {
        promises::rows(entries, outages)
    }
}

impl<M, R, H, W, S> Backfill<Promises<M, R, H, W>, S>
where
    M: crate::machine::Machine,
    M::Place: Stored,
    R: Requests<M>,
    H: AsRef<[Held<M::Place>]> + AsMut<[Held<M::Place>]>,
    W: AsMut<[M::Word]>,
    S: AsRef<[Entry]> + AsMut<[Entry]>,
{
    /// An idle machine of so many nodes and an empty line; what the entries held does not matter.
    ///
    /// # Errors
    ///
    /// [`BadTimetable::StorageTooSmall`] with the rows needed.
    pub fn promises(
        id: PoolId,
        nodes: u32,
        policy: Promises<M, R, H, W>,
        entries: S,
    ) -> Result<Self, BadTimetable> {
        let most = entries.as_ref().len();
        if policy.most_entries() < most {
            return Err(BadTimetable::StorageTooSmall { needed: promises::rows(most, 0) });
        }
        Ok(Self::idle(id, policy, nodes, entries))
    }

    /// The machine.
    pub fn machine(&self) -> &M {
        self.policy.machine()
    }

    /// The machine, to teach it what it [learns](crate::nodes::Nodes::learn). Nodes and what they have must not change.
    pub fn machine_mut(&mut self) -> &mut M {
        self.policy.machine_mut()
    }

    /// What jobs ask for, to note it of a job before it comes. Of one that is there it may not change.
    pub fn requests_mut(&mut self) -> &mut R {
        self.policy.requests_mut()
    }

    /// Rows for what is held that there are, in use or not.
    pub fn row_count(&self) -> usize {
        self.policy.row_count()
    }

    /// Moves what is held to other rows, such as more of them, that are enough for so many entries; what these held does not
    /// matter. Returns the old ones.
    ///
    /// # Errors
    ///
    /// The new rows, if they are too few for the entries and the outages that there are. All is as before.
    pub fn move_rows(&mut self, entries: usize, rows: H) -> Result<H, H> {
        let entries = entries.max(self.entries.as_ref().len());
        self.policy.move_rows(entries, rows)
    }

    /// [`Queue::next`], where `start` is told the place of a job, too.
    pub fn next_at(
        &mut self,
        now: Instant,
        start: &mut dyn FnMut(Job, &M::Place) -> bool,
    ) -> Option<(Ticket, Job)> {
        let (policy, mut planner) = self.parts(now);
        let row = policy.next_at(&mut planner, start)?;
        let job = planner.entry(row)?.job;
        Some((planner.ticket(row), job))
    }

    /// Where a job runs, or is to; `None` of one that waits without a promise. Cost: a look at each row.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`].
    pub fn place(&self, ticket: Ticket) -> Result<Option<M::Place>, Misuse> {
        let (row, _) = self.jobs.find(self.entries.as_ref(), ticket)?;
        Ok(self.policy.place_of(row))
    }

    /// The jobs in line that are promised something, in order, each with its interval. Cost: a step for each job in line up to the
    /// last of them.
    pub fn promised(&self) -> impl Iterator<Item = (Ticket, Job, Interval)> {
        let with_interval = |(ticket, job)| Some((ticket, job, self.planned(ticket).ok()??));
        self.line().filter_map(with_interval).take(self.policy.promises_made() as usize)
    }

    /// How often what was promised has become later for a cause. What is counted is each promise and each interval.
    pub fn moved_later(&self, cause: Cause) -> u32 {
        self.policy.later(cause)
    }

    /// When and where a job could start if it were promised something now; `None` if never, or not before the end of time, or if
    /// it makes no sense. Nothing changes, but that time passes.
    pub fn earliest_place(&mut self, now: Instant, job: &Job) -> Option<(Interval, M::Place)> {
        self.check(now.max(self.now), job).ok()?;
        let (policy, mut planner) = self.parts(now);
        policy.earliest_place(&mut planner, job)
    }

    /// [`Queue::adopt`] of a job whose place is known. There it takes some place that no job has. A place of fewer nodes than
    /// [`Job::pes`] counts as so many: the difference starts nobody until the job has ended.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::adopt`]; [`Refusal::Occupied`] if a job runs on a node of that place, or the machine has no such.
    pub fn adopt_at(
        &mut self,
        now: Instant,
        job: Job,
        started: Instant,
        place: M::Place,
    ) -> Result<Ticket, Error> {
        self.check_adopted(now.max(self.now), &job, started)?;
        let (policy, mut planner) = self.parts(now);
        if !policy.is_left(&planner, &place) {
            return Err(Refusal::Occupied.into());
        }
        let row = policy.adopt_at(&mut planner, job, started, place)?;
        Ok(planner.ticket(row))
    }

    /// Gives a job the earliest interval for which `request` asks, and a place, beside all that is held. It will not be
    /// moved for others. Where its place or its time cannot be kept, it has the earliest ones from its start on.
    ///
    /// # Errors
    ///
    /// [`Refusal::Late`] with the earliest finish that would be possible; [`Refusal::Overflow`] if none is; [`Refusal::NoPlace`];
    /// [`Misuse::DeadlineTooEarly`]; those of [`Queue::push`]. All is as before, but that time passes.
    pub fn reserve_at(
        &mut self,
        now: Instant,
        id: u32,
        request: &Request,
    ) -> Result<(Ticket, Interval), Error> {
        let job = Job::new(id, request.pes).within(request.duration);
        let within = self.check_reserved(now, &job, request)?;
        let (policy, mut planner) = self.parts(now);
        let (row, at) = policy.reserve_at(&mut planner, job, within)?;
        Ok((planner.ticket(row), at))
    }

    /// These nodes are out of service from when until when, now or later. Whoever runs on them runs on until it is said
    /// that it has ended, or waits again.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoPlace`] if the machine has no such nodes; [`Refusal::NoRow`] if none is left for it: outages that have
    /// ended take none; [`Misuse::NoTime`] if the interval ends before it begins, or then.
    pub fn withdraw_at(
        &mut self,
        now: Instant,
        place: M::Place,
        during: Interval,
    ) -> Result<(), Error> {
        if during.end <= during.start {
            return Err(Misuse::NoTime.into());
        }
        let (policy, mut planner) = self.parts(now);
        Ok(policy.withdraw_at(&mut planner, place, during)?)
    }

    /// An outage of exactly these nodes ends now, or does not take place; of several the one that would end first.
    ///
    /// # Errors
    ///
    /// [`Misuse::Outage`] if there is none.
    pub fn repair_at(&mut self, now: Instant, place: &M::Place) -> Result<(), Misuse> {
        let (policy, mut planner) = self.parts(now);
        match policy.repair_at(&mut planner, place) {
            true => Ok(()),
            false => Err(Misuse::Outage),
        }
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
                Err(SetupError::Limits) => panic!("a number of PEs or entries is out of range"),
                Err(SetupError::StorageTooSmall { needed }) => {
                    require_words(N, needed);
                    panic!("the array is too short")
                }
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
        let most = entries.as_ref().len();
        Self::conservative_up_to(id, pes, words, entries, most)
    }

    /// The same, which can be [moved](Self::move_into) to as many as `most` entries.
    ///
    /// # Errors
    ///
    /// Those of [`Backfill::conservative`] for `most` entries; [`SetupError::Limits`] if there are more.
    pub fn conservative_up_to(
        id: PoolId,
        pes: u32,
        words: W,
        entries: S,
        most: usize,
    ) -> Result<Self, SetupError> {
        if entries.as_ref().len() > most {
            return Err(SetupError::Limits);
        }
        let policy = Conservative::new(pes, words, most)?;
        Ok(Self::idle(id, policy, pes, entries))
    }

    /// A queue where a call plans no more than the first `depth` jobs in line: after an early end these are moved to the
    /// earliest interval, others only if they can start now. Where all are to be planned anew, as after a
    /// [`Backfill::withdraw`], the others have no promise until later calls of [`Queue::next`] have come to them.
    pub const fn with_depth(mut self, depth: u32) -> Self {
        self.policy.depth = depth;
        self
    }

    /// A queue where after an early end all jobs are moved, `most` of them at a time: the first ones when the early
    /// end is told, then others whenever it is asked who starts. So it is where all are to be planned anew. Until all have been looked at, it
    /// wants to be asked at once ([`Queue::wake_at`]), also if nobody starts.
    pub const fn in_steps_of(mut self, most: NonZeroU32) -> Self {
        self.policy.in_steps = true;
        self.with_depth(most.get())
    }

    /// Gives a job the earliest interval for which `request` asks and in which it delays no job
    /// that has a promise. It will neither be moved nor delayed by others. Where its interval cannot be kept, after
    /// an outage, an adoption, or because a job before it runs too long, it has the earliest one from its start on.
    ///
    /// # Errors
    ///
    /// [`Refusal::Late`] with the earliest finish that would be possible; [`Refusal::Faulty`] as long as too few PEs are in
    /// service; [`Misuse::DeadlineTooEarly`]; those of [`Queue::push`]. All is as before; only where a job's time has passed
    /// is it planned anew, for the time of this call.
    pub fn reserve(
        &mut self,
        now: Instant,
        id: u32,
        request: &Request,
    ) -> Result<(Ticket, Interval), Error> {
        let job = Job::new(id, request.pes).within(request.duration);
        let within = self.check_reserved(now, &job, request)?;
        let (policy, mut planner) = self.parts(now);
        let (row, placed) = policy.reserve(&mut planner, job, within)?;
        Ok((planner.ticket(row), placed))
    }
}

impl<P: BackfillPolicy, S: AsRef<[Entry]> + AsMut<[Entry]>> Backfill<P, S> {
    /// Whether it makes sense to ask for a job now.
    fn check(&self, now: Instant, job: &Job) -> Result<(), Misuse> {
        let end = now.max(self.now).checked_add(job.requested);
        match () {
            () if job.pes == 0 => Err(Misuse::NoPes),
            () if job.requested == Duration::ZERO => Err(Misuse::NoTime),
            () if end.is_none_or(|end| end == Instant::MAX) => Err(Misuse::Overflow),
            () => Ok(()),
        }
    }

    /// Whether a job could have an interval of its own, and from when until when.
    fn check_reserved(
        &self,
        now: Instant,
        job: &Job,
        request: &Request,
    ) -> Result<(Instant, Instant), Error> {
        self.check(now, job)?;
        let deadline = request.deadline.unwrap_or(Instant::MAX);
        let earliest = request.ready.checked_add(request.duration).ok_or(Misuse::Overflow)?;
        if earliest > deadline {
            return Err(Misuse::DeadlineTooEarly.into());
        }
        let (pes, serving) = (self.pes, self.in_service());
        if serving < job.pes && job.pes <= pes {
            return Err(Refusal::Faulty { serving }.into());
        }
        self.admit(job)?;
        Ok((request.ready, deadline))
    }

    /// Whether a job could ever run, and an entry is left for it.
    fn admit(&self, job: &Job) -> Result<(), Refusal> {
        let (pes, entries) = (self.pes, self.entries.as_ref());
        match () {
            () if job.pes > pes => Err(Refusal::TooLarge { pes }),
            () if self.jobs.is_full(entries) => {
                Err(Refusal::Full { entries: entries.len() as u32 })
            }
            () => Ok(()),
        }
    }

    /// Whether a job can be running for which there is no entry yet.
    fn check_adopted(&self, now: Instant, job: &Job, started: Instant) -> Result<(), Error> {
        if job.pes == 0 {
            return Err(Misuse::NoPes.into());
        }
        self.check_claimed(now, job, started, 0)?;
        Ok(self.admit(job)?)
    }

    /// Whether a job can be running on `own` PEs and those that are free.
    fn check_claimed(
        &self,
        now: Instant,
        job: &Job,
        started: Instant,
        own: u32,
    ) -> Result<(), Error> {
        let (pes, free) = (self.pes, self.pes.saturating_sub(self.held).saturating_add(own));
        let end = started.checked_add(job.requested);
        match () {
            () if job.requested == Duration::ZERO => Err(Misuse::NoTime.into()),
            () if started > now => Err(Misuse::Future.into()),
            () if end.is_none_or(|end| end == Instant::MAX) => Err(Misuse::Overflow.into()),
            () if job.pes > pes => Err(Refusal::TooLarge { pes }.into()),
            () if job.pes > free => Err(Refusal::TooFewFree { needed: job.pes, free }.into()),
            () => Ok(()),
        }
    }

    /// Moves all jobs to other entries, such as more of them; what these held does not matter. Tickets stay
    /// as they are. Returns the old entries.
    ///
    /// Cost: a copy of each entry that has been in use.
    ///
    /// # Errors
    ///
    /// The new entries, if they are fewer than have been in use, or more than the words of
    /// [`Conservative`] backfilling are for. All is as before.
    ///
    /// ```
    /// use locox::dispatch::{Backfill, Entry, Job, Queue};
    /// use locox::handle::PoolId;
    /// use locox::time::{Duration, Instant};
    ///
    /// let job = |id| Job::new(id, 8).within(Duration::from_ticks(10));
    /// let mut easy = Backfill::easy(PoolId(0), 8, vec![Entry::EMPTY; 1]);
    /// easy.push(Instant::ZERO, job(1))?;
    /// assert!(easy.push(Instant::ZERO, job(2)).is_err());
    /// assert!(easy.move_into(vec![Entry::EMPTY; 2]).is_ok());
    /// easy.push(Instant::ZERO, job(2))?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn move_into(&mut self, mut entries: S) -> Result<S, S> {
        let (old, new) = (self.entries.as_ref(), entries.as_mut());
        let fit = new.len() <= self.policy.most_entries() && self.jobs.copy(old, new).is_some();
        if fit { Ok(core::mem::replace(&mut self.entries, entries)) } else { Err(entries) }
    }

    /// The jobs in line in order, without those that are held. Cost: a look at each size class for each job.
    pub fn line(&self) -> impl Iterator<Item = (Ticket, Job)> {
        let entries = self.entries.as_ref();
        let job = |row| Some((self.jobs.ticket(entries, row), entries.get(row as usize)?.job));
        self.jobs.in_line(entries).filter_map(job)
    }

    /// PEs in service.
    pub fn in_service(&self) -> u32 {
        self.pes.saturating_sub(self.out)
    }

    /// The counts of PEs fit each other and the jobs that run.
    pub(super) fn check_counts(&self) -> Result<(), InvariantViolation> {
        let running = self.jobs.open_slots(self.entries.as_ref()).filter(|entry| entry.runs());
        let running: u64 = running.map(|entry| u64::from(entry.job.pes)).sum();
        ensure(running == u64::from(self.held), "the PEs on which jobs run")?;
        ensure(self.held.max(self.out) <= self.pes, "no more PEs than the machine has")
    }

    /// Running jobs have ended at the same time. [`Queue::finished`] for one after the other would, under conservative
    /// backfilling, offer to the line what the first one leaves before the second one has ended; now it is moved once.
    ///
    /// Cost: that of their ends, with one compression; and a comparison of each two tickets.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], also if a job is named twice; [`Misuse::Waits`].
    pub fn finished_together(&mut self, now: Instant, tickets: &[Ticket]) -> Result<(), Misuse> {
        for (at, ticket) in tickets.iter().enumerate() {
            self.jobs.find_if(self.entries.as_ref(), *ticket, false)?;
            if tickets.iter().take(at).any(|other| other == ticket) {
                return Err(Misuse::Handle(handle::Misuse::Stale));
            }
        }
        let (policy, mut planner) = self.parts(now);
        planner.advance();
        policy.end_together(&mut planner, tickets);
        Ok(())
    }

    /// Holds a job in line, or releases it. If it is so already, time passes.
    fn set_held(&mut self, now: Instant, ticket: Ticket, held: bool) -> Result<(), Misuse> {
        let (row, entry) = self.jobs.find_if(self.entries.as_ref(), ticket, true)?;
        if held && P::is_reserved(entry) {
            return Err(Misuse::Reserved);
        }
        let is_so = entry.is_held() == held;
        let (policy, mut planner) = self.parts(now);
        match is_so {
            true => policy.pass(&mut planner),
            false => policy.set_held(&mut planner, row, held),
        }
        Ok(())
    }

    /// Removes a job that waits, or one that runs.
    fn remove(&mut self, now: Instant, ticket: Ticket, waits: bool) -> Result<Job, Misuse> {
        let (row, &Entry { job, .. }) = self.jobs.find_if(self.entries.as_ref(), ticket, waits)?;
        let (policy, mut planner) = self.parts(now);
        policy.remove(&mut planner, row);
        Ok(job)
    }

    /// The policy, and what it plans with. A time before the last one told means that one.
    pub(super) fn parts(&mut self, now: Instant) -> (&mut P, Planner<'_>) {
        let &mut Self { pes, out, .. } = self;
        let Self { policy, now: present, held, jobs, entries, .. } = self;
        let (now, entries) = (now.max(*present), entries.as_mut());
        (policy, Planner { now, present, pes, out, held, kept: 0, jobs, entries })
    }
}

impl<P: ByNumber, S: AsRef<[Entry]> + AsMut<[Entry]>> Backfill<P, S> {
    /// So many more PEs are out of service. Jobs that run on them run on until it is said that they have
    /// [finished](Queue::finished) or that they [wait again](Queue::requeue): the queue does not know
    /// which those are, and sets other PEs aside meanwhile. So withdraw a PE that is to be drained when
    /// its job ends, right before `finished`; or under [`Easy`] backfilling at once, and [leave](Self::change) the job the
    /// other PEs. Jobs that ask for more PEs than are in service wait until enough are repaired, and stand in nobody's way.
    ///
    /// Under [`Easy`] backfilling the promise is found anew. Under [`Conservative`] backfilling all jobs that wait
    /// are planned anew, in their order, and may be promised a later time.
    ///
    /// Cost: constant; under conservative backfilling a look at each entry, and a search and a reservation for each job
    /// in line, or for as many as [`in_steps_of`](Backfill::in_steps_of) says.
    ///
    /// # Errors
    ///
    /// [`Misuse::Outage`] if fewer are in service.
    pub fn withdraw(&mut self, now: Instant, pes: u32) -> Result<(), Misuse> {
        let out = self.out.checked_add(pes).filter(|&out| out <= self.pes);
        self.set_out(now, out)
    }

    /// So many PEs are back in service. Jobs in line are planned anew as after a [`Backfill::withdraw`].
    ///
    /// # Errors
    ///
    /// [`Misuse::Outage`] if fewer are out of service.
    pub fn repair(&mut self, now: Instant, pes: u32) -> Result<(), Misuse> {
        self.set_out(now, self.out.checked_sub(pes))
    }

    fn set_out(&mut self, now: Instant, out: Option<u32>) -> Result<(), Misuse> {
        self.out = out.ok_or(Misuse::Outage)?;
        let (policy, mut planner) = self.parts(now);
        policy.outage_changed(&mut planner);
        Ok(())
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

    fn adopt(&mut self, now: Instant, job: Job, started: Instant) -> Result<Ticket, Error> {
        self.check_adopted(now.max(self.now), &job, started)?;
        let (policy, mut planner) = self.parts(now);
        let row = policy.adopt(&mut planner, job, started)?;
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

    fn requeue(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        let (row, _) = self.jobs.find_if(self.entries.as_ref(), ticket, false)?;
        let (policy, mut planner) = self.parts(now);
        policy.requeue(&mut planner, row);
        Ok(())
    }

    fn hold(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        self.set_held(now, ticket, true)
    }

    fn release(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        self.set_held(now, ticket, false)
    }

    fn rekey(&mut self, now: Instant, ticket: Ticket, key: u64) -> Result<(), Misuse> {
        let (row, entry) = self.jobs.find_if(self.entries.as_ref(), ticket, true)?;
        if P::is_reserved(entry) {
            return Err(Misuse::Reserved);
        }
        let (policy, mut planner) = self.parts(now);
        planner.advance();
        planner.jobs.rekey(planner.entries, row, key);
        policy.rekeyed(&mut planner, row);
        Ok(())
    }

    fn planned(&self, ticket: Ticket) -> Result<Option<Interval>, Misuse> {
        let (_, entry) = self.jobs.find(self.entries.as_ref(), ticket)?;
        Ok(if entry.waits() { self.policy.promised(entry) } else { Some(entry.note.at) })
    }

    fn visit(&self, visit: &mut dyn FnMut(Ticket, Job, Standing, u64)) {
        self.jobs.visit(self.entries.as_ref(), P::RESERVED_LINE, visit);
    }

    fn wake_at(&self) -> Option<Instant> {
        self.policy.wake_at(&self.jobs, self.entries.as_ref(), self.now)
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        let entries = self.entries.as_ref();
        self.jobs.check(entries)?;
        self.check_counts()?;
        self.policy.check(&self.jobs, entries)
    }
}
