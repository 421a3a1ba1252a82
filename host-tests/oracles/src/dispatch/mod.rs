//! Queues of jobs.

mod follow;
mod restart;

pub mod order;
pub mod planner;
pub mod promises;

pub(crate) use follow::drawn_rule;
pub use follow::follow;
