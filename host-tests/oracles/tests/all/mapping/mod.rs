//! Mappers: each plan against a naive model, job for job, ties included.

mod agreement;
mod cases;
mod experience;
mod link;
mod merits;
mod preemption;
mod told;
