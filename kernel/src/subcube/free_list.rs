//! The free list strategy: a list of free cubes for each dimension, of any shape.
//!
//! Source: Kim, Das and Lin 1991, as Turner 1995 uses it. A request takes the first cube of the
//! smallest sufficient dimension and splits it from the top: at its highest free coordinate, the
//! lower half being kept. A release merges with a complement (a cube of the same free
//! coordinates, one fixed coordinate flipped) as long as one is free, lowest coordinate first. A
//! node that goes out of service is split out of its cube likewise, and the other halves merge.
//!
//! Deviation: merging pairs alone loses cubes. Six free cubes can fill a 3-cube without any two
//! being complements, and on a busy machine jobs then wait for room that is there. The first
//! publication rearranges its lists on release, at O(n^3) or more, by rules not known to us. Here
//! a release stays cheap, and a request that finds no sufficient cube searches the map of all free
//! nodes (see `fold`); what it finds is cut out of the lists. When every node is free the lists
//! hold the whole cube.
//!
//! The mask of each cube stands in the ledger's entry of its base, which no lease can need then.
//!
//! - Recognises all subcubes.
//! - Cost: a few words a dimension split, n - k tests a dimension merged. A request that the lists
//!   cannot serve costs a search, like every query of the complete strategy.
//! - Bits: n a node for the lists, 2 more for the map and scratch, 1/63 of the lists for summaries.
//!
//! Choose it by default: nearly the buddy's speed, and no free subcube is missed.

use super::cube_lists::CubeLists;
use super::pool::{Core, Pool, StorageTooSmall, ledger, pool_words};
use super::{Strategy, fold};
use crate::bits::{Word, words_for};
use crate::cube::{Dim, Node, Subcube};
use crate::handle::PoolId;

/// A pool under the free list strategy. Its storage is [`words`] long.
pub type FreeList<S> = Pool<Lists, S>;

/// Words of storage for an n-cube.
pub const fn words(dims: Dim) -> usize {
    pool_words(dims, strategy_words(dims))
}

/// The lists first, then room for a map of the free nodes, then scratch.
const fn strategy_words(dims: Dim) -> usize {
    Lists::scratch(dims) + fold::scratch_words(dims)
}

impl<S: AsRef<[Word]> + AsMut<[Word]>> FreeList<S> {
    /// A pool of the whole n-cube; what `storage` held does not matter.
    ///
    /// # Errors
    ///
    /// [`StorageTooSmall`] below [`words`].
    pub fn new(pool: PoolId, dims: Dim, storage: S) -> Result<Self, StorageTooSmall> {
        Self::prepare(core(pool, dims), storage)
    }
}

impl<const N: usize> FreeList<[Word; N]> {
    /// A pool of the whole n-cube for a `static`.
    ///
    /// # Errors
    ///
    /// [`StorageTooSmall`] if `N` is below [`words`].
    pub const fn new_static(pool: PoolId, dims: Dim) -> Result<Self, StorageTooSmall> {
        if N < words(dims) {
            return Err(StorageTooSmall { needed: words(dims) });
        }
        let mut storage = [0; N];
        let core = core(pool, dims);
        core.in_service_from_zeros(&mut storage);
        Lists::new(pool, dims).cubes.whole_from_zeros(&mut storage);
        Ok(Self::assemble(core, storage))
    }
}

const fn core(pool: PoolId, dims: Dim) -> Core<Lists> {
    Core::new(pool, dims, Lists::new(pool, dims), strategy_words(dims))
}

/// The free cubes, and how many nodes they have.
///
/// - `free` counts the nodes of all cubes; if it is 2^n there is one cube.
#[derive(Clone, Copy, Debug)]
pub struct Lists {
    dims: Dim,
    free: u32,
    cubes: CubeLists<()>,
}

impl Lists {
    const fn new(pool: PoolId, dims: Dim) -> Self {
        let masks = ledger(pool, dims, strategy_words(dims)).masks();
        Self { dims, free: dims.nodes(), cubes: CubeLists::whole(dims, 0, masks, ()) }
    }

