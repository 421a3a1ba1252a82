//! What jobs leave is offered to those in line: each is moved to an earlier interval, if one is free.
//!
//! It is a rule of [`Conservative`] backfilling, which says when; planning anew ends with it, too.

use super::conservative::{Conservative, IN_LINE, RESERVED};
use super::freed::FreedIntervals;
use super::planner::{Entry, Plan, Planner};
use crate::bits::Word;
use crate::dispatch::slot::{Aggregate, QueueKey, behind};
use crate::dispatch::{Job, tree};
use crate::reserve::{Interval, Request, Reservation};
use crate::time::Instant;

impl<W: AsRef<[Word]> + AsMut<[Word]>> Conservative<W> {
    /// Moves jobs with deadlines that have other intervals than they were given, or none, to their own, as far as
    /// these are free beside all that others have; then each of the rest to the earliest one from its start on.
    pub(super) fn bring_back(&mut self, planner: &mut Planner<'_>) {
        self.displaced = false;
        for own in [true, false] {
            let mut at = planner.jobs.first(RESERVED);
            while let Some(row) = at {
                at = tree::next(planner.entries, row);
                let is_back = self.is_brought_back(planner, row, own);
                self.displaced |= !own && !is_back;
            }
        }
    }

    /// Whether a job with a deadline has its own interval, after it was moved to that, or to the earliest one
    /// from its start on.
    fn is_brought_back(&mut self, planner: &mut Planner<'_>, row: u32, own: bool) -> bool {
        let Some(&Entry { job, note: Plan { at, .. }, .. }) = planner.entry(row) else {
            return true;
        };
        let start = Instant::from_ticks(job.key);
        if at.start == start {
            return true;
        }
        let had = self.give_up(planner, row);
        let request = Request::new(start.max(planner.now), job.requested, job.pes);
        let found = self.profile.first(&request).ok().filter(|found| !own || found.start == start);
        let to = found.unwrap_or(at);
        self.put(planner, row, Some(to));
        if had.is_some() && to.start != at.start {
            self.note_freed(at);
        }
        to.start == start
    }

    /// Plans jobs in line from a place on.
    pub(super) fn compress(&mut self, planner: &mut Planner<'_>, from: QueueKey) {
        let left = self.move_first(planner, from);
        if self.depth > 0 && !(self.in_steps && left.is_some()) {
            self.retry_first(planner);
        }
        self.rest = match left {
            Some(_) if self.in_steps => left,
            Some(_) if self.unplanned => left.max(self.rest),
            _ => None,
        };
        self.unplanned &= self.rest.is_some();
        if let Some(from) = left.filter(|_| !self.in_steps) {
            self.start_now(planner, from);
        }
    }

    pub(super) fn note_freed(&mut self, at: Interval) {
        self.freed.add(at, self.profile.most_free(at));
    }

    /// The first job at a place in line or behind it that asks for no more PEs than serve.
    fn first_served(planner: &Planner<'_>, from: QueueKey) -> Option<(QueueKey, u32)> {
        let most = [Aggregate { pes: planner.serving(), ..Aggregate::MOST }];
        planner.jobs.line(IN_LINE).first_within(planner.entries, from, &most)
    }

    /// Moves the first jobs from a place on to the earliest interval; where the others stand. One that has none
    /// gets one.
    fn move_first(&mut self, planner: &mut Planner<'_>, mut from: QueueKey) -> Option<QueueKey> {
        let before = self.pass;
        let mut offered = core::mem::replace(&mut self.freed, FreedIntervals::NONE);
        self.pass = before.wrapping_add(1).max(1);
        let mut left = self.depth.max(self.unplanned.into());
        while let Some((place, row)) = Self::first_served(planner, from) {
            if left == 0 {
                return Some(place);
            }
            (from, left) = (behind(place), left.wrapping_sub(1));
            let note = &mut planner.entries.get_mut(row as usize)?.note;
            let last = core::mem::replace(&mut note.pass, self.pass);
            if note.booking.is_none() {
                self.place(planner, row, planner.now);
                continue;
            }
            let freed = if last == before { &offered } else { &FreedIntervals::ALL };
            if let Some(given_up) = self.bring_forward(planner, row, freed) {
                let most = self.profile.most_free(given_up);
                offered.add(given_up, most);
                self.freed.add(given_up, most);
            }
        }
        None
    }

    /// Moves the first job in line that cannot start now until it stays: those behind it may have left what it
    /// can use.
    fn retry_first(&mut self, planner: &mut Planner<'_>) {
        let mut from = QueueKey::default();
        while let Some((place, row)) = Self::first_served(planner, from)
            && let Some(entry) = planner.entry(row)
        {
            from = behind(place);
            if entry.note.at.start <= planner.now {
                continue;
            }
            let freed = if entry.note.pass == self.pass { self.freed } else { FreedIntervals::ALL };
            match self.bring_forward(planner, row, &freed) {
                Some(given_up) => self.note_freed(given_up),
                None => return,
            }
            from = place;
        }
    }

    /// Moves those from a place on that can start now to the present.
    fn start_now(&mut self, planner: &mut Planner<'_>, mut from: QueueKey) {
        let mut gap = self.gap(planner);
        while let Some((place, row)) =
            planner.jobs.line(IN_LINE).first_within(planner.entries, from, &gap)
        {
            from = behind(place);
            if let Some(given_up) = self.bring_to_now(planner, row) {
                if given_up != Interval::PARKED {
                    self.note_freed(given_up);
                }
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
    ) -> Option<Interval> {
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
    fn bring_to_now(&mut self, planner: &mut Planner<'_>, row: u32) -> Option<Interval> {
        let &Entry { job, note: Plan { at, booking, .. }, .. } = planner.entry(row)?;
        let start = planner.now;
        let end = start.checked_add(job.requested).filter(|_| at.start > start)?;
        // From its own start on it has the PEs already.
        let until = Interval { start, end: end.min(at.start) };
        if self.profile.fewest_free(until).unwrap_or(0) < job.pes {
            return None;
        }
        let to = Interval { start, end };
        match booking {
            Some(id) => {
                self.profile.replace(id, to, job.pes).ok()?;
                plan(planner, row, to);
            }
            None => self.put(planner, row, Some(to)),
        }
        Some(at)
    }
}

/// A job in line is planned anew, and looked for by its start.
fn plan(planner: &mut Planner<'_>, row: u32, at: Interval) {
    let Some(entry) = planner.entries.get_mut(row as usize) else { return };
    if entry.note.at.start != at.start {
        entry.note.at = at;
        planner.jobs.set_start(planner.entries, row, at.start.ticks());
    }
}
