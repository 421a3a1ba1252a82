//! The rows of one leaf: which PEs are busy in each of its slots.

use super::packed::Packed;
use super::sets::{self, Claim};
use crate::bits::Word;
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
    pub(super) lanes: Packed,
    /// The number of the row of each slot.
    pub(super) ids: &'a [Word],
    /// The rows of all leaves.
    pub(super) rows: &'a mut [Word],
    /// Empty in a flat timeline, as `union` is.
    pub(super) mask: &'a mut [Word],
    pub(super) union: &'a mut [Word],
}

impl LeafRows<'_> {
    /// Where the row of a slot lies among the rows.
    fn locate(&self, slot: usize) -> Range<usize> {
        let start = (self.lanes.get(self.ids, slot) as usize).wrapping_mul(self.row);
        start..start.wrapping_add(self.row)
    }

    fn row_mut(&mut self, slot: usize) -> &mut [Word] {
        let place = self.locate(slot);
        self.rows.get_mut(place).unwrap_or(&mut [])
    }

    /// Makes the PEs of `claim` busy in the slots `from..to`.
    pub(super) fn occupy(&mut self, from: usize, to: usize, claim: Claim<'_>) {
        if from == 0 && to == self.len && !self.mask.is_empty() {
            sets::unite(claim.part_mut(self.mask), claim.words);
            return;
        }
        for slot in from..to {
            sets::unite(claim.part_mut(self.row_mut(slot)), claim.words);
        }
        sets::unite(claim.part_mut(self.union), claim.words);
    }

    /// Makes the PEs of `claim` free in the slots `from..to`.
    pub(super) fn vacate(&mut self, from: usize, to: usize, claim: Claim<'_>) {
        let masked = claim.meets(self.mask);
        let partly = from > 0 || to < self.len;
        if masked {
            self.unmask_outside(from, to, claim);
            sets::subtract(claim.part_mut(self.mask), claim.words);
        }
        let in_rows = self.union.is_empty() || claim.meets(self.union);
        if in_rows || (masked && partly) {
            for slot in from..to {
                sets::subtract(claim.part_mut(self.row_mut(slot)), claim.words);
            }
            self.reunite(claim.skip, claim.words.len());
        }
    }

    /// Moves what the mask holds of `claim` into the rows outside `from..to`.
    fn unmask_outside(&mut self, from: usize, to: usize, claim: Claim<'_>) {
        for slot in (0..from).chain(to..self.len) {
            let place = self.locate(slot);
            let Some(row) = self.rows.get_mut(place) else { return };
            let masked = claim.part(self.mask).iter().zip(claim.words).map(|(a, b)| a & b);
            claim.part_mut(row).iter_mut().zip(masked).for_each(|(word, add)| *word |= add);
        }
    }

    /// Moves the whole mask into the rows.
    pub(super) fn unmask(&mut self) {
        for slot in 0..self.len {
            let place = self.locate(slot);
            let Some(row) = self.rows.get_mut(place) else { return };
            sets::unite(row, self.mask);
        }
        self.mask.fill(0);
    }

    /// Recomputes `len` words from `skip` on of the union.
    pub(super) fn reunite(&mut self, skip: usize, len: usize) {
        let span = skip..skip.wrapping_add(len);
        sets::fill(self.union.get_mut(span.clone()).unwrap_or(&mut []), 0);
        for slot in 0..self.len {
            let place = self.locate(slot);
            let Some(union) = self.union.get_mut(span.clone()) else { return };
            let row = self.rows.get(place).and_then(|row| row.get(span.clone()));
            sets::unite(union, row.unwrap_or(&[]));
        }
    }
}
