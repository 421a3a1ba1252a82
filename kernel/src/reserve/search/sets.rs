//! Searches by which PEs are busy.

use super::super::choice::Mask;
use super::super::slots::rows::Claim;
use super::super::slots::{At, Leaf, Slots};
use crate::bits::algebra::STRIPE;
use crate::bits::{Word, algebra};

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// Makes `free` the PEs free from the slot `head` until `end`, of those that `mask` allows, and
    /// returns how many they are.
    pub(crate) fn free_until(&self, head: At, end: u64, mask: Mask<'_>, free: &mut [Word]) -> u32 {
        if !IDENTITY {
            return self.layout.limits.pes;
        }
        let to = self.locate_from(head, end.wrapping_sub(1)).after();
        self.free_between(head, to, mask, free)
    }

    /// The same if at least `pes` are, and those that are required.
    ///
    /// # Errors
    ///
    /// The last slot that every window of this length with so many free PEs must leave behind.
    /// `free` is of no use then.
    pub(crate) fn narrow(
        &self,
        head: At,
        end: u64,
        pes: u32,
        mask: Mask<'_>,
        free: &mut [Word],
    ) -> Result<u32, At> {
        let left = self.free_until(head, end, mask, free);
        if !IDENTITY || left >= pes && mask.is_met(free) {
            return Ok(left);
        }
        let to = self.locate_from(head, end.wrapping_sub(1)).after();
        Err(self.blocking(head, to, pes, mask, free))
    }

    /// Makes `free` the PEs free from the slot `head` up to but not including `to`, of those that
    /// `mask` allows, and returns how many they are.
    pub(crate) fn free_between(&self, head: At, to: At, mask: Mask<'_>, free: &mut [Word]) -> u32 {
        if self.layout.is_flat()
            && let Some(columns) = self.columns(head, to.slot)
        {
            let count = algebra::outside_columns(free, columns, self.layout.limits.pes);
            return mask.narrow(free, count);
        }
        free.fill(0);
        self.unite_between(head, to, free);
        self.left(mask, free)
    }

    /// Makes of the PEs that are busy those that are not, as far as `mask` allows them, and returns
    /// how many they are.
    pub(crate) fn left(&self, mask: Mask<'_>, busy: &mut [Word]) -> u32 {
        let free = algebra::complement(busy, self.layout.limits.pes);
        mask.narrow(busy, free)
    }

    /// Adds to `busy` the PEs busy in a slot from `head` up to but not including `to`.
    pub(crate) fn unite_between(&self, head: At, to: At, busy: &mut [Word]) {
        let mut from = head;
        while from.leaf.place() < to.leaf.place() {
            self.unite_in_leaf(from, self.len(from.leaf), busy);
            from = self.leaf(from.leaf.place().wrapping_add(1)).slot(0);
        }
        self.unite_in_leaf(from, to.slot, busy);
    }

    /// The same of one leaf, up to its slot `end`.
    fn unite_in_leaf(&self, from: At, end: usize, busy: &mut [Word]) {
        if from.slot >= end {
            return;
        }
        if !self.layout.is_flat() {
            algebra::unite(busy, self.lazy_set(from.leaf));
            if from.slot == 0 && end == self.len(from.leaf) {
                return algebra::unite(busy, self.union(from.leaf));
            }
        }
        algebra::unite_rows(busy, self.rows_between(from, end));
    }

    /// The rows from `from` on up to but not including slot `end` of its leaf, if they are narrow, so
    /// that they lie one behind the other and are best read column by column.
    pub(super) fn columns(&self, from: At, end: usize) -> Option<&[Word]> {
        let row = self.layout.row;
        let first = from.leaf.block().wrapping_add(self.layout.block.rows);
        let word = |slot: usize| first.wrapping_add(slot.wrapping_mul(row));
        let span = word(from.slot)..word(end);
        (row < STRIPE).then(|| self.words.get(span).unwrap_or_default())
    }

    /// The last slot from `head` up to but not including `to` from which on fewer than `pes` are
    /// free until the end, or not those that are required; `head` if none is.
    pub(crate) fn blocking(
        &self,
        head: At,
        to: At,
        pes: u32,
        mask: Mask<'_>,
        free: &mut [Word],
    ) -> At {
        free.fill(0);
        let mut left = self.left(mask, free);
        for place in (head.leaf.place()..=to.leaf.place()).rev() {
            let Some((from, end)) = self.part_of_leaf(place, head, to) else { continue };
            let leaf = from.leaf;
            left = left.wrapping_sub(algebra::take(free, self.lazy_set(leaf)));
            let union = self.union(leaf);
            let whole = from.slot == 0 && end == self.len(leaf) && !union.is_empty();
            let some_left = left.wrapping_sub(algebra::count_common(free, union)) >= pes;
            if whole && some_left && !mask.is_cut(union) && !mask.is_cut(self.lazy_set(leaf)) {
                left = left.wrapping_sub(algebra::take(free, union));
                continue;
            }
            for (slot, row) in (from.slot..end).zip(self.rows_between(from, end)).rev() {
                if algebra::meet(free, row) {
                    left = left.wrapping_sub(algebra::take(free, row));
                }
                if left < pes || !mask.is_met(free) {
                    return leaf.slot(slot);
                }
            }
        }
        head
    }

    /// The first slot from `at` on, beginning before `end`, in which a PE of `claim` is busy.
    pub(crate) fn first_meeting(&self, at: At, end: u64, claim: Claim<'_>) -> Option<At> {
        let leaves = self.places_after(at.leaf, end).map(|place| self.leaf(place));
        let mut later = leaves.filter(|&leaf| self.meets_leaf(leaf, claim));
        let found = self
            .first_meeting_in(at, claim)
            .or_else(|| later.find_map(|leaf| self.first_meeting_in(leaf.slot(0), claim)));
        found.filter(|&at| self.time(at) < end)
    }

    fn first_meeting_in(&self, from: At, claim: Claim<'_>) -> Option<At> {
        if !self.layout.is_flat() && claim.meets(self.lazy_set(from.leaf)) {
            return Some(from);
        }
        let end = self.len(from.leaf);
        let passed = match self.columns(from, end) {
            Some(columns) => {
                algebra::first_meeting(columns, self.layout.row, claim.skip, claim.words)?
            }
            None => self.rows_between(from, end).position(|row| claim.meets(row))?,
        };
        Some(from.leaf.slot(from.slot.wrapping_add(passed)))
    }

    /// The last slot before `at` in which a PE of `claim` is busy.
    pub(crate) fn last_meeting(&self, at: At, claim: Claim<'_>) -> Option<At> {
        let leaves = (0..at.leaf.place()).rev().map(|place| self.leaf(place));
        let mut earlier = leaves.filter(|&leaf| self.meets_leaf(leaf, claim));
        self.last_meeting_in(at, claim).or_else(|| {
            earlier.find_map(|leaf| self.last_meeting_in(leaf.slot(self.len(leaf)), claim))
        })
    }

    fn last_meeting_in(&self, end: At, claim: Claim<'_>) -> Option<At> {
        if !self.layout.is_flat() && claim.meets(self.lazy_set(end.leaf)) {
            return end.slot.checked_sub(1).map(|slot| end.leaf.slot(slot));
        }
        let (first, size) = (end.leaf.slot(0), (end.slot, self.layout.row));
        let slot = match self.columns(first, end.slot) {
            Some(columns) => {
                algebra::last_meeting(columns, size, claim.skip, claim.words).checked_sub(1)?
            }
            None => self.rows_between(first, end.slot).rposition(|row| claim.meets(row))?,
        };
        Some(end.leaf.slot(slot))
    }

    /// Whether a PE of `claim` is busy in some slot of a leaf.
    fn meets_leaf(&self, leaf: Leaf, claim: Claim<'_>) -> bool {
        claim.meets(self.lazy_set(leaf)) || claim.meets(self.union(leaf))
    }
}
