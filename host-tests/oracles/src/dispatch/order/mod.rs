//! Queues that know an order only.
//!
//! - [`Model`] looks through all that waits, under a [`Rule`].
//! - [`Command`] is a call, misuse included; [`Lockstep`] compares queue and model after each.

mod command;
mod lockstep;
mod model;

pub(crate) use command::key;
pub use command::{Command, EVEN, Weights};
pub use lockstep::Lockstep;
pub use model::{Model, Rule};
