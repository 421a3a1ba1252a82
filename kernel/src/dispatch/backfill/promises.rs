//! Promises on a machine: the first jobs in line are each promised a time and a place.
//!
//! Worked out for this project. On a machine that only counts its nodes, as long as jobs end when they should, one promise is
//! EASY, and a promise for each job conservative backfilling (for their sources see [`Easy`](super::Easy) and
//! [`Conservative`](super::Conservative)). Of a job that runs too long EASY thinks the same, but is not asked when a promise comes due;
//! conservative backfilling takes it to run for as long again.
//!
//! *Held* are the places of jobs that run, until the later of their limit and the next tick (one whose limit has just come may still
//! end at this instant, until it is asked who starts); those of jobs with intervals of
//! their own; outages, now or to come; and what is promised.
//!
//! 1. The first N jobs in line that have a place at any time are promised one: a job that comes to be one of them the
//!    earliest time at which it has a place beside all that is held, and that place. A job that is none of them any more
//!    loses its promise.
//! 2. After a release each of the N, in order, is moved to the earliest time beside all others, if that is earlier. Then the
//!    first of them that is not due is moved again until it stays; if it is due then, so is the next one. Released is
//!    what a job held that ended early or was taken away, what was promised and is no more, and what was repaired.
//! 3. Whoever is due starts, in order, at its place.
//! 4. Another job, tried in order, starts (A) where it has a place from now until its end beside all that is held; or else
//!    (B) where it has one beside all but promises, if then each of the N, in order, keeps its place where that is still
//!    free, or has another one at the same time.
//!
//! So places may be replaced, and times are later only for a [`Cause`]. Then each promise, in order, is kept whose place is free at
//! its time beside what runs, is out or reserved, and the promises that are kept; and then the others, in order, are made anew beside all
//! that is held, and not for an earlier time.
//!
//! Each call that changes something does 2 and then 1; who starts is asked by [`Queue::next`](crate::dispatch::Queue::next).
//!
//! With one promise (B) is exact for the place that it tries. Some other place might allow a start that this one does
//! not; with more promises the order in which they are placed again may matter, too.
//!
//! Cost: a *look* draws a map of what is free, a step for each row held, and searches it. A promise takes a look for each
//! start of what is held before it, and the logarithm of the ends in looks; a release that for each promise; a job that is tried
//! two looks, under (B) one or two for each promise. While a job runs too long each call takes a look more for each promise of the
//! next tick, until one is found that does not wait for it. Who could not start is tried again only after a release, a start or a
//! change of promises, and what found no place beside all but promises not before a release.

use super::planner::{BackfillPolicy, Entry, Plan, Planner, Start};
use super::requests::Requests;
use crate::dispatch::jobs::Jobs;
use crate::dispatch::slot::{Aggregate, HELD, QueueKey, behind};
use crate::dispatch::{Job, Refusal, Ticket};
use crate::image::{BadImage, Stored, Take, load_all};
use crate::invariant::{InvariantViolation, ensure};
use crate::machine::held::HeldRows;
use crate::machine::{BadTimetable, Held, Machine, Timetable, before};
use crate::reserve::Interval;
use crate::slices::{copy, edit, put};
use crate::time::{Duration, Instant};
use core::ops::Range;

/// The line of all jobs that wait for a promise, or without one.
const IN_LINE: u8 = 0;
/// That of jobs with intervals of their own.
const RESERVED: u8 = 1;
/// Whose an outage is.
const OUT: u32 = u32::MAX;
/// Whose the place is of a job that is tried.
const TRIED: u32 = u32::MAX - 1;
/// Behind all jobs.
const END: QueueKey = (u64::MAX, u64::MAX);

/// Why what was promised became later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Nodes went out of service, or are to.
    Outage,
    /// A job ran longer than it had asked for.
    Overrun,
    /// A job that runs was taken in, on nodes that were promised.
    Adoption,
    /// The job itself did not start when its time came: nobody asked, or it was not taken.
    NotStarted,
    /// Others got in front of the job, which is none of the first any more: its promise was taken back. Each is counted,
    /// whatever the job is promised later.
    Passed,
}

impl Cause {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Outage, Self::Overrun, Self::Adoption, Self::NotStarted, Self::Passed];
}

/// Promises on a machine, of [`Backfill::promises`](super::Backfill::promises).
// Invariants of the fields:
//
// - The first `used` rows of `held` are sorted by their ends: one for each job that runs, has a promise or an interval of its own,
//   and one for each outage. None is left out between calls.
// - What waits has its place beside all that is held.
// - `promised` counts the promises.
// - Since the last release, start or change of promises: those that stand before `untried` and have no promise cannot start.
// - Since the last release: what needs no less than one of `failed` has no place, promises aside.
// - If it is the next tick, nobody needs to ask at `overrun`: whoever is to start then waits for jobs that have run longer than
//   they said. It is set where promises may have changed.
// - `lost` says that a promise could not be kept at all; that is a release, of which nobody makes use yet. Never between calls.
// - A job in line whose note has the number `pass` had no place at any time when something was released last.
#[derive(Clone)]
pub struct Promises<M: Machine, R, H, W> {
    machine: M,
    requests: R,
    most: u32,
    held: H,
    words: W,
    used: usize,
    promised: u32,
    untried: QueueKey,
    pass: u32,
    overrun: Instant,
    lost: bool,
    later: [u32; Cause::ALL.len()],
    failed: heapless::Vec<M::Request, 16>,
}

