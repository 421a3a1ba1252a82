//! Mappers: each plan against a naive model, job for job, ties included.

mod agreement;
mod cases;
mod merits;
mod preemption;
