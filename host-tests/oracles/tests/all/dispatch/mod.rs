//! Queues of jobs: every answer against naive models.

mod backfill;
mod images;
mod limit;
mod places;
mod promises;
mod queue;
mod shelf;
