//! A number noted with each cube of a list.

use super::lease::{per_node, words_per_node};
use crate::bits::{Lanes, Word, bit, set_bit, words_for};
use crate::cube::Dim;

/// For each base of a listed cube its label, a node or 0.
///
/// - `bases` has a one at each base with a label other than 0, `own` where that is the base itself.
/// - In `table` each base has its label, but for those in `own`: their entries are free for
///   another use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labels {
    pub(crate) table: Lanes,
    pub(crate) bases: usize,
    pub(crate) own: usize,
}

impl Labels {
    pub(crate) const fn words(dims: Dim) -> usize {
        words_per_node(dims) + 2 * words_for(dims.nodes() as usize)
    }

    /// In zeroed words from `start` on.
    pub(crate) const fn new(dims: Dim, start: usize) -> Self {
        let bases = start + words_per_node(dims);
        let own = bases + words_for(dims.nodes() as usize);
        Self { table: per_node(dims, start), bases, own }
    }

    /// The label noted with this base.
    pub(crate) fn get(&self, words: &[Word], base: u32) -> u32 {
        if bit(words, self.own, base) { base } else { self.table.get(words, base) }
    }

    /// Notes the label of what has this base.
    #[inline]
    pub(crate) fn set(&self, words: &mut [Word], base: u32, label: u32) {
        if label != base {
            self.table.set(words, base, label);
        }
        set_bit(words, self.own, base, label == base);
        set_bit(words, self.bases, base, label != 0);
    }

    /// Forgets it; until another is noted with this base, it can still be read.
    pub(crate) fn clear(&self, words: &mut [Word], base: u32) {
        set_bit(words, self.bases, base, false);
    }
}
