//! What a naive model of a strategy says.

use super::NodeSet;
use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::subcube::Allocator;
use std::fmt::Debug;
use std::hash::Hash;

/// A naive model of one strategy: which free subcubes it sees, and which one a request gets.
///
/// Most strategies decide by the free nodes alone; one with a history keeps it in `self` and
/// hears of every change. Equality and hash are of this history.
pub trait Rule: Clone + Debug + Eq + Hash {
    /// The kernel's pool that must follow the rule.
    type Pool: Allocator + Clone;

    /// The rule for an n-cube whose nodes are all free.
    fn new(dims: Dim) -> Self;

    /// A fresh pool in a storage that was dirty.
    fn pool(id: PoolId, dims: Dim) -> Self::Pool;

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
    fn lose(&mut self, _node: Node) {}
}
