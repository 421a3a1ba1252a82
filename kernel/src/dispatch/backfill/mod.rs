//! Queues that plan by requested times.

mod booked;
mod conservative;
mod easy;
mod freed;
mod planner;
mod rule;
mod running;

pub use conservative::Conservative;
pub use easy::Easy;
pub use planner::Entry;
pub use rule::Rule;

use super::{Error, Job, Misuse, Refusal, SizeClass, Ticket, queue_by_own_methods};
use crate::bits::Word;
use crate::handle::PoolId;
use crate::invariant::{InvariantViolation, ensure};
use crate::reserve::{Limits, Placement, Profile, Request, Unusable};
use crate::time::{Duration, Instant};
use booked::{Open, open};
use planner::{Lines, Planner, RESERVED};

/// Backfilling under rule `R`, [`Easy`] or [`Conservative`], in the caller's words `W` and entries
/// `S`: arrays, boxed or borrowed slices.
///
/// It plans with the *number* of PEs; which ones a job gets, and whether it can be had after all,
/// is the machine's business. Two kinds of jobs come. Those of [`Backfill::push`] wait in line.
/// Those of [`Backfill::reserve`] get their interval when they arrive, or are refused, and keep
/// it. No other job is started that could be in the way of it.
///
/// All that is promised holds as long as jobs end when they must, and the machine takes a job for
/// which enough PEs are free. If one does not, the job whose turn it is waits at the front of the
/// others, and as many PEs are kept for it.
///
/// What happens at one instant may be told in any order, and another order gives another schedule.
/// On a real machine that is the order of the reports. A simulator that decides from its plan tells
/// first of each job that has run as long as it requested that it has [finished](Self::finished),
/// and asks for nothing; then it pushes what arrives, and asks after each; then it tells of all
/// other ends in the order of the starts, and asks after each of all that ended.
///
/// A program that never calls [`Backfill::reserve`] links no profile under [`Easy`]: a third of the code.
///
/// As many jobs may wait and run together as there are entries. In firmware words and entries lie
/// in statics of their own, which are all zeros, so they cost memory and no flash.
///
/// ```
/// use locox::dispatch::{Backfill, Easy, Entry, Job};
/// use locox::handle::PoolId;
/// use locox::time::{Duration, Instant};
///
/// let words = [0; Backfill::words(8, 16)];
/// let mut easy = Backfill::new(PoolId(0), Easy::new(), 8, words, [Entry::EMPTY; 16])?;
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
/// - The profile holds the running jobs, until they should have ended; the intervals of jobs that
///   reserved one; under conservative backfilling also those of the jobs in line. Under EASY it need
///   not know of running jobs, nor the time, while none waits for an interval that it reserved.
/// - `now` is the last time told.
/// - `free` counts the PEs on which nothing runs.
/// - `open` is how the profile is reached; none as long as nobody has needed it.
/// - It has a reservation for each entry, so that it is never full before the entries are.
#[derive(Clone)]
pub struct Backfill<R, W, S> {
    rule: R,
    now: Instant,
    pes: u32,
    free: u32,
    jobs: Lines,
    profile: Profile<W>,
    open: Option<Open<W>>,
    entries: S,
}

impl Backfill<(), (), ()> {
    /// Words of storage that so many PEs and entries take.
    pub const fn words(pes: u32, entries: usize) -> usize {
        Profile::words(limits(pes, entries))
    }
}

/// How a profile is opened that a rule needs from the first job on.
const fn opened<R: Rule, W: AsRef<[Word]> + AsMut<[Word]>>() -> Option<Open<W>> {
    if R::BOOKS { Some(open) } else { None }
}

const fn limits(pes: u32, entries: usize) -> Limits {
    let most = Limits::MOST as usize + 1;
    Limits { pes, reservations: if entries < most { entries as u32 } else { most as u32 } }
}

impl<R: Rule + Copy, const N: usize, const M: usize> Backfill<R, [Word; N], [Entry; M]> {
    /// An idle machine of `PES` PEs and an empty line, with the storage inside: for a `static` of
    /// a host. One in firmware is paid for in flash as well as in memory.
    ///
    /// An array of fewer than [`Backfill::words`] does not compile.
    pub const fn new_static<const PES: u32>(id: PoolId, rule: R) -> Self {
        // Nobody but the planner knows its profile, so the number of that does not matter.
        let profile = const {
            match Profile::<[Word; N]>::in_array(PoolId(0), limits(PES, M)) {
                Ok(profile) => profile,
                Err(_) => panic!("too few words, or a number of PEs or entries out of range"),
            }
        };
        let (jobs, entries) = (Lines::new(id), [Entry::EMPTY; M]);
        let (now, open) = (Instant::ZERO, opened::<R, _>());
        Self { rule, now, pes: PES, free: PES, jobs, profile, open, entries }
    }
}

