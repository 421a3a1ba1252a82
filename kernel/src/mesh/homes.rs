//! Whose leftover the pieces of a machine lie in.

use super::pieces::Pieces;
use crate::bits::{Word, bit, set_bit};
use crate::cube::{Dim, Marked, Subcube};
use crate::subcube::labels::Labels;

/// For each base of a free cube of the auxiliary list, and of a live mesh, its label: the leftover
/// that it lies in directly, named by the leftover's base. And for each leftover how many of its
/// nodes are free there.
///
/// - 0 stands for none. No leftover has base 0: the base of a mesh's subcube is a node of the
///   mesh, and node 0 could only be that base.
/// - A base names one leftover: the base of an inner one is never that of an outer one, because
///   between them lies a mesh that keeps the base of its subcube for itself.
/// - The entry of a leftover's base counts its free nodes. What has the same base lies directly in
///   it and needs no entry, for between them lies nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Homes(pub(super) Labels);

/// No leftover at all.
pub(super) const NONE: u32 = 0;

impl Homes {
    pub(super) const fn words(dims: Dim) -> usize {
        Labels::words(dims)
    }

    /// In zeroed words from `start` on.
    pub(super) const fn new(dims: Dim, start: usize) -> Self {
        Self(Labels::new(dims, start))
    }

    pub(super) fn get(self, words: &[Word], base: u32) -> u32 {
        self.0.get(words, base)
    }

    /// All of `leftover` is free.
    pub(super) fn open(self, words: &mut [Word], leftover: &Subcube) {
        self.0.table.set(words, leftover.base().0, leftover.len());
    }

    /// How many nodes are free in the leftover with this base.
    pub(super) fn free(self, words: &[Word], leftover: u32) -> u32 {
        self.0.table.get(words, leftover)
    }

    /// So many nodes more are free there, or, wrapped, less; how many then are.
    pub(super) fn count(self, words: &mut [Word], leftover: u32, more: u32) -> u32 {
        let free = self.free(words, leftover).wrapping_add(more);
        self.0.table.set(words, leftover, free);
        free
    }

    /// The bases of leftovers, and [`NONE`]. What has the base of a leftover is labelled with just that
    /// as long as the leftover is there, and the note outlives the label.
    pub(super) fn leftovers(self, dims: Dim) -> Marked {
        Subcube::whole(dims).marked(self.0.own, 0)
    }

    /// This leftover is no more, and nothing lies in it.
    pub(super) fn close(self, words: &mut [Word], leftover: &Subcube) {
        set_bit(words, self.0.own, leftover.base().0, false);
    }

    /// Whether a leftover has this base.
    pub(super) fn is_leftover(self, words: &[Word], base: u32) -> bool {
        base != NONE && bit(words, self.0.own, base)
    }

    /// The bases of the pieces that lie directly in `leftover`.
    pub(super) fn pieces(self, leftover: &Subcube) -> Pieces {
        Pieces::new(self, leftover.base().0, leftover.marked(self.0.bases, 0))
    }
}
