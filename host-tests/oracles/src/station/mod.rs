//! The coordinator of workstations.
//!
//! - [`world`] is a small world of hosts that keep to the rules, and checks what becomes of jobs.
//! - [`Command`] is a command of anybody, misuse included; [`Lockstep`] says it to two
//!   coordinators that differ only in their scratch, and compares all that they say and do.

mod command;
mod follow;
mod lockstep;

pub mod world;

pub use command::{Command, EVEN, Serial, Weights};
pub use follow::follow;
pub use lockstep::Lockstep;
