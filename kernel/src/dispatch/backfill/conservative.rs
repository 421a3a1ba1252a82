//! Conservative backfilling: each job has a promise from its arrival on.
//!
//! Source: A. W. Mu'alem and D. G. Feitelson, *Utilization, predictability, workloads, and user
//! runtime estimates in scheduling the IBM SP2 with backfilling*, 2001.
//!
//! 1. A job that arrives is given the earliest interval, by requested times, in which enough PEs
//!    are free between all others that run or have been given theirs.
//! 2. It starts when its interval does.
//! 3. *Compression*: when a job ends before its time, or one is cancelled, each job in line, in
//!    its order, is moved to the earliest interval that is now free, its own counted
//!    as free, if that is earlier. There is one pass: what a job leaves by moving is offered to
//!    those behind it, and to those before it at the next compression.
//!
//! An interval is never moved back, so no job delays another that came before it. The price
//! against EASY are holes that nobody may use. Choose it where users are told when their jobs run.
//!
//! Beyond the source: jobs with deadlines hold intervals like all others, but are never moved.
//! Jobs that run longer than requested hold their PEs: those whose time has come wait in the
//! order of arrival, and as many PEs are kept for them as they need. So do jobs that the machine
//! refuses.
//!
//! Cost: an arrival is a search and a reservation. A compression is a search for each job in
//! line, which ends at the job's own start, and a reservation for each that moves.

use super::planner::{Entry, Planner, Start, Words};
use super::rule::{Promise, Rule, Steps};
use crate::dispatch::{Job, Refusal, SizeClass, line};
use crate::reserve::Placement;
use crate::time::Instant;

/// The line of all jobs that were pushed.
const IN_LINE: u8 = SizeClass::SMALLEST.get();

/// The rules of conservative backfilling.
///
/// - No job in line is planned to start before `due`.
/// - Of those that are to start later than now, none does before `upcoming`; if that is yet to
///   come, one starts then.
#[derive(Clone, Copy, Debug)]
pub struct Conservative {
    due: Instant,
    upcoming: Instant,
}

impl Conservative {
    /// Nothing is promised.
    pub const fn new() -> Self {
        Self { due: Instant::MAX, upcoming: Instant::MAX }
    }

    /// A job in line is planned to start at `start`.
    fn note(&mut self, start: Instant, now: Instant) {
        self.due = self.due.min(start);
        if start > now {
            self.upcoming = self.upcoming.min(start);
        }
    }
}

impl Default for Conservative {
    fn default() -> Self {
        Self::new()
    }
}

impl Rule for Conservative {}

impl Steps for Conservative {
    const NAME: &'static str = "conservative";

    fn promise<W: Words>(&self, planner: &mut Planner<'_, W>, job: &Job) -> Promise {
        planner.keep_for_reserved();
        planner.earliest(job, planner.now).map(Some).ok_or(Refusal::Overflow)
    }

    fn arrived<W: Words>(&mut self, planner: &Planner<'_, W>, row: u32) {
        if let Some(entry) = planner.entry(row) {
            self.note(entry.note.at.start, planner.now);
        }
    }

    fn next<W: Words>(&mut self, planner: &mut Planner<'_, W>, start: Start<'_>) -> Option<u32> {
        let now = planner.now;
        if self.due > now {
            return None;
        }
        let mut seen = Self::new();
        let started = planner.start_due(IN_LINE, start, |at| {
            seen.note(at, now);
            true
        });
        if started.is_none() {
            *self = seen;
        }
        started
    }

    fn changed<W: Words>(&mut self, planner: &mut Planner<'_, W>, early: bool) {
        if !early {
            return;
        }
        *self = Self::new();
        let mut at = planner.jobs.first(IN_LINE);
        while let Some(row) = at
            && let Some(entry) = planner.entries.get_mut(row as usize)
        {
            let plan = &mut entry.note;
            // One whose interval has passed while it waited is due, and stays so.
            if let Some(Ok(nearer)) = plan.booking.map(|id| planner.profile.bring_forward(id)) {
                plan.at = nearer;
            }
            self.note(plan.at.start, planner.now);
            at = line::next(planner.entries, row);
        }
    }

    fn promised(&self, entry: &Entry, _: impl Fn() -> bool) -> Option<Placement> {
        Some(entry.note.at)
    }

    fn wake_at(&self, now: Instant, search: impl Fn() -> Option<Instant>) -> Option<Instant> {
        if self.upcoming <= now {
            return search();
        }
        Some(self.upcoming).filter(|&start| start < Instant::MAX)
    }
}
