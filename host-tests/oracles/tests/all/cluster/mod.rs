//! The coordinator of a cluster in step with a naive model, under each placement, and its parts.

mod forged;
mod host_part;
mod host_restarts;
mod in_step;
mod messages;
mod parameters;
