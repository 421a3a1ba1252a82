//! What a policy plans with: the PEs that are free, and the jobs of a queue.

use crate::dispatch::jobs::Jobs;
use crate::dispatch::slot::JobSlot;
use crate::dispatch::{Job, Refusal, Ticket};
use crate::image::{BadImage, Stored, Take};
use crate::invariant::InvariantViolation;
use crate::reserve::{Interval, ReservationId};
use crate::slices::edit;
use crate::time::Instant;

/// When a job is planned to run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Of no meaning in line without a promise; [`Interval::PARKED`] of one that has lost its own.
    pub(super) at: Interval,
    /// Under conservative backfilling, what the profile knows it by, if it does.
    pub(super) booking: Option<ReservationId>,
    /// The number of the last pass over the line before or in which its earliest start was looked
    /// for; 0 if none was.
    pub(super) pass: u32,
}

/// Without the booking, which follows from the others.
impl Stored for Plan {
    fn store(&self, put: &mut impl FnMut(u32)) {
        self.at.store(put);
        put(self.pass);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        Ok(Self { at: Stored::load(take)?, booking: None, pass: take()? })
    }
}

/// Room for one job of a [`Backfill`](super::Backfill), with its plan.
pub type Entry = JobSlot<Plan>;

impl Entry {
    /// What a planner's storage is filled with, all zeros; its content does not matter.
    pub const EMPTY: Self = Self::empty(Plan::NONE);
}

impl Plan {
    pub(super) const NONE: Self = Self { at: Interval::NEVER, booking: None, pass: 0 };

    /// That of a job in line without an interval.
    pub(super) const PARKED: Self = Self { at: Interval::PARKED, ..Self::NONE };
}

/// Takes a job, that is, starts it and returns true, or does not.
pub(super) type Start<'a> = &'a mut dyn FnMut(Job) -> bool;

/// What a policy plans with at one instant.
///
/// - `now` is not before the present. It is after it as long as the call may yet be refused, for a
///   refusal is no news of the time.
/// - `pes` counts the PEs of the machine, `out` those out of service, `held` those of jobs that run. More
///   may be held than are in service.
/// - `kept` counts free ones that are for jobs whose time has come, as far as the call has looked.
pub struct Planner<'a> {
    pub(super) now: Instant,
    pub(super) present: &'a mut Instant,
    pub(super) pes: u32,
    pub(super) out: u32,
    pub(super) held: &'a mut u32,
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

    /// PEs in service.
    pub(super) const fn serving(&self) -> u32 {
        self.pes.saturating_sub(self.out)
    }

    /// PEs in service on which nothing runs.
    pub(super) const fn free(&self) -> u32 {
        self.serving().saturating_sub(*self.held)
    }

    /// Those of them that are kept for nobody.
    pub(super) const fn spare(&self) -> u32 {
        self.free().saturating_sub(self.kept)
    }

    /// A job has been accepted and waits in a line.
    pub(super) fn accept(&mut self, line: u8, job: Job, plan: Plan) -> Result<u32, Refusal> {
        let start = plan.at.start.ticks();
        let entries = self.entries.len() as u32;
        self.jobs.push(self.entries, line, job, start, plan).ok_or(Refusal::Full { entries })
    }

    /// Offers a job, and starts it if it is taken.
    pub(super) fn offer(&mut self, row: u32, start: Start<'_>) -> bool {
        let Some(&Entry { job, .. }) = self.entry(row) else { return false };
        if !start(job) {
            return false;
        }
        self.starts(row, job);
        true
    }

    /// A job in line runs from now on.
    fn starts(&mut self, row: u32, job: Job) {
        self.jobs.leave(self.entries, row);
        *self.held = self.held.saturating_add(job.pes);
    }

    /// A job has been accepted and runs; `line` is where it would wait.
    pub(super) fn adopt(&mut self, line: u8, job: Job) -> Result<u32, Refusal> {
        let row = self.accept(line, job, Plan::NONE)?;
        self.starts(row, job);
        Ok(row)
    }

    /// Gives up the entry of a job that has ended or was cancelled.
    pub(super) fn remove(&mut self, row: u32) {
        if let Some(entry) = self.entry(row).filter(|entry| !entry.waits()) {
            *self.held = self.held.saturating_sub(entry.job.pes);
        }
        self.jobs.close(self.entries, row);
    }

    /// A job that waits, or runs, runs from now on, with other terms.
    pub(super) fn claim(&mut self, row: u32, job: Job) {
        let Some(entry) = self.entries.get_mut(row as usize) else { return };
        if entry.runs() {
            *self.held = self.held.saturating_sub(entry.job.pes);
        } else {
            self.jobs.leave(self.entries, row);
        }
        edit(self.entries, row, |entry| entry.job = job);
        *self.held = self.held.saturating_add(job.pes);
    }

    /// A job that runs waits again, for one PE if it had none in service.
    pub(super) fn requeue(&mut self, row: u32, line: u8) {
        let Some(Entry { job, .. }) = self.entries.get_mut(row as usize) else { return };
        *self.held = self.held.saturating_sub(job.pes);
        job.pes = job.pes.max(1);
        self.jobs.requeue(self.entries, row, line);
    }
}

