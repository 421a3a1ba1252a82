//! Conservative backfilling: each job has a promise from its arrival on.
//!
//! Source: A. W. Mu'alem and D. G. Feitelson, *Utilization, predictability, workloads, and user
//! runtime estimates in scheduling the IBM SP2 with backfilling*, 2001.
//!
//! 1. A job that arrives is given the earliest interval, by requested times, in which enough PEs
//!    are free between all others that run or have been given theirs.
//! 2. It starts when its interval does.
//! 3. *Compression*: when a job ends, is cancelled or held before the end of its interval, each job in line, in
//!    its order, is moved to the earliest interval that is now free, its own counted
//!    as free, if that is earlier. There is one pass. Then the first job in line that cannot start yet is moved again
//!    until it stays, and if it can start by then, so is the next one. What others
//!    could use of what jobs left by moving is offered to them at the next compression. An interval that is past
//!    leaves nothing to offer, and nobody is moved.
//!
//! So no job delays another that came before it. The price against EASY are holes that nobody may use.
//! Choose it where users are told when their jobs run.
//!
//! Beyond the source: *planning anew*. A plan that can no longer be kept is made anew, and promises may become
//! later: running jobs first, then jobs with deadlines, then the line in its order, each in the earliest interval that is
//! free. That happens when
//!
//! - PEs go out of service or come back,
//! - a job is adopted, and until it is to end others were promised its PEs,
//! - a job's time has passed, because another one ran too long, the machine refused it, or nobody asked, and it cannot have
//!   the present in place of it without moving others.
//!
//! Jobs that ask for more PEs than are in service keep their places, have no promise, and stand in nobody's
//! way.
//!
//! Beyond the source: a bounded rule, [`Backfill::with_depth`](super::Backfill::with_depth). A call moves the first so many in
//! line to the earliest interval, all others only if they can start now. Planning anew gives the first so many an interval,
//! and those that can start now; the others have no promise until calls of `next` that follow have come to them, so
//! many at a time. Jobs that come meanwhile stand behind them.
//!
//! Beyond the source: compression in steps, [`Backfill::in_steps_of`](super::Backfill::in_steps_of). A call moves so many
//! in line, or plans them anew, and each call that asks who starts goes on with as many. So every call
//! has a bound, whatever was given up; a job that came or got another key meanwhile is met where
//! it stands then, and an early end has the line begun anew.
//!
//! Beyond the source: jobs with deadlines hold intervals like all others, but are not moved, unless their
//! intervals cannot be kept: then each has the earliest one from its start on. An early end gives it its own, if that is
//! free beside all others' intervals, or else an earlier one; that comes before the compression.
//!
//! A job that runs longer than requested holds its PEs, and is taken to end any moment, until all are planned anew: then it is taken
//! to run for as long again as it has run. Those whose time has come wait in the order of arrival, and as many
//! PEs are kept for them as they need. So do jobs that the machine refuses.
//!
//! Cost: an arrival is a search and a reservation. A compression is a search for each job in
//! line, in what has been given up since the last one and before the job's own start, and a
//! reservation for each that moves; under the bounded rules for so many jobs; of the others those are
//! found by the logarithm of the line that ask for no more PEs and time than are free now, or start
//! soon, and are as many as fit. Planning anew is a look at each entry, a reservation for each job that runs or has a deadline,
//! and a search and a reservation for each job in line, under the bounded rules for so many.

use super::freed::FreedIntervals;
use super::planner::{BackfillPolicy, ByNumber, Entry, Plan, Planner, Start};
use crate::bits::Word;
use crate::dispatch::jobs::Jobs;
use crate::dispatch::slot::{Aggregate, HELD, QueueKey, behind};
use crate::dispatch::{Error, Job, Refusal, SizeClass, Ticket};
use crate::epochs::Epochs;
use crate::handle::PoolId;
use crate::image::{BadImage, Snapshot, Stored, Take};
use crate::invariant::{InvariantViolation, ensure};
use crate::reserve::{Interval, Limits, Profile, Request, SetupError};
use crate::slices::edit;
use crate::time::{Duration, Instant};

/// The line of all jobs that were pushed. They are looked for by planned start.
pub(super) const IN_LINE: u8 = SizeClass::SMALLEST.get();
/// The line of those that wait for the interval that they were given when they came, by its start.
pub(super) const RESERVED: u8 = SizeClass::LARGEST.get();

