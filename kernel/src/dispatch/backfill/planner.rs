//! What a policy plans with: the PEs that are free, and the jobs of a queue.

use crate::dispatch::jobs::Jobs;
use crate::dispatch::slot::JobSlot;
use crate::dispatch::{Job, Refusal, Ticket};
use crate::invariant::InvariantViolation;
use crate::reserve::{Placement, ReservationId};
use crate::time::Instant;

/// When a job is planned to run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Of no meaning in line without a promise.
    pub(super) at: Placement,
    /// Under conservative backfilling, what the profile knows it by, if it does.
    pub(super) booking: Option<ReservationId>,
    /// The number of the last pass over the line before or in which its earliest start was looked
    /// for; 0 if none was.
    pub(super) pass: u32,
}

/// Room for one job of a [`Backfill`](super::Backfill), with its plan.
pub type Entry = JobSlot<Plan>;

impl Entry {
    /// What a planner's storage is filled with, all zeros; its content does not matter.
    pub const EMPTY: Self = Self::empty(Plan::NONE);
}

impl Plan {
    pub(super) const NONE: Self = Self { at: Placement::NEVER, booking: None, pass: 0 };
}

/// Takes a job, that is, starts it and returns true, or does not.
pub(super) type Start<'a> = &'a mut dyn FnMut(Job) -> bool;

/// What a policy plans with at one instant.
///
/// - `now` is not before the present. It is after it as long as the call may yet be refused, for a
///   refusal is no news of the time.
/// - `free` counts the PEs on which nothing runs.
/// - `kept` counts those of them that are for jobs whose time has come, as far as the call has
///   looked.
pub struct Planner<'a> {
    pub(super) now: Instant,
    pub(super) present: &'a mut Instant,
    pub(super) free: &'a mut u32,
    pub(super) kept: u32,
    pub(super) jobs: &'a mut Jobs,
    pub(super) entries: &'a mut [Entry],
}

impl Planner<'_> {
    /// The time of the call is the present from now on.
    pub(super) fn advance(&mut self) {
        *self.present = self.now;
    }

    pub(super) fn entry(&self, row: u32) -> Option<&Entry> {
        self.entries.get(row as usize)
    }

    pub(super) fn ticket(&self, row: u32) -> Ticket {
        self.jobs.ticket(self.entries, row)
    }

    /// PEs on which nothing runs and that are kept for nobody.
    pub(super) fn spare(&self) -> u32 {
        self.free.saturating_sub(self.kept)
    }

    /// A job has been accepted and waits in a line.
    pub(super) fn accept(&mut self, line: u8, job: Job, plan: Plan) -> Result<u32, Refusal> {
        let start = plan.at.start.ticks();
        self.jobs.push(self.entries, line, job, start, plan).ok_or(Refusal::Full)
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

    /// Gives up the entry of a job that has ended or was cancelled.
    pub(super) fn remove(&mut self, row: u32) {
        if let Some(entry) = self.entry(row).filter(|entry| !entry.waits()) {
            *self.free = self.free.saturating_add(entry.job.pes);
        }
        self.jobs.close(self.entries, row);
    }
}

/// How a [`Backfill`](super::Backfill) plans: [`Easy`](super::Easy) or
/// [`Conservative`](super::Conservative).
pub trait BackfillPolicy {
    /// The name in tables and options.
    const NAME: &'static str;

    /// Puts a job in line, for which there is an entry.
    fn push(&mut self, planner: &mut Planner<'_>, job: Job) -> Result<u32, Refusal>;

    /// Offers jobs until one starts.
    fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32>;

    /// A job has ended or was cancelled.
    fn remove(&mut self, planner: &mut Planner<'_>, row: u32);

    /// A job in line has got another key.
    fn rekeyed(&mut self) {}

    /// The interval of a job that waits, if it is promised one.
    fn promised(&self, entry: &Entry) -> Option<Placement>;

    /// Whether a job that waits has an interval of its own, and no place in line.
    fn is_reserved(&self, _entry: &Entry) -> bool {
        false
    }

    /// The next planned start after `now` of which no event will tell; `now` if there is something
    /// left to do.
    fn wake_at(&self, _: &Jobs, _: &[Entry], _now: Instant) -> Option<Instant> {
        None
    }

    /// Recomputes what the policy derives.
    fn check(&self, jobs: &Jobs, entries: &[Entry]) -> Result<(), InvariantViolation>;
}
