//! Rankings of stations and rounds of allocation.
//!
//! - [`Ranking`] is a naive model of one ranking, a file each: [`Table`] for Up-Down, [`Timed`]
//!   for that by elapsed time, [`Turns`] for Round-Robin, [`Lots`] for Random. [`Rule`] compares it
//!   with what the kernel's shows.
//! - [`Command`] changes the demand, updates the ranking or holds a round.
//! - [`Lockstep`] compares ranking and model.

mod command;
mod follow;
mod lockstep;
mod permute;
mod rule;
mod table;
mod timed;
mod turns;

pub use command::{Command, EVEN, Weights};
pub use follow::follow;
pub use lockstep::Lockstep;
pub use permute::Lots;
pub(crate) use permute::permute;
pub use rule::{Ranking, Rule};
pub use table::Table;
pub use timed::Timed;
pub use turns::Turns;
