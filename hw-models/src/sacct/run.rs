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
    /// The number of what it asks for of nodes; 0 if that is not known.
    pub(super) resources: u32,
}

/// How it ended, by the numbers of the Standard Workload Format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    Failed = 0,
    Completed = 1,
    Cancelled = 5,
}

/// A run of a heterogeneous job: when it was submitted, its number, its task.
pub(super) type Whole = (i64, i64, Option<i64>);

impl JobId {
    /// The heterogeneous job that it is a component of, if it is one.
    pub(super) fn whole(self, submit: i64) -> Option<Whole> {
        self.component.map(|_| (submit, self.number, self.task))
    }
}

impl Run {
    /// The heterogeneous job that it is a component of, if it is one.
    pub(super) fn whole(&self) -> Option<Whole> {
        self.id.whole(self.submit)
    }

    /// Whether both are components of one heterogeneous job.
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        self.whole().is_some() && self.whole() == other.whole()
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
        // Components may ask for different nodes.
        self.resources = 0;
        if self.status == Status::Completed {
            self.status = part.status;
        }
    }
}
