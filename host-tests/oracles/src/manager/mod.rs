//! The coordinator for resource managers.
//!
//! - [`Model`] keeps plain lists of jobs, users and nodes, and finds all that is decided anew; of the kernel it takes the
//!   ranking of users, which has an oracle of its own.
//! - [`Step`] is a command, misuse included; [`Lockstep`] compares coordinator and model after each, images and
//!   restarts included.

mod boxes;
mod cubes;
mod follow;
mod lockstep;
mod model;
mod racks;
mod reservations;
mod room;
mod step;

pub use follow::follow;
pub use lockstep::{Lockstep, Met, Rows, Size};
pub use model::{Model, Rooms};
pub use step::{EVEN, Step, Weights};
