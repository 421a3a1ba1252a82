//! Whose leftover the pieces of a machine lie in.

use crate::bits::{Lanes, Word, bit, set_bit, words_for};
use crate::cube::{Dim, Node, Subcube};
use crate::subcube::cube_lists::Labels;
use crate::subcube::lease::{per_node, words_per_node};

/// For each base of a free cube of the auxiliary list, and of a live mesh: the leftover that it
/// lies in directly, named by the leftover's base. And for each leftover how many of its nodes are
/// free there.
///
/// - 0 stands for none. No leftover has base 0: the base of a mesh's subcube is a node of the
///   mesh, and node 0 could only be that base.
/// - A base names one leftover: the base of an inner one is never that of an outer one, because
///   between them lies a mesh that keeps the base of its subcube for itself.
/// - `bases` has a one at each base with a leftover around it, `own` where that has the same base.
/// - The entry of a leftover's base counts its free nodes. What has the same base lies directly in
///   it and needs no entry, for between them lies nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Homes {
    table: Lanes,
    bases: usize,
    own: usize,
}

/// No leftover at all.
pub(super) const NONE: u32 = 0;

impl Homes {
    pub(super) const fn words(dims: Dim) -> usize {
        words_per_node(dims) + 2 * words_for(dims.nodes() as usize)
    }

    /// In zeroed words from `start` on.
    pub(super) const fn new(dims: Dim, start: usize) -> Self {
        let bases = start + words_per_node(dims);
        let own = bases + words_for(dims.nodes() as usize);
        Self { table: per_node(dims, start), bases, own }
    }

    /// All of `leftover` is free.
    pub(super) fn open(self, words: &mut [Word], leftover: &Subcube) {
        self.table.set(words, leftover.base().0, leftover.len());
    }

    /// How many nodes are free in the leftover with this base.
    pub(super) fn free(self, words: &[Word], leftover: u32) -> u32 {
        self.table.get(words, leftover)
    }

    /// So many nodes more are free there, or, wrapped, less; how many then are.
    pub(super) fn count(self, words: &mut [Word], leftover: u32, more: u32) -> u32 {
        let free = self.free(words, leftover).wrapping_add(more);
        self.table.set(words, leftover, free);
        free
    }

    /// Calls `visit` with the bases of the pieces that lie directly in `leftover`. It may take them,
    /// and no other pieces of this leftover, away, or give them another home.
    pub(super) fn for_each_in(
        self,
        words: &mut [Word],
        leftover: &Subcube,
        visit: &mut dyn FnMut(&mut [Word], Node),
    ) {
        leftover.visit_marked(words, self.bases, 0, &mut |words, base| {
            if self.get(words, base.0) == leftover.base().0 {
                visit(words, base);
            }
        });
    }
}

impl Labels for Homes {
    fn get(self, words: &[Word], base: u32) -> u32 {
        if bit(words, self.own, base) { base } else { self.table.get(words, base) }
    }

    #[inline]
    fn set(self, words: &mut [Word], base: u32, home: u32) {
        if home != base {
            self.table.set(words, base, home);
        }
        set_bit(words, self.own, base, home == base);
        set_bit(words, self.bases, base, home != NONE);
    }

    fn clear(self, words: &mut [Word], base: u32) {
        set_bit(words, self.bases, base, false);
    }
}
