//! Boxes in meshes and tori: which nodes of a machine of one to four axes a job gets.
//!
//! A [`Grid`] is a machine, each of its axes a line or a ring. [`Sides`] say how many nodes a box has
//! along each axis, and a [`Cuboid`] is a box at its place in a machine. Between its nodes messages go by
//! [`routes`]; a box that keeps these to itself is isolated.
//!
//! ```
//! use locox::grid::{Cuboid, Grid};
//! let torus: Grid = "torus:16x16x16".parse()?;
//! let corner = torus.node_at(&[15, 0, 8]).unwrap();
//! let slice = Cuboid::new(torus, corner, "4x4x2".parse()?).unwrap();
//! assert_eq!(slice.to_string(), "4x4x2 at 15,0,8");
//! assert_eq!(slice.len(), 32);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod choice;
mod cuboid;
mod image;
mod inventory;
mod lease;
mod leftover;
mod machine;
mod origins;
mod plan;
mod pool;
mod request;
pub mod routes;
mod rows;
mod sides;
mod stats;

pub use crate::leftover::Leftover;
pub use crate::outage::{ClaimError, NoSuchNode, NodeState, NotFree, Outage};
pub use crate::require::StorageTooSmall;
pub use choice::Placement;
pub use cuboid::Cuboid;
pub use inventory::words;
pub use lease::BoxLease;
pub use leftover::Anchors;
pub use machine::{Axis, BadGrid, Grid};
pub use plan::{MOST_MOVES, Move, NoPlan, Plan, PlanError};
pub use pool::GridPool;
pub use request::{BoxRequest, Refusal};
pub use sides::{BadSides, Sides};
pub use stats::GridStats;
