//! Tables of levels by hosts.
//!
//! - [`Model`] looks through all hosts at each decision, under a [`Rule`].
//! - [`Command`] is a call, misuse included; [`Lockstep`] compares table and model after each.

mod command;
mod follow;
mod lockstep;
mod model;

pub use command::{Command, EVEN, Weights};
pub(crate) use follow::drawn_rule;
pub use follow::follow;
pub use lockstep::Lockstep;
pub use model::{Choice, Model, Rule};
