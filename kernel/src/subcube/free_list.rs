//! The free list strategy: a list of free cubes for each dimension, of any shape.
//!
//! Source: Kim, Das and Lin 1991, as Turner 1995 uses it. A request takes the first cube of the
//! smallest sufficient dimension and splits it from the top: at its highest free coordinate, the
//! lower half being kept. A release merges with a complement (a cube of the same free
//! coordinates, one fixed coordinate flipped) as long as one is free, lowest coordinate first. A
//! node that goes out of service is split out of its cube likewise, and the other halves merge.
//!
//! How the first publication merges is not known to us beyond "by rising dimension". Merging
//! pairs alone can end in free cubes that fill a larger cube without being complements (six of
//! them can fill a 3-cube), so one rule is ours: when every node is free the lists hold the
//! whole cube.
//!
//! The mask of each cube stands in the ledger's entry of its base, which no lease can need then.
//!
//! - Recognises the subcubes inside the cubes in its lists: all of them on an empty machine.
//! - Cost: a few words a dimension split, n - k tests a dimension merged.
//! - Bits: n + 1 a node for the lists, about 1 more for scratch and summaries.
//!
//! Choose it by default: nearly the buddy's speed, and more subcubes seen.

use super::cube_lists::CubeLists;
use super::pool::{Core, Pool, StorageTooSmall, ledger, pool_words};
use super::{Strategy, fold};
use crate::bits::Word;
use crate::cube::{Dim, Node, Subcube};
use crate::handle::PoolId;

/// A pool under the free list strategy. Its storage is [`words`] long.
pub type FreeList<S> = Pool<Lists, S>;

/// Words of storage for an n-cube.
pub const fn words(dims: Dim) -> usize {
    pool_words(dims, strategy_words(dims))
}

/// The lists first, then scratch.
const fn strategy_words(dims: Dim) -> usize {
    CubeLists::<()>::words(dims) + fold::exists_scratch_words(dims)
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
}

impl Strategy for Lists {
    const NAME: &'static str = "free-list";

    fn reset(&mut self, words: &mut [Word]) {
        self.cubes.reset(words);
        self.free = self.dims.nodes();
    }

    fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let (taken, _) = self.cubes.take(words, dim)?;
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

    fn largest(&self, _: &mut [Word], below: Dim) -> Option<Dim> {
        self.cubes.largest().map(|dim| dim.min(below))
    }

    fn count(&self, words: &mut [Word], dim: Dim) -> u64 {
        self.cubes.count_inside(words, dim)
    }

    fn possible(&self, words: &mut [Word], in_service: usize) -> Option<Dim> {
        let (before, serves) = words.split_at_mut_checked(in_service)?;
        let (_, after) = before.split_at_mut_checked(CubeLists::<()>::words(self.dims))?;
        let (scratch, _) = after.split_at_mut_checked(fold::exists_scratch_words(self.dims))?;
        fold::largest(serves, self.dims, self.dims, scratch)
    }

    fn check(&self, words: &[Word]) -> bool {
        let holds = |&node: &u32| self.holds(words, Node(node));
        let nodes = (0..self.dims.nodes()).filter(holds).count() as u32;
        let listed = self.cubes.nodes(words);
        let whole = self.free != self.dims.nodes() || self.cubes.largest() == Some(self.dims);
        self.cubes.check(words) && nodes == listed && listed == self.free && whole
    }
}
