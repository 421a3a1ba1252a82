//! What is kept of a line: one run of one job.

use super::id::JobId;

/// A run that has ended. Times are seconds since 1970.
///
/// Runs sort by submission, then by job: so the lines of one run, and the components of a heterogeneous job,
/// stand side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    pub(super) submit: i64,
    pub(super) id: JobId,
    pub(super) start: i64,
    pub(super) line: u64,
    pub(super) run: i64,
    pub(super) processors: u32,
    /// 0 if it is not known.
    pub(super) requested: u32,
    pub(super) limit: Option<i64>,
    /// Whether it was for some time, which is no part of `run`.
    pub(super) suspended: bool,
    pub(super) status: Status,
    pub(super) user: u32,
    pub(super) group: u32,
    pub(super) partition: u32,
}

/// How it ended, by the numbers of the Standard Workload Format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    Failed = 0,
    Completed = 1,
    Cancelled = 5,
}

impl Run {
    /// Whether both are components of one heterogeneous job.
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        let whole = |run: &Self| (run.submit, run.id.number, run.id.task);
        let parts = self.id.component.is_some() && other.id.component.is_some();
        parts && whole(self) == whole(other)
    }

    /// Whether both are the same run, told twice.
    pub(super) fn repeats(&self, other: &Self) -> bool {
        (self.submit, self.id, self.start) == (other.submit, other.id, other.start)
    }

    /// Takes in another component: together they have the processors of both, from the first start on, for
    /// the longest of the times.
    pub(super) fn join(&mut self, part: &Self) {
        let end = (self.start + self.run).max(part.start + part.run);
        self.start = self.start.min(part.start);
        self.run = end - self.start;
        self.processors = self.processors.saturating_add(part.processors);
        self.requested = match (self.requested, part.requested) {
            (0, _) | (_, 0) => 0,
            (one, other) => one.saturating_add(other),
        };
        self.limit = self.limit.zip(part.limit).map(|(one, other)| one.max(other));
        self.suspended |= part.suspended;
        if self.status == Status::Completed {
            self.status = part.status;
        }
    }
}
