//! Searches by which PEs are busy.

use super::super::choice::Mask;
use super::super::slots::rows::Claim;
use super::super::slots::{At, Leaf, Slots};
use crate::bits::{Word, algebra};

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// Makes `free` the PEs free from the slot `head` until `end`, of those that `mask` allows, and
    /// returns how many they are.
    ///
    /// # Errors
    ///
    /// Fewer than `pes` are, or not those that are required: the last slot that every window of this length with so many free PEs
    /// must leave behind. `free` is of no use then.
    pub(crate) fn narrow(
        &self,
        head: At,
        end: u64,
        pes: u32,
        mask: Mask<'_>,
        free: &mut [Word],
    ) -> Result<u32, At> {
        if !IDENTITY {
            return Ok(self.layout.limits.pes);
        }
        let to = self.locate_from(head, end.wrapping_sub(1)).after();
        free.fill(0);
        self.unite_between(head, to, free);
        let left = self.left(mask, free);
        if left >= pes && mask.is_met(free) {
            return Ok(left);
        }
        Err(self.blocking(head, to, pes, mask, free))
    }

    /// Makes of the PEs that are busy those that are not, as far as `mask` allows them, and returns
    /// how many they are.
    pub(crate) fn left(&self, mask: Mask<'_>, busy: &mut [Word]) -> u32 {
        let free = algebra::complement(busy, self.layout.limits.pes);
        mask.narrow(busy, free)
    }

    /// Adds to `busy` the PEs busy in a slot from `head` up to but not including `to`.
    pub(crate) fn unite_between(&self, head: At, to: At, busy: &mut [Word]) {
        for place in head.leaf.place()..=to.leaf.place() {
            let Some((from, end)) = self.part_of_leaf(place, head, to) else { continue };
            let leaf = from.leaf;
            algebra::unite(busy, self.lazy_set(leaf));
            let union = self.union(leaf);
            if from.slot == 0 && end == self.len(leaf) && !union.is_empty() {
                algebra::unite(busy, union);
            } else {
                algebra::unite_rows(busy, self.rows_between(from, end));
            }
        }
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
            for slot in (from.slot..end).rev() {
                let at = leaf.slot(slot);
                left = left.wrapping_sub(algebra::take(free, self.own_row(at)));
                if left < pes || !mask.is_met(free) {
                    return at;
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
        if claim.meets(self.lazy_set(from.leaf)) {
            return Some(from);
        }
        let mut rows = self.rows_between(from, self.len(from.leaf));
        let passed = rows.position(|row| claim.meets(row))?;
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
        if claim.meets(self.lazy_set(end.leaf)) {
            return end.slot.checked_sub(1).map(|slot| end.leaf.slot(slot));
        }
        let mut rows = self.rows_between(end.leaf.slot(0), end.slot);
        let slot = rows.rposition(|row| claim.meets(row))?;
        Some(end.leaf.slot(slot))
    }

    /// Whether a PE of `claim` is busy in some slot of a leaf.
    fn meets_leaf(&self, leaf: Leaf, claim: Claim<'_>) -> bool {
        claim.meets(self.lazy_set(leaf)) || claim.meets(self.union(leaf))
    }
}
