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
//! | [`Complete`] | all | a few thousand words, a search where no window has room |
//!
//! ```
//! use locox::cube::Dim;
//! use locox::handle::{Misuse, PoolId};
//! use locox::subcube::{FreeList, Pool, Refusal, words};
//!
//! const CUBE: Dim = Dim::new(4).unwrap();
//! // In firmware the storage is a static of zeros, borrowed.
//! let storage = [0; words::<FreeList>(4)];
//! let mut pool = Pool::<FreeList, _>::new(PoolId(1), CUBE, storage).unwrap();
//!
//! let half = pool.allocate(Dim::new(3).unwrap()).unwrap();
//! assert_eq!(half.cube(), "0***".parse().unwrap());
//! assert_eq!(pool.would_fit(CUBE), Err(Refusal::TooFewFree { needed: 16, free: 8 }));
//!
//! pool.release(half).unwrap();
//! assert_eq!(pool.release(half), Err(Misuse::Stale));
//! assert_eq!(pool.would_fit(CUBE), Ok(()));
//! ```
//!
//! [`Strategy`] shows one of your own.
//!
//! # Bounds
//!
//! No operation takes more word operations, each a word read or changed, whatever the state. N = 2^n
//! nodes, W words of a bit vector over them, S = 2^w * 3^(n-w) for words of 2^w bits and n >= w: 5,184
//! on 10 dimensions and 3,779,136 on 16 with words of 64 bits. Tests count in the worst states known.
//!
//! | | [`Buddy`] | [`GrayCode`] | [`FreeListPlain`] | [`FreeList`] | [`Complete`] |
//! |---|---|---|---|---|---|
//! | take a k-cube, or know why not | 8n + 16 | 20W + 16n + 24 | 10n + 24 | 4S + (n+1)W + C | (n/6 + 1)(10,000 + 100W) + 4S + (n+1)W |
//! | give one back | B(8n + 16) | B(4n + 4) + 2W | M + 2(n+1)W | M + 2(n+1)W | 13V + 13 |
//! | remove a node | 8n + 16 | 4n + 4 | 4N + nM | 4N + nM | 2 |
//! | know what is possible | 2N + (n+1)W | 8N + 2(n+1)W | 4S + (n+1)W | 4S + (n+1)W | 4S + (n+1)W |
//! | claim 2^k nodes | 2^(k+1)(8n + 16) | 2^(k+1)(4n + 4) | 2N(min(2^k, W) + 2) + C | as plain | 2^k + 13V + 13 |
//!
//! - B: aligned blocks of the cube, 1 for all that these two grant themselves but the Gray code's
//!   second half. V: the words with nodes of it. The buddy changes a block for each dimension, at five
//!   words of a summary; the Gray code reads two words for each of a level and corrects a run a level.
//! - M = (n+1)(3n + 16): each of n merges compares up to n complements by three words.
//! - C = (2n + 8)W + 8N + (2^(k+1) (n-k) + N)(3n + 16): the lists are drawn and read, and each of the
//!   2^k cubes met at most is halved along the n - k coordinates at which the wanted one is fixed.
//! - 4S: a search for each dimension once.
//!
//! | [`Pool`] | |
//! |---|---|
//! | `allocate`, `would_fit` | taking, 8 |
//! | `release` | giving back, 8; while nodes are out V, and for each of the cube's removing it |
//! | `withdraw`, `repair` of m nodes | m times removing or giving a node, and 8; 10N + 5W; knowing what is possible |
//! | `claim` | claiming, 8 |
//! | `lease_at`, `state` | 4N; of a free node what the strategy needs to know that it is free |
//! | `leases` | 2N |
//!
//! Figures, checks and images go through all nodes. Beyond 16 dimensions no search takes
//! more than the longest on 16 unless [`Effort`] allows it, so that S is 3,779,136 (5,668,704 with words
//! of 32 bits) there, and n + 1 searches take the place of 4S.
//!
//! # Fragmentation
//!
//! A free node is *stranded* for a request if it lies in no free place that would do for it: in no free subcube of the
//! dimension asked for ([`Pool::stranded`]), in no free box of the sides asked for, in no free placement of an
//! accelerator's [profile](crate::accelerator::SlicePool::stranded). *Fragmentation* for a request is the
//! stranded nodes as a share of the free ones, 0 if none is free; that for a mix of requests is the mean over them, each
//! as often as it is asked for. It depends on what is free, not on the strategy, so that it compares strategies and
//! machines; with [`Stats::fragmentation_permille`], which needs no mix, only machines of one size compare.
//!
//! Sources: Turner 1995, chapter 3, and the literature that it cites for the strategies.