/// Conservative backfilling with a profile in the words `W`, of
/// [`Backfill::conservative`](super::Backfill::conservative).
///
/// # Invariants
///
/// - The profile holds the running jobs, until they should have ended, and the intervals of all that
///   wait and have one. It has a reservation for each entry, so that it is never full before the entries are.
/// - Running jobs may hold more than is in service. All others have their intervals where PEs are free.
/// - It may show more free PEs than there are: a job that should have ended is not in it any more.
/// - After each call no interval of a job that waits begins before the present.
#[derive(Clone)]
pub struct Conservative<W> {
    pub(super) profile: Profile<W>,
    /// How many jobs are planned at a time.
    pub(super) depth: u32,
    /// Whether calls that follow go on where one has ended.
    pub(super) in_steps: bool,
    /// From there on jobs in line are still to be looked at.
    pub(super) rest: Option<QueueKey>,
    /// Whether some of them may have no interval although enough PEs serve.
    pub(super) unplanned: bool,
    /// Whether a job with a deadline may have another interval than it was given.
    pub(super) displaced: bool,
    /// The number of the last pass over the line, from 1 on; also of those that came since.
    pub(super) pass: u32,
    /// What was given up since it began.
    pub(super) freed: FreedIntervals,
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
        Self {
            profile,
            depth: u32::MAX,
            in_steps: false,
            rest: None,
            unplanned: false,
            displaced: false,
            pass: 1,
            freed: FreedIntervals::NONE,
        }
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
    ) -> Result<(u32, Interval), Error> {
        self.settle(planner);
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
    /// have ended, or kept for ones with deadlines that should have started, that is not the present. `None`
    /// if it would end beyond the end of time.
    fn earliest(&self, planner: &mut Planner<'_>, job: &Job, from: Instant) -> Option<Interval> {
        self.start_due(planner, RESERVED, &mut |_| false);
        let spare = core::mem::take(&mut planner.kept);
        let spare = planner.free().saturating_sub(spare);
        let held_up = from <= planner.now && job.pes > spare;
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
        at: Interval,
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

    /// Gives back what the profile has of a job; from when to when that was.
    pub(super) fn give_up(&mut self, planner: &mut Planner<'_>, row: u32) -> Option<Interval> {
        let booking = planner.entries.get_mut(row as usize)?.note.booking.take()?;
        self.profile.cancel(booking).ok()
    }

    /// A job has this interval from now on, if one was found.
    pub(super) fn put(&mut self, planner: &mut Planner<'_>, row: u32, at: Option<Interval>) {
        let Some(entry) = planner.entries.get_mut(row as usize) else { return };
        let booking = at.and_then(|at| self.profile.add(at, entry.job.pes).ok());
        let at = at.filter(|_| booking.is_some()).unwrap_or(Interval::PARKED);
        (entry.note.at, entry.note.booking) = (at, booking);
        planner.jobs.set_start(planner.entries, row, at.start.ticks());
    }

    /// Gives a job without an interval the earliest one from an instant on, if enough PEs serve.
    pub(super) fn place(&mut self, planner: &mut Planner<'_>, row: u32, from: Instant) {
        let Some(&Entry { job, .. }) = planner.entry(row) else { return };
        let request = Request::new(from, job.requested, job.pes);
        let serves = job.pes <= planner.serving();
        let at = if serves { self.profile.first(&request).ok() } else { None };
        self.put(planner, row, at);
    }

    /// A job without an interval has come in line. It gets the earliest one that is free, unless jobs before
    /// it have none yet.
    fn enter(&mut self, planner: &mut Planner<'_>, row: u32) {
        let Some(&Entry { job, .. }) = planner.entry(row) else { return };
        let waits = planner.entry(row).is_some_and(|entry| self.is_unplanned(entry.place()));
        let serves = !waits && job.pes <= planner.serving();
        let at = if serves { self.earliest(planner, &job, planner.now) } else { None };
        self.put(planner, row, at);
        edit(planner.entries, row, |entry| entry.note.pass = 0);
    }

    /// Whether jobs at a place in line are still to be given an interval.
    fn is_unplanned(&self, place: QueueKey) -> bool {
        self.unplanned && self.rest.is_some_and(|rest| rest <= place)
    }

    /// A job whose time has passed, and that could not start or was not asked for, has the present from now on. If that
    /// is in the way of others, all are planned anew. Whether they were.
    fn settle(&mut self, planner: &mut Planner<'_>) -> bool {
        let passed = planner.now.ticks().wrapping_sub(1);
        let late = [Aggregate { time: passed, ..Aggregate::MOST }];
        for line in [RESERVED, IN_LINE] {
            let is_late = |planner: &Planner<'_>| {
                planner.jobs.line(line).least(planner.entries).time < planner.now.ticks()
            };
            let mut from = QueueKey::default();
            while is_late(planner)
                && let Some((place, row)) =
                    planner.jobs.line(line).first_within(planner.entries, from, &late)
            {
                from = behind(place);
                self.advance(planner);
                self.displaced |= line == RESERVED;
                if !self.is_put_off(planner, row) {
                    self.plan_anew(planner);
                    return true;
                }
            }
        }
        false
    }

    /// Whether a job whose time has passed can have the present in place of it, and nobody else is moved.
    fn is_put_off(&mut self, planner: &mut Planner<'_>, row: u32) -> bool {
        _ = self.give_up(planner, row);
        let Some(&Entry { job, .. }) = planner.entry(row) else { return false };
        let end = planner.now.checked_add(job.requested);
        self.put(planner, row, end.map(|end| Interval { start: planner.now, end }));
        planner.entry(row).is_some_and(|entry| entry.note.booking.is_some())
    }

    /// Plans all jobs from the present on: those that run have what they have, then come those with deadlines,
    /// then the line in its order, as many at a time as jobs are moved.
    fn plan_anew(&mut self, planner: &mut Planner<'_>) {
        planner.advance();
        self.profile.restart(planner.now, planner.out);
        self.freed = FreedIntervals::NONE;
        let used = planner.jobs.slab.used() as usize;
        for entry in planner.entries.iter_mut().take(used).filter(|it| it.generation.is_live()) {
            if entry.runs() {
                entry.run_on(planner.now);
                self.book(entry, planner.now);
            } else {
                entry.forget_plan();
            }
        }
        self.bring_back(planner);
        (self.rest, self.unplanned) = (Some(QueueKey::default()), true);
        self.compress(planner, QueueKey::default());
    }

    /// Tells the profile of a job that runs, whatever that has for others: what is so comes before what is
    /// planned.
    fn book(&mut self, entry: &mut Entry, now: Instant) {
        let rest = Interval { start: now, end: Instant::from_ticks(entry.time) };
        let is_to_come = rest.end > now && rest.end < Instant::MAX;
        let pes = entry.job.pes;
        entry.note.booking = if is_to_come { self.profile.add_anyway(rest, pes) } else { None };
    }

    /// Whether a job that waits is promised some of so many PEs before an instant.
    fn is_promised(&self, planner: &Planner<'_>, end: Instant, pes: u32) -> bool {
        let lacks = |at: Interval| {
            let both = Interval { start: at.start.max(planner.now), end: at.end.min(end) };
            both.start < both.end && self.profile.fewest_free(both).is_ok_and(|free| free < pes)
        };
        let mut waiting = planner.jobs.open_slots(planner.entries).filter(|it| it.waits());
        lacks(Interval { start: planner.now, end }) && waiting.any(|it| lacks(it.note.at))
    }

    /// Jobs have ended, or one was cancelled.
    fn remove_all(&mut self, planner: &mut Planner<'_>, rows: impl Iterator<Item = u32>) {
        let mut freed: Option<Interval> = None;
        for row in rows {
            // Given back before time moves on, while the reservation is known.
            if let Some(at) = self.give_up(planner, row) {
                let Interval { start, end } = freed.unwrap_or(at);
                freed = Some(Interval { start: start.min(at.start), end: end.max(at.end) });
            }
            planner.remove(row);
        }
        self.advance(planner);
        self.offer_freed(planner, freed);
    }

    /// Offers to jobs in line what was given up, as far as it is yet to come.
    fn offer_freed(&mut self, planner: &mut Planner<'_>, freed: Option<Interval>) {
        if self.settle(planner) {
            return;
        }
        let Some(freed) = freed.filter(|freed| freed.end > planner.now) else { return };
        self.note_freed(freed);
        if self.displaced {
            self.bring_back(planner);
        }
        self.compress(planner, QueueKey::default());
    }

    /// The profile knows of each job what the entry says, and of nothing else.
    fn check_bookings(&self, jobs: &Jobs, entries: &[Entry]) -> Result<(), InvariantViolation> {
        let now = self.profile.now();
        let mut known = 0usize;
        for entry in jobs.open_slots(entries) {
            let (Plan { at, booking, .. }, waits) = (entry.note, entry.waits());
            ensure(
                !waits || entry.time == at.start.ticks(),
                "jobs are looked for by their starts",
            )?;
            ensure(!waits || at.start >= now, "a job whose time has passed is planned anew")?;
            let end = if waits { at.end } else { Instant::from_ticks(entry.time) };
            let holds =
                if waits { at != Interval::PARKED } else { end > now && end < Instant::MAX };
            let held = booking.and_then(|id| self.profile.reservation(id).ok());
            ensure(held.is_some() == holds, "a job that has an interval yet to come holds it")?;
            let Some(held) = held else { continue };
            known = known.saturating_add(1);
            ensure(held.pes == entry.job.pes, "a reservation has as many PEs as its job")?;
            ensure(held.at.end == end, "a job is planned until when the profile says")?;
            ensure(held.at == at || !waits, "a waiting job is planned when the profile says")?;
            let requested = at.end.since(at.start);
            ensure(requested == Some(entry.job.requested), "a plan is as long as requested")?;
        }
        let kept = |row: &u32| {
            entries
                .get(*row as usize)
                .is_none_or(|entry| entry.note.at.start.ticks() == entry.job.key)
        };
        let mut reserved = jobs.line(RESERVED).rows_from(entries, QueueKey::default());
        ensure(
            self.displaced || reserved.all(|row| kept(&row)),
            "jobs with deadlines that were moved are noted",
        )?;
        ensure(known == self.profile.reservations().count(), "the profile knows of no other jobs")
    }
}

