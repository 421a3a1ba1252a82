//! The free list strategy: a list of free cubes for each dimension, of any shape.
//!
//! Source: Kim, Das and Lin 1991, as Turner 1995 uses it. A request takes the first cube of the
//! smallest sufficient dimension and splits it from the top: at its highest free coordinate, the
//! lower half being kept. A release merges with a complement (a cube of the same free
//! coordinates, one fixed coordinate flipped) as long as one is free, lowest coordinate first.
//!
//! How the first publication merges is not known to us beyond "by rising dimension". Merging
//! pairs alone can end in free cubes that fill a larger cube without being complements (six of
//! them can fill a 3-cube), so one rule is ours: when every node is free the lists hold the
//! whole cube.
//!
//! The lists are bit vectors over base addresses under a summary, so they cannot run out; the
//! mask of each cube stands in the ledger's entry of its base, which no lease can need then.
//!
//! - Recognises the subcubes inside the cubes in its lists: all of them on an empty machine.
//! - Cost: a few words a dimension split, n - k tests a dimension merged.
//! - Bits: n + 1 a node for the lists, about 1 more for scratch and summaries.
//!
//! Choose it by default: nearly the buddy's speed, and more subcubes seen.

use super::lease::Masks;
use super::pool::{Core, Pool, StorageTooSmall, ledger, pool_words};
use super::{Strategy, fold};
use crate::bits::{Summary, Word};
use crate::cube::{Dim, Node, Subcube};
use crate::handle::PoolId;

/// A pool under the free list strategy. Its storage is [`words`] long.
pub type FreeList<S> = Pool<Lists, S>;

/// Words of storage for an n-cube.
pub const fn words(dims: Dim) -> usize {
    pool_words(dims, lists_words(dims) + fold::exists_scratch_words(dims))
}

const fn lists_words(dims: Dim) -> usize {
    (dims.get() as usize + 1) * list(dims, 0).words()
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
        Lists::new(pool, dims).whole(&mut storage);
        Ok(Self::assemble(core, storage))
    }
}

const fn core(pool: PoolId, dims: Dim) -> Core<Lists> {
    let words = lists_words(dims) + fold::exists_scratch_words(dims);
    Core::new(pool, dims, Lists::new(pool, dims), words)
}

/// The list of the free cubes of one dimension, by base address.
const fn list(dims: Dim, dim: u32) -> Summary {
    let list = Summary::new(0, dims.get() as u32);
    Summary::new(dim as usize * list.words(), dims.get() as u32)
}

/// Free cubes by dimension and base.
///
/// - The cubes are disjoint.
/// - `masks[b]` is the mask of the cube with base `b`, and its ones count the list it is in.
/// - Bit k of `available` says whether list k has a member.
/// - `free` counts the nodes of all cubes; if it is 2^n there is one cube.
#[derive(Clone, Copy, Debug)]
pub struct Lists {
    dims: Dim,
    available: u32,
    free: u32,
    masks: Masks,
}

impl Lists {
    const fn new(pool: PoolId, dims: Dim) -> Self {
        let words = lists_words(dims) + fold::exists_scratch_words(dims);
        let masks = ledger(pool, dims, words).masks();
        Self { dims, available: 1 << dims.get(), free: dims.nodes(), masks }
    }

    /// Makes the whole cube the only one, in lists that are empty.
    const fn whole(&self, words: &mut [Word]) {
        list(self.dims, self.dims.get() as u32).insert(words, 0);
        self.masks.set(words, 0, self.dims.nodes() - 1);
    }

    fn clear(&mut self, words: &mut [Word]) {
        for dim in self.dims.up_to() {
            list(self.dims, u32::from(dim.get())).clear(words);
        }
    }

    /// Adds the cube with this base and mask; `dim` counts the ones of the mask.
    fn insert(&mut self, words: &mut [Word], base: u32, mask: u32, dim: u32) {
        list(self.dims, dim).insert(words, base as usize);
        self.masks.set(words, base, mask);
        self.available |= 1 << dim;
    }

    fn remove(&mut self, words: &mut [Word], base: u32, dim: u32) {
        let list = list(self.dims, dim);
        list.remove(words, base as usize);
        if list.is_empty(words) {
            self.available &= !(1 << dim);
        }
    }

    fn mask(&self, words: &[Word], base: u32) -> u32 {
        self.masks.get(words, base)
    }

    /// The lowest fixed coordinate, as a bit, at which the complement is free.
    fn free_complement(&self, words: &[Word], base: u32, mask: u32, dim: u32) -> Option<u32> {
        let same = list(self.dims, dim);
        let mut fixed = !mask & self.dims.nodes().wrapping_sub(1);
        while fixed != 0 {
            let bit = fixed & fixed.wrapping_neg();
            let other = base ^ bit;
            if same.contains(words, other as usize) && self.mask(words, other) == mask {
                return Some(bit);
            }
            fixed ^= bit;
        }
        None
    }

