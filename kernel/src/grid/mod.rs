//! Boxes in meshes and tori: which nodes of a machine of one to four axes a job gets.
//!
//! A [`Grid`] is a machine, each of its axes a line or a ring. [`Sides`] say how many nodes a box has
//! along each axis, and a [`Cuboid`] is a box at its place in a machine. A [`GridPool`] grants boxes: a
//! request names sides, in any rotation or not, several shapes, or a number of nodes. It is refused only
//! if no such box is free where boxes may begin, and the [`Refusal`] says why.
//! Between nodes of a box messages go by [`routes`]; a box that keeps these to itself is isolated.
//!
//! ```
//! use locox::grid::{Anchors, BoxRequest, Grid, GridPool, Placement, Refusal, words};
//! use locox::handle::PoolId;
//!
//! let torus: Grid = "torus:16x16x16".parse()?;
//! let storage = vec![0; words(torus)];
//! let mut pool = GridPool::new(PoolId(1), torus, storage, Placement::Fewest, Anchors::Any)?;
//! let slice = pool.allocate(BoxRequest::Turned("2x4x4".parse()?))?;
//! assert_eq!(slice.to_string(), "2x4x4 at 0,0,0");
//! let half = BoxRequest::Turned("16x16x9".parse()?);
//! pool.allocate(half)?;
//! assert_eq!(pool.would_fit(half), Err(Refusal::TooFewFree { needed: 2304, free: 1760 }));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `machine`, `sides`, `cuboid` | machines, shapes, boxes in them |
//! | `request` | [`BoxRequest`]; [`Refusal`] |
//! | `rows` | maps of a machine, a word a row along its longest axis |
//! | `origins` | recognition: where a box lies wholly in a set of nodes |
//! | `leftover` | [`Anchors`]: where boxes may begin; what they leave over of blocks between steps |
//! | `choice` | [`Placement`]: which of the free boxes a request gets |
//! | `inventory`, `image` | leases, outages, refusals, figures; images |
//! | `pool` | [`GridPool`]: what users call |
//! | `plan` | [`Plan`]: which leases to move so that a request fits |
//! | `routes` | dimension-order routes; isolated boxes |
//!
//! # Bounds
//!
//! No call takes more row operations, each a word of a map read or changed; tests count them. R rows
//! lie along the longest axis: 256 in a torus of 16x16x16, at most 4,096. A search of one shape is
//! S = 29 R; with steps 33 R, and with leftover reused (43 + B) R, where B <= 64 blocks lie along a row.
//! A shape with fewer than 64 nodes a side takes less: 4x4x4 takes 7 R.
//!
//! | | |
//! |---|---|
//! | `would_fit` | S for each shape up to the one that fits; of a refusal S for each, twice while nodes are out |
//! | `allocate` | that, and for each shape of the rank granted |
//! | under [`Placement::First`] | 9 R |
//! | under [`Placement::Corner`] | 164 R + 9 R |
//! | under [`Placement::Fewest`] | 164 R + 81 R, then 4 S + 64 R for each shape of its shortlist |
//! | `claim`, `release` | 3 for each row of the box; a granted box 1 for each node |
//! | `withdraw`, `repair` of m nodes | 8 m + R |
//! | `lease_at`, `state` | 4 |
//! | `stranded` | S + 25 R for each shape |
//!
//! Figures of leases, checks and images go through all nodes. The number of shapes of a request is 1, at
//! most 24 rotations, the length of a list, or the number of
//! [factorizations](Sides::factorizations).
//!
//! Sources: the rules of steps are those of Slurm's `topology/torus3d` (see [`Anchors`]).

mod boxes;
mod cheapest;
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
pub use crate::machine::MOST_MOVES;
pub use crate::outage::{ClaimError, NoSuchNode, NodeState, NotFree, Outage};
pub use crate::require::StorageTooSmall;
pub use boxes::Boxes;
pub use choice::Placement;
pub use cuboid::Cuboid;
pub use inventory::words;
pub use lease::BoxLease;
pub use leftover::Anchors;
pub use machine::{Axis, BadGrid, Grid};
pub use plan::{Move, NoPlan, Plan, PlanError};
pub use pool::GridPool;
pub use request::{BoxRequest, Refusal};
pub use sides::{BadSides, Sides};
pub use stats::GridStats;
