//! The coordinator of a resource manager's jobs.

mod images;
mod in_step;
mod room;
mod rules;
