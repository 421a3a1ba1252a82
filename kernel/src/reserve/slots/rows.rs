//! The rows of one leaf, which PEs are busy in each of its slots, and what a change takes or gives.

use crate::bits::{Word, algebra};

use core::ops::Range;
use core::slice;

/// PEs that a change or a reservation concerns, without the zero words around them, so that a
/// change of few PEs touches few words of each row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim<'a> {
    /// How many PEs.
    pub(crate) count: u32,
    /// Words of a row before the first of `words`.
    pub(crate) skip: usize,
    /// Empty if only counts are kept.
    pub(crate) words: &'a [Word],
}

impl<'a> Claim<'a> {
    /// PEs without identity.
    pub(crate) const fn of_count(count: u32) -> Self {
        Self { count, skip: 0, words: &[] }
    }

    /// The members of `set`.
    pub(crate) fn of_set(set: &'a [Word]) -> Self {
        let skip = set.iter().position(|&word| word != 0).unwrap_or(set.len());
        let end = set.iter().rposition(|&word| word != 0).map_or(skip, |at| at.wrapping_add(1));
        let words = set.get(skip..end).unwrap_or(&[]);
        Self { count: algebra::count(words), skip, words }
    }

    /// The members of word `skip` of a row.
    pub(crate) const fn of_word(skip: usize, word: &'a Word) -> Self {
        Self { count: word.count_ones(), skip, words: slice::from_ref(word) }
    }

    /// The words of a row that the claim reaches.
    pub(crate) fn part<'r>(&self, row: &'r [Word]) -> &'r [Word] {
        row.get(self.skip..self.skip.wrapping_add(self.words.len())).unwrap_or(&[])
    }

    /// As [`Claim::part`], to change them.
    pub(crate) fn part_mut<'r>(&self, row: &'r mut [Word]) -> &'r mut [Word] {
        row.get_mut(self.skip..self.skip.wrapping_add(self.words.len())).unwrap_or(&mut [])
    }

    pub(crate) fn meets(&self, row: &[Word]) -> bool {
        algebra::meet(self.part(row), self.words)
    }
}

/// The rows of a leaf, to be changed. Sets on the same PE never overlap in time; so what is taken
/// away was added exactly once, to a row or to the lazy set.
///
/// - A slot's set is the union of its row and the lazy set.
/// - `union` is the union of the rows.
pub(crate) struct LeafRows<'a> {
    /// Slots in use.
    pub(crate) len: usize,
    /// Words of a row.
    pub(crate) row: usize,
    /// One row after the other.
    pub(crate) rows: &'a mut [Word],
    /// Empty in a flat timeline, as `union` is.
    pub(crate) lazy_set: &'a mut [Word],
    pub(crate) union: &'a mut [Word],
}

impl LeafRows<'_> {
    /// The rows of the slots `slots`.
    fn each(&mut self, slots: Range<usize>) -> impl Iterator<Item = &mut [Word]> {
        let row = self.row;
        let span = slots.start.wrapping_mul(row)..slots.end.wrapping_mul(row);
        let rows = self.rows.get_mut(span).unwrap_or(&mut []);
        // A row has words: without identity there are no rows.
        rows.chunks_exact_mut(row.max(1))
    }

    /// Makes the PEs of `claim` busy in the slots `from..to`.
    pub(crate) fn occupy(&mut self, from: usize, to: usize, claim: Claim<'_>) {
        debug_assert!(from < to && to <= self.len, "slots of the leaf are changed");
        if from == 0 && to == self.len && !self.lazy_set.is_empty() {
            algebra::unite(claim.part_mut(self.lazy_set), claim.words);
            return;
        }
        self.each(from..to).for_each(|row| algebra::unite(claim.part_mut(row), claim.words));
        algebra::unite(claim.part_mut(self.union), claim.words);
    }

    /// Makes the PEs of `claim` free in the slots `from..to`.
    pub(crate) fn vacate(&mut self, from: usize, to: usize, claim: Claim<'_>) {
        let lazy = claim.meets(self.lazy_set);
        let partly = from > 0 || to < self.len;
        if lazy && partly {
            self.push_down(claim);
        } else if lazy {
            algebra::subtract(claim.part_mut(self.lazy_set), claim.words);
        }
        if self.union.is_empty() || claim.meets(self.union) {
            self.each(from..to).for_each(|row| algebra::subtract(claim.part_mut(row), claim.words));
            self.reunite(claim.skip, claim.words.len());
        }
    }

    /// Moves what the lazy set holds of `claim` into the rows.
    fn push_down(&mut self, claim: Claim<'_>) {
        let Self { lazy_set, union, .. } = self;
        let span = ..self.len.wrapping_mul(self.row);
        let rows = self.rows.get_mut(span).unwrap_or(&mut []).chunks_exact_mut(self.row.max(1));
        for row in rows.chain([&mut **union]) {
            let held = claim.part(lazy_set).iter().zip(claim.words).map(|(a, b)| a & b);
            claim.part_mut(row).iter_mut().zip(held).for_each(|(word, add)| *word |= add);
        }
        algebra::subtract(claim.part_mut(lazy_set), claim.words);
    }

    /// Moves the whole lazy set into the rows. The union is to be recomputed.
    pub(crate) fn push_down_all(&mut self) {
        let moved = core::mem::take(&mut self.lazy_set);
        self.each(0..self.len).for_each(|row| algebra::unite(row, moved));
        moved.fill(0);
        self.lazy_set = moved;
    }

    /// Recomputes `len` words from `skip` on of the union.
    pub(crate) fn reunite(&mut self, skip: usize, len: usize) {
        let span = skip..skip.wrapping_add(len);
        let Some(union) = self.union.get_mut(span.clone()) else { return };
        union.fill(0);
        let rows = self.rows.chunks_exact(self.row.max(1)).take(self.len);
        rows.filter_map(|row| row.get(span.clone())).for_each(|row| algebra::unite(union, row));
    }
}
