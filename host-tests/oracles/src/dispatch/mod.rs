//! Queues of jobs.

mod follow;
mod restart;

pub mod order;
pub mod planner;

pub use follow::follow;