    /// The word at which the map starts.
    const fn map(dims: Dim) -> usize {
        CubeLists::<()>::words(dims)
    }

    /// The word at which the scratch starts.
    const fn scratch(dims: Dim) -> usize {
        Self::map(dims) + words_for(dims.nodes() as usize)
    }

    /// Draws the map of the free nodes; returns it with the scratch.
    fn drawn<'a>(&self, words: &'a mut [Word]) -> Option<(&'a [Word], &'a mut [Word])> {
        let map = Self::map(self.dims)..Self::scratch(self.dims);
        words.get_mut(map.clone())?.fill(0);
        self.cubes.draw(words, map.start);
        let (before, after) = words.split_at_mut_checked(map.end)?;
        let (scratch, _) = after.split_at_mut_checked(fold::scratch_words(self.dims))?;
        Some((before.get(map)?, scratch))
    }

    /// A subcube whose nodes are free but not in one cube of the lists.
    fn scattered(&self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let (map, scratch) = self.drawn(words)?;
        fold::first(map, self.dims, dim, scratch)
    }
}

impl Strategy for Lists {
    const NAME: &'static str = "free-list";

    fn reset(&mut self, words: &mut [Word]) {
        self.cubes.reset(words);
        self.free = self.dims.nodes();
    }

    fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let taken = self.cubes.take(words, dim).map(|(cube, _)| cube).or_else(|| {
            let scattered = self.scattered(words, dim)?;
            self.cubes.carve(words, &scattered);
            Some(scattered)
        })?;
        self.free = self.free.wrapping_sub(dim.nodes());
        Some(taken)
    }

    fn give(&mut self, words: &mut [Word], cube: Subcube) {
        self.free = self.free.wrapping_add(cube.len());
        self.cubes.give(words, cube, 0);
        if self.free == self.dims.nodes() && self.cubes.largest() != Some(self.dims) {
            self.reset(words);
        }
    }

    fn lose(&mut self, words: &mut [Word], node: Node) {
        if self.cubes.lose(words, node) {
            self.free = self.free.wrapping_sub(1);
        }
    }

    fn holds(&self, words: &[Word], node: Node) -> bool {
        self.cubes.containing(words, node).is_some()
    }

    fn largest(&self, words: &mut [Word], below: Dim) -> Option<Dim> {
        let listed = self.cubes.largest()?;
        if listed >= below {
            return Some(below);
        }
        let (map, scratch) = self.drawn(words)?;
        fold::largest(map, self.dims, listed..=below, scratch)
    }

    fn fits(&self, words: &mut [Word], dim: Dim) -> bool {
        self.cubes.largest() >= Some(dim) || self.scattered(words, dim).is_some()
    }

    fn count(&self, words: &mut [Word], dim: Dim) -> u64 {
        self.drawn(words).map_or(0, |(map, scratch)| fold::count(map, self.dims, dim, scratch))
    }

    fn possible(&self, words: &mut [Word], in_service: usize) -> Option<Dim> {
        let (before, serves) = words.split_at_mut_checked(in_service)?;
        let scratch = Self::scratch(self.dims);
        let (_, after) = before.split_at_mut_checked(scratch)?;
        let (scratch, _) = after.split_at_mut_checked(fold::scratch_words(self.dims))?;
        fold::largest(serves, self.dims, Dim::ZERO..=self.dims, scratch)
    }

    fn check(&self, words: &[Word]) -> bool {
        let holds = |&node: &u32| self.holds(words, Node(node));
        let nodes = (0..self.dims.nodes()).filter(holds).count() as u32;
        let listed = self.cubes.nodes(words);
        let whole = self.free != self.dims.nodes() || self.cubes.largest() == Some(self.dims);
        self.cubes.check(words) && nodes == listed && listed == self.free && whole
    }
}
