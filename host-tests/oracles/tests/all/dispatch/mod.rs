//! Queues of jobs: every answer against naive models.

mod backfill;
mod queue;
