//! The rows of one leaf: which PEs are busy in each of its slots.

use super::claim::Claim;
use crate::bits::Word;
use crate::bits::algebra;
use core::ops::Range;

/// The rows of a leaf, to be changed. Sets on the same PE never overlap in time; so what is taken
/// away was added exactly once, to a row or to the mask.
///
/// - A slot's set is the union of its row and the mask.
/// - `union` is the union of the rows.
pub(super) struct LeafRows<'a> {
    /// Slots in use.
    pub(super) len: usize,
    /// Words of a row.
    pub(super) row: usize,
    /// One row after the other.
    pub(super) rows: &'a mut [Word],
    /// Empty in a flat timeline, as `union` is.
    pub(super) mask: &'a mut [Word],
    pub(super) union: &'a mut [Word],
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
    pub(super) fn occupy(&mut self, from: usize, to: usize, claim: Claim<'_>) {
        if from == 0 && to == self.len && !self.mask.is_empty() {
            algebra::unite(claim.part_mut(self.mask), claim.words);
            return;
        }
        self.each(from..to).for_each(|row| algebra::unite(claim.part_mut(row), claim.words));
        algebra::unite(claim.part_mut(self.union), claim.words);
    }

    /// Makes the PEs of `claim` free in the slots `from..to`.
    pub(super) fn vacate(&mut self, from: usize, to: usize, claim: Claim<'_>) {
        let masked = claim.meets(self.mask);
        let partly = from > 0 || to < self.len;
        if masked && partly {
            self.unmask(claim);
        } else if masked {
            algebra::subtract(claim.part_mut(self.mask), claim.words);
        }
        if self.union.is_empty() || claim.meets(self.union) {
            self.each(from..to).for_each(|row| algebra::subtract(claim.part_mut(row), claim.words));
            self.reunite(claim.skip, claim.words.len());
        }
    }

    /// Moves what the mask holds of `claim` into the rows.
    fn unmask(&mut self, claim: Claim<'_>) {
        let Self { mask, union, .. } = self;
        let span = ..self.len.wrapping_mul(self.row);
        let rows = self.rows.get_mut(span).unwrap_or(&mut []).chunks_exact_mut(self.row.max(1));
        for row in rows.chain([&mut **union]) {
            let masked = claim.part(mask).iter().zip(claim.words).map(|(a, b)| a & b);
            claim.part_mut(row).iter_mut().zip(masked).for_each(|(word, add)| *word |= add);
        }
        algebra::subtract(claim.part_mut(mask), claim.words);
    }

    /// Moves the whole mask into the rows.
    pub(super) fn unmask_all(&mut self) {
        let mask = core::mem::take(&mut self.mask);
        self.each(0..self.len).for_each(|row| algebra::unite(row, mask));
        algebra::unite(self.union, mask);
        mask.fill(0);
        self.mask = mask;
    }

    /// Recomputes `len` words from `skip` on of the union.
    pub(super) fn reunite(&mut self, skip: usize, len: usize) {
        let span = skip..skip.wrapping_add(len);
        let Some(union) = self.union.get_mut(span.clone()) else { return };
        union.fill(0);
        let rows = self.rows.chunks_exact(self.row.max(1)).take(self.len);
        rows.filter_map(|row| row.get(span.clone())).for_each(|row| algebra::unite(union, row));
    }
}
