//! What both rules do alike: keep account of PEs, offer jobs whose time has come.

use super::booked::Booked;
use super::freed::Freed;
use crate::dispatch::jobs::{Jobs, Room};
use crate::dispatch::tree::{self, Needs, Place};
use crate::dispatch::{Job, SizeClass};
use crate::reserve::{Error, Misuse, Placement, Request, Reservation, ReservationId};
use crate::time::Instant;

/// When a job is planned to run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Of no meaning in line without a promise.
    pub(super) at: Placement,
    /// What the profile knows it by, if it does.
    pub(super) booking: Option<ReservationId>,
    /// The number of the last pass over the line before or in which its earliest start was looked
    /// for; 0 if none was.
    pub(super) pass: u32,
}

/// Room for one job of a [`Backfill`](super::Backfill), with its plan.
pub type Entry = Room<Plan>;

impl Entry {
    /// What a planner's storage is filled with, all zeros; its content does not matter.
    pub const EMPTY: Self = Self::empty(Plan::NONE);
}

impl Plan {
    const NONE: Self = Self { at: Placement::NEVER, booking: None, pass: 0 };
}

/// Lines of the jobs that were pushed, as a rule divides them, and the last one.
pub(super) type Lines = Jobs<{ SizeClass::COUNT + 1 }>;

/// The line of those that wait for the interval that they were given when they came, by its start.
pub(super) const RESERVED: u8 = SizeClass::COUNT as u8;

/// What a rule plans with at one instant.
///
/// - `now` is not before the present. It is after it as long as the call may yet be refused, for a
///   refusal is no news of the time.
/// - The profile is told the time, and who starts, if the rule `books` all or a job waits for an
///   interval of its own. Else it lags behind, and may not know of jobs that run.
/// - `free` counts the PEs on which nothing runs. The profile may show more: a job that should
///   have ended is not in it any more.
/// - `kept` counts those of them that are for jobs whose time has come, as far as the call has
///   looked: at those with an interval of their own, then at those in line.
pub(super) struct Planner<'a> {
    pub(super) now: Instant,
    pub(super) present: &'a mut Instant,
    pub(super) books: bool,
    pub(super) free: &'a mut u32,
    pub(super) kept: u32,
    pub(super) jobs: &'a mut Lines,
    pub(super) profile: Option<&'a mut dyn Booked>,
    pub(super) entries: &'a mut [Entry],
}

/// Takes a job, that is, starts it and returns true, or does not.
pub(super) type Start<'a> = &'a mut dyn FnMut(Job) -> bool;

