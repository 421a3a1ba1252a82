//! Which leftover each region of a machine lies in.

use super::lease::{per_node, words_per_node};
use crate::bits::{Lanes, Word, bit, set_bit, words_for};
use crate::cube::{Dim, Marked, Node, Subcube};

/// For each region its owner. A region is a free subcube in a list, or the subcube of a live mesh. Its
/// owner is the leftover of a mesh that it lies in directly, named by the leftover's base. For each
/// leftover there is also the number of its free nodes.
///
/// - [`NO_OWNER`] is 0. No leftover has base 0: the base of a mesh's subcube is a node of the mesh, and
///   node 0 could only be that base.
/// - A base names one leftover: the base of an inner one is never that of an outer one, because
///   between them lies a mesh that keeps the base of its subcube for itself.
/// - `owned` has a one at the base of each region with an owner, `own` where that is the base itself.
/// - In `table` each region has its owner at its base, but for those in `own`: the entry of a leftover's
///   base counts its free nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionOwners {
    table: Lanes,
    owned: usize,
    own: usize,
}

/// The owner of what lies in no leftover.
pub(crate) const NO_OWNER: u32 = 0;

impl RegionOwners {
    pub(crate) const fn words(dims: Dim) -> usize {
        words_per_node(dims) + 2 * words_for(dims.nodes() as usize)
    }

    /// In zeroed words from `start` on.
    pub(crate) const fn new(dims: Dim, start: usize) -> Self {
        let owned = start + words_per_node(dims);
        let own = owned + words_for(dims.nodes() as usize);
        Self { table: per_node(dims, start), owned, own }
    }

    /// The owner of the region with this base.
    pub(crate) fn of(&self, words: &[Word], base: u32) -> u32 {
        if bit(words, self.own, base) { base } else { self.table.get(words, base) }
    }

    #[inline]
    pub(crate) fn set(&self, words: &mut [Word], base: u32, owner: u32) {
        if owner != base {
            self.table.set(words, base, owner);
        }
        set_bit(words, self.own, base, owner == base);
        set_bit(words, self.owned, base, owner != NO_OWNER);
    }

    /// There is no region with this base any more. Until there is another, its owner can still be read.
    pub(crate) fn clear(&self, words: &mut [Word], base: u32) {
        set_bit(words, self.owned, base, false);
    }

    /// How many nodes are free in a leftover.
    pub(crate) fn free(&self, words: &[Word], leftover: u32) -> u32 {
        self.table.get(words, leftover)
    }

    pub(crate) fn set_free(&self, words: &mut [Word], leftover: u32, free: u32) {
        self.table.set(words, leftover, free);
    }

    /// The regions that lie directly in `leftover`.
    pub(crate) fn fragments(&self, leftover: &Subcube) -> Fragments {
        let bases = leftover.marked(self.owned, 0);
        Fragments { owners: *self, owner: leftover.base().0, bases }
    }
}

/// The bases of the regions that lie directly in one leftover, in rising order. Between two calls the
/// regions found so far may be taken away or get another owner; no region may come.
pub(crate) struct Fragments {
    owners: RegionOwners,
    owner: u32,
    bases: Marked,
}

impl Fragments {
    pub(crate) fn next(&mut self, words: &[Word]) -> Option<Node> {
        loop {
            let base = self.bases.next(words)?;
            if self.owners.of(words, base.0) == self.owner {
                return Some(base);
            }
        }
    }
}
