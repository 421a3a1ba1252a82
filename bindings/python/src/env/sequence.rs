//! Jobs of a workload in a row.

use locox::time::Instant;
use locox_models::workload::{Job, Workload};
use std::sync::Arc;

/// The first of them comes at zero.
pub(super) struct Sequence {
    workload: Arc<Workload>,
    at: usize,
    end: usize,
    zero: Instant,
}

impl Sequence {
    /// So many jobs, which the workload has, from this one on.
    pub(super) fn new(workload: &Arc<Workload>, first: usize, length: usize) -> Self {
        let zero = workload.jobs[first].submit;
        Self { workload: Arc::clone(workload), at: first, end: first + length, zero }
    }
}

impl Iterator for Sequence {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        let job = self.workload.jobs[..self.end].get(self.at)?;
        self.at += 1;
        let submit = Instant::from_ticks(job.submit.ticks() - self.zero.ticks());
        Some(Job { submit, ..job.clone() })
    }
}

/// The time that a job asks for, in seconds.
pub(super) fn requested(job: &Job) -> u64 {
    job.requested.unwrap_or(job.run).ticks()
}
