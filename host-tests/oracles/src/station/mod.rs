//! The coordinator of workstations.
//!
//! - [`world`] is a small world of hosts that keep to the rules, and checks what becomes of jobs.
//! - [`Command`] is a command of anybody, misuse included; [`Lockstep`] says it to two
//!   coordinators that differ only in their scratch and to a naive model, and compares all that
//!   they say and do. It also repeats what happened in a world.

mod command;
mod follow;
mod lockstep;
mod model;

pub mod world;

pub use command::{Command, EVEN, Serial, Turn, Weights};
pub use follow::follow;
pub use lockstep::Lockstep;
