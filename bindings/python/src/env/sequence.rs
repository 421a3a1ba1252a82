//! Jobs of a workload in a row.

use locox::time::Instant;
use locox_models::workload::{Job, Workload};
use std::sync::Arc;

pub(super) type Sequence = Box<dyn Iterator<Item = Job> + Send + Sync>;

/// So many jobs, which the workload has, from this one on. The first of them comes at zero.
pub(super) fn sequence(workload: &Arc<Workload>, first: usize, length: usize) -> Sequence {
    let workload = Arc::clone(workload);
    let zero = workload.jobs[first].submit.ticks();
    Box::new((first..first + length).map(move |at| {
        let job = workload.jobs[at].clone();
        Job { submit: Instant::from_ticks(job.submit.ticks() - zero), ..job }
    }))
}

/// The time that a job asks for, in seconds.
pub(super) fn requested(job: &Job) -> u64 {
    job.requested.unwrap_or(job.run).ticks()
}
