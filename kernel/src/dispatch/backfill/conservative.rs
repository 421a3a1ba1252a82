//! Conservative backfilling: each job has a promise from its arrival on.
//!
//! Source: A. W. Mu'alem and D. G. Feitelson, *Utilization, predictability, workloads, and user
//! runtime estimates in scheduling the IBM SP2 with backfilling*, 2001.
//!
//! 1. A job that arrives is given the earliest interval, by requested times, in which enough PEs
//!    are free between all others that run or have been given theirs.
//! 2. It starts when its interval does.
//! 3. *Compression*: when a job ends before its time, or one is cancelled, each job in line, in
//!    its order, is moved to the earliest interval that is now free, its own counted
//!    as free, if that is earlier. There is one pass: what a job leaves by moving is offered to
//!    those behind it, and to those before it at the next compression.
//!
//! An interval is never moved back, so no job delays another that came before it. The price
//! against EASY are holes that nobody may use. Choose it where users are told when their jobs run.
//!
//! Beyond the source: a bounded rule, [`Backfill::with_depth`](super::Backfill::with_depth). After an early end the first so many in
//! line are moved to the earliest interval, all others only if they can start now. Nobody starts
//! later than first promised, and a long line costs little.
//!
//! Beyond the source: compression in steps, [`Backfill::in_steps_of`](super::Backfill::in_steps_of). A call that brings an early end
//! moves so many in line at most, and each call that asks who starts goes on with as many. So every call
//! has a bound, whatever was given up; a job that came or got another key meanwhile is met where
//! it stands then, and an early end has the line begun anew.
//!
//! Beyond the source: when PEs go out of service or come back, all jobs in line are planned anew, in
//! their order, and a promise may become later. Only jobs whose time has come stay as they are. Jobs
//! that ask for more PEs than are in service keep their places, have no promise, and stand in nobody's
//! way. Jobs with deadlines keep their intervals; one for which too few PEs serve then waits.
//!
//! Beyond the source: jobs with deadlines hold intervals like all others, but are never moved.
//! Jobs that run longer than requested hold their PEs: those whose time has come wait in the
//! order of arrival, and as many PEs are kept for them as they need. So do jobs that the machine
//! refuses.
//!
//! Cost: an arrival is a search and a reservation. A compression is a search for each job in
//! line, in what has been given up since the last one and before the job's own start, and a
//! reservation for each that moves; under the bounded rule for so many jobs; of the others those are
//! found by the logarithm of the line that ask for no more PEs and time than are free now, or start
//! soon, and are as many as fit. In steps a call does so for the jobs of a step.

use super::freed::FreedIntervals;
use super::planner::{BackfillPolicy, Entry, Plan, Planner, Start};
use crate::bits::Word;
use crate::coordinate::{BadImage, Restart, Stored, Take};
use crate::dispatch::jobs::Jobs;
use crate::dispatch::slot::{Aggregate, HELD, QueueKey, behind};
use crate::dispatch::{Error, Job, Refusal, SizeClass, tree};
use crate::epochs::Epochs;
use crate::handle::PoolId;
use crate::invariant::{InvariantViolation, ensure};
use crate::reserve::{self, Limits, Placement, Profile, Request, Reservation, SetupError};
use crate::time::{Duration, Instant};

/// The line of all jobs that were pushed. They are looked for by planned start.
const IN_LINE: u8 = SizeClass::SMALLEST.get();
/// The line of those that wait for the interval that they were given when they came, by its start.
const RESERVED: u8 = SizeClass::LARGEST.get();

