//! Pools of the slices of one accelerator.
//!
//! - [`Model`] keeps sets of numbers and counts everything anew at each question.
//! - [`Command`] is a call, misuse included; [`Lockstep`] compares pool and model after each.

mod command;
mod follow;
mod lockstep;
mod model;

pub use command::{Command, EVEN, Weights};
pub use follow::follow;
pub use lockstep::Lockstep;
pub use model::{Model, Set, numbers_of};
