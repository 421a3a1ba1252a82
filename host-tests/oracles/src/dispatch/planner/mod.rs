//! Queues that plan by requested times.
//!
//! - [`Naive`] computes every plan anew from one count per unit of time.
//! - [`Command`] is a call, misuse included; [`Lockstep`] compares planner and model after each.

mod command;
mod lockstep;
mod naive;

pub use command::{Command, EVEN, Weights};
pub use lockstep::{Kind, Lockstep};
pub use naive::{Job, Naive, State};