/// Conservative backfilling with a profile in the words `W`, of
/// [`Backfill::conservative`](super::Backfill::conservative).
///
/// # Invariants
///
/// - The profile holds the running jobs, until they should have ended, and the intervals of all that
///   wait. It has a reservation for each entry, so that it is never full before the entries are.
/// - It may show more free PEs than there are: a job that should have ended is not in it any more.
#[derive(Clone)]
pub struct Conservative<W> {
    profile: Profile<W>,
    /// How many jobs are moved to the earliest interval at a time.
    pub(super) depth: u32,
    pub(super) rest: Rest,
    /// The number of the last pass over them, from 1 on; also of those that came since.
    pass: u32,
    /// What was given up since it began.
    freed: FreedIntervals,
}

/// What becomes of the jobs behind those that are moved.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rest {
    /// They are moved if they can start now.
    StartsNow,
    /// Calls that follow go on, from a place on if any are left.
    Later(Option<QueueKey>),
}

pub(super) const fn limits(pes: u32, entries: usize) -> Limits {
    let most = Limits::MOST as usize + 1;
    Limits { pes, reservations: if entries < most { entries as u32 } else { most as u32 } }
}

impl<const N: usize> Conservative<[Word; N]> {
    pub(super) const fn in_array(pes: u32, entries: usize) -> Result<Self, SetupError> {
        // Nobody else knows the profile, so the number of its pool does not matter.
        match Profile::in_array(PoolId(0), limits(pes, entries)) {
            Ok(profile) => Ok(Self::over(profile)),
            Err(unusable) => Err(unusable),
        }
    }
}

impl<W> Conservative<W> {
    const fn over(profile: Profile<W>) -> Self {
        let (rest, freed) = (Rest::StartsNow, FreedIntervals::NONE);
        Self { profile, depth: u32::MAX, rest, pass: 1, freed }
    }
}

impl<W: AsRef<[Word]> + AsMut<[Word]>> Conservative<W> {
    pub(super) fn new(pes: u32, words: W, entries: usize) -> Result<Self, SetupError> {
        Profile::new(PoolId(0), limits(pes, entries), words).map(Self::over)
    }

    /// Gives a job the earliest interval from `ready` on.
    pub(super) fn reserve(
        &mut self,
        planner: &mut Planner<'_>,
        job: Job,
        (ready, deadline): (Instant, Instant),
    ) -> Result<(u32, Placement), Error> {
        self.start_due(planner, RESERVED, &mut |_| false);
        let at = self.earliest(planner, &job, ready.max(planner.now)).ok_or(Refusal::Overflow)?;
        if at.end > deadline {
            return Err(Refusal::Late { finish: at.end }.into());
        }
        let row = self.accept(planner, RESERVED, job.keyed(at.start.ticks()), at)?;
        Ok((row, at))
    }

    /// The time of the call is the present from now on, also for the profile.
    fn advance(&mut self, planner: &mut Planner<'_>) {
        planner.advance();
        if planner.now > self.profile.now() {
            let _ = self.profile.advance(planner.now);
        }
    }

    /// The earliest interval for a job from an instant on. Where PEs are held by jobs that should
    /// have ended, or kept for ones that should have started, that is not the present. `None` if it
    /// would end beyond the end of time.
    fn earliest(&self, planner: &Planner<'_>, job: &Job, from: Instant) -> Option<Placement> {
        let held_up = from <= planner.now && job.pes > planner.spare();
        let next = planner.now.saturating_add(Duration::from_ticks(1));
        let ready = if held_up { next } else { from };
        self.profile.first(&Request::new(ready, job.requested, job.pes)).ok()
    }

    /// A job has been accepted, and waits for an interval that is free.
    fn accept(
        &mut self,
        planner: &mut Planner<'_>,
        line: u8,
        job: Job,
        at: Placement,
    ) -> Result<u32, Refusal> {
        self.advance(planner);
        let booking = self.profile.add(at, job.pes).ok();
        debug_assert!(booking.is_some(), "an interval that was found is free");
        planner.accept(line, job, Plan { at, booking, pass: 0 })
    }

