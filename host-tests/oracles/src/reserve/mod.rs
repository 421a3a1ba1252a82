//! Timelines of reservations.
//!
//! - [`naive::Naive`] computes every answer from one busy set per unit of time.
//! - [`Command`] is a call, misuse included; [`Lockstep`] compares timeline (or profile) and model
//!   after each.
//! - [`Brokered`] does so with several machines under a broker.

mod brokered;
mod command;
mod follow;
mod lockstep;

pub mod naive;
pub mod speeds;
pub mod subject;

pub use brokered::Brokered;
pub use command::{CROWDED, Command, EVEN, Restart, Scale, TOGETHER, Trial, Weights};
pub use follow::follow;
pub use lockstep::Lockstep;
