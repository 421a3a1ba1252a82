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

use super::jobs::Entry;
use super::planner::{Planner, Start};
use super::rule::{Rule, sealed::Steps};
use crate::dispatch::{Job, Refusal};
use crate::reserve::{Placement, ReservationId};
use crate::time::Instant;

/// The rules of EASY.
///
/// - `promise` is when the first job in line is to run; `None` if it is to be found.
/// - With a promise, the jobs in line before `untried` cannot start before something is released:
///   what is free only shrinks, and what ends later only comes nearer to the shadow time.
#[derive(Clone, Copy, Debug)]
pub struct Easy {
    promise: Option<Placement>,
    untried: Option<u32>,
}

/// At the end of time, which no job reaches.
const NEVER: Placement = Placement { start: Instant::MAX, end: Instant::MAX };

impl Easy {
    /// Nothing is promised.
    pub const fn new() -> Self {
        Self { promise: None, untried: None }
    }

    /// Offers the first job in line if it can start, else finds out when it can. The job, if it
    /// starts.
    fn try_head(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32> {
        let head = planner.jobs.in_line.first()?;
        let entry = planner.entry(head)?;
        let (job, next) = (entry.job, entry.next());
        // Nowhere to be had only if it would end beyond the end of time.
        let promise = planner.earliest(&job, planner.now).unwrap_or(NEVER);
        if promise.start == planner.now && planner.offer(head, start) {
            return Some(head);
        }
        (self.promise, self.untried) = (Some(promise), next);
        None
    }

    /// Offers the untried jobs that do not delay the first one; `kept` PEs are not theirs.
    fn try_others(
        &mut self,
        planner: &mut Planner<'_>,
        start: Start<'_>,
        kept: u32,
    ) -> Option<u32> {
        let promise = self.promise?;
        let free = planner.free().saturating_sub(kept);
        let mut room = None;
        while let Some(row) = self.untried
            && let Some(entry) = planner.entry(row)
        {
            let job = entry.job;
            self.untried = entry.next();
            if job.pes > free {
                continue;
            }
            let room = room.get_or_insert_with(|| Room::beside(planner, promise));
            if room.holds(planner, &job) && planner.offer(row, start) {
                return Some(row);
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
    fn beside(planner: &Planner<'_>, promise: Placement) -> Self {
        let head = planner.jobs.in_line.first().and_then(|head| planner.entry(head));
        let head = head.map_or(0, |entry| entry.job.pes);
        let extra = planner.profile.fewest_free(promise).saturating_sub(head);
        Self { promise, head, extra, rises: planner.jobs.reserved.is_empty() }
    }

    /// Whether a job for which enough PEs are free could run from now on and delay nobody.
    fn holds(&self, planner: &Planner<'_>, job: &Job) -> bool {
        let now = planner.now;
        let Some(end) = now.checked_add(job.requested) else { return false };
        if self.rises {
            return end <= self.promise.start || job.pes <= self.extra;
        }
        let both = Placement { start: self.promise.start.max(now), end: self.promise.end.min(end) };
        let with_head = job.pes.saturating_add(self.head);
        planner.profile.fewest_free(Placement { start: now, end }) >= job.pes
            && (both.start >= both.end || planner.profile.fewest_free(both) >= with_head)
    }
}

impl Rule for Easy {}

impl Steps for Easy {
    fn name(&self) -> &'static str {
        "easy"
    }

    fn promise(&self, _: &Planner<'_>, _: &Job) -> Result<Option<Placement>, Refusal> {
        Ok(None)
    }

    fn arrived(&mut self, _: &Planner<'_>, row: u32) {
        if self.untried.is_none() {
            self.untried = Some(row);
        }
    }

    fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32> {
        let kept = match planner.start_reserved(start) {
            Ok(started) => {
                // If it is late, it also ends later than was planned for.
                self.promise = None;
                return Some(started);
            }
            Err(kept) => kept,
        };
        if self.promise.is_none_or(|promise| promise.start <= planner.now) {
            self.promise = None;
            let started = self.try_head(planner, start);
            if started.is_some() {
                return started;
            }
        }
        self.try_others(planner, start, kept)
    }

    fn released(&mut self, _: &mut Planner<'_>, _: bool) {
        self.promise = None;
    }

    fn book_promise(&self, planner: &mut Planner<'_>) -> Option<ReservationId> {
        let head = planner.entry(planner.jobs.in_line.first()?)?.job;
        let known = self.promise.filter(|promise| promise.start > planner.now);
        let promise = known.or_else(|| planner.earliest(&head, planner.now))?;
        planner.profile.add(promise, head.pes)
    }

    fn promised(&self, first_in_line: bool, _: &Entry) -> Option<Placement> {
        self.promise.filter(|promise| first_in_line && *promise != NEVER)
    }

    /// The first job can start when one ends, which is an event.
    fn wake_at(&self, _: &mut dyn Iterator<Item = &Entry>, _: Instant) -> Option<Instant> {
        None
    }
}