/// How a [`Backfill`](super::Backfill) plans: [`Easy`](super::Easy), [`Conservative`](super::Conservative) or
/// [`Promises`](super::Promises), and nobody else's. It asks for an item for each event of a queue.
pub trait BackfillPolicy {
    /// The name in tables and options.
    const NAME: &'static str;

    /// The line of jobs that wait for an interval of their own, if there are any.
    const RESERVED_LINE: Option<u8> = None;

    /// The fewest PEs of a job that runs.
    const LEAST_PES: u32 = 1;

    /// The kind of image.
    const KIND: [u8; 4];

    /// Whether a job may wait in a line.
    fn may_wait_in(job: &Job, line: u8) -> bool;

    /// The most entries that it can plan for.
    fn most_entries(&self) -> usize {
        usize::MAX
    }

    /// Puts a job in line, for which there is an entry.
    fn push(&mut self, planner: &mut Planner<'_>, job: Job) -> Result<u32, Refusal>;

    /// Takes in a job that runs since `started`, for which there is an entry.
    fn adopt(
        &mut self,
        planner: &mut Planner<'_>,
        job: Job,
        started: Instant,
    ) -> Result<u32, Refusal>;

    /// Offers jobs until one starts.
    fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32>;

    /// A job has ended or was cancelled.
    fn remove(&mut self, planner: &mut Planner<'_>, row: u32);

    /// Jobs that run have ended together.
    fn end_together(&mut self, planner: &mut Planner<'_>, tickets: &[Ticket]) {
        tickets.iter().for_each(|ticket| self.remove(planner, ticket.handle().index()));
    }

    /// A job that runs waits again.
    fn requeue(&mut self, planner: &mut Planner<'_>, row: u32);

    /// A job in line is held from now on, or one that was held is in line again.
    fn set_held(&mut self, planner: &mut Planner<'_>, row: u32, held: bool);

    /// A job in line has got another key.
    fn rekeyed(&mut self, _: &mut Planner<'_>, _row: u32) {}

    /// Nothing has happened, but that time has passed.
    fn pass(&mut self, planner: &mut Planner<'_>) {
        planner.advance();
    }

    /// The interval of a job that waits, if it is promised one.
    fn promised(&self, entry: &Entry) -> Option<Interval>;

    /// Whether a job that waits has an interval of its own, and no place in line.
    fn is_reserved(entry: &Entry) -> bool {
        entry.line.is_some() && entry.line == Self::RESERVED_LINE
    }

    /// The next planned start after `now` of which no event will tell; `now` if there is something
    /// left to do.
    fn wake_at(&self, _: &Jobs, _: &[Entry], _now: Instant) -> Option<Instant> {
        None
    }

    /// Passes to `put` what [`BackfillPolicy::load`] takes.
    fn store(&self, put: &mut dyn FnMut(u32));

    /// Goes on from an image, after the jobs were taken from it.
    fn load(&mut self, planner: &mut Planner<'_>, take: &mut Take<'_>) -> Result<(), BadImage>;

    /// Forgets all jobs.
    fn forget(&mut self);

    /// Recomputes what the policy derives.
    fn check(&self, jobs: &Jobs, entries: &[Entry]) -> Result<(), InvariantViolation>;
}

/// A policy that plans with numbers of PEs, not with which ones.
pub trait ByNumber: BackfillPolicy {
    /// Other PEs are in service than before.
    fn outage_changed(&mut self, planner: &mut Planner<'_>);
}