impl<M, R, H, W> Promises<M, R, H, W>
where
    M: Machine,
    R: Requests<M>,
    H: AsRef<[Held<M::Place>]> + AsMut<[Held<M::Place>]>,
    W: AsMut<[M::Word]>,
{
    /// So many promises at most on this machine, on which a job asks for what `requests` say; what rows and words held does not
    /// matter. Words are as many as [`Timetable::words`] says; rows as [`Backfill::rows`](super::Backfill::rows).
    ///
    /// # Errors
    ///
    /// [`BadTimetable::StorageTooSmall`] with the words needed.
    pub fn new(
        machine: M,
        requests: R,
        most: u32,
        held: H,
        mut words: W,
    ) -> Result<Self, BadTimetable> {
        let needed = Timetable::words(&machine);
        if words.as_mut().len() < needed {
            return Err(BadTimetable::StorageTooSmall { needed });
        }
        let (used, promised, later, untried) = (0, 0, [0; _], END);
        let failed = heapless::Vec::new();
        Ok(Self {
            machine,
            requests,
            most,
            held,
            words,
            used,
            promised,
            untried,
            pass: 1,
            overrun: Instant::ZERO,
            lost: false,
            later,
            failed,
        })
    }

    pub(super) const fn machine(&self) -> &M {
        &self.machine
    }

    pub(super) const fn machine_mut(&mut self) -> &mut M {
        &mut self.machine
    }

    pub(super) const fn requests_mut(&mut self) -> &mut R {
        &mut self.requests
    }

    pub(super) fn row_count(&self) -> usize {
        self.held.as_ref().len()
    }

    /// Moves what is held to rows that are enough for so many entries.
    pub(super) fn move_rows(&mut self, entries: usize, mut held: H) -> Result<H, H> {
        if held.as_ref().len() < rows(entries, self.outages()) {
            return Err(held);
        }
        copy(held.as_mut(), self.rows());
        Ok(core::mem::replace(&mut self.held, held))
    }

    /// How many jobs in line are promised something.
    pub(super) const fn promises_made(&self) -> u32 {
        self.promised
    }

    /// How often what was promised became later for a cause.
    pub(super) fn later(&self, cause: Cause) -> u32 {
        self.later.get(cause as usize).copied().unwrap_or(0)
    }

    /// Whether a job could have a place if nothing were held, and asks for no more PEs than that takes nodes.
    pub(super) fn can_ever(&mut self, job: &Job) -> bool {
        let request = self.requests.request(job);
        let place = Timetable::over(&self.machine, &[], self.words.as_mut())
            .place(&request, Interval::NEVER);
        place.is_some() && job.pes <= self.machine.size(&request)
    }

    /// Where a job runs, or is to.
    pub(super) fn place_of(&self, row: u32) -> Option<M::Place> {
        self.rows().iter().find(|it| it.by == row).map(|it| it.place)
    }

    fn rows(&self) -> &[Held<M::Place>] {
        self.held.as_ref().get(..self.used).unwrap_or_default()
    }

    fn rows_mut(&mut self) -> HeldRows<'_, M::Place> {
        HeldRows { rows: self.held.as_mut(), used: &mut self.used }
    }

    fn timetable(&mut self) -> Timetable<'_, M> {
        let held = self.held.as_ref().get(..self.used).unwrap_or_default();
        Timetable::over(&self.machine, held, self.words.as_mut())
    }

    fn hold(&mut self, by: u32, place: M::Place, at: Interval) {
        self.rows_mut().add(Held { by, ..Held::new(place, at) });
    }

    fn let_go(&mut self, by: u32) -> Option<Held<M::Place>> {
        let at = self.rows().iter().position(|it| it.by == by)?;
        let it = self.rows().get(at).copied();
        self.rows_mut().remove(at);
        it
    }

    /// Those who could not start, or could not be promised a place, are tried again.
    fn retry(&mut self) {
        self.pass = self.pass.wrapping_add(1);
        self.untried = QueueKey::default();
        self.failed.clear();
    }

    /// Leaves out what is held by these for now, and nothing else.
    fn leave_out(&mut self, who: impl Fn(u32) -> bool) {
        let used = self.held.as_mut().get_mut(..self.used).unwrap_or_default();
        used.iter_mut().for_each(|it| it.off = who(it.by));
    }

    /// The earliest time, up to an instant, and place of a job beside all that is held.
    pub(super) fn earliest(
        &mut self,
        job: &Job,
        within: [Instant; 2],
    ) -> Option<(Interval, M::Place)> {
        let request = self.requests.request(job);
        let (start, place) = self.timetable().earliest_up_to(&request, within, job.requested)?;
        Some((Interval { start, end: start.saturating_add(job.requested) }, place))
    }

    /// The same of a job that is not there.
    pub(super) fn earliest_place(
        &mut self,
        planner: &mut Planner<'_>,
        job: &Job,
    ) -> Option<(Interval, M::Place)> {
        if !self.can_ever(job) {
            return None;
        }
        self.pass_time(planner, before(planner.now));
        self.settle(planner, false);
        self.earliest(job, [planner.now, Instant::MAX])
    }

    /// Promises a job this, or nothing.
    fn promise(
        &mut self,
        planner: &mut Planner<'_>,
        row: u32,
        found: Option<(Interval, M::Place)>,
    ) {
        plan(planner, row, found.map_or(Interval::PARKED, |it| it.0));
        if let Some((at, place)) = found {
            self.hold(row, place, at);
            let is_in_line = planner.entry(row).is_some_and(is_promised);
            self.promised = self.promised.wrapping_add(is_in_line.into());
        }
    }

    /// Whether a job that has no interval gets one, from `ready` on.
    fn is_planned(&mut self, planner: &mut Planner<'_>, row: u32, ready: Instant) -> bool {
        let Some(&Entry { job, note, .. }) = planner.entry(row) else { return false };
        if note.pass == self.pass {
            return false;
        }
        let found = self.earliest(&job, [ready.max(planner.now), Instant::MAX]);
        self.promise(planner, row, found);
        edit(planner.entries, row, |entry| entry.note.pass = self.pass);
        found.is_some()
    }

    /// Takes a promise back, if the job has one.
    fn take_back(&mut self, planner: &mut Planner<'_>, row: u32) -> Option<Held<M::Place>> {
        if !planner.entry(row).is_some_and(is_promised) {
            return None;
        }
        plan(planner, row, Interval::PARKED);
        self.promised = self.promised.wrapping_sub(1);
        self.let_go(row)
    }

    /// The first jobs in line have promises, and no others; and those with intervals of their own these. Whether one lost its
    /// promise.
    fn fill(&mut self, planner: &mut Planner<'_>) -> bool {
        let mut from = QueueKey::default();
        while let Some((place, row)) = next_in_line(planner, RESERVED, from, u32::MAX) {
            from = behind(place);
            if planner.entry(row).is_some_and(|it| it.note.at.start == Instant::MAX) {
                self.is_planned(planner, row, Instant::from_ticks(place.0));
            }
        }
        let (mut left, mut before, mut any) = (self.most, self.promised, false);
        let mut from = QueueKey::default();
        while (left > 0 || before > 0)
            && let Some((place, row)) = next_in_line(planner, IN_LINE, from, u32::MAX)
        {
            from = behind(place);
            let Some(&entry) = planner.entry(row) else { break };
            before = before.wrapping_sub(is_promised(&entry).into());
            if left == 0 {
                let passed = self.take_back(planner, row).is_some();
                self.count(Cause::Passed, passed);
                any |= passed;
            } else if is_promised(&entry) || self.is_planned(planner, row, planner.now) {
                left = left.wrapping_sub(1);
            }
        }
        any
    }

    /// What waits keeps its place and its time if these are free beside what runs and what those before it keep. Then the others
    /// get another one, beside all.
    ///
    /// So nobody behind takes what a job could have, but who waits for a job that runs too long leaves to others what they have.
    fn keep(&mut self, planner: &mut Planner<'_>, cause: Cause) {
        self.leave_out(|by| planner.entry(by).is_some_and(Entry::waits));
        for anew in [None, Some(cause)] {
            for line in [RESERVED, IN_LINE] {
                let mut from = QueueKey::default();
                while let Some((place, row)) = next_planned(planner, line, from) {
                    from = behind(place);
                    match anew {
                        None => self.keep_one(planner.now, row),
                        Some(cause) => self.make_anew(planner, row, cause),
                    }
                }
            }
        }
    }

    fn keep_one(&mut self, now: Instant, row: u32) {
        let Some(at) = self.rows().iter().position(|it| it.by == row) else { return };
        let Some(&it) = self.rows().get(at) else { return };
        let off = it.at.start < now || !self.timetable().has(&it.place, it.at);
        put(self.held.as_mut(), at, Held { off, ..it });
    }

    fn count(&mut self, cause: Cause, is_later: bool) {
        if let Some(count) = self.later.get_mut(cause as usize) {
            *count = count.saturating_add(is_later.into());
        }
    }

    /// If it is left out.
    fn make_anew(&mut self, planner: &mut Planner<'_>, row: u32, cause: Cause) {
        if !self.rows().iter().any(|it| it.by == row && it.off) {
            return;
        }
        let Some(had) = self.let_go(row) else { return };
        let Some(&Entry { job, line, .. }) = planner.entry(row) else { return };
        // Never moved to an earlier time, at the expense of others.
        let ready = had.at.start.max(planner.now);
        let found = self.earliest(&job, [ready, Instant::MAX]);
        self.count(cause, found.is_none_or(|(at, _)| at.start > had.at.start));
        self.retry();
        plan(planner, row, found.map_or(Interval::PARKED, |it| it.0));
        match found {
            Some((at, place)) => self.hold(row, place, at),
            None => {
                self.promised = self.promised.wrapping_sub((line == Some(IN_LINE)).into());
                self.lost = true;
            }
        }
    }

    /// Moves a promised job to the earliest time, if that is earlier.
    fn is_brought_forward(&mut self, planner: &mut Planner<'_>, row: u32) -> bool {
        let Some(&Entry { job, .. }) = planner.entry(row) else { return false };
        let Some(had) = self.take_back(planner, row) else { return false };
        let found = match had.at.start > planner.now {
            true => self.earliest(&job, [planner.now, before(had.at.start)]),
            false => None,
        };
        self.promise(planner, row, found.or(Some((had.at, had.place))));
        found.is_some()
    }

    /// Each promise, in order, is brought forward, then the first one that is not due until it stays.
    fn bring_forward(&mut self, planner: &mut Planner<'_>) {
        let is_due = |planner: &Planner<'_>, row: u32| {
            planner.entry(row).is_some_and(|it| it.note.at.start <= planner.now)
        };
        // Whether there is a first one that is not due, and another has moved since.
        let (mut is_known, mut any) = (false, false);
        let mut from = QueueKey::default();
        while let Some((place, row)) = next_planned(planner, IN_LINE, from) {
            from = behind(place);
            any |= self.is_brought_forward(planner, row) && is_known;
            is_known |= !is_due(planner, row);
        }
        let mut from = QueueKey::default();
        while any && let Some((place, row)) = next_planned(planner, IN_LINE, from) {
            if is_due(planner, row) {
                from = behind(place);
            } else if !self.is_brought_forward(planner, row) {
                break;
            }
        }
    }

    /// Something has changed, and whether something was released.
    fn settle(&mut self, planner: &mut Planner<'_>, released: bool) {
        if released | core::mem::replace(&mut self.lost, false) {
            self.retry();
            self.bring_forward(planner);
        }
        while self.fill(planner) {
            self.retry();
            self.bring_forward(planner);
        }
        self.look_at_overruns(planner);
    }

    /// Whether all who are to start at the next tick wait for jobs that have run longer than they said. Then it is asked when
    /// one of these ends, and not at each tick.
    fn look_at_overruns(&mut self, planner: &Planner<'_>) {
        let soon = soon(planner);
        let on = soon.saturating_add(Duration::from_ticks(1));
        let is_over = |it: &Held<M::Place>| {
            let job = planner.entry(it.by).filter(|it| it.runs());
            let limit = job.map(|entry| it.at.start.saturating_add(entry.job.requested));
            limit.is_some_and(|limit| limit < soon)
        };
        self.overrun = Instant::ZERO;
        let first = self.rows().partition_point(|it| it.at.end < soon);
        let to = self.rows().partition_point(|it| it.at.end <= soon);
        if !self.rows().get(first..to).unwrap_or_default().iter().any(is_over) {
            return;
        }
        // As if they ran on.
        let ending = self.held.as_mut().get_mut(first..to).unwrap_or_default();
        ending.iter_mut().filter(|it| is_over(it)).for_each(|it| it.at.end = on);
        let during = Interval { start: soon, end: on };
        let can_start = (0..self.used).any(|at| self.can_start(planner, at, during));
        let ending = self.held.as_mut().get_mut(first..to).unwrap_or_default();
        ending.iter_mut().for_each(|it| it.at.end = soon);
        if !can_start {
            self.overrun = soon;
        }
    }

    /// Whether what is planned in a row is to start at the first instant of an interval and has its place then.
    fn can_start(&mut self, planner: &Planner<'_>, at: usize, during: Interval) -> bool {
        let waits = |it: &&Held<M::Place>| planner.entry(it.by).is_some_and(Entry::waits);
        let planned = self.rows().get(at).filter(|it| it.at.start == during.start).filter(waits);
        let Some(&Held { by, place, .. }) = planned else { return false };
        self.leave_out(|other| other == by);
        let has = self.timetable().has(&place, during);
        self.leave_out(|_| false);
        has
    }

    /// Time passes: outages end, jobs run longer than they said, what is planned does not start.
    ///
    /// What should have ended by `by` and still runs is taken to end at the next tick.
    fn pass_time(&mut self, planner: &mut Planner<'_>, by: Instant) {
        planner.advance();
        let (now, soon) = (planner.now, soon(planner));
        let (mut at, mut any) = (0, false);
        while let Some(&it) = self.rows().get(at).filter(|it| it.at.end <= now) {
            let runs = planner.entry(it.by).is_some_and(Entry::runs);
            if it.by == OUT {
                self.rows_mut().remove(at);
                self.retry();
            } else if runs && it.at.end <= by {
                self.rows_mut().remove(at);
                self.hold(it.by, it.place, Interval { end: soon, ..it.at });
                any = true;
            } else {
                at = at.wrapping_add(1);
            }
        }
        if any {
            self.keep(planner, Cause::Overrun);
        }
        let waits = |by: u32| planner.entry(by).is_some_and(Entry::waits);
        let late = self.rows().iter().filter(|it| it.at.start < now && waits(it.by));
        let mut starts = late.map(|it| it.at.start).peekable();
        if starts.peek().is_some() {
            // Nobody asked at that time, since nobody had to.
            let overrun = self.overrun > Instant::ZERO && starts.all(|it| it == self.overrun);
            self.keep(planner, if overrun { Cause::Overrun } else { Cause::NotStarted });
        }
    }

    /// A place from now on that a job can have while each promise keeps its time, and what to [put back](Self::put_back)
    /// if the job is not taken.
    fn place_beside(
        &mut self,
        planner: &Planner<'_>,
        job: &Job,
    ) -> Option<(M::Place, Range<usize>)> {
        let during = Interval { start: planner.now, end: planner.now.checked_add(job.requested)? };
        let request = self.requests.request(job);
        if self.failed.iter().any(|failed| self.machine.covers(&request, failed)) {
            return None;
        }
        let is_promise = |by: u32| planner.entry(by).is_some_and(|it| it.line == Some(IN_LINE));
        // But for what begins later, that is all that it can have; and it only shrinks until something is released.
        let soon = soon(planner);
        self.leave_out(is_promise);
        let found = self.timetable().place(&request, Interval { end: soon, ..during });
        self.leave_out(|_| false);
        if found.is_none() {
            let machine = &self.machine;
            self.failed.retain(|failed| !machine.covers(failed, &request));
            if self.failed.is_full() {
                self.failed.clear();
            }
            _ = self.failed.push(request);
            return None;
        }
        let comes = |it: &Held<M::Place>| {
            it.at.start < during.end && (soon <= it.at.start || is_promise(it.by))
        };
        // Where nothing comes before its end, what is free stays free.
        if soon <= during.end && !self.rows().iter().any(comes) {
            return found.map(|place| (place, 0..0));
        }
        if let Some(place) = self.timetable().place(&request, during) {
            return Some((place, 0..0));
        }
        self.leave_out(is_promise);
        let begins =
            |it: &Held<M::Place>| !it.off && soon <= it.at.start && it.at.start < during.end;
        let place = match self.rows().iter().any(begins) {
            true => self.timetable().place(&request, during),
            false => found,
        };
        let moved = place.and_then(|place| self.move_beside(planner, place, during));
        self.leave_out(|_| false);
        place.zip(moved)
    }

    /// Gives promises other places, where they must have them, so that each keeps its time beside one more place; what
    /// they had, if they do. All of them are left out before.
    fn move_beside(
        &mut self,
        planner: &Planner<'_>,
        place: M::Place,
        during: Interval,
    ) -> Option<Range<usize>> {
        // What they had stands behind the rows in use, and behind the one that is added.
        let first = self.used.wrapping_add(1);
        let mut end = first;
        for at in 0..self.used {
            if let Some(&it) = self.held.as_ref().get(at).filter(|it| it.off) {
                put(self.held.as_mut(), end, it);
                end = end.wrapping_add(1);
            }
        }
        self.hold(TRIED, place, during);
        let mut all = true;
        let mut from = QueueKey::default();
        while let Some((place, row)) = next_planned(planner, IN_LINE, from)
            && all
        {
            from = behind(place);
            all = self.is_placed_again(planner, row);
        }
        self.let_go(TRIED);
        if !all {
            self.put_back(first..end);
            return None;
        }
        Some(first..end)
    }

    /// Promises have the places again that they had.
    fn put_back(&mut self, rows: Range<usize>) {
        for at in rows {
            let Some(&it) = self.held.as_ref().get(at) else { break };
            let rank = self.rows().iter().position(|other| other.by == it.by);
            rank.into_iter()
                .for_each(|rank| put(self.held.as_mut(), rank, Held { off: false, ..it }));
        }
    }

    /// Whether a promise that was left out has a place at its time; it is held from now on.
    fn is_placed_again(&mut self, planner: &Planner<'_>, row: u32) -> bool {
        let Some(rank) = self.rows().iter().position(|it| it.by == row) else { return false };
        let Some((&it, entry)) = self.rows().get(rank).zip(planner.entry(row)) else {
            return false;
        };
        let place = match self.timetable().has(&it.place, it.at) {
            true => Some(it.place),
            false => {
                let request = self.requests.request(&entry.job);
                self.timetable().find(&request)
            }
        };
        let Some(place) = place else { return false };
        put(self.held.as_mut(), rank, Held { place, off: false, ..it });
        true
    }

    /// Offers jobs with their places until one starts.
    pub(super) fn next_at(
        &mut self,
        planner: &mut Planner<'_>,
        take: &mut dyn FnMut(Job, &M::Place) -> bool,
    ) -> Option<u32> {
        self.pass_time(planner, planner.now);
        self.settle(planner, false);
        self.next_due(planner, take).or_else(|| self.next_other(planner, take))
    }

    /// Offers whose time has come.
    fn next_due(
        &mut self,
        planner: &mut Planner<'_>,
        take: &mut dyn FnMut(Job, &M::Place) -> bool,
    ) -> Option<u32> {
        for line in [RESERVED, IN_LINE] {
            let mut from = QueueKey::default();
            while let Some((place, row)) = next_planned(planner, line, from) {
                from = behind(place);
                // A place is no smaller than what is asked for, but of an adopted job, or in a forged image.
                let is_due = planner.entry(row).is_some_and(|it| {
                    it.note.at.start <= planner.now && it.job.pes <= planner.free()
                });
                let Some(at) = self.place_of(row).filter(|_| is_due) else { continue };
                if planner.offer(row, &mut |job| take(job, &at)) {
                    self.promised = self.promised.wrapping_sub((line == IN_LINE).into());
                    // What others would get is another place from now on.
                    self.untried = QueueKey::default();
                    self.settle(planner, false);
                    return Some(row);
                }
            }
        }
        None
    }

    /// Offers jobs without promises that can start beside these.
    fn next_other(
        &mut self,
        planner: &mut Planner<'_>,
        take: &mut dyn FnMut(Job, &M::Place) -> bool,
    ) -> Option<u32> {
        let mut from = core::mem::replace(&mut self.untried, END);
        while let Some((place, row)) = next_in_line(planner, IN_LINE, from, planner.free()) {
            from = behind(place);
            let Some(&entry) = planner.entry(row).filter(|it| !is_promised(it)) else { continue };
            let Some((at, before)) = self.place_beside(planner, &entry.job) else { continue };
            if planner.offer(row, &mut |job| take(job, &at)) {
                let end = planner.now.saturating_add(entry.job.requested);
                self.runs(planner, row, at, Interval { start: planner.now, end });
                match before.is_empty() {
                    true => self.untried = QueueKey::default(),
                    false => self.retry(),
                }
                self.look_at_overruns(planner);
                return Some(row);
            }
            // It is offered again.
            self.put_back(before);
            self.untried = self.untried.min(place);
        }
        None
    }

    /// A job runs here from when until when.
    fn runs(&mut self, planner: &mut Planner<'_>, row: u32, place: M::Place, at: Interval) {
        edit(planner.entries, row, |entry| entry.note.at = at);
        self.hold(row, place, at);
    }

    /// What jobs that run leave, whenever they were to end.
    fn left<T>(
        &mut self,
        planner: &Planner<'_>,
        ask: impl FnOnce(&mut Timetable<'_, M>, Interval) -> T,
    ) -> T {
        let soon = soon(planner);
        self.leave_out(|by| !planner.entry(by).is_some_and(Entry::runs));
        let answer = ask(&mut self.timetable(), Interval { start: Instant::ZERO, end: soon });
        self.leave_out(|_| false);
        answer
    }

    /// Whether no job that runs has a node of a place.
    pub(super) fn is_left(&mut self, planner: &Planner<'_>, place: &M::Place) -> bool {
        self.left(planner, |timetable, during| timetable.has(place, during))
    }

    /// A place for a job that is said to run somewhere.
    fn place_left(&mut self, planner: &Planner<'_>, request: &M::Request) -> Option<M::Place> {
        self.left(planner, |timetable, during| timetable.place(request, during))
    }

    /// A job is to be tried, and those behind it again.
    fn try_from(&mut self, planner: &Planner<'_>, row: u32) {
        if let Some(place) = planner.entry(row).map(Entry::place) {
            self.untried = self.untried.min(place);
        }
    }

    fn outages(&self) -> usize {
        self.rows().iter().filter(|it| it.by == OUT).count()
    }

    /// Takes in a job that runs here.
    pub(super) fn adopt_at(
        &mut self,
        planner: &mut Planner<'_>,
        job: Job,
        started: Instant,
        place: M::Place,
    ) -> Result<u32, Refusal> {
        let row = planner.adopt(IN_LINE, job)?;
        let at = Interval { start: started, end: started.saturating_add(job.requested) };
        self.runs(planner, row, place, at);
        self.pass_time(planner, before(planner.now));
        self.keep(planner, Cause::Adoption);
        self.settle(planner, false);
        Ok(row)
    }

    /// Gives a job the earliest interval of its own from `ready` until its deadline.
    pub(super) fn reserve_at(
        &mut self,
        planner: &mut Planner<'_>,
        job: Job,
        (ready, deadline): (Instant, Instant),
    ) -> Result<(u32, Interval), Refusal> {
        if !self.can_ever(&job) {
            return Err(Refusal::NoPlace);
        }
        self.pass_time(planner, before(planner.now));
        let found = self.earliest(&job, [ready.max(planner.now), Instant::MAX]);
        let in_time = match found {
            None => Err(Refusal::Overflow),
            Some((at, _)) if at.end > deadline => Err(Refusal::Late { finish: at.end }),
            Some(found) => Ok(found),
        };
        if in_time.is_err() {
            self.settle(planner, false);
        }
        let (at, place) = in_time?;
        let job = Job { key: at.start.ticks(), ..job };
        let row = planner.accept(RESERVED, job, Plan { at, ..Plan::PARKED })?;
        self.hold(row, place, at);
        self.settle(planner, false);
        Ok((row, at))
    }

    /// Nodes are out of service from when until when.
    pub(super) fn withdraw_at(
        &mut self,
        planner: &mut Planner<'_>,
        place: M::Place,
        during: Interval,
    ) -> Result<(), Refusal> {
        if !Timetable::over(&self.machine, &[], self.words.as_mut()).has(&place, during) {
            return Err(Refusal::NoPlace);
        }
        let lasts = |it: &&Held<M::Place>| it.by == OUT && it.at.end > planner.now;
        let outages = self.rows().iter().filter(lasts).count().wrapping_add(1);
        if self.held.as_ref().len() < rows(planner.entries.len(), outages) {
            return Err(Refusal::NoRow);
        }
        self.pass_time(planner, before(planner.now));
        self.hold(OUT, place, during);
        self.keep(planner, Cause::Outage);
        self.settle(planner, false);
        Ok(())
    }

    /// An outage of these nodes has ended, or does not take place. Whether there was one.
    pub(super) fn repair_at(&mut self, planner: &mut Planner<'_>, place: &M::Place) -> bool {
        let now = planner.now;
        let is_it = |it: &Held<M::Place>| it.by == OUT && it.place == *place && it.at.end > now;
        let Some(at) = self.rows().iter().position(is_it) else { return false };
        self.rows_mut().remove(at);
        self.pass_time(planner, before(planner.now));
        self.settle(planner, true);
        true
    }

    /// Whether what an image says of rows fits the jobs and the machine.
    fn check_loaded(&mut self, planner: &Planner<'_>) -> bool {
        for at in 0..self.used {
            let Some(&it) = self.rows().get(at) else { return false };
            let entry = planner.entry(it.by).filter(|entry| entry.generation.is_live());
            let is_sound = match entry {
                None => it.by == OUT && it.at.start < it.at.end,
                Some(entry) if entry.waits() => {
                    entry.note.at == it.at
                        && it.at.start.checked_add(entry.job.requested) == Some(it.at.end)
                }
                Some(_) => it.at.start <= planner.now && it.at.start < it.at.end,
            };
            let runs = entry.is_some_and(Entry::runs);
            let from = if runs { Instant::ZERO } else { it.at.start };
            // Outages may lie anywhere in the machine, jobs that run on nodes of their own, what waits beside all others.
            let others =
                |by: u32| by == it.by || runs && !planner.entry(by).is_some_and(Entry::runs);
            self.leave_out(|by| entry.is_none() || others(by));
            let is_free = self.timetable().has(&it.place, Interval { start: from, ..it.at });
            self.leave_out(|_| false);
            if !(is_sound && is_free) {
                return false;
            }
        }
        true
    }
}

