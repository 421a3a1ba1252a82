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

use super::planner::{Entry, Planner, RESERVED, Start, Words};
use super::rule::{Promise, Rule, Steps};
use crate::dispatch::Job;
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
    fn try_head<W: Words>(
        &mut self,
        planner: &mut Planner<'_, W>,
        start: Start<'_>,
    ) -> Option<u32> {
        self.promise = None;
        let (head, entry) = planner.head()?;
        let (job, next) = (entry.job, entry.next());
        // Nowhere to be had only if it would end beyond the end of time.
        let promise = planner.earliest(&job, planner.now).unwrap_or(NEVER);
        if promise.start == planner.now && planner.offer(head, start) {
            return Some(head);
        }
        (self.promise, self.untried) = (Some(promise), next);
        None
    }

    /// Offers the untried jobs that do not delay the first one.
    fn try_others<W: Words>(
        &mut self,
        planner: &mut Planner<'_, W>,
        start: Start<'_>,
    ) -> Option<u32> {
        let promise = self.promise?;
        let spare = planner.spare();
        let mut leeway = None;
        while let Some(row) = self.untried
            && let Some(entry) = planner.entry(row)
        {
            let job = entry.job;
            self.untried = entry.next();
            if job.pes > spare {
                continue;
            }
            let leeway = leeway.get_or_insert_with(|| Leeway::beside(planner, promise));
            if leeway.holds(planner, &job) && planner.offer(row, start) {
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
struct Leeway {
    promise: Placement,
    head: u32,
    /// PEs that the first job leaves over all through its interval.
    extra: u32,
    /// Only running jobs hold PEs: from now on, more and more are free.
    rises: bool,
}

impl Leeway {
    fn beside<W: Words>(planner: &Planner<'_, W>, promise: Placement) -> Self {
        let head = planner.head().map_or(0, |(_, entry)| entry.job.pes);
        let extra = planner.fewest_free(promise).saturating_sub(head);
        Self { promise, head, extra, rises: planner.jobs.len(RESERVED) == 0 }
    }

    /// Whether a job for which enough PEs are free could run from now on and delay nobody.
    fn holds<W: Words>(&self, planner: &Planner<'_, W>, job: &Job) -> bool {
        let now = planner.now;
        let Some(end) = now.checked_add(job.requested) else { return false };
        if self.rises {
            return end <= self.promise.start || job.pes <= self.extra;
        }
        let both = Placement { start: self.promise.start.max(now), end: self.promise.end.min(end) };
        let with_head = job.pes.saturating_add(self.head);
        planner.fewest_free(Placement { start: now, end }) >= job.pes
            && (both.start >= both.end || planner.fewest_free(both) >= with_head)
    }
}

impl Rule for Easy {}

impl Steps for Easy {
    const NAME: &'static str = "easy";

    fn promise<W: Words>(&self, _: &mut Planner<'_, W>, _: &Job) -> Promise {
        Ok(None)
    }

    fn arrived(&mut self, row: u32, _: Option<Placement>, _: Instant) {
        self.untried.get_or_insert(row);
    }

    fn next<W: Words>(&mut self, planner: &mut Planner<'_, W>, start: Start<'_>) -> Option<u32> {
        if self.promise.is_none_or(|promise| promise.start <= planner.now)
            && let Some(started) = self.try_head(planner, start)
        {
            return Some(started);
        }
        self.try_others(planner, start)
    }

    /// A job with an interval that starts late also ends later than was planned for.
    fn changed<W: Words>(&mut self, _: &mut Planner<'_, W>, _: bool) {
        self.promise = None;
    }

    fn book_promise<W: Words>(&self, planner: &mut Planner<'_, W>) -> Option<ReservationId> {
        let head = planner.head()?.1.job;
        let known = self.promise.filter(|promise| promise.start > planner.now);
        let promise = known.or_else(|| planner.earliest(&head, planner.now))?;
        planner.profile.add(promise, head.pes).ok()
    }

    fn promised(&self, first_in_line: bool, _: &Entry) -> Option<Placement> {
        self.promise.filter(|promise| first_in_line && *promise != NEVER)
    }
}
