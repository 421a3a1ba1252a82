//! Queues of jobs.

pub mod planner;
