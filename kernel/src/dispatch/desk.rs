//! What both planners do alike: keep account of PEs, start jobs, serve those with deadlines.

use super::entries::{Entries, Entry, State};
use super::planner::TimedJob;
use crate::bits::Word;
use crate::handle;
use crate::reserve::{Denied, Fit, Misuse, Placement, Profile, Request, ReservationId};
use crate::time::Instant;

/// A profile, whatever its storage.
pub(super) trait Calendar {
    fn now(&self) -> Instant;
    fn advance(&mut self, now: Instant);
    fn find(&self, request: &Request) -> Result<Placement, Denied>;
    fn add(&mut self, at: Placement, pes: u32) -> Option<ReservationId>;
    fn replace(&mut self, id: ReservationId, at: Placement, pes: u32) -> Result<(), Denied>;
    /// Until when it held PEs; `None` if it has ended and is gone by itself.
    fn cancel(&mut self, id: ReservationId) -> Option<Instant>;
    fn bring_forward(&mut self, id: ReservationId) -> Result<Placement, handle::Misuse>;
    /// None are free in an interval that is none.
    fn fewest_free(&self, at: Placement) -> u32;
}

impl<W: AsRef<[Word]> + AsMut<[Word]>> Calendar for Profile<W> {
    fn now(&self) -> Instant {
        Profile::now(self)
    }

    fn advance(&mut self, now: Instant) {
        // A time that has passed already is the present.
        if now > Profile::now(self) {
            let _ = Profile::advance(self, now);
        }
    }

    fn find(&self, request: &Request) -> Result<Placement, Denied> {
        Profile::find(self, request, &Fit::First)
    }

    fn add(&mut self, at: Placement, pes: u32) -> Option<ReservationId> {
        Profile::add(self, at, pes).ok()
    }

    fn replace(&mut self, id: ReservationId, at: Placement, pes: u32) -> Result<(), Denied> {
        Profile::replace(self, id, at, pes)
    }

    fn cancel(&mut self, id: ReservationId) -> Option<Instant> {
        Profile::cancel(self, id).ok().map(|given_back| given_back.end)
    }

    fn bring_forward(&mut self, id: ReservationId) -> Result<Placement, handle::Misuse> {
        Profile::bring_forward(self, id)
    }

    fn fewest_free(&self, at: Placement) -> u32 {
        Profile::fewest_free(self, at).unwrap_or(0)
    }
}

/// The state that planners share, beside profile and entries.
///
/// - `running` sums the PEs of the running jobs. The profile may show fewer: one that should have
///   ended is not in it any more.
#[derive(Clone, Debug)]
pub(super) struct Books {
    pub(super) entries: Entries,
    pub(super) pes: u32,
    pub(super) running: u32,
}

/// A planner's books on its desk, whatever their storage.
pub struct Desk<'a> {
    pub(super) books: &'a mut Books,
    pub(super) profile: &'a mut dyn Calendar,
    pub(super) slots: &'a mut [Entry],
}

/// The moment at which jobs are started, and by whom.
pub struct Moment<'a> {
    pub(super) now: Instant,
    pub(super) start: &'a mut dyn FnMut(TimedJob) -> bool,
}

impl Desk<'_> {
    pub(super) fn entry(&self, index: u32) -> Option<&Entry> {
        self.slots.get(index as usize)
    }

    pub(super) fn entry_mut(&mut self, index: u32) -> Option<&mut Entry> {
        self.slots.get_mut(index as usize)
    }

    /// PEs on which nothing runs.
    pub(super) fn free(&self) -> u32 {
        self.books.pes.saturating_sub(self.books.running)
    }

    /// The earliest interval for a job from an instant on, by the profile. Where PEs are held by
    /// jobs that should have ended, or kept for ones that should have started, that is not the
    /// present.
    pub(super) fn earliest(&self, job: &TimedJob, from: Instant) -> Result<Placement, Denied> {
        let now = self.profile.now();
        let free = self.free().saturating_sub(self.kept_for_dated());
        let held_up = from <= now && job.pes > free;
        let ready = if held_up { Instant::from_ticks(now.ticks().saturating_add(1)) } else { from };
        self.profile.find(&Request::new(ready, job.requested, job.pes))
    }

    /// Offers a job, and starts it if it is taken.
    pub(super) fn offer(&mut self, index: u32, moment: &mut Moment<'_>) -> bool {
        let Some(&Entry { job, .. }) = self.entry(index) else { return false };
        if !(moment.start)(job) {
            return false;
        }
        self.books.entries.unlink(self.slots, index);
        self.books.running = self.books.running.saturating_add(job.pes);
        let end = moment.now.saturating_add(job.requested);
        self.book(index, Placement { start: moment.now, end });
        true
    }

    /// Notes that a job runs, and from when to when the profile is to know of it. A job that is
    /// late may find that another was promised its PEs before its new end: the profile then keeps
    /// what it has, and the job counts as one that should have ended from then on.
    fn book(&mut self, index: u32, at: Placement) {
        let Some(&Entry { job, planned, booking, .. }) = self.entry(index) else { return };
        let booking = match booking {
            Some(id) if planned == at => Some(id),
            Some(id) => match self.profile.replace(id, at, job.pes) {
                Err(Denied::Wrong(Misuse::Handle(_))) => self.profile.add(at, job.pes),
                _ => Some(id),
            },
            None => self.profile.add(at, job.pes),
        };
        let Some(entry) = self.entry_mut(index) else { return };
        (entry.state, entry.planned, entry.booking) = (State::Runs, at, booking);
    }

    /// Offers the jobs with deadlines whose time has come.
    ///
    /// # Errors
    ///
    /// None was started: the PEs to keep for those that should have been.
    pub(super) fn start_dated(&mut self, moment: &mut Moment<'_>) -> Result<u32, u32> {
        let (mut index, mut kept) = (self.books.entries.dated.first, 0u32);
        while let Some(&Entry { job, planned, next, .. }) = self.entry(index) {
            if planned.start <= moment.now {
                let free = self.free().saturating_sub(kept);
                if job.pes <= free && self.offer(index, moment) {
                    return Ok(index);
                }
                kept = kept.saturating_add(job.pes);
            }
            index = next;
        }
        Err(kept)
    }

    /// The PEs to keep for jobs with deadlines that should have started.
    pub(super) fn kept_for_dated(&self) -> u32 {
        let now = self.profile.now();
        let dated = Entries::each(self.slots, &self.books.entries.dated);
        let late = dated.filter(|entry| entry.planned.start <= now);
        late.fold(0, |sum, entry| sum.saturating_add(entry.job.pes))
    }

    /// Gives up what is left of a job that has ended or was cancelled; until when the profile
    /// held PEs for it.
    pub(super) fn remove(&mut self, index: u32) -> Option<Instant> {
        let &Entry { job, state, booking, .. } = self.entry(index)?;
        if state == State::Runs {
            self.books.running = self.books.running.saturating_sub(job.pes);
        } else {
            self.books.entries.unlink(self.slots, index);
        }
        self.books.entries.close(self.slots, index);
        self.profile.cancel(booking?)
    }
}
