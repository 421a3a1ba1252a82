//! Subcube allocation: which nodes of a hypercube a job gets.
//!
//! One [`Pool`], and five strategies that differ in which free subcubes they
//! recognise and which one they choose:
//!
//! | strategy | recognises of the C(n,k)·2^(n-k) k-subcubes | cost of an operation |
//! |---|---|---|
//! | [`Buddy`] | the 2^(n-k) aligned blocks | a few words a dimension |
//! | [`GrayCode`] | 2^(n-k+1): runs of the Gray code | a scan of 2^(n-k+1) bits |
//! | [`FreeList`] | all | a few words a dimension, a search where its lists have nothing |
//! | [`FreeListPlain`] | those inside one cube of its lists | the same without the search |
//! | [`Complete`] | all | a search, exponential in n at worst |
//!
//! ```
//! use locox::cube::Dim;
//! use locox::handle::{Misuse, PoolId};
//! use locox::subcube::{FreeList, Pool, Refusal, words};
//!
//! const CUBE: Dim = Dim::new(4).unwrap();
//! let storage = [0; words::<FreeList>(4)];
//! let mut pool = Pool::<FreeList, _>::new(PoolId(1), CUBE, storage).unwrap();
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
//! [`Strategy`] shows one of your own.
//!
//! Sources: Turner 1995, chapter 3, and the literature that it cites for the strategies.

mod buddy;
mod candidates;
mod complete;
pub(crate) mod cube_lists;
mod fold;
mod free_list;
mod gray_code;
pub(crate) mod inventory;
pub(crate) mod lease;
mod outage;
mod pool;
mod refusal;
mod service;
mod start;
pub(crate) mod stats;
pub(crate) mod storage;
mod strategy;

pub use crate::broken::Broken;
pub use buddy::Buddy;
pub use complete::{Complete, Effort};
pub use free_list::{FreeList, FreeListPlain, Lists};
pub use gray_code::GrayCode;
pub use lease::Lease;
pub use outage::{NoSuchNode, NodeState, Outage};
pub use pool::Pool;
pub use refusal::Refusal;
pub use start::Start;
pub use stats::Stats;
pub use storage::{StorageTooSmall, words};
pub use strategy::Strategy;

use crate::cube::{Dim, Node};
use crate::handle::{Misuse, PoolId};

/// What a pool is asked for: a dimension of a [`Pool`], a shape of a
/// [`MeshPool`](crate::mesh::MeshPool).
pub trait Request {
    /// What it grants.
    type Lease;
    /// Its figures.
    type Stats;
}

impl Request for Dim {
    type Lease = Lease;
    type Stats = Stats;
}

/// A pool of any strategy, for `dyn`: what the methods of [`Pool`] say holds here, and of pools of
/// meshes what those of [`MeshPool`](crate::mesh::MeshPool) say.
///
/// Every error leaves the pool as it was. The order of calls alone decides the answers.
pub trait Allocator<R: Request = Dim> {
    /// [`Pool::name`].
    fn name(&self) -> &'static str;

    /// [`Pool::id`].
    fn id(&self) -> PoolId;

    /// [`Pool::dims`].
    fn dims(&self) -> Dim;

    /// [`Pool::free`].
    fn free(&self) -> u32;

    /// [`Pool::allocate`].
    ///
    /// # Errors
    ///
    /// The [`Refusal`] says why not.
    fn allocate(&mut self, request: R) -> Result<R::Lease, Refusal>;

    /// [`Pool::would_fit`].
    ///
    /// # Errors
    ///
    /// The [`Refusal`] that `allocate` would return.
    fn would_fit(&mut self, request: R) -> Result<(), Refusal>;

    /// [`Pool::release`].
    ///
    /// # Errors
    ///
    /// [`Misuse`] of a lease that is not a live one of this pool.
    fn release(&mut self, lease: R::Lease) -> Result<(), Misuse>;

    /// [`Pool::withdraw`].
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine; no node was withdrawn then.
    fn withdraw(
        &mut self,
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(R::Lease),
    ) -> Result<(), NoSuchNode>;

    /// [`Pool::repair`].
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine; no node was repaired then.
    fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode>;

    /// [`Pool::lease_at`].
    fn lease_at(&self, node: Node) -> Option<R::Lease>;

    /// [`Pool::state`].
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] outside the machine.
    fn state(&self, node: Node) -> Result<NodeState, NoSuchNode>;

    /// [`Pool::stats`].
    fn stats(&mut self) -> R::Stats;

    /// [`Pool::check_invariants`].
    ///
    /// # Errors
    ///
    /// [`Broken`] names the invariant that does not hold.
    fn check_invariants(&mut self) -> Result<(), Broken>;
}
