//! A job that waits, with no more than observations show of it.

use super::sequence::requested;
use locox_models::workload::Job;

/// - `number` counts the jobs of its sequence, and `submit` the seconds since the first of them came.
/// - `requested` is the time that it asks for, in seconds.
///
/// Small, since each step looks at all that wait.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    pub(super) number: usize,
    pub(super) submit: u64,
    pub(super) requested: u64,
    pub(super) processors: u32,
    pub(super) user: Option<u32>,
}

impl Waiting {
    pub(super) fn new(number: usize, submit: u64, job: &Job) -> Self {
        let Job { processors, user, .. } = *job;
        Self { number, submit, requested: requested(job), processors, user }
    }
}
