//! EASY backfilling: the head of the line has a promise, others may overtake if they keep it.
//!
//! Source: D. A. Lifka, *The ANL/IBM SP scheduling system*, 1995; the rules as in A. W. Mu'alem
//! and D. G. Feitelson, *Utilization, predictability, workloads, and user runtime estimates in
//! scheduling the IBM SP2 with backfilling*, 2001.
//!
//! 1. As long as the first job in line can start, it does.
//! 2. The first one that cannot is promised the *shadow time*: the earliest time at which enough
//!    PEs will be free, by requested times.
//! 3. The others are tried in the order of arrival. One starts if enough PEs are free and it ends
//!    by the shadow time, or if it uses only *extra* PEs, which the first job leaves over then.
//!
//! The promise is made anew after each release, so an early end brings it forward. The head is
//! never delayed by a job that overtakes it; those behind it may be, without bound. Choose it for
//! utilisation and short waits where jobs say how long they run.
//!
//! Beyond the sources: jobs with deadlines hold intervals of the profile, around which the head
//! gets its promise and which overtaking jobs leave free. A job that runs longer than requested
//! holds its PEs and is taken to end at the next tick. Where the machine refuses the head although
//! enough PEs are free, that number is kept for it.
//!
//! Cost: an arrival is one look at the new job. A release looks once at each job in line, and
//! at the profile for each that fits by number; a start costs a reservation in the profile.

use super::desk::{Desk, Moment};
use super::entries::{Entry, NEVER, NONE};
use super::planner::TimedJob;
use super::rule::{Rule, sealed::Steps};
use crate::reserve::{Denied, Placement, ReservationId};
use crate::time::Instant;

/// The rules of EASY.
///
/// - `promise` is when the first job in line is to run; `None` if it is to be found.
/// - With a promise, the jobs in line before `untried` cannot start before something is released:
///   what is free only shrinks, and what ends later only comes nearer to the shadow time.
#[derive(Clone, Copy, Debug)]
pub struct Easy {
    promise: Option<Placement>,
    untried: u32,
}

impl Easy {
    /// Nothing is promised.
    pub const fn new() -> Self {
        Self { promise: None, untried: NONE }
    }

    /// Offers the first job in line if it can start, else finds out when it can. The job, if it
    /// starts.
    fn try_head(&mut self, desk: &mut Desk<'_>, moment: &mut Moment<'_>) -> Option<u32> {
        let head = desk.books.entries.line.first;
        let &Entry { job, next, .. } = desk.entry(head)?;
        // Nowhere to be had only if it would end beyond the end of time.
        let promise = desk.earliest(&job, moment.now).unwrap_or(NEVER);
        if promise.start == moment.now && desk.offer(head, moment) {
            return Some(head);
        }
        (self.promise, self.untried) = (Some(promise), next);
        None
    }

    /// Offers the untried jobs that do not delay the first one.
    fn try_others(
        &mut self,
        desk: &mut Desk<'_>,
        moment: &mut Moment<'_>,
        kept: u32,
    ) -> Option<u32> {
        let promise = self.promise?;
        let free = desk.free().saturating_sub(kept);
        let mut room = None;
        while let Some(&Entry { job, next, .. }) = desk.entry(self.untried) {
            let index = core::mem::replace(&mut self.untried, next);
            if job.pes > free {
                continue;
            }
            let room = room.get_or_insert_with(|| Room::beside(desk, promise));
            if room.holds(desk, &job, moment.now) && desk.offer(index, moment) {
                return Some(index);
            }
        }
        None
    }
}

impl Default for Easy {
    fn default() -> Self {
        Self::new()
    }
}

/// What a promise leaves to others.
struct Room {
    promise: Placement,
    head: u32,
    /// PEs that the first job leaves over all through its interval.
    extra: u32,
    /// Only running jobs hold PEs: from now on, more and more are free.
    rises: bool,
}

impl Room {
    fn beside(desk: &Desk<'_>, promise: Placement) -> Self {
        let head = desk.entry(desk.books.entries.line.first).map_or(0, |entry| entry.job.pes);
        let extra = desk.profile.fewest_free(promise).saturating_sub(head);
        Self { promise, head, extra, rises: desk.books.entries.dated.len == 0 }
    }

    /// Whether a job for which enough PEs are free could run from now on and delay nobody.
    fn holds(&self, desk: &Desk<'_>, job: &TimedJob, now: Instant) -> bool {
        let Some(end) = now.checked_add(job.requested) else { return false };
        if self.rises {
            return end <= self.promise.start || job.pes <= self.extra;
        }
        let both = Placement { start: self.promise.start.max(now), end: self.promise.end.min(end) };
        let with_head = job.pes.saturating_add(self.head);
        desk.profile.fewest_free(Placement { start: now, end }) >= job.pes
            && (both.start >= both.end || desk.profile.fewest_free(both) >= with_head)
    }
}

impl Rule for Easy {}

impl Steps for Easy {
    fn name(&self) -> &'static str {
        "easy"
    }

    fn arrived(&mut self, _: &mut Desk<'_>, index: u32) -> Result<(), Denied> {
        if self.untried == NONE {
            self.untried = index;
        }
        Ok(())
    }

    fn next(&mut self, desk: &mut Desk<'_>, moment: &mut Moment<'_>) -> Option<u32> {
        let kept = match desk.start_dated(moment) {
            Ok(started) => {
                // If it is late, it also ends later than was planned for.
                self.promise = None;
                return Some(started);
            }
            Err(kept) => kept,
        };
        if self.promise.is_none_or(|promise| promise.start <= moment.now) {
            self.promise = None;
            let started = self.try_head(desk, moment);
            if started.is_some() {
                return started;
            }
        }
        self.try_others(desk, moment, kept)
    }

    fn released(&mut self, _: &mut Desk<'_>, _: bool) {
        self.promise = None;
    }

    fn keep_promise(&self, desk: &mut Desk<'_>) -> Option<ReservationId> {
        let head = desk.entry(desk.books.entries.line.first)?.job;
        let now = desk.profile.now();
        let known = self.promise.filter(|promise| promise.start > now);
        let promise = known.or_else(|| desk.earliest(&head, now).ok())?;
        desk.profile.add(promise, head.pes)
    }

    fn promised(&self, first_in_line: bool, _: &Entry) -> Option<Placement> {
        self.promise.filter(|promise| first_in_line && *promise != NEVER)
    }

    /// The first job can start when one ends, which is an event.
    fn wake(&self, _: &mut dyn Iterator<Item = &Entry>, _: Instant) -> Option<Instant> {
        None
    }
}
