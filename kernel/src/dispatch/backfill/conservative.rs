//! Conservative backfilling: each job has a promise from its arrival on.
//!
//! Source: A. W. Mu'alem and D. G. Feitelson, *Utilization, predictability, workloads, and user
//! runtime estimates in scheduling the IBM SP2 with backfilling*, 2001.
//!
//! 1. A job that arrives is given the earliest interval, by requested times, in which enough PEs
//!    are free between all others that run or have been given theirs.
//! 2. It starts when its interval does.
//! 3. *Compression*: when a job ends before its time, or one is cancelled, each job in line, in
//!    the order of arrival, is moved to the earliest interval that is now free, its own counted
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

use super::jobs::Entry;
use super::planner::{Planner, Start};
use super::rule::{Rule, sealed::Steps};
use crate::dispatch::{Job, Refusal};
use crate::reserve::{Placement, ReservationId};
use crate::time::Instant;

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

    /// Offers the jobs in line whose time has come; `kept` PEs are not theirs.
    fn start_due(
        &mut self,
        planner: &mut Planner<'_>,
        start: Start<'_>,
        mut kept: u32,
    ) -> Option<u32> {
        let mut at = planner.jobs.in_line.first();
        let mut seen = Self::new();
        while let Some(row) = at
            && let Some(entry) = planner.entry(row)
        {
            let (job, planned) = (entry.job, entry.planned);
            at = entry.next();
            seen.note(planned.start, planner.now);
            if planned.start > planner.now {
                continue;
            }
            let free = planner.free().saturating_sub(kept);
            if job.pes <= free && planner.offer(row, start) {
                return Some(row);
            }
            kept = kept.saturating_add(job.pes);
        }
        *self = seen;
        None
    }
}

impl Default for Conservative {
    fn default() -> Self {
        Self::new()
    }
}

impl Rule for Conservative {}

impl Steps for Conservative {
    fn name(&self) -> &'static str {
        "conservative"
    }

    fn promise(&self, planner: &Planner<'_>, job: &Job) -> Result<Option<Placement>, Refusal> {
        planner.earliest(job, planner.now).map(Some).ok_or(Refusal::Overflow)
    }

    fn arrived(&mut self, planner: &Planner<'_>, row: u32) {
        if let Some(entry) = planner.entry(row) {
            self.note(entry.planned.start, planner.now);
        }
    }

    fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32> {
        match planner.start_reserved(start) {
            Ok(started) => Some(started),
            Err(_) if self.due > planner.now => None,
            Err(kept) => self.start_due(planner, start, kept),
        }
    }

    fn released(&mut self, planner: &mut Planner<'_>, early: bool) {
        if !early {
            return;
        }
        let mut at = planner.jobs.in_line.first();
        *self = Self::new();
        while let Some(row) = at
            && let Some(entry) = planner.entries.get_mut(row as usize)
        {
            // One whose interval has passed while it waited is due, and stays so.
            if let Some(planned) = entry.booking.and_then(|id| planner.profile.bring_forward(id)) {
                entry.planned = planned;
            }
            self.note(entry.planned.start, planner.now);
            at = entry.next();
        }
    }

    fn book_promise(&self, _: &mut Planner<'_>) -> Option<ReservationId> {
        None
    }

    fn promised(&self, _: bool, entry: &Entry) -> Option<Placement> {
        Some(entry.planned)
    }

    fn wake_at(&self, line: &mut dyn Iterator<Item = &Entry>, now: Instant) -> Option<Instant> {
        if self.upcoming > now {
            return Some(self.upcoming).filter(|&start| start < Instant::MAX);
        }
        line.map(|entry| entry.planned.start).filter(|&start| start > now).min()
    }
}
