//! Subcube allocation: which nodes of a hypercube a job gets.
//!
//! One trait, [`Allocator`], and four strategies that differ in which free subcubes they
//! recognise and which one they choose:
//!
//! | strategy | recognises of the C(n,k)·2^(n-k) k-subcubes | cost of an operation |
//! |---|---|---|
//! | [`Buddy`] | the 2^(n-k) aligned blocks | a few words a dimension |
//! | [`GrayCode`] | 2^(n-k+1): runs of the Gray code | a scan of 2^(n-k+1) bits |
//! | [`FreeList`] | all | a few words a dimension, a search where its lists have nothing |
//! | [`Complete`] | all | a search, exponential in n at worst |
//!
//! ```
//! use locox::bits::Word;
//! use locox::cube::Dim;
//! use locox::handle::{Misuse, PoolId};
//! use locox::subcube::{Allocator, FreeList, Refusal, free_list};
//!
//! const CUBE: Dim = Dim::new(4).unwrap();
//! let storage = [0 as Word; free_list::words(CUBE)];
//! let mut pool = FreeList::new(PoolId(1), CUBE, storage).unwrap();
//!
//! let half = pool.allocate(Dim::new(3).unwrap()).unwrap();
//! assert_eq!(half.cube(), "0***".parse().unwrap());
//! assert_eq!(pool.would_fit(CUBE), Err(Refusal::TooFewFree { free: 8 }));
//!
//! pool.release(half).unwrap();
//! assert_eq!(pool.release(half), Err(Misuse::Stale));
//! assert_eq!(pool.would_fit(CUBE), Ok(()));
//! ```
//!
//! Sources: Turner 1995, chapter 3, and the literature that it cites for the strategies.

pub mod buddy;
mod candidates;
pub mod complete;
pub(crate) mod cube_lists;
mod fold;
pub mod free_list;
pub mod gray_code;
pub(crate) mod lease;
mod outage;
pub(crate) mod pool;
mod refusal;
pub(crate) mod service;
mod stats;
mod strategy;

pub use crate::broken::Broken;
pub use buddy::Buddy;
pub use complete::Complete;
pub use free_list::FreeList;
pub use gray_code::GrayCode;
pub use lease::Lease;
pub use outage::{NoSuchNode, NodeState, Outage};
pub use pool::{Pool, StorageTooSmall};
pub use refusal::Refusal;
pub use stats::Stats;
pub use strategy::Strategy;

use crate::cube::{Dim, Node};
use crate::handle::{Misuse, PoolId};

/// Grants subcubes of one n-cube and takes them back.
///
/// Every error leaves the pool as it was. The order of calls alone decides the answers.
pub trait Allocator {
    /// The strategy's name in tables and options.
    fn name(&self) -> &'static str;

    /// The number that tells this pool's leases from those of others.
    fn id(&self) -> PoolId;

    /// The dimensions n of the machine.
    fn dims(&self) -> Dim;

    /// Nodes that a new lease may take.
    fn free(&self) -> u32;

    /// Grants a subcube of dimension `dim`.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] says why not.
    fn allocate(&mut self, dim: Dim) -> Result<Lease, Refusal>;

    /// What [`Allocator::allocate`] would answer, without doing it. Mutable because an exact
    /// search needs scratch in the caller's storage; no later answer changes.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] that `allocate` would return.
    fn would_fit(&mut self, dim: Dim) -> Result<(), Refusal>;

    /// Takes a lease back. Its nodes are free again, but for those withdrawn meanwhile.
    ///
    /// # Errors
    ///
    /// [`Misuse`] of a lease that is not a live one of this pool.
    fn release(&mut self, lease: Lease) -> Result<(), Misuse>;

    /// Takes nodes out of service, several at once, and then calls `hit` once for each lease
    /// that holds one of them. Nodes that are out already may be named again.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine; no node was withdrawn then.
    fn withdraw(
        &mut self,
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(Lease),
    ) -> Result<(), NoSuchNode>;

    /// Puts nodes back into service. Nodes that serve may be named too.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine; no node was repaired then.
    fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode>;

    /// The lease that holds `node`. Cost: up to 2^(ones in the address).
    fn lease_at(&self, node: Node) -> Option<Lease>;

    /// Whether `node` is leased, and whether it is out of service.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] outside the machine.
    fn state(&self, node: Node) -> Result<NodeState, NoSuchNode>;

    /// Counts and fragmentation. Not for hot paths: it counts the free subcubes of every
    /// dimension, by an exhaustive search in [`Complete`].
    fn stats(&mut self) -> Stats;

    /// Recomputes all derived data and compares; for tests and fuzzers. Cost: 3^n.
    ///
    /// # Errors
    ///
    /// [`Broken`] names the invariant that does not hold.
    fn check_invariants(&mut self) -> Result<(), Broken>;
}