mod buddy;
mod cheapest;
mod complete;
pub(crate) mod cube_lists;
pub(crate) mod fold;
mod free_list;
mod gray_code;
pub(crate) mod image;
pub(crate) mod inventory;
pub(crate) mod lease;
mod pool;
pub(crate) mod pool_api;
mod refusal;
mod refusal_bound;
pub(crate) mod region_owners;
mod service;
mod start;
pub(crate) mod stats;
pub(crate) mod storage;
mod stranded;
mod strategy;
mod subcubes;
mod window;

pub use crate::invariant::InvariantViolation;
pub use crate::outage::{ClaimError, NoSuchNode, NodeState, NotFree, Outage};
pub use crate::require::StorageTooSmall;
pub use buddy::Buddy;
pub use complete::{Complete, Effort};
pub use free_list::{FreeList, FreeListPlain, Lists};
pub use gray_code::GrayCode;
pub use lease::Lease;
pub use pool::Pool;
pub use refusal::{LargestDim, Refusal, Undecided};
pub use start::{Start, Starts};
pub use stats::Stats;
pub use storage::words;
pub use stranded::{stranded, stranded_words};
pub use strategy::Strategy;
pub use subcubes::{ByMap, Subcubes};

use crate::cube::{Dim, Node, Subcube};
use crate::handle::{Epoch, Misuse, PoolId};
use crate::image::BadImage;

/// What a pool is asked for: a dimension of a [`Pool`], a shape of a
/// [`MeshPool`](crate::mesh::MeshPool).
pub trait Request {
    /// What it grants.
    type Lease;
    /// Its figures.
    type Stats;
    /// What is claimed: where such a lease lies.
    type Place;
}

impl Request for Dim {
    type Lease = Lease;
    type Stats = Stats;
    type Place = Subcube;
}

/// A pool of any strategy, for `dyn`: what the methods of [`Pool`] say holds here, and of pools of
/// meshes what those of [`MeshPool`](crate::mesh::MeshPool) say.
///
/// Every error leaves the pool as it was. The order of calls alone decides the answers. It asks for as many items
/// as a pool has calls: it is there to be called, and a strategy of your own is a [`Strategy`].
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

    /// [`Pool::claim`].
    ///
    /// # Errors
    ///
    /// [`NotFree`], and [`NoSuchNode`] outside the machine.
    fn claim(&mut self, place: R::Place) -> Result<R::Lease, ClaimError>;

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
    /// [`Misuse::Foreign`] of a lease of another pool or machine, [`Misuse::Stale`] of one that is not
    /// live any more.
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

    /// [`Pool::export`].
    fn export(&self, put: &mut dyn FnMut(u32));

    /// [`Pool::restore`].
    ///
    /// # Errors
    ///
    /// [`BadImage`] of one that is damaged, or of something else.
    fn restore(
        &mut self,
        image: &mut dyn Iterator<Item = u32>,
        epoch: Epoch,
    ) -> Result<(), BadImage>;

    /// [`Pool::stats`].
    fn stats(&mut self) -> R::Stats;

    /// [`Pool::check_invariants`].
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] names the invariant that does not hold.
    fn check_invariants(&mut self) -> Result<(), InvariantViolation>;
}
