//! Queues of jobs.

mod follow;

pub mod order;
pub mod planner;

pub use follow::follow;
