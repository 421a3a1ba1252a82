//! What a naive model of a strategy says.

use super::NodeSet;
use locox::bits::Word;
use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshPool};
use locox::subcube::{self, Pool, Strategy};
use std::fmt::Debug;
use std::hash::Hash;

/// The kernel's pool of subcubes that must follow rule `R`.
pub type Subcubes<R> = Pool<<R as Rule>::Strategy, Box<[Word]>>;

/// The kernel's pool of meshes over the strategy that must follow rule `R`.
pub type Meshes<R> = MeshPool<<R as Rule>::Strategy, Box<[Word]>>;

/// A naive model of one strategy: which free subcubes it sees, and which one a request gets.
///
/// Most strategies decide by the free nodes alone; one with a history keeps it in `self` and
/// hears of every change. Equality and hash are of this history.
pub trait Rule: Clone + Debug + Eq + Hash {
    /// The kernel's strategy that must follow the rule.
    type Strategy: Strategy;

    /// The rule for an n-cube whose nodes are all free.
    fn new(dims: Dim) -> Self;

    /// A fresh pool in a storage that was dirty.
    fn pool(id: PoolId, dims: Dim) -> Subcubes<Self> {
        let storage = vec![Word::MAX; subcube::words::<Self::Strategy>(dims.get())];
        Pool::new(id, dims, storage.into()).expect(ENOUGH)
    }

    /// A fresh pool of meshes in a storage that was dirty.
    fn mesh_pool(id: PoolId, dims: Dim, leftover: Leftover) -> Meshes<Self> {
        let storage = vec![Word::MAX; mesh::words::<Self::Strategy>(dims.get())];
        MeshPool::new(id, dims, storage.into(), leftover).expect(ENOUGH)
    }

    /// The subcubes of dimension `dim` that the strategy sees if exactly the nodes `free` are.
    fn seen(&self, free: &NodeSet, dim: Dim) -> Vec<Subcube>;

    /// The one of them that a request gets.
    fn choose(&self, free: &NodeSet, dim: Dim) -> Option<Subcube>;

    /// Whether a subcube of dimension `dim` can be granted to anybody while only `serving` do.
    fn possible(&self, serving: &NodeSet, dim: Dim) -> bool {
        !self.seen(serving, dim).is_empty()
    }

    /// `cube`, just chosen, has been granted.
    fn take(&mut self, _cube: Subcube) {}

    /// All nodes of `cube` have become free.
    fn give(&mut self, _cube: Subcube) {}

    /// `node` is free no more.
    fn remove(&mut self, _node: Node) {}

    /// These nodes are free no more, all at once.
    fn remove_all(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|&node| self.remove(node));
    }
}

const ENOUGH: &str = "the kernel says itself how much storage it needs";
