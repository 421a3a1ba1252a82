//! What both rules do alike: keep account of PEs, start jobs, serve those with deadlines.

use super::jobs::{Entry, Jobs, State};
use super::profile::AnyProfile;
use crate::dispatch::Job;
use crate::reserve::Placement;
use crate::time::Instant;

/// What a rule plans with at one instant, whatever the storage.
///
/// - `now` is not before the time of the profile. It is after it as long as the call may yet be
///   refused, for a refusal is no news of the time.
pub struct Planner<'a> {
    pub(super) now: Instant,
    pub(super) pes: u32,
    pub(super) jobs: &'a mut Jobs,
    pub(super) profile: &'a mut dyn AnyProfile,
    pub(super) entries: &'a mut [Entry],
}

/// Takes a job, that is, starts it and returns true, or does not.
pub(super) type Start<'a> = &'a mut dyn FnMut(Job) -> bool;

impl Planner<'_> {
    /// Tells the profile the time.
    pub(super) fn advance(&mut self) {
        self.profile.advance(self.now);
    }

    pub(super) fn entry(&self, row: u32) -> Option<&Entry> {
        self.entries.get(row as usize)
    }

    /// PEs on which nothing runs.
    pub(super) fn free(&self) -> u32 {
        self.pes.saturating_sub(self.jobs.running)
    }

    /// The earliest interval for a job from an instant on, by the profile. Where PEs are held by
    /// jobs that should have ended, or kept for ones that should have started, that is not the
    /// present. `None` if it would end beyond the end of time.
    pub(super) fn earliest(&self, job: &Job, from: Instant) -> Option<Placement> {
        let free = self.free().saturating_sub(self.kept_for_reserved());
        let held_up = from <= self.now && job.pes > free;
        let next = Instant::from_ticks(self.now.ticks().saturating_add(1));
        self.profile.earliest(if held_up { next } else { from }, job.requested, job.pes)
    }

    /// Offers a job, and starts it if it is taken.
    pub(super) fn offer(&mut self, row: u32, start: Start<'_>) -> bool {
        let Some(&Entry { job, .. }) = self.entry(row) else { return false };
        if !start(job) {
            return false;
        }
        self.jobs.start(self.entries, row);
        let end = self.now.saturating_add(job.requested);
        self.book(row, Placement { start: self.now, end });
        true
    }

    /// Notes from when to when the profile is to know of a job. One that is late may find that
    /// another was promised its PEs before its new end: the profile then keeps what it has, and
    /// the job counts as one that should have ended from then on.
    fn book(&mut self, row: u32, at: Placement) {
        let Some(&Entry { job, planned, booking, .. }) = self.entry(row) else { return };
        let booking = match booking {
            Some(id) if planned == at => Some(id),
            Some(id) => self.profile.replace(id, at, job.pes),
            None => self.profile.add(at, job.pes),
        };
        let Some(entry) = self.entries.get_mut(row as usize) else { return };
        (entry.planned, entry.booking) = (at, booking);
    }

    /// Offers the jobs with an interval of their own whose time has come.
    ///
    /// # Errors
    ///
    /// None was started: the PEs to keep for those that should have been.
    pub(super) fn start_reserved(&mut self, start: Start<'_>) -> Result<u32, u32> {
        let (mut at, mut kept) = (self.jobs.reserved.first(), 0u32);
        while let Some(row) = at
            && let Some(entry) = self.entry(row)
        {
            let (job, planned) = (entry.job, entry.planned);
            at = entry.next();
            if planned.start > self.now {
                continue;
            }
            let free = self.free().saturating_sub(kept);
            if job.pes <= free && self.offer(row, start) {
                return Ok(row);
            }
            kept = kept.saturating_add(job.pes);
        }
        Err(kept)
    }

    /// The PEs to keep for jobs with an interval of their own that should have started.
    fn kept_for_reserved(&self) -> u32 {
        let reserved = self.jobs.reserved.iter(self.entries);
        let late = reserved.filter(|(_, entry)| entry.planned.start <= self.now);
        late.fold(0, |sum, (_, entry)| sum.saturating_add(entry.job.pes))
    }

    /// A waiting job has been accepted; `planned` if it has an interval already.
    pub(super) fn accept(
        &mut self,
        job: Job,
        state: State,
        planned: Option<Placement>,
    ) -> Option<u32> {
        self.advance();
        let booking = planned.and_then(|planned| self.profile.add(planned, job.pes));
        debug_assert!(planned.is_some() == booking.is_some(), "an interval that was found is free");
        let planned = planned.unwrap_or(Entry::EMPTY.planned);
        self.jobs.open(self.entries, job, state, planned, booking)
    }

    /// Gives up what is left of a job that has ended or was cancelled; until when the profile
    /// held PEs for it.
    pub(super) fn remove(&mut self, row: u32) -> Option<Instant> {
        let &Entry { booking, .. } = self.entry(row)?;
        self.jobs.close(self.entries, row);
        self.profile.cancel(booking?)
    }
}
