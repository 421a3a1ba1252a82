//! The auxiliary list: what is free in the leftovers of live meshes.

use crate::bits::Word;
use crate::cube::{Dim, Node, Subcube};
use crate::subcube::cube_lists::{CubeLists, Parts};
use crate::subcube::lease::Ledger;
use crate::subcube::region_owners::{Fragments, RegionOwners};

/// Free subcubes in lists by dimension, and for each the leftover that it lies in.
///
/// - Subcubes of one leftover are joined with their complements, those of different leftovers never.
/// - No subcube that is free across several of one leftover has more than `bound` dimensions. A
///   refusal shows this bound, so the next one need not search again.
#[derive(Clone, Copy, Debug)]
pub(super) struct AuxiliaryList {
    pub(super) lists: CubeLists,
    pub(super) owners: RegionOwners,
    pub(super) bound: Dim,
}

impl AuxiliaryList {
    pub(super) const fn words(dims: Dim) -> usize {
        CubeLists::words(dims) + RegionOwners::words(dims)
    }

    /// Empty, in zeroed words from `start` on.
    pub(super) const fn new(dims: Dim, start: usize, ledger: &Ledger) -> Self {
        Self {
            lists: CubeLists::empty(dims, start, ledger.masks, ledger.room),
            owners: RegionOwners::new(dims, start + CubeLists::words(dims)),
            bound: Dim::ZERO,
        }
    }

    /// Lists a whole leftover, which is free.
    pub(super) fn open(&mut self, words: &mut [Word], leftover: &Subcube) {
        self.owners.set_free(words, leftover.base().0, leftover.len());
        self.raise_bound(leftover.len().wrapping_sub(1));
        self.list(words, leftover, leftover.base().0);
    }

    /// A subcube and its owner.
    pub(super) fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<(Subcube, u32)> {
        let (cube, owner) = self.lists.take(words, dim, Some(&self.owners))?;
        self.count(words, owner, dim.nodes().wrapping_neg());
        Some((cube, owner))
    }

    /// Takes out all nodes of `cube`, which are free in the leftover `owner`.
    pub(super) fn remove(&mut self, words: &mut [Word], cube: &Subcube, owner: u32) {
        self.lists.remove(words, cube, Some(&self.owners));
        self.count(words, owner, cube.len().wrapping_neg());
    }

    /// Adds a subcube of the leftover `owner`. How many nodes are then free there, if they are not all
    /// in one subcube.
    pub(super) fn give(&mut self, words: &mut [Word], cube: &Subcube, owner: u32) -> Option<u32> {
        let joined = self.lists.merge(words, Parts::of(cube, owner), Some(&self.owners));
        let free = self.count(words, owner, cube.len());
        self.raise_bound(free);
        (joined < free).then_some(free)
    }

    /// Lists `cube` as it is, without joining or counting it.
    pub(super) fn list(&mut self, words: &mut [Word], cube: &Subcube, owner: u32) {
        self.lists.insert(words, &Parts::of(cube, owner), Some(&self.owners));
    }

    /// Takes `cube` out if it is listed as it is; whether it was. It is not counted.
    pub(super) fn unlist(&mut self, words: &mut [Word], cube: &Subcube) -> bool {
        self.lists.remove_if_listed(words, cube, Some(&self.owners))
    }

    /// So many nodes more are free in a leftover, or, wrapped, less; how many then are.
    fn count(&self, words: &mut [Word], leftover: u32, more: u32) -> u32 {
        let free = self.owners.free(words, leftover).wrapping_add(more);
        self.owners.set_free(words, leftover, free);
        free
    }

    /// A leftover has come to have so many free nodes.
    fn raise_bound(&mut self, free: u32) {
        let most = free.checked_ilog2().and_then(|most| Dim::new(most as u8));
        self.bound = self.bound.max(most.unwrap_or_default());
    }

    /// The next free one of some fragments.
    pub(super) fn next_free(&self, words: &[Word], of: &mut Fragments) -> Option<Subcube> {
        loop {
            let base = of.next(words)?;
            if let Some(cube) = self.lists.cube_from(words, base) {
                return Some(cube);
            }
        }
    }

    /// The owner of the listed subcube that contains `node`.
    pub(super) fn owner_at(&self, words: &[Word], node: Node) -> Option<u32> {
        let cube = self.lists.containing(words, node)?;
        Some(self.owners.of(words, cube.base().0))
    }
}