impl Entry {
    /// A job that should have ended is taken to run for as long again as it has run. To take it to end any moment
    /// would have all planned anew at each moment.
    fn run_on(&mut self, now: Instant) {
        if self.time <= now.ticks() {
            let ran = now.since(self.note.at.start).unwrap_or_default();
            self.time = now.saturating_add(ran).ticks().max(now.ticks().saturating_add(1));
        }
    }

    /// A job that waits has no interval from now on, and all that wait in its line have none: the sums of the
    /// tree say so at once. Those that are held have none in any case.
    const fn forget_plan(&mut self) {
        let Plan { at, booking, .. } = &mut self.note;
        (*at, *booking) = (Interval::PARKED, None);
        self.time = Interval::PARKED.start.ticks();
        self.node.sum.time = self.time;
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
        self.settle(planner);
        let waits = self.is_unplanned((job.key, planner.jobs.numbers));
        if waits || job.pes > planner.serving() {
            self.advance(planner);
            return planner.accept(IN_LINE, job, Plan::PARKED);
        }
        let at = self.earliest(planner, &job, planner.now).ok_or(Refusal::Overflow)?;
        let row = self.accept(planner, IN_LINE, job, at)?;
        // Its earliest start was looked for just now, unless the present was left out.
        let left_out = at.start > planner.now && self.profile.free_now() >= job.pes;
        let pass = if left_out { 0 } else { self.pass };
        edit(planner.entries, row, |entry| entry.note.pass = pass);
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
        let at = Interval { start: started, end: started.saturating_add(job.requested) };
        let is_promised = self.is_promised(planner, at.end, job.pes);
        edit(planner.entries, row, |entry| {
            entry.note = Plan { at, ..Plan::PARKED };
            entry.time = at.end.ticks();
            self.book(entry, planner.now);
        });
        if is_promised {
            self.plan_anew(planner);
        }
        self.settle(planner);
        Ok(row)
    }

    fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32> {
        self.advance(planner);
        self.settle(planner);
        let mut started = self.start_due(planner, RESERVED, start);
        if started.is_none() {
            if let Some(from) = self.rest {
                self.compress(planner, from);
            }
            started = self.start_due(planner, IN_LINE, start);
        }
        let entry = planner.entries.get_mut(started? as usize)?;
        entry.time = entry.note.at.end.ticks();
        started
    }

    fn remove(&mut self, planner: &mut Planner<'_>, row: u32) {
        self.remove_all(planner, core::iter::once(row));
    }

    fn end_together(&mut self, planner: &mut Planner<'_>, tickets: &[Ticket]) {
        self.remove_all(planner, tickets.iter().map(|ticket| ticket.handle().index()));
    }

    fn requeue(&mut self, planner: &mut Planner<'_>, row: u32) {
        let freed = self.give_up(planner, row);
        self.put(planner, row, None);
        planner.requeue(row, IN_LINE);
        self.advance(planner);
        if self.settle(planner) {
            return;
        }
        self.enter(planner, row);
        self.offer_freed(planner, freed);
    }

    fn set_held(&mut self, planner: &mut Planner<'_>, row: u32, held: bool) {
        let freed = self.give_up(planner, row);
        planner.jobs.change_line(planner.entries, row, if held { HELD } else { IN_LINE });
        self.put(planner, row, None);
        self.advance(planner);
        if held {
            self.offer_freed(planner, freed);
        } else if !self.settle(planner) {
            self.enter(planner, row);
        }
    }