    /// The free cube that contains `node`. Its base is the address of `node` with some ones made
    /// zeros.
    fn containing(&self, words: &[Word], node: Node) -> Option<Subcube> {
        Subcube::new(self.dims, Node(0), node.0)?.nodes().find_map(|Node(base)| {
            let mask = self.mask(words, base);
            let listed = list(self.dims, mask.count_ones()).contains(words, base as usize);
            let cube = Subcube::from_parts(self.dims, base, mask);
            (listed && cube.contains(node)).then_some(cube)
        })
    }
}

/// The highest bit that is set, or zero.
fn highest(bits: u32) -> u32 {
    bits.checked_ilog2().map_or(0, |at| 1 << at)
}

impl Strategy for Lists {
    const NAME: &'static str = "free-list";

    fn reset(&mut self, words: &mut [Word]) {
        self.clear(words);
        self.whole(words);
        self.available = 1 << self.dims.get();
        self.free = self.dims.nodes();
    }

    fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let wanted = u32::from(dim.get());
        let sufficient = self.available >> wanted;
        if sufficient == 0 {
            return None;
        }
        let mut at = wanted.wrapping_add(sufficient.trailing_zeros());
        let base = list(self.dims, at).first(words)? as u32;
        self.remove(words, base, at);
        let mut mask = self.mask(words, base);
        while at > wanted {
            let bit = highest(mask);
            mask ^= bit;
            at = at.wrapping_sub(1);
            self.insert(words, base | bit, mask, at);
        }
        self.free = self.free.wrapping_sub(dim.nodes());
        Some(Subcube::from_parts(self.dims, base, mask))
    }

    fn give(&mut self, words: &mut [Word], cube: Subcube) {
        self.free = self.free.wrapping_add(cube.len());
        if self.free == self.dims.nodes() {
            return self.reset(words);
        }
        let (mut base, mut mask, mut dim) =
            (cube.base().0, cube.mask(), u32::from(cube.dim().get()));
        while let Some(bit) = self.free_complement(words, base, mask, dim) {
            self.remove(words, base ^ bit, dim);
            base &= !bit;
            mask |= bit;
            dim = dim.wrapping_add(1);
        }
        self.insert(words, base, mask, dim);
    }

    fn lose(&mut self, words: &mut [Word], node: Node) {
        let Some(cube) = self.containing(words, node) else { return };
        let (mut base, mut mask, mut dim) =
            (cube.base().0, cube.mask(), u32::from(cube.dim().get()));
        self.remove(words, base, dim);
        while mask != 0 {
            let bit = highest(mask);
            mask ^= bit;
            dim = dim.wrapping_sub(1);
            let kept = base | (node.0 & bit);
            self.insert(words, kept ^ bit, mask, dim);
            base = kept;
        }
        self.free = self.free.wrapping_sub(1);
    }

    fn holds(&self, words: &[Word], node: Node) -> bool {
        self.containing(words, node).is_some()
    }

    fn largest(&self, _: &mut [Word], below: Dim) -> Option<Dim> {
        let largest = self.available.checked_ilog2()?;
        Dim::new(largest as u8).map(|dim| dim.min(below))
    }

    fn count(&self, words: &mut [Word], dim: Dim) -> u64 {
        self.dims
            .up_to()
            .filter(|&larger| larger >= dim)
            .map(|larger| {
                let cubes = list(self.dims, u32::from(larger.get())).iter(words).count() as u64;
                cubes.saturating_mul(fold::subcubes_in(larger, dim))
            })
            .fold(0, u64::saturating_add)
    }

    fn possible(&self, words: &mut [Word], in_service: usize) -> Option<Dim> {
        let (before, serves) = words.split_at_mut_checked(in_service)?;
        let (_, after) = before.split_at_mut_checked(lists_words(self.dims))?;
        let (scratch, _) = after.split_at_mut_checked(fold::exists_scratch_words(self.dims))?;
        fold::largest(serves, self.dims, self.dims, scratch)
    }

    fn check(&self, words: &[Word]) -> bool {
        let each_list = self.dims.up_to().all(|dim| {
            let list = list(self.dims, u32::from(dim.get()));
            let fits = |base: usize| {
                let mask = self.mask(words, base as u32);
                mask.count_ones() == u32::from(dim.get()) && mask & base as u32 == 0
            };
            list.check(words)
                && list.iter(words).all(fits)
                && list.is_empty(words) == (self.available >> dim.get() & 1 == 0)
        });
        let nodes = (0..self.dims.nodes()).filter(|&node| self.holds(words, Node(node))).count();
        let listed: usize = self
            .dims
            .up_to()
            .map(|dim| {
                let cubes = list(self.dims, u32::from(dim.get())).iter(words).count();
                cubes << dim.get()
            })
            .sum();
        let whole = self.free != self.dims.nodes() || self.available == self.free;
        each_list && nodes == listed && listed == self.free as usize && whole
    }
}
