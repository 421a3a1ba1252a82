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
//! | `afl` | the auxiliary free list over any strategy of [`subcube`](crate::subcube) |
//! | `outage` | nodes out of service, and who is hit |
//!
//! ```
//! use locox::bits::Word;
//! use locox::cube::Dim;
//! use locox::handle::{Misuse, PoolId};
//! use locox::mesh::{self, Leftover, MeshAllocator, MeshPool, Shape};
//! use locox::subcube::{FreeList, Refusal, free_list};
//!
//! const CUBE: Dim = Dim::new(6).unwrap();
//! let storage = [0 as Word; mesh::words(CUBE, free_list::words(CUBE))];
//! let plain = FreeList::new(PoolId(1), CUBE, storage).unwrap();
//! let mut pool = MeshPool::over(plain, Leftover::Reused).unwrap();
//!
//! let five = Shape::rectangle(5, 5).unwrap();
//! let first = pool.allocate(five).unwrap(); // in the only 6-cube
//! assert_eq!(pool.would_fit(five), Err(Refusal::TooFewFree { free: 39 }));
//! let tenant = pool.allocate(Shape::rectangle(3, 4).unwrap()).unwrap(); // in its leftover
//! assert!(first.cube().contains_cube(&tenant.cube()));
//!
//! pool.release(first).unwrap();
//! assert_eq!(pool.release(first), Err(Misuse::Stale));
//! pool.release(tenant).unwrap();
//! assert_eq!(pool.would_fit(Shape::line(64).unwrap()), Ok(()));
//! ```
//!
//! Source: Turner 1995, chapter 3.

mod afl;
mod check;
mod embedding;
mod homes;
mod lease;
mod outage;
mod partition;
mod pool;
mod routes;
mod shape;
mod shapes;
mod stats;

pub use embedding::Embedding;
pub use lease::MeshLease;
pub use pool::{Leftover, MeshPool, Unsuited, words};
pub use shape::{BadShape, ParseShapeError, Shape};
pub use stats::MeshStats;

use crate::cube::{Dim, Node};
use crate::handle::{Misuse, PoolId};
use crate::subcube::{Broken, NoSuchNode, NodeState, Outage, Refusal};

/// Grants meshes in one n-cube and takes them back.
///
/// Every error leaves the pool as it was. The order of calls alone decides the answers.
pub trait MeshAllocator {
    /// The name of the strategy under the auxiliary list.
    fn strategy(&self) -> &'static str;

    /// What becomes of leftover.
    fn leftover(&self) -> Leftover;

    /// The number that tells this pool's leases from those of others.
    fn id(&self) -> PoolId;

    /// The dimensions n of the machine.
    fn dims(&self) -> Dim;

    /// Nodes that a new lease may take, leftover of live meshes included.
    fn free(&self) -> u32;

    /// Grants a mesh.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] says why not; it speaks of the subcube that the mesh needs.
    /// [`Refusal::Faulty`] judges by the strategy alone: the auxiliary list may come to hold a
    /// subcube that the strategy would not recognise.
    fn allocate(&mut self, shape: Shape) -> Result<MeshLease, Refusal>;

    /// What [`MeshAllocator::allocate`] would answer, without doing it. Mutable because an exact
    /// search needs scratch in the caller's storage; no later answer changes.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] that `allocate` would return.
    fn would_fit(&mut self, shape: Shape) -> Result<(), Refusal>;

    /// Takes a lease back. Its nodes are free again, but for those withdrawn meanwhile. Leases in
    /// its leftover stay.
    ///
    /// # Errors
    ///
    /// [`Misuse`] of a lease that is not a live one of this pool.
    fn release(&mut self, lease: MeshLease) -> Result<(), Misuse>;

    /// Takes nodes out of service, several at once, and then calls `hit` once for each lease that
    /// holds one of them or whose routes one of them may carry. Nodes that are out already may be
    /// named again.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine; no node was withdrawn then.
    fn withdraw(
        &mut self,
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(MeshLease),
    ) -> Result<(), NoSuchNode>;

    /// Puts nodes back into service. Nodes that serve may be named too.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine; no node was repaired then.
    fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode>;

    /// The lease that holds `node`: as one of its mesh or, while leftover is kept, as one of its
    /// subcube. Cost: up to 2^(ones in the address).
    fn lease_at(&self, node: Node) -> Option<MeshLease>;

    /// Whether `node` is held by a lease, and whether it is out of service.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] outside the machine.
    fn state(&self, node: Node) -> Result<NodeState, NoSuchNode>;

    /// Counts and fragmentation. Not for hot paths: it counts the free subcubes of every
    /// dimension.
    fn stats(&mut self) -> MeshStats;

    /// Recomputes all derived data and compares; for tests and fuzzers. Cost: 3^n.
    ///
    /// # Errors
    ///
    /// [`Broken`] names the invariant that does not hold.
    fn check_invariants(&mut self) -> Result<(), Broken>;
}