    /// Offers the jobs of a line whose time has come, in its order, until one starts; PEs are kept
    /// for those that do not, so those behind one for which too few are free are not offered.
    // Its copies in four callers take 0.8 KB of flash at level 3.
    #[inline(never)]
    fn start_due(&self, planner: &mut Planner<'_>, line: u8, start: Start<'_>) -> Option<u32> {
        let due = [Aggregate { time: planner.now.ticks(), ..Aggregate::MOST }];
        let mut from = QueueKey::default();
        while planner.spare() > 0
            && let Some((place, row)) =
                planner.jobs.line(line).first_within(planner.entries, from, &due)
            && let Some(entry) = planner.entry(row)
        {
            let pes = entry.job.pes;
            from = behind(place);
            if pes <= planner.spare() && planner.offer(row, start) {
                return Some(row);
            }
            let kept = if pes <= planner.serving() { pes } else { 0 };
            planner.kept = planner.kept.saturating_add(kept);
        }
        None
    }

    /// Tells the profile of a job that starts now. One that is late may find that another was
    /// promised its PEs before its new end. The profile then keeps what it has, and the job counts
    /// as one that should have ended from then on.
    fn book(&mut self, planner: &mut Planner<'_>, row: u32) {
        let now = planner.now;
        let Some(entry) = planner.entries.get_mut(row as usize) else { return };
        let (pes, Plan { at: planned, booking, pass }) = (entry.job.pes, entry.note);
        let at = Placement { start: now, end: now.saturating_add(entry.job.requested) };
        let booking = match booking {
            Some(_) if planned == at => booking,
            Some(id) => match self.profile.replace(id, at, pes) {
                Err(reserve::Error::Misused(reserve::Misuse::Handle(_))) => {
                    self.profile.add(at, pes).ok()
                }
                _ => booking,
            },
            None => self.profile.add(at, pes).ok(),
        };
        entry.note = Plan { at, booking, pass };
    }

    /// Tells the profile of a job that runs already. What others were promised before its end goes to it, but
    /// for intervals that are never moved: from then on it counts as one that should have ended.
    fn book_adopted(&mut self, planner: &mut Planner<'_>, row: u32, at: Placement) {
        let Some(pes) = planner.entry(row).map(|entry| entry.job.pes) else { return };
        let rest = Placement { start: planner.now, ..at };
        let is_over = rest.end <= rest.start;
        let mut booking = if is_over { None } else { self.profile.add(rest, pes).ok() };
        let is_promised = !is_over && booking.is_none();
        if is_promised {
            self.clear_line(planner);
            let end = rest.end.min(self.profile.free_until(pes));
            booking = self.profile.add(Placement { end, ..rest }, pes).ok();
        }
        if let Some(entry) = planner.entries.get_mut(row as usize) {
            entry.note = Plan { at, booking, pass: 0 };
        }
        if is_promised {
            self.place_line(planner);
        }
    }

    /// Gives back what the profile has of a job; from when to when that was.
    fn give_up(&mut self, planner: &mut Planner<'_>, row: u32) -> Option<Placement> {
        let booking = planner.entries.get_mut(row as usize)?.note.booking.take()?;
        self.profile.cancel(booking).ok()
    }

    /// Gives a job in line that the profile does not know the earliest interval. It has none if it asks for
    /// more PEs than are in service.
    fn place(&mut self, planner: &mut Planner<'_>, row: u32) {
        let Some(&Entry { job, .. }) = planner.entry(row) else { return };
        let serves = job.pes <= planner.serving();
        self.start_due(planner, RESERVED, &mut |_| false);
        let at = if serves { self.earliest(planner, &job, planner.now) } else { None };
        planner.kept = 0;
        let booking = at.and_then(|at| self.profile.add(at, job.pes).ok());
        let at = at.unwrap_or(Placement::PARKED);
        if let Some(entry) = planner.entries.get_mut(row as usize) {
            entry.note = Plan { at, booking, pass: 0 };
            planner.jobs.set_start(planner.entries, row, at.start.ticks());
        }
    }

