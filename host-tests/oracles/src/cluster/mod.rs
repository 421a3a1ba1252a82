//! The coordinator of a cluster.
//!
//! - [`Model`] keeps a queue, names and a naive table, and tells hosts in the order of their numbers.
//! - [`Command`] is a command, misuse included; [`Lockstep`] compares coordinator and model after
//!   each, images and restarts included.

mod command;
mod follow;
mod lockstep;
mod model;

pub use command::{Command, EVEN, Weights};
pub use follow::follow;
pub use lockstep::{Lockstep, Rows, Size};
pub use model::Model;
