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

use super::desk::{Desk, Moment};
use super::entries::Entry;
use super::rule::{Rule, sealed::Steps};
use crate::reserve::{Denied, Placement, Refusal, ReservationId};
use crate::time::Instant;

/// The rules of conservative backfilling.
///
/// - No job in line is planned to start before `due`; if that is yet to come, one starts then.
#[derive(Clone, Copy, Debug)]
pub struct Conservative {
    due: Instant,
}

impl Conservative {
    /// Nothing is promised.
    pub const fn new() -> Self {
        Self { due: Instant::MAX }
    }

    /// Offers the jobs in line whose time has come.
    fn start_due(
        &mut self,
        desk: &mut Desk<'_>,
        moment: &mut Moment<'_>,
        kept: u32,
    ) -> Option<u32> {
        let (mut index, mut kept) = (desk.books.entries.line.first, kept);
        let mut due = Instant::MAX;
        while let Some(&Entry { job, planned, next, .. }) = desk.entry(index) {
            if planned.start <= moment.now {
                let free = desk.free().saturating_sub(kept);
                if job.pes <= free && desk.offer(index, moment) {
                    return Some(index);
                }
                kept = kept.saturating_add(job.pes);
            }
            due = due.min(planned.start);
            index = next;
        }
        self.due = due;
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

    fn arrived(&mut self, desk: &mut Desk<'_>, index: u32) -> Result<(), Denied> {
        let Some(&Entry { job, .. }) = desk.entry(index) else { return Ok(()) };
        let planned = desk.earliest(&job, desk.profile.now())?;
        let id = desk.profile.add(planned, job.pes).ok_or(Refusal::Full)?;
        if let Some(entry) = desk.entry_mut(index) {
            (entry.planned, entry.booking) = (planned, Some(id));
        }
        self.due = self.due.min(planned.start);
        Ok(())
    }

    fn next(&mut self, desk: &mut Desk<'_>, moment: &mut Moment<'_>) -> Option<u32> {
        match desk.start_dated(moment) {
            Ok(started) => Some(started),
            Err(_) if self.due > moment.now => None,
            Err(kept) => self.start_due(desk, moment, kept),
        }
    }

    fn released(&mut self, desk: &mut Desk<'_>, early: bool) {
        if !early {
            return;
        }
        let mut index = desk.books.entries.line.first;
        self.due = Instant::MAX;
        while let Some(entry) = desk.slots.get_mut(index as usize) {
            // One whose interval has passed while it waited is due, and stays so.
            if let Some(Ok(planned)) = entry.booking.map(|id| desk.profile.bring_forward(id)) {
                entry.planned = planned;
            }
            self.due = self.due.min(entry.planned.start);
            index = entry.next;
        }
    }

    fn keep_promise(&self, _: &mut Desk<'_>) -> Option<ReservationId> {
        None
    }

    fn promised(&self, _: bool, entry: &Entry) -> Option<Placement> {
        Some(entry.planned)
    }

    fn wake(&self, line: &mut dyn Iterator<Item = &Entry>, now: Instant) -> Option<Instant> {
        if self.due > now {
            return Some(self.due).filter(|&due| due < Instant::MAX);
        }
        line.map(|entry| entry.planned.start).filter(|&start| start > now).min()
    }
}