impl Planner<'_> {
    /// The time of the call is the present from now on.
    pub(super) fn advance(&mut self) {
        *self.present = self.now;
        if self.books || self.has_reserved() {
            self.tell_time();
        }
    }

    /// Tells the profile the present.
    pub(super) fn tell_time(&mut self) {
        if let Some(profile) = &mut self.profile
            && *self.present > profile.now()
        {
            profile.advance(*self.present);
        }
    }

    pub(super) fn entry(&self, row: u32) -> Option<&Entry> {
        self.entries.get(row as usize)
    }

    /// The first job in line.
    pub(super) fn head(&self) -> Option<(u32, &Entry)> {
        let row = self.jobs.first_of(self.entries, RESERVED)?;
        Some((row, self.entry(row)?))
    }

    /// The PEs of the smallest job in line.
    pub(super) fn least_pes(&self) -> u32 {
        let least = |line| self.jobs.line(line).least(self.entries).pes;
        self.jobs.standing(RESERVED).next().map_or(u32::MAX, least)
    }

    /// How many jobs in line stand before a place.
    pub(super) fn before(&self, place: Place) -> u32 {
        let lines = self.jobs.standing(RESERVED);
        let counts = lines.map(|line| self.jobs.line(line).before(self.entries, place));
        counts.fold(0, u32::saturating_add)
    }

    /// Whether a job waits for an interval of its own.
    pub(super) fn has_reserved(&self) -> bool {
        self.jobs.first(RESERVED).is_some()
    }

    /// PEs on which nothing runs and that are kept for nobody.
    pub(super) fn spare(&self) -> u32 {
        self.free.saturating_sub(self.kept)
    }

    /// Whether too few PEs are free for a job now, whatever the profile says.
    pub(super) fn is_held_up(&self, job: &Job) -> bool {
        job.pes > self.spare()
    }

    /// The earliest interval for a job from an instant on, by the profile. Where PEs are held by
    /// jobs that should have ended, or kept for ones that should have started, that is not the
    /// present. `None` if it would end beyond the end of time.
    pub(super) fn earliest(&self, job: &Job, from: Instant) -> Option<Placement> {
        let held_up = from <= self.now && self.is_held_up(job);
        let next = Instant::from_ticks(self.now.ticks().saturating_add(1));
        let ready = if held_up { next } else { from };
        self.profile.as_ref()?.first(&Request::new(ready, job.requested, job.pes))
    }

    /// How many PEs are free at an instant that is not past, by the profile.
    pub(super) fn free_at(&self, time: Instant) -> u32 {
        self.profile.as_ref().map_or(0, |it| it.free_at(time))
    }

    /// How many PEs are free all through an interval; none if it is none.
    pub(super) fn fewest_free(&self, at: Placement) -> u32 {
        self.profile.as_ref().map_or(0, |it| it.fewest_free(at))
    }

    /// The most PEs that are free at a time of an interval, by the profile.
    pub(super) fn most_free(&self, at: Placement) -> u32 {
        self.profile.as_ref().map_or(0, |it| it.most_free(at))
    }

    /// PEs that are free at the present, by the profile.
    pub(super) fn free_now(&self) -> u32 {
        self.profile.as_ref().map_or(0, |it| it.free_now())
    }

    /// From the present until when at least `pes` PEs are free, by the profile.
    pub(super) fn free_until(&self, pes: u32) -> Instant {
        self.profile.as_ref().map_or(self.now, |it| it.free_until(pes))
    }

    /// Offers the jobs of a line by planned start whose time has come, until one starts; PEs are
    /// kept for those that do not.
    pub(super) fn start_due(&mut self, line: u8, start: Start<'_>) -> Option<u32> {
        let due = [Needs { time: self.now.ticks(), ..Needs::MOST }];
        let mut from = Place::default();
        while let Some((place, row)) = self.jobs.line(line).first_within(self.entries, from, &due)
            && let Some(entry) = self.entry(row)
        {
            let pes = entry.job.pes;
            from = tree::behind(place);
            if pes <= self.spare() && self.offer(row, start) {
                return Some(row);
            }
            self.kept = self.kept.saturating_add(pes);
        }
        None
    }

    /// Keeps PEs for the jobs with an interval of their own that should have started.
    pub(super) fn keep_for_reserved(&mut self) {
        self.start_due(RESERVED, &mut |_| false);
    }

    /// Offers a job, and starts it if it is taken.
    pub(super) fn offer(&mut self, row: u32, start: Start<'_>) -> bool {
        let Some(&Entry { job, .. }) = self.entry(row) else { return false };
        if !start(job) {
            return false;
        }
        self.jobs.leave(self.entries, row);
        *self.free = self.free.saturating_sub(job.pes);
        true
    }

    /// From when to when a job runs that starts now.
    pub(super) fn run_of(&self, job: &Job) -> Placement {
        Placement { start: self.now, end: self.now.saturating_add(job.requested) }
    }

    /// Notes from when to when a job runs that starts now; until when it is taken to hold PEs. One
    /// that may run to the end of time is taken to end any moment, for the profile has no such end.
    pub(super) fn run(&mut self, row: u32) -> Instant {
        let Some(entry) = self.entries.get_mut(row as usize) else { return self.now };
        let end = self.now.saturating_add(entry.job.requested);
        entry.note.at = Placement { start: self.now, end };
        if end < Instant::MAX { end } else { self.now }
    }

    /// Tells the profile of a job that starts now. One that is late may find that another was
    /// promised its PEs before its new end: the profile then keeps what it has, and the job counts
    /// as one that should have ended from then on.
    pub(super) fn book(&mut self, row: u32) {
        let Some(&Entry { job, .. }) = self.entry(row) else { return };
        let at = self.run_of(&job);
        let (Some(profile), Some(entry)) = (&mut self.profile, self.entries.get_mut(row as usize))
        else {
            return;
        };
        let (pes, Plan { at: planned, booking, pass }) = (job.pes, entry.note);
        let booking = match booking {
            Some(_) if planned == at => booking,
            Some(id) => match profile.replace(id, at, pes) {
                Err(Error::Misused(Misuse::Handle(_))) => profile.add(at, pes),
                _ => booking,
            },
            None => profile.add(at, pes),
        };
        entry.note = Plan { at, booking, pass };
    }

    /// Tells the profile of the rest of a job that runs until its time, if there is one.
    pub(super) fn book_rest(&mut self, row: u32) {
        let (Some(profile), Some(entry)) = (&mut self.profile, self.entries.get_mut(row as usize))
        else {
            return;
        };
        let rest = Placement { start: profile.now(), end: Instant::from_ticks(entry.time) };
        entry.note.booking = profile.add(rest, entry.job.pes);
        debug_assert_eq!(entry.note.booking.is_some(), rest.start < rest.end, "who runs has PEs");
    }

    /// Until when the profile holds PEs for a job; the present if it does not.
    pub(super) fn booked_until(&self, row: u32) -> Instant {
        let booking = self.entry(row).and_then(|entry| entry.note.booking);
        booking.and_then(|id| self.profile.as_ref()?.end_of(id)).unwrap_or(self.now)
    }

    /// Moves a job in line to the earliest interval that is free and has time in one
    /// of those `freed`, if that is earlier than its own; the interval that it leaves. One whose
    /// interval has passed while it waited is due, and stays so.
    pub(super) fn bring_forward(&mut self, row: u32, freed: &Freed) -> Option<Placement> {
        let Entry { job, note: Plan { at, booking, .. }, .. } = self.entry(row)?;
        // From its own start on it has its PEs already.
        freed.intervals(job.pes, at.start).next()?;
        let held = Reservation { id: (*booking)?, at: *at, pes: job.pes };
        let nearer = self.profile.as_mut()?.bring_forward(&held, freed)?;
        self.plan(row, nearer);
        Some(held.at)
    }

    /// Moves a job in line to the present, if it could start now and does not stand there already;
    /// the interval that it leaves.
    pub(super) fn bring_to_now(&mut self, row: u32) -> Option<Placement> {
        let &Entry { job, note: Plan { at, booking, .. }, .. } = self.entry(row)?;
        let end = self.now.checked_add(job.requested).filter(|_| at.start > self.now)?;
        // From its own start on it has the PEs already.
        let until = Placement { start: self.now, end: end.min(at.start) };
        let to = Placement { start: self.now, end };
        if self.fewest_free(until) < job.pes {
            return None;
        }
        self.profile.as_mut()?.replace(booking?, to, job.pes).ok()?;
        self.plan(row, to);
        Some(at)
    }

    /// A job in line is planned anew, and looked for by its start.
    fn plan(&mut self, row: u32, at: Placement) {
        let Some(entry) = self.entries.get_mut(row as usize) else { return };
        if entry.note.at.start != at.start {
            entry.note.at = at;
            self.jobs.set_start(self.entries, row, at.start.ticks());
        }
    }

    /// A job has been accepted and waits in a line; `planned` if it has an interval already.
    pub(super) fn accept(&mut self, line: u8, job: Job, planned: Option<Placement>) -> Option<u32> {
        self.advance();
        let booking = planned.and_then(|at| self.profile.as_mut()?.add(at, job.pes));
        debug_assert!(planned.is_some() == booking.is_some(), "an interval that was found is free");
        let at = planned.unwrap_or(Plan::NONE.at);
        self.jobs.push(self.entries, line, job, at.start.ticks(), Plan { at, booking, pass: 0 })
    }

    /// Gives up what is left of a job that has ended or was cancelled; the interval in which the
    /// profile held PEs for it.
    pub(super) fn remove(&mut self, row: u32) -> Option<Placement> {
        let entry = *self.entry(row)?;
        if !entry.waits() {
            *self.free = self.free.saturating_add(entry.job.pes);
        }
        self.jobs.close(self.entries, row);
        self.profile.as_mut()?.cancel(entry.note.booking?)
    }
}
