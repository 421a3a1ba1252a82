//! Pools of meshes: a naive model of the auxiliary free list, and the oracle for isolation.

mod isolation;
mod model;

pub use isolation::{Conflict, Isolation, Predicate, used};
pub use model::{Flaw, Model, Tenant};

use locox::cube::Subcube;
use locox::mesh::{Embedding, Shape};

/// The mesh in a cube of just its dimension.
pub fn alone(shape: Shape) -> Embedding {
    Embedding::new(Subcube::whole(shape.dim()), shape).unwrap()
}
