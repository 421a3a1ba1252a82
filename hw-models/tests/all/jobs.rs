//! Jobs and workloads of what matters of them.

use locox::time::{Duration, Instant};
use locox_models::workload::{Job, Workload};

/// A job by its number, when it comes, its processors, and how long it runs and said it would.
pub(crate) fn timed(id: u64, submit: u64, processors: u32, [run, requested]: [u64; 2]) -> Job {
    Job {
        id,
        line: None,
        submit: Instant::from_ticks(submit),
        processors,
        shape: None,
        memory: 0,
        demand: None,
        run: Duration::from_ticks(run),
        requested: Some(Duration::from_ticks(requested)),
        user: None,
    }
}

/// These jobs.
pub(crate) fn workload_of(name: String, jobs: Vec<Job>) -> Workload {
    Workload { name, jobs, processors: None, notes: vec![], skipped: 0, incomplete: 0 }
}