/// What is held by so many jobs and outages, by one that is tried, and what jobs had before that.
pub(super) const fn rows(entries: usize, outages: usize) -> usize {
    entries.saturating_mul(2).saturating_add(outages).saturating_add(1)
}

/// The next tick, until which a job that should have ended is taken to run.
fn soon(planner: &Planner<'_>) -> Instant {
    planner.now.saturating_add(Duration::from_ticks(1))
}

/// Whether a job has a promise.
fn is_promised(entry: &Entry) -> bool {
    entry.line == Some(IN_LINE) && entry.note.at.start < Instant::MAX
}

/// The first job at a place in a line or behind it that asks for so many PEs at most.
fn next_in_line(
    planner: &Planner<'_>,
    line: u8,
    from: QueueKey,
    pes: u32,
) -> Option<(QueueKey, u32)> {
    let most = [Aggregate { pes, ..Aggregate::MOST }];
    planner.jobs.line(line).first_within(planner.entries, from, &most)
}

/// The first job at a place in a line or behind it that has an interval.
fn next_planned(planner: &Planner<'_>, line: u8, from: QueueKey) -> Option<(QueueKey, u32)> {
    let most = [Aggregate { time: u64::MAX - 1, ..Aggregate::MOST }];
    planner.jobs.line(line).first_within(planner.entries, from, &most)
}