    fn rekeyed(&mut self, planner: &mut Planner<'_>, row: u32) {
        self.pass(planner);
        let Some(entry) = planner.entry(row).filter(|entry| !entry.is_held()) else { return };
        if self.unplanned && entry.note.booking.is_none() {
            self.rest = self.rest.min(Some(entry.place()));
        }
    }

    fn pass(&mut self, planner: &mut Planner<'_>) {
        self.advance(planner);
        self.settle(planner);
    }

    fn promised(&self, entry: &Entry) -> Option<Interval> {
        Some(entry.note.at).filter(|&at| at != Interval::PARKED)
    }

    fn wake_at(&self, jobs: &Jobs, entries: &[Entry], now: Instant) -> Option<Instant> {
        let next = |line| {
            let start = jobs.line(line).least_after(entries, now.ticks())?;
            Some(Instant::from_ticks(start)).filter(|&start| start < Instant::MAX)
        };
        let has_steps = self.in_steps && self.rest.is_some();
        let in_line = if has_steps { Some(now) } else { next(IN_LINE) };
        next(RESERVED).into_iter().chain(in_line).min()
    }

    fn store(&self, put: &mut dyn FnMut(u32)) {
        let mut put = put;
        put(self.pass);
        self.freed.store(&mut put);
        self.rest.store(&mut put);
        put(u32::from(self.unplanned));
        put(u32::from(self.displaced));
    }

    /// The profile follows from the jobs.
    fn load(&mut self, planner: &mut Planner<'_>, take: &mut Take<'_>) -> Result<(), BadImage> {
        let mut take = take;
        self.pass = take()?;
        self.freed = Stored::load(&mut take)?;
        self.rest = Stored::load(&mut take)?;
        self.unplanned = take()? != 0 && self.rest.is_some();
        self.displaced = take()? != 0;
        self.profile.restart(planner.now, planner.out);
        let used = planner.jobs.slab.used() as usize;
        for waits in [false, true] {
            for entry in planner.entries.iter_mut().take(used).filter(|it| it.generation.is_live())
            {
                match entry.waits() {
                    it if it != waits => {}
                    false => self.book(entry, planner.now),
                    true => {
                        entry.note.booking = self.profile.add(entry.note.at, entry.job.pes).ok()
                    }
                }
            }
        }
        self.check_bookings(planner.jobs, planner.entries).map_err(BadImage::broken)
    }

    fn forget(&mut self) {
        self.profile.reset(Epochs::FIRST);
        (self.pass, self.freed) = (1, FreedIntervals::NONE);
        (self.rest, self.unplanned, self.displaced) = (None, false, false);
    }

    fn check(&self, jobs: &Jobs, entries: &[Entry]) -> Result<(), InvariantViolation> {
        self.profile.check_invariants()?;
        self.check_bookings(jobs, entries)
    }
}

impl<W: AsRef<[Word]> + AsMut<[Word]>> ByNumber for Conservative<W> {
    fn outage_changed(&mut self, planner: &mut Planner<'_>) {
        self.plan_anew(planner);
    }
}
