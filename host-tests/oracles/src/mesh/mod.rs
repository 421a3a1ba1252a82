//! Pools of meshes.
//!
//! - [`Model`] is a naive model of the auxiliary free list over the model of a strategy.
//! - [`Command`] is an operation, misuse included; [`Lockstep`] compares pool and model after each.
//! - [`Isolation`] walks the routes of all meshes: which channels they use.

mod command;
mod follow;
mod isolation;
mod lockstep;
mod model;

pub use command::{Command, EVEN, Weights};
pub use follow::follow;
pub use isolation::{Conflict, Isolation, Predicate, used};
pub use lockstep::Lockstep;
pub use model::{Flaw, Model, Tenant};

use locox::cube::Subcube;
use locox::mesh::{Embedding, Shape};

/// The mesh in a cube of just its dimension.
pub fn alone(shape: Shape) -> Embedding {
    Embedding::new(Subcube::whole(shape.dim()), shape).unwrap()
}
