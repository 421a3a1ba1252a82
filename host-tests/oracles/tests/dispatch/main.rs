//! Queues of jobs: every answer against naive models.

mod backfill;
mod queue;
#[path = "../runner/mod.rs"]
mod runner;