    /// Calls `each` for all jobs in line that are not due, in their order.
    fn for_each_in_line(
        &mut self,
        planner: &mut Planner<'_>,
        each: fn(&mut Self, &mut Planner<'_>, u32),
    ) {
        let (now, serving) = (planner.now, planner.serving());
        let is_due = |entry: &Entry| entry.note.at.start <= now && entry.job.pes <= serving;
        let mut at = planner.jobs.first(IN_LINE);
        while let Some(row) = at {
            at = tree::next(planner.entries, row);
            if !planner.entry(row).is_none_or(is_due) {
                each(self, planner, row);
            }
        }
    }

    /// Gives back what jobs in line have been promised. [`Conservative::place_line`] follows.
    fn clear_line(&mut self, planner: &mut Planner<'_>) {
        self.for_each_in_line(planner, |policy, planner, row| _ = policy.give_up(planner, row));
    }

    /// Plans jobs in line that the profile does not know.
    fn place_line(&mut self, planner: &mut Planner<'_>) {
        self.for_each_in_line(planner, Self::place);
        self.freed = FreedIntervals::NONE;
        if let Rest::Later(rest) = &mut self.rest {
            *rest = None;
        }
    }

    /// Moves jobs in line from a place on.
    fn compress(&mut self, planner: &mut Planner<'_>, from: QueueKey) {
        let left = self.move_first(planner, from);
        match (&mut self.rest, left) {
            (Rest::Later(rest), _) => *rest = left,
            (Rest::StartsNow, Some(from)) => self.start_now(planner, from),
            (Rest::StartsNow, None) => {}
        }
    }

    /// Offers to jobs in line what was given up, as far as it is yet to come.
    fn offer_freed(&mut self, planner: &mut Planner<'_>, freed: Option<Placement>) {
        if let Some(freed) = freed.filter(|freed| freed.end > planner.now) {
            self.freed.add(freed, self.profile.most_free(freed));
            self.compress(planner, QueueKey::default());
        }
    }

    /// Moves the first jobs from a place on to the earliest interval; where the others stand.
    fn move_first(&mut self, planner: &mut Planner<'_>, from: QueueKey) -> Option<QueueKey> {
        let before = self.pass;
        let mut offered = core::mem::replace(&mut self.freed, FreedIntervals::NONE);
        self.pass = before.wrapping_add(1).max(1);
        let mut at = planner.jobs.line(IN_LINE).from(planner.entries, from);
        let mut left = self.depth;
        while let Some(row) = at {
            let entry = planner.entries.get_mut(row as usize)?;
            if left == 0 {
                return Some(entry.place());
            }
            let last = core::mem::replace(&mut entry.note.pass, self.pass);
            let freed = if last == before { &offered } else { &FreedIntervals::ALL };
            if let Some(given_up) = self.bring_forward(planner, row, freed) {
                let most = self.profile.most_free(given_up);
                offered.add(given_up, most);
                self.freed.add(given_up, most);
            }
            at = tree::next(planner.entries, row);
            left = left.wrapping_sub(1);
        }
        None
    }

    /// Moves those from a place on that can start now to the present.
    fn start_now(&mut self, planner: &mut Planner<'_>, mut from: QueueKey) {
        let mut gap = self.gap(planner);
        while let Some((place, row)) =
            planner.jobs.line(IN_LINE).first_within(planner.entries, from, &gap)
        {
            from = behind(place);
            if let Some(given_up) = self.bring_to_now(planner, row) {
                self.freed.add(given_up, self.profile.most_free(given_up));
                gap = self.gap(planner);
            }
        }
    }

    /// What a job may ask for that starts now: enough PEs are free until it would end, or until it
    /// has its own.
    fn gap(&self, planner: &Planner<'_>) -> [Aggregate; 2] {
        let least = planner.jobs.line(IN_LINE).least(planner.entries);
        let until = self.profile.free_until(least.pes).ticks();
        let most = Aggregate { pes: planner.spare(), ..Aggregate::MOST };
        let short = Aggregate { requested: until.saturating_sub(planner.now.ticks()), ..most };
        [short, Aggregate { time: until, ..most }]
    }

    /// Moves a job in line to the earliest interval that is free and has time in one of those
    /// `freed`, if that is earlier than its own. Returns the interval that it leaves. A job whose
    /// interval has passed while it waited is due, and stays so.
    fn bring_forward(
        &mut self,
        planner: &mut Planner<'_>,
        row: u32,
        freed: &FreedIntervals,
    ) -> Option<Placement> {
        let &Entry { job: Job { pes, .. }, note: Plan { at, booking, .. }, .. } =
            planner.entry(row)?;
        // From its own start on it has its PEs already.
        freed.intervals(pes, at.start).next()?;
        let held = Reservation { id: booking?, at, pes };
        let nearer = self.profile.bring_forward_into(&held, freed.intervals(pes, at.start))?;
        plan(planner, row, nearer);
        Some(at)
    }

    /// Moves a job in line to the present, if it could start now and does not stand there already.
    /// Returns the interval that it leaves.
    fn bring_to_now(&mut self, planner: &mut Planner<'_>, row: u32) -> Option<Placement> {
        let &Entry { job, note: Plan { at, booking, .. }, .. } = planner.entry(row)?;
        let start = planner.now;
        let end = start.checked_add(job.requested).filter(|_| at.start > start)?;
        // From its own start on it has the PEs already.
        let until = Placement { start, end: end.min(at.start) };
        if self.profile.fewest_free(until).unwrap_or(0) < job.pes {
            return None;
        }
        let to = Placement { start, end };
        self.profile.replace(booking?, to, job.pes).ok()?;
        plan(planner, row, to);
        Some(at)
    }

    /// The profile knows of each job what the entry says, and of nothing else.
    fn check_bookings(&self, jobs: &Jobs, entries: &[Entry]) -> Result<(), InvariantViolation> {
        let now = self.profile.now();
        let mut known = 0usize;
        for entry in jobs.open_slots(entries) {
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
}

/// A job in line is planned anew, and looked for by its start.
fn plan(planner: &mut Planner<'_>, row: u32, at: Placement) {
    let Some(entry) = planner.entries.get_mut(row as usize) else { return };
    if entry.note.at.start != at.start {
        entry.note.at = at;
        planner.jobs.set_start(planner.entries, row, at.start.ticks());
    }
}

impl<W: AsRef<[Word]> + AsMut<[Word]>> BackfillPolicy for Conservative<W> {
    const NAME: &'static str = "conservative";
    const RESERVED_LINE: Option<u8> = Some(RESERVED);
    const KIND: [u8; 4] = *b"CONS";

    fn most_entries(&self) -> usize {
        self.profile.limits().reservations as usize
    }

    fn may_wait_in(_: &Job, line: u8) -> bool {
        line == IN_LINE || line == RESERVED
    }

    fn push(&mut self, planner: &mut Planner<'_>, job: Job) -> Result<u32, Refusal> {
        self.start_due(planner, RESERVED, &mut |_| false);
        let at = self.earliest(planner, &job, planner.now).ok_or(Refusal::Overflow)?;
        let row = self.accept(planner, IN_LINE, job, at)?;
        // Its earliest start was looked for just now, unless the present was left out although the
        // profile has room there.
        let left_out = job.pes > planner.spare() && self.profile.free_now() >= job.pes;
        if !left_out && let Some(entry) = planner.entries.get_mut(row as usize) {
            entry.note.pass = self.pass;
        }
        Ok(row)
    }

    fn adopt(
        &mut self,
        planner: &mut Planner<'_>,
        job: Job,
        started: Instant,
    ) -> Result<u32, Refusal> {
        self.advance(planner);
        let row = planner.adopt(IN_LINE, job)?;
        let at = Placement { start: started, end: started.saturating_add(job.requested) };
        self.book_adopted(planner, row, at);
        Ok(row)
    }

    fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32> {
        self.advance(planner);
        let mut started = self.start_due(planner, RESERVED, start);
        if started.is_none() {
            if let Rest::Later(Some(from)) = self.rest {
                self.compress(planner, from);
            }
            started = self.start_due(planner, IN_LINE, start);
        }
        self.book(planner, started?);
        started
    }

    fn remove(&mut self, planner: &mut Planner<'_>, row: u32) {
        // Given back before time moves on, while the reservation is known.
        let freed = self.give_up(planner, row);
        planner.remove(row);
        self.advance(planner);
        self.offer_freed(planner, freed);
    }

    fn requeue(&mut self, planner: &mut Planner<'_>, row: u32) {
        let freed = self.give_up(planner, row);
        planner.requeue(row, IN_LINE);
        self.advance(planner);
        self.place(planner, row);
        self.offer_freed(planner, freed);
    }

    fn hold(&mut self, planner: &mut Planner<'_>, row: u32) {
        let freed = self.give_up(planner, row);
        planner.change_line(row, HELD);
        if let Some(entry) = planner.entries.get_mut(row as usize) {
            entry.note.at = Placement::PARKED;
        }
        self.advance(planner);
        self.offer_freed(planner, freed);
    }

    fn release(&mut self, planner: &mut Planner<'_>, row: u32) {
        planner.change_line(row, IN_LINE);
        self.advance(planner);
        self.place(planner, row);
    }

    fn outage_changed(&mut self, planner: &mut Planner<'_>) {
        self.advance(planner);
        let known = self.profile.set_out_of_service(planner.out);
        debug_assert!(known.is_ok(), "no more PEs are out of service than there are");
        self.clear_line(planner);
        self.place_line(planner);
    }

    fn promised(&self, entry: &Entry) -> Option<Placement> {
        Some(entry.note.at).filter(|&at| at != Placement::PARKED)
    }

    fn wake_at(&self, jobs: &Jobs, entries: &[Entry], now: Instant) -> Option<Instant> {
        let next = |line| {
            let start = jobs.line(line).least_after(entries, now.ticks())?;
            Some(Instant::from_ticks(start)).filter(|&start| start < Instant::MAX)
        };
        let in_line = match self.rest {
            Rest::Later(Some(_)) => Some(now),
            _ => next(IN_LINE),
        };
        next(RESERVED).into_iter().chain(in_line).min()
    }

    fn store(&self, put: &mut dyn FnMut(u32)) {
        self.profile.store(put);
        let mut put = put;
        put(self.pass);
        self.freed.store(&mut put);
        let rest = if let Rest::Later(rest) = self.rest { rest } else { None };
        rest.store(&mut put);
    }

    fn load(&mut self, planner: &mut Planner<'_>, take: &mut Take<'_>) -> Result<(), BadImage> {
        self.profile.load_contents(take)?;
        let mut take = take;
        self.pass = take()?;
        self.freed = Stored::load(&mut take)?;
        let left = Stored::load(&mut take)?;
        if let Rest::Later(rest) = &mut self.rest {
            *rest = left;
        }
        let sound = self.check_bookings(planner.jobs, planner.entries);
        sound.map_err(|it| BadImage::Contradiction(it.0))
    }

    fn forget(&mut self) {
        self.profile.clear();
        self.profile.slab().epochs = Epochs::FIRST;
        (self.pass, self.freed) = (1, FreedIntervals::NONE);
        if let Rest::Later(rest) = &mut self.rest {
            *rest = None;
        }
    }

    fn check(&self, jobs: &Jobs, entries: &[Entry]) -> Result<(), InvariantViolation> {
        self.profile.check_invariants()?;
        self.check_bookings(jobs, entries)
    }
}
