//! The coordinator of a cluster.
//!
//! - [`Model`] keeps a queue, names and a naive table, and tells hosts in the order of their numbers.
//! - [`Command`] is a command, misuse included; [`Lockstep`] compares coordinator and model after
//!   each, images and restarts included.
//! - [`World`] is a coordinator and its hosts over a network that loses, doubles and delays.

mod command;
mod follow;
mod lockstep;
mod messages;
mod model;

pub use command::{Command, EVEN, Heard, Weights};
pub use follow::follow;
pub use lockstep::{Lockstep, Rows, Size};
pub use messages::{Event, Told, World, rows as message_rows};
pub use model::Model;
