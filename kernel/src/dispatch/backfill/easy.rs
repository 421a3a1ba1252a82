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
//! Cost: who may overtake is found without a look at the others: jobs wait in a tree for each size
//! class, whose branches say what the least job asks for. Of classes that the free PEs do not cut
//! that is the logarithm of the line; in the one that they do, branches are searched in vain in
//! which one job is small and another one short. Beside jobs with deadlines each candidate is a
//! look at the profile. A start costs a reservation in the profile.

use super::planner::{Entry, Planner, RESERVED, Start, Words};
use super::rule::{Promise, Rule, Steps};
use crate::dispatch::line::{Needs, Place, behind};
use crate::dispatch::{Job, SizeClass};
use crate::reserve::{Placement, ReservationId};
use crate::time::Instant;

/// The rules of EASY.
///
/// - `promise` is when the first job in line is to run; `None` if it is to be found.
/// - At most `depth` jobs behind the first one are tried.
/// - With a promise, the jobs that stand before `untried` cannot start before something is
///   released: what is free only shrinks, and what ends later only comes nearer to the shadow time.
#[derive(Clone, Copy, Debug)]
pub struct Easy {
    depth: u32,
    promise: Option<Placement>,
    untried: Place,
}

/// Behind all jobs.
const END: Place = (u64::MAX, u64::MAX);

/// At the end of time, which no job reaches.
const NEVER: Placement = Placement { start: Instant::MAX, end: Instant::MAX };

impl Easy {
    /// Any job may overtake. Nothing is promised yet.
    pub const fn new() -> Self {
        Self::of(u32::MAX)
    }

    /// Only the first `depth` jobs behind the head may overtake it.
    pub const fn of(depth: u32) -> Self {
        Self { depth, promise: None, untried: END }
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
        let (job, place) = (entry.job, entry.place());
        // Nowhere to be had only if it would end beyond the end of time.
        let promise = planner.earliest(&job, planner.now).unwrap_or(NEVER);
        if promise.start == planner.now && planner.offer(head, start) {
            return Some(head);
        }
        (self.promise, self.untried) = (Some(promise), behind(place));
        None
    }

    /// Offers the untried jobs that do not delay the first one.
    fn try_others<W: Words>(
        &mut self,
        planner: &mut Planner<'_, W>,
        start: Start<'_>,
    ) -> Option<u32> {
        let promise = self.promise?;
        // Without this check each call asks the profile what the first job leaves over.
        if self.untried == END || planner.spare() < planner.least_pes() {
            self.untried = END;
            return None;
        }
        let leeway = Leeway::beside(planner, promise);
        while let Some((place, row)) = leeway.first(planner, self.untried) {
            self.untried = behind(place);
            if self.depth < u32::MAX && planner.before(place) > self.depth {
                break;
            }
            if leeway.holds(planner, row) && planner.offer(row, start) {
                return Some(row);
            }
        }
        self.untried = END;
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
    /// What a job may ask for that ends by the shadow time.
    short: Needs,
    /// The same, of one that uses only PEs that the first job leaves over at that time.
    narrow: Needs,
}

impl Leeway {
    fn beside<W: Words>(planner: &Planner<'_, W>, promise: Placement) -> Self {
        let head = planner.head().map_or(0, |(_, entry)| entry.job.pes);
        let (spare, start) = (planner.spare(), promise.start);
        let then = Placement { start, end: Instant::from_ticks(start.ticks().saturating_add(1)) };
        let extra = planner.fewest_free(then).saturating_sub(head);
        let slack = start.ticks().saturating_sub(planner.now.ticks());
        Self {
            promise,
            head,
            short: Needs { pes: spare, requested: slack, ..Needs::MOST },
            narrow: Needs { pes: extra.min(spare), ..Needs::MOST },
        }
    }

    /// The first job at a place or behind it for which enough PEs are free, and that is out of the
    /// way of the first one at the shadow time.
    fn first<W: Words>(&self, planner: &Planner<'_, W>, from: Place) -> Option<(Place, u32)> {
        let in_line = |line| {
            let line = planner.jobs.line(line);
            let rows = [self.short, self.narrow]
                .map(|most| line.first_within(planner.entries, from, most));
            rows.into_iter().flatten().filter_map(|row| Some((planner.entry(row)?.place(), row)))
        };
        let largest = SizeClass::of(self.short.pes).get();
        planner.jobs.standing(largest.wrapping_add(1)).flat_map(in_line).min()
    }

    /// Whether a job that may be out of the way at the shadow time delays nobody: certainly, if
    /// only running jobs hold PEs, as more and more are free then.
    fn holds<W: Words>(&self, planner: &Planner<'_, W>, row: u32) -> bool {
        let Some(&Entry { job, .. }) = planner.entry(row) else { return false };
        let now = planner.now;
        let Some(end) = now.checked_add(job.requested) else { return false };
        if planner.jobs.first(RESERVED).is_none() {
            return true;
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

    fn line(class: SizeClass) -> u8 {
        class.get()
    }

    fn arrived<W: Words>(&mut self, planner: &Planner<'_, W>, row: u32) {
        let Some(entry) = planner.entry(row) else { return };
        self.untried = self.untried.min(entry.place());
        if planner.head().is_some_and(|(head, _)| head == row) {
            self.promise = None;
        }
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
    fn changed<W: Words>(&mut self, _: &mut Planner<'_, W>, _: Option<Placement>) {
        self.promise = None;
    }

    fn book_promise<W: Words>(&self, planner: &mut Planner<'_, W>) -> Option<ReservationId> {
        let head = planner.head()?.1.job;
        let known = self.promise.filter(|promise| promise.start > planner.now);
        let promise = known.or_else(|| planner.earliest(&head, planner.now))?;
        planner.profile.add(promise, head.pes).ok()
    }

    fn promised(&self, _: &Entry, is_first: impl Fn() -> bool) -> Option<Placement> {
        self.promise.filter(|promise| *promise != NEVER && is_first())
    }
}