/// A job that waits is planned for this interval, or for none.
fn plan(planner: &mut Planner<'_>, row: u32, at: Interval) {
    edit(planner.entries, row, |entry| entry.note.at = at);
    planner.jobs.set_start(planner.entries, row, at.start.ticks());
}

impl<M, R, H, W> BackfillPolicy for Promises<M, R, H, W>
where
    M: Machine,
    M::Place: Stored,
    R: Requests<M>,
    H: AsRef<[Held<M::Place>]> + AsMut<[Held<M::Place>]>,
    W: AsMut<[M::Word]>,
{
    const NAME: &'static str = "promises";
    const RESERVED_LINE: Option<u8> = Some(RESERVED);
    const KIND: [u8; 4] = *b"PROM";

    fn may_wait_in(_: &Job, line: u8) -> bool {
        line == IN_LINE || line == RESERVED
    }

    fn most_entries(&self) -> usize {
        self.held.as_ref().len().saturating_sub(self.outages().wrapping_add(1)) / 2
    }

    fn push(&mut self, planner: &mut Planner<'_>, job: Job) -> Result<u32, Refusal> {
        if !self.can_ever(&job) {
            return Err(Refusal::NoPlace);
        }
        self.pass_time(planner, before(planner.now));
        let row = planner.accept(IN_LINE, job, Plan::PARKED)?;
        self.try_from(planner, row);
        self.settle(planner, false);
        Ok(row)
    }

    fn adopt(
        &mut self,
        planner: &mut Planner<'_>,
        job: Job,
        started: Instant,
    ) -> Result<u32, Refusal> {
        let request = self.requests.request(&job);
        let place = self.place_left(planner, &request).ok_or(Refusal::Occupied)?;
        self.adopt_at(planner, job, started, place)
    }

    fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32> {
        self.next_at(planner, &mut |job, _| start(job))
    }

    fn remove(&mut self, planner: &mut Planner<'_>, row: u32) {
        let promised = self.take_back(planner, row);
        let had = promised.or_else(|| self.let_go(row));
        planner.remove(row);
        self.pass_time(planner, before(planner.now));
        if had.is_some() {
            self.retry();
        }
        // What is past leaves nothing to those who have promises.
        self.settle(planner, had.is_some_and(|it| it.at.end > planner.now));
    }

    fn end_together(&mut self, planner: &mut Planner<'_>, tickets: &[Ticket]) {
        let mut released = false;
        for ticket in tickets {
            let row = ticket.handle().index();
            let had = self.let_go(row);
            planner.remove(row);
            released |= had.is_some_and(|it| it.at.end > planner.now);
        }
        self.pass_time(planner, before(planner.now));
        self.retry();
        self.settle(planner, released);
    }

    fn requeue(&mut self, planner: &mut Planner<'_>, row: u32) {
        self.let_go(row);
        planner.requeue(row, IN_LINE);
        plan(planner, row, Interval::PARKED);
        self.pass_time(planner, before(planner.now));
        self.settle(planner, true);
    }

    fn set_held(&mut self, planner: &mut Planner<'_>, row: u32, held: bool) {
        self.pass_time(planner, before(planner.now));
        let had = self.take_back(planner, row);
        planner.jobs.change_line(planner.entries, row, if held { HELD } else { IN_LINE });
        self.try_from(planner, row);
        self.settle(planner, had.is_some());
    }

    fn rekeyed(&mut self, planner: &mut Planner<'_>, row: u32) {
        self.try_from(planner, row);
        self.settle(planner, false);
    }

    fn pass(&mut self, planner: &mut Planner<'_>) {
        self.pass_time(planner, before(planner.now));
        self.settle(planner, false);
    }

    fn promised(&self, entry: &Entry) -> Option<Interval> {
        (entry.note.at.start < Instant::MAX).then_some(entry.note.at)
    }

    fn wake_at(&self, jobs: &Jobs, entries: &[Entry], now: Instant) -> Option<Instant> {
        let past = now.max(self.overrun).ticks();
        let starts = [RESERVED, IN_LINE].into_iter().filter_map(|line| {
            jobs.line(line).least_after(entries, past).filter(|&at| at < u64::MAX)
        });
        // Where an outage ends jobs may start to which nothing was promised.
        let ends = self.rows().iter().filter(|it| it.by == OUT && jobs.waiting > 0);
        let ends = ends.map(|it| it.at.end).filter(|&at| now < at && at < Instant::MAX);
        starts.map(Instant::from_ticks).chain(ends).min()
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        put(self.pass);
        self.later.iter().for_each(|count| put(*count));
        put(self.used as u32);
        for it in self.rows() {
            put(it.by);
            it.at.store(&mut put);
            it.place.store(&mut put);
        }
    }

    fn load(&mut self, planner: &mut Planner<'_>, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        self.pass = take()?;
        load_all(&mut self.later, &mut take)?;
        let used = take()? as usize;
        let room = self.held.as_ref().len().checked_sub(planner.entries.len().wrapping_add(1));
        if room.is_none_or(|room| room < used) {
            return Err(BadImage::OtherSize);
        }
        for at in 0..used {
            let (by, at_time) = (take()?, Stored::load(&mut take)?);
            let place = Stored::load(&mut take)?;
            put(self.held.as_mut(), at, Held { by, ..Held::new(place, at_time) });
        }
        self.used = used;
        self.promised =
            planner.jobs.open_slots(planner.entries).filter(|it| is_promised(it)).count() as u32;
        self.untried = QueueKey::default();
        self.failed.clear();
        self.check(planner.jobs, planner.entries).map_err(BadImage::broken)?;
        self.look_at_overruns(planner);
        let is_sound = self.check_loaded(planner);
        if is_sound { Ok(()) } else { Err(BadImage::Contradiction("a place that is not free")) }
    }

    fn forget(&mut self) {
        (self.used, self.promised, self.untried) = (0, 0, END);
        (self.pass, self.later, self.overrun) = (1, [0; _], Instant::ZERO);
        self.failed.clear();
    }

    fn check(&self, jobs: &Jobs, entries: &[Entry]) -> Result<(), InvariantViolation> {
        ensure(self.rows().is_sorted_by_key(|it| it.at.end), "what is held, by its ends")?;
        ensure(self.rows().iter().all(|it| !it.off), "what is held is left out of nothing")?;
        let promised = jobs.open_slots(entries).filter(|entry| is_promised(entry)).count();
        ensure(promised == self.promised as usize, "the count of promises")?;
        let mut holds = self.outages();
        for (row, entry) in (0..).zip(entries).filter(|(_, entry)| entry.generation.is_live()) {
            let start = entry.note.at.start;
            if entry.waits() {
                ensure(entry.time == start.ticks(), "when a job is planned to start")?;
            }
            if entry.runs() || start < Instant::MAX {
                ensure(self.place_of(row).is_some(), "who runs, or is to, has a place")?;
                holds = holds.wrapping_add(1);
            }
        }
        ensure(holds == self.used, "nobody else has a place, and nobody two")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::{Backfill, Queue, Ticket};
    use crate::handle::PoolId;
    use crate::machine::Count;
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    struct Draws(u64);

    impl Draws {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (self.0 >> 33) % end
        }
    }

    type Counted<R> = Backfill<Promises<Count, R, Vec<Held<u32>>, [u32; 2]>, Vec<Entry>>;

    /// A machine of 8 nodes.
    fn counted(promises: u32) -> Counted<impl Fn(&Job) -> u32> {
        let held = vec![Held::new(0, Interval::NEVER); Backfill::rows(200, 0)];
        let policy = Promises::new(Count(8), |job: &Job| job.pes, promises, held, [0; 2]).unwrap();
        Backfill::promises(PoolId(0), 8, policy, vec![Entry::EMPTY; 200]).unwrap()
    }

    /// Who starts when, told in the order for simulators; some jobs run longer than they said if they may be `late`.
    fn schedule<Q: Queue>(
        queue: &mut Q,
        seed: u64,
        pes: u64,
        jobs: u32,
        late: bool,
    ) -> Vec<(u64, u32)> {
        let mut draws = Draws(seed);
        let mut starts = vec![];
        let mut running: Vec<(u64, Ticket, bool)> = vec![];
        let mut runs = vec![0; jobs as usize];
        let (mut now, mut id, mut next_arrival) = (0u64, 0u32, 0u64);
        while id < jobs || !running.is_empty() || !queue.is_empty() {
            let at = Instant::from_ticks(now);
            let (ended, others) = running.iter().partition(|it| it.0 <= now);
            running = others;
            let (full, early): (Vec<(u64, Ticket, bool)>, Vec<_>) =
                Vec::into_iter(ended).partition(|it: &(u64, Ticket, bool)| it.2);
            full.iter().for_each(|it| _ = queue.finished(at, it.1).unwrap());
            while id < jobs && next_arrival <= now {
                let requested = 1 + draws.below(30);
                runs[id as usize] = match draws.below(6) {
                    0 if late => requested + 1 + draws.below(5),
                    1 | 2 => requested,
                    _ => 1 + draws.below(requested),
                };
                let pes = 1 + draws.below(pes).min(draws.below(pes));
                let job = Job::new(id, pes as u32).within(Duration::from_ticks(requested));
                queue.push(at, job).unwrap();
                id += 1;
                next_arrival += draws.below(9);
                ask(queue, at, &mut running, &runs, &mut starts);
            }
            early.iter().for_each(|it| _ = queue.finished(at, it.1).unwrap());
            for _ in 0..=early.len() + full.len() {
                ask(queue, at, &mut running, &runs, &mut starts);
            }
            queue.check_invariants().unwrap();
            now += 1;
        }
        starts
    }

    /// Starts whoever can.
    fn ask<Q: Queue>(
        queue: &mut Q,
        at: Instant,
        running: &mut Vec<(u64, Ticket, bool)>,
        runs: &[u64],
        starts: &mut Vec<(u64, u32)>,
    ) {
        while let Some((ticket, job)) = queue.next(at, &mut |_| true) {
            let run = runs[job.id as usize];
            running.push((at.ticks() + run, ticket, run >= job.requested.ticks()));
            starts.push((at.ticks(), job.id));
        }
    }

    #[test]
    fn one_promise_on_a_count_is_easy() {
        for seed in 0..200 {
            let mut easy = Backfill::easy(PoolId(0), 8, vec![Entry::EMPTY; 200]);
            let easy = schedule(&mut easy, seed, 8, 120, true);
            assert_eq!(schedule(&mut counted(1), seed, 8, 120, true), easy, "seed {seed}");
        }
    }

    #[test]
    fn all_promises_on_a_count_are_conservative() {
        for seed in 0..200 {
            let words = vec![0; Backfill::words(8, 200)];
            let mut known =
                Backfill::conservative(PoolId(0), 8, words, vec![Entry::EMPTY; 200]).unwrap();
            let known = schedule(&mut known, seed, 8, 120, false);
            let own = schedule(&mut counted(u32::MAX), seed, 8, 120, false);
            assert_eq!(own, known, "seed {seed}");
        }
    }
}
