//! The coordinator of a site.
//!
//! - [`Model`] keeps jobs in a list and maps them by the naive heuristics of [`mapping`](crate::mapping).
//! - [`Command`] is a call, misuse and messages that are late or double included; [`Lockstep`]
//!   compares coordinator and model after each.

mod command;
mod follow;
mod lockstep;
mod model;
mod setup;

pub use command::{Command, EVEN, Weights};
pub use follow::follow;
pub use lockstep::{Lockstep, Store};
pub use model::Model;
pub use setup::Setup;
