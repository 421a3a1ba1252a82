//! Pools of nodes with quantities, which jobs share.
//!
//! - [`Model`] keeps who holds what, and asks the [`Cluster`](crate::machine::nodes::Cluster).
//! - [`Command`] is a call, misuse included; [`Lockstep`] compares pool and model after each.

mod command;
mod follow;
mod image;
mod lockstep;
mod model;
mod room;
mod setup;

pub use command::{Command, EVEN, Weights};
pub use follow::follow;
pub use lockstep::Lockstep;
pub use model::Model;
pub use room::{least_room, room};
pub use setup::Setup;
