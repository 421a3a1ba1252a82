//! Meshes in a hypercube: which nodes a job gets that asks for rows and columns, and no more.
//!
//! A mesh of X by Y nodes needs a subcube of ceil(log2 X) + ceil(log2 Y) dimensions to keep
//! neighbours neighbours, and as a rule leaves nodes of it over. [`MeshPool`] lets other meshes use
//! them, and still no two jobs ever share a channel under E-cube routing: not the mesh and a tenant
//! of its leftover, nor a tenant of the tenant's leftover, at any depth.
//!
//! | file | what |
//! |---|---|
//! | `shape` | [`Shape`]: one to three sides |
//! | `embedding` | [`Embedding`]: the node at a coordinate, and back, in any subcube |
//! | `partition` | leftover and mesh as disjoint subcubes |
//! | `routes` | which nodes the routes inside a mesh pass |
//! | `afl` | the auxiliary free list over any strategy of [`subcube`](crate::subcube); outages |
//! | `auxiliary` | the list itself: what is free in leftovers |
//! | `subcube::region_owners` | which leftover a free subcube or a mesh lies in |
//! | `search` | subcubes across the fragments of a leftover |
//!
//! ```
//! use locox::cube::Dim;
//! use locox::handle::{Misuse, PoolId};
//! use locox::mesh::{self, Leftover, MeshPool, Shape};
//! use locox::subcube::{FreeList, Refusal};
//!
//! const CUBE: Dim = Dim::new(6).unwrap();
//! // In firmware the storage is a static of zeros, borrowed.
//! let storage = [0; mesh::words::<FreeList>(6)];
//! let leftover = Leftover::Reused;
//! let mut pool = MeshPool::<FreeList, _>::new(PoolId(1), CUBE, storage, leftover).unwrap();
//!
//! let five = Shape::rectangle(5, 5).unwrap();
//! let first = pool.allocate(five).unwrap(); // in the only 6-cube
//! assert_eq!(pool.would_fit(five), Err(Refusal::TooFewFree { needed: 64, free: 39 }));
//! let tenant = pool.allocate(Shape::rectangle(3, 4).unwrap()).unwrap(); // in its leftover
//! assert!(first.cube().contains_cube(&tenant.cube()));
//!
//! pool.release(first).unwrap();
//! assert_eq!(pool.release(first), Err(Misuse::Stale));
//! pool.release(tenant).unwrap();
//! assert_eq!(pool.would_fit(Shape::line(64).unwrap()), Ok(()));
//! ```
//!
//! # Bounds
//!
//! In word operations and the letters of [`subcube`](crate::subcube#bounds), with what the strategy
//! takes there. P = (n/3 + 2)^3 is more than the subcubes that a mesh and its leftover fall into, K the
//! nodes of the mesh's subcube.
//!
//! | | |
//! |---|---|
//! | `allocate`, `would_fit` | taking; 10n + 32 + 20P for the lists; twice L = 13S + 70N + (n+2)W to look through all leftovers |
//! | `release` | giving back, M + 32; (2P + K)(max(giving a node, M) + 24 + max(removing, 4N)); (n+1)(2W + 10N) |
//! | `withdraw`, `repair` of m nodes | m times max(removing, giving, 4N + nM) + 12N + 3W + 16; 10N + 5W; knowing what is possible |
//! | `lease_at` | 8N + W |
//!
//! L: leftovers have at most seven times as many nodes as the machine, since a mesh keeps an eighth of
//! its subcube and more, so what lies in leftovers of leftovers falls off as a geometric series.
//! None has more than n - 2 dimensions. The bound of a release is far above what was seen, since pieces
//! join.
//!
//! Source: Turner 1995, chapter 3.

mod afl;
mod auxiliary;
mod check;
mod embedding;
mod lease;
mod partition;
mod pool;
mod routes;
mod search;
mod shape;
mod shapes;
mod stats;

pub use crate::leftover::Leftover;
pub use embedding::Embedding;
pub use lease::MeshLease;
pub use pool::{MeshPool, words};
pub use shape::{BadShape, ParseShapeError, Shape};
pub use stats::MeshStats;

use crate::subcube::{Allocator, Request};

impl Request for Shape {
    type Lease = MeshLease;
    type Stats = MeshStats;
    type Place = Embedding;
}

/// A [`MeshPool`] of any strategy, for `dyn`: what its methods say holds here.
pub trait MeshAllocator: Allocator<Shape> {
    /// [`MeshPool::leftover`].
    fn leftover(&self) -> Leftover;
}