impl<R, W, S> Backfill<R, W, S>
where
    R: Rule,
    W: AsRef<[Word]> + AsMut<[Word]>,
    S: AsRef<[Entry]> + AsMut<[Entry]>,
{
    /// An idle machine of `pes` PEs and an empty line; what the storage held does not matter.
    ///
    /// # Errors
    ///
    /// [`Unusable`] numbers of PEs or entries, or fewer words than [`Backfill::words`].
    pub fn new(id: PoolId, rule: R, pes: u32, words: W, entries: S) -> Result<Self, Unusable> {
        let profile = Profile::new(id, limits(pes, entries.as_ref().len()), words)?;
        let (now, jobs) = (Instant::ZERO, Lines::new(id));
        let open = opened::<R, _>();
        Ok(Self { rule, now, pes, free: pes, jobs, profile, open, entries })
    }

    /// The rule's name in tables and options.
    pub fn name(&self) -> &'static str {
        R::NAME
    }

    /// Jobs that wait, in line or for their interval.
    pub fn len(&self) -> usize {
        self.jobs.waiting as usize
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a job to the line, behind all others of its key and of smaller ones.
    ///
    /// # Errors
    ///
    /// [`Misuse::NoPes`], [`Misuse::NoTime`], [`Refusal::TooLarge`], [`Misuse::Overflow`],
    /// [`Refusal::Overflow`] for jobs that can never run; [`Misuse::Past`]; [`Refusal::Full`]. All
    /// is as before.
    pub fn push(&mut self, now: Instant, job: Job) -> Result<Ticket, Error> {
        self.check(now, &job)?;
        self.admit(&job)?;
        let (rule, mut planner) = self.parts(now);
        let promise = rule.promise(&mut planner, &job)?;
        let line = R::line(SizeClass::of(job.pes));
        let row = planner.accept(line, job, promise).ok_or(Refusal::Full)?;
        rule.arrived(&mut planner, row);
        Ok(self.jobs.ticket(self.entries.as_ref(), row))
    }

    /// Gives a job the earliest interval for which `request` asks and in which it delays no job
    /// that has a promise. It will neither be moved nor delayed by others.
    ///
    /// # Errors
    ///
    /// [`Refusal::Late`] with the earliest finish that would be possible;
    /// [`Misuse::DeadlineTooEarly`]; those of [`Backfill::push`]. All is as before.
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
        self.open = Some(open);
        let (rule, mut planner) = self.parts(now);
        planner.keep_for_reserved();
        let promise = rule.tell_profile(&mut planner);
        let planned = planner.earliest(&job, request.ready.max(now));
        if let (Some(promise), Some(profile)) = (promise, &mut planner.profile) {
            let _ = profile.cancel(promise);
        }
        let planned = planned.ok_or(Refusal::Overflow)?;
        if planned.end > deadline {
            return Err(Refusal::Late { finish: planned.end }.into());
        }
        let start = planned.start.ticks();
        let row = planner.accept(RESERVED, job.keyed(start), Some(planned));
        let row = row.ok_or(Refusal::Full)?;
        Ok((self.jobs.ticket(self.entries.as_ref(), row), planned))
    }

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

    /// Whether a job could ever run, and there is room for it.
    fn admit(&self, job: &Job) -> Result<(), Refusal> {
        if job.pes > self.pes {
            return Err(Refusal::TooLarge);
        }
        if self.jobs.is_full(self.entries.as_ref()) { Err(Refusal::Full) } else { Ok(()) }
    }

    /// Offers jobs whose turn it is to `start` until it takes one; only jobs for which enough PEs
    /// are free. A time before the last one told means that one.
    pub fn next(
        &mut self,
        now: Instant,
        start: &mut dyn FnMut(Job) -> bool,
    ) -> Option<(Ticket, Job)> {
        let (rule, mut planner) = self.parts(now);
        planner.advance();
        let due = planner.has_reserved();
        let reserved = due.then(|| planner.start_due(RESERVED, start)).flatten();
        if reserved.is_some() {
            rule.changed(&mut planner, None);
        }
        let row = reserved.or_else(|| rule.next(&mut planner, start))?;
        rule.started(&mut planner, row);
        let job = planner.entry(row)?.job;
        Some((self.jobs.ticket(self.entries.as_ref(), row), job))
    }

    /// A running job has ended and its PEs are free. A time before the last one told means that
    /// one.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::Waits`]; all is as before.
    pub fn finished(&mut self, now: Instant, ticket: Ticket) -> Result<Job, Misuse> {
        let entries = self.entries.as_ref();
        let (row, &Entry { job, .. }) = self.jobs.find_running(entries, ticket)?;
        let (rule, mut planner) = self.parts(now);
        rule.ended(&mut planner, row);
        self.remove(now, row);
        Ok(job)
    }

    /// Removes a waiting job. A time before the last one told means that one.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::Runs`]; all is as before.
    pub fn cancel(&mut self, now: Instant, ticket: Ticket) -> Result<Job, Misuse> {
        let entries = self.entries.as_ref();
        let (row, &Entry { job, .. }) = self.jobs.find_waiting(entries, ticket)?;
        self.remove(now, row);
        Ok(job)
    }

    /// Gives a job in line another key. What it was promised remains. A time before the last one
    /// told means that one.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`], [`Misuse::Runs`], [`Misuse::Reserved`]; all is as before.
    pub fn rekey(&mut self, now: Instant, ticket: Ticket, key: u64) -> Result<(), Misuse> {
        let (row, entry) = self.jobs.find_waiting(self.entries.as_ref(), ticket)?;
        if entry.line == Some(RESERVED) {
            return Err(Misuse::Reserved);
        }
        let (rule, mut planner) = self.parts(now);
        planner.advance();
        planner.jobs.rekey(planner.entries, row, key);
        rule.changed(&mut planner, None);
        Ok(())
    }

    /// Removes a job, and lets the others use what it leaves.
    fn remove(&mut self, now: Instant, row: u32) {
        let (rule, mut planner) = self.parts(now);
        // Given back before time moves on, while the reservation is known.
        let freed = planner.remove(row).filter(|held| held.end > now);
        planner.advance();
        rule.changed(&mut planner, freed);
    }

    /// From when to when a job is to run, as far as it is planned: that of a running job counts
    /// from its start; `None` of one in line that has no promise.
    ///
    /// # Errors
    ///
    /// [`Misuse::Handle`].
    pub fn planned(&self, ticket: Ticket) -> Result<Option<Placement>, Misuse> {
        let (_, entry) = self.jobs.find(self.entries.as_ref(), ticket)?;
        if !entry.waits() || entry.line == Some(RESERVED) {
            return Ok(Some(entry.note.at));
        }
        Ok(self.rule.promised(entry))
    }

    /// When to call [`Backfill::next`] if nothing happens before: the next planned start that does
    /// not lie in the past or present; the last time told if [`Conservative::in_steps_of`] has steps to
    /// go. Cost: the logarithm of the jobs that wait, for each whose start has passed.
    pub fn wake_at(&self) -> Option<Instant> {
        let (now, entries) = (self.now, self.entries.as_ref());
        let in_line = self.rule.wake_at(&self.jobs, entries, now);
        self.jobs.next_start(entries, RESERVED, now).into_iter().chain(in_line).min()
    }

    /// Recomputes all derived data and compares; for tests and fuzzers.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] names the invariant that does not hold.
    pub fn check_invariants(&self) -> Result<(), InvariantViolation> {
        let entries = self.entries.as_ref();
        self.jobs.check(entries)?;
        let running = self.jobs.open_rooms(entries).filter(|entry| !entry.waits());
        let running: u64 = running.map(|entry| u64::from(entry.job.pes)).sum();
        let in_use = u64::from(self.pes).checked_sub(u64::from(self.free));
        ensure(in_use == Some(running), "the PEs on which nothing runs")?;
        self.profile.check_invariants()?;
        self.check_bookings()?;
        self.rule.check(&self.jobs, entries, &self.profile)
    }

    /// The profile knows of each job what the entry says, and of nothing else.
    fn check_bookings(&self) -> Result<(), InvariantViolation> {
        let now = self.profile.now();
        let mut known = 0usize;
        for entry in self.jobs.open_rooms(self.entries.as_ref()) {
            let (plan, waits) = (entry.note, entry.waits());
            let Some(id) = plan.booking else { continue };
            let Ok(held) = self.profile.reservation(id) else {
                let passed = plan.at.end <= now;
                ensure(passed || !waits, "a job that was promised an interval has it")?;
                continue;
            };
            known = known.saturating_add(1);
            ensure(held.pes == entry.job.pes, "a reservation has as many PEs as its job")?;
            // A job that started late may have been left the interval that it had.
            let as_planned = held.at == plan.at;
            ensure(as_planned || !waits, "a waiting job is planned when the profile says")?;
        }
        ensure(known == self.profile.reservations().count(), "the profile knows of no other jobs")
    }

    /// The rule, and what it plans with. A time before the last one told means that one.
    fn parts(&mut self, now: Instant) -> (&mut R, Planner<'_>) {
        let Self { rule, now: present, free, jobs, profile, open, entries, .. } = self;
        let profile = open.map(|open| open(profile));
        let (now, books, entries) = (now.max(*present), R::BOOKS, entries.as_mut());
        (rule, Planner { now, present, books, free, kept: 0, jobs, profile, entries })
    }
}

queue_by_own_methods!(
    Backfill<R, W, S>, [R, W, S],
    [R: Rule, W: AsRef<[Word]> + AsMut<[Word]>, S: AsRef<[Entry]> + AsMut<[Entry]>]
    fn reserve(
        &mut self,
        now: Instant,
        id: u32,
        request: &Request,
    ) -> Result<(Ticket, Placement), Error>;
);
