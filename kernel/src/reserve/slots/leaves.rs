//! Leaves of a timeline that change: slots put in and taken out, leaves split and joined, rows
//! and blocks handed out, summaries recomputed.

use super::layout::{LEAVES, Layout};
use super::rows::LeafRows;
use super::{At, Leaf, Slots, tables};
use crate::bits::{Word, algebra};
use core::ops::Range;

/// What the storage does not say about the slots: nothing where all are in one leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks([Blocks; LEAVES as usize]);

/// - Blocks below `used` have been in use; the directory lists those that are free again
///   behind the leaves in use.
#[derive(Clone, Copy, Debug)]
struct Blocks {
    leaves: u32,
    used: u32,
}

impl Marks {
    /// One slot, the present, in the first leaf.
    pub(crate) const START: Self = Self([Blocks { leaves: 1, used: 1 }; LEAVES as usize]);

    /// Leaves in use.
    pub(crate) fn leaves(&self) -> usize {
        self.0.first().map_or(1, |blocks| blocks.leaves as usize)
    }

    /// Blocks that have been in use.
    pub(crate) fn blocks(&self) -> usize {
        self.0.first().map_or(1, |blocks| blocks.used as usize)
    }

    fn set_leaves(&mut self, leaves: usize) {
        if let Some(blocks) = self.0.first_mut() {
            blocks.leaves = leaves as u32;
            blocks.used = blocks.used.max(blocks.leaves);
        }
    }
}

/// The slots, to be changed.
pub(crate) struct SlotsMut<'a, const IDENTITY: bool> {
    pub(crate) layout: &'a Layout,
    pub(crate) marks: &'a mut Marks,
    /// The storage up to the reservations.
    pub(crate) words: &'a mut [Word],
}

impl<const IDENTITY: bool> SlotsMut<'_, IDENTITY> {
    pub(crate) fn view(&self) -> Slots<'_, IDENTITY> {
        Slots { layout: self.layout, marks: *self.marks, words: self.words }
    }

    /// Leaves in use.
    pub(crate) fn leaves(&self) -> usize {
        self.marks.leaves()
    }

    /// As [`Slots::times`], to change them.
    fn times_mut(&mut self, leaf: Leaf) -> &mut [Word] {
        self.words.get_mut(leaf.block()..).unwrap_or_default()
    }

    /// As [`Slots::counts`], to change them.
    pub(crate) fn counts_mut(&mut self, leaf: Leaf) -> &mut [Word] {
        let start = leaf.block().wrapping_add(self.layout.block.counts);
        self.words.get_mut(start..).unwrap_or_default()
    }

    /// The rows of a leaf.
    pub(crate) fn leaf_rows(&mut self, leaf: Leaf) -> LeafRows<'_> {
        let len = self.view().len(leaf);
        let block = leaf.block()..leaf.block().wrapping_add(self.layout.block.words);
        LeafRows::of(self.layout, self.words.get_mut(block).unwrap_or_default(), len)
    }

    fn set_len(&mut self, leaf: Leaf, len: usize) {
        let last = leaf.block().wrapping_add(self.layout.block.last);
        if let Some(last) = self.words.get_mut(last) {
            *last = len.wrapping_sub(1);
        }
    }

    // Slots.

    /// Puts a slot in behind `at`, in a leaf that has room: the same, but beginning at `time`.
    pub(crate) fn insert_after(&mut self, at: At, time: u64) {
        let counts = self.layout.counts;
        let (len, after) = (self.view().len(at.leaf), at.after().slot);
        debug_assert!(len < self.layout.directory().leaf, "the leaf has room");
        debug_assert!(self.view().time(at) < time, "times rise");
        let count = self.view().stored(at);
        tables::insert_tick(self.times_mut(at.leaf), after, len, time);
        counts.insert(self.counts_mut(at.leaf), after, len, count);
        if IDENTITY {
            self.leaf_rows(at.leaf).double(at.slot);
        }
        self.set_len(at.leaf, len.wrapping_add(1));
    }

    /// Takes `count` slots out from `at` on, but not all of the leaf.
    fn remove(&mut self, at: At, count: usize) {
        let counts = self.layout.counts;
        let len = self.view().len(at.leaf);
        let from = at.slot.wrapping_add(count);
        debug_assert!(from <= len && count < len, "a slot of the leaf stays");
        tables::remove_ticks(self.times_mut(at.leaf), at.slot, from, len);
        for taken in 0..count {
            let table = self.counts_mut(at.leaf);
            counts.remove(table, at.slot, len.wrapping_sub(taken));
        }
        if IDENTITY {
            self.leaf_rows(at.leaf).take_out(at.slot..from);
        }
        self.set_len(at.leaf, len.wrapping_sub(count));
    }

    /// Takes out a slot that says the same as the one before it. Whether leaves were joined or
    /// removed on that occasion, so that places are no longer what they were.
    pub(crate) fn close(&mut self, at: At) -> bool {
        if LEAVES && self.view().len(at.leaf) == 1 {
            self.unlist(at.leaf);
            return true;
        }
        self.remove(at, 1);
        if at.slot == 0 {
            self.refresh(at.leaf);
        }
        LEAVES && self.join_if_small(at.leaf)
    }

    /// Drops all slots before `at`.
    pub(crate) fn drop_before(&mut self, at: At) {
        match at.leaf.place() {
            0 => {}
            1 => self.unlist(self.view().leaf(0)),
            count => self.unlist_first(count),
        }
        let first = self.view().leaf(0);
        self.remove(first.slot(0), at.slot);
        self.refresh(first);
        if LEAVES {
            self.join_if_small(first);
        }
    }

    /// Makes `time` that of a leaf's first slot.
    pub(crate) fn set_first(&mut self, leaf: Leaf, time: u64) {
        tables::set_tick(self.times_mut(leaf), 0, time);
        tables::set_tick(self.layout.directory().firsts.of_mut(self.words), leaf.place(), time);
    }

    // Leaves.

    /// Splits a full leaf in halves.
    pub(crate) fn split(&mut self, leaf: Leaf) {
        self.push_down_counts(leaf);
        let len = self.view().len(leaf);
        let kept = len >> 1;
        let upper = self.list(leaf.place().wrapping_add(1), self.view().time(leaf.slot(kept)));
        self.clear(upper);
        self.append(upper, leaf, kept..len);
        self.remove(leaf.slot(kept), len.wrapping_sub(kept));
        let lazy_set = self.layout.beside().lazy_set;
        if let Some([to, from]) = self.blocks(upper, leaf) {
            algebra::copy(lazy_set.of_mut(to), lazy_set.of(from));
        }
        self.refresh(leaf);
        self.refresh(upper);
    }

    /// A leaf of a block that was free has no slot yet.
    fn clear(&mut self, leaf: Leaf) {
        self.leaf_rows(leaf).clear();
        self.set_len(leaf, 0);
    }

    /// Copies slots of another leaf whose counts are settled behind those of `leaf`.
    fn append(&mut self, leaf: Leaf, other: Leaf, slots: Range<usize>) {
        let (layout, len) = (self.layout, self.view().len(leaf));
        let Layout { block, counts, .. } = *layout;
        let Some([to, from]) = self.blocks(leaf, other) else { return };
        tables::append_ticks(to, len, from, slots.clone());
        for (behind, slot) in (len..).zip(slots.clone()) {
            let count = counts.get(from.get(block.counts..).unwrap_or_default(), slot);
            counts.set(to.get_mut(block.counts..).unwrap_or_default(), behind, count);
        }
        if IDENTITY {
            let mut rows = LeafRows::of(layout, to, len);
            for slot in slots.clone() {
                let id = layout.row_id(layout.beside().row_ids.of(from), slot);
                rows.push(layout.row(id).at(block.rows).of(from));
            }
        }
        self.set_len(leaf, len.wrapping_add(slots.len()));
    }

    /// Joins a leaf with a neighbour if both together fill no more than half of one.
    fn join_if_small(&mut self, leaf: Leaf) -> bool {
        let room = (self.layout.directory().leaf >> 1).saturating_sub(self.view().len(leaf));
        if room == 0 {
            return false;
        }
        let view = self.view();
        if let Some(after) = view.leaf_after(leaf).filter(|&after| view.len(after) <= room) {
            self.join(leaf, after);
            return true;
        }
        let before = leaf.place().checked_sub(1).map(|place| view.leaf(place));
        let Some(before) = before.filter(|&before| view.len(before) <= room) else { return false };
        self.join(before, leaf);
        true
    }

    /// Moves the slots of `upper` behind those of `leaf`, its neighbour.
    fn join(&mut self, leaf: Leaf, upper: Leaf) {
        for leaf in [leaf, upper] {
            self.push_down_counts(leaf);
            self.leaf_rows(leaf).push_down_all();
        }
        self.append(leaf, upper, 0..self.view().len(upper));
        self.unlist(upper);
        self.refresh(leaf);
    }

    /// The blocks of two leaves.
    fn blocks(&mut self, a: Leaf, b: Leaf) -> Option<[&mut [Word]; 2]> {
        let len = self.layout.block.words;
        let span = |leaf: Leaf| leaf.block()..leaf.block().wrapping_add(len);
        self.words.get_disjoint_mut([span(a), span(b)]).ok()
    }

    /// Enters a free block in the directory at `place`, not the first; the leaf begins at `first`.
    fn list(&mut self, place: usize, first: u64) -> Leaf {
        let (layout, leaves, blocks) = (self.layout, self.leaves(), self.marks.blocks());
        let (directory, recycled) = (layout.directory(), leaves < blocks);
        debug_assert!(leaves < directory.leaves, "as many leaves as can be needed");
        let ids = directory.ids.of_mut(self.words);
        // The free blocks stand behind the leaves in use; if there are none, take a new one.
        let block = if recycled { directory.leaf_ids.get(ids, leaves) } else { blocks as u32 };
        directory.leaf_ids.insert(ids, place, leaves, block);
        let firsts = directory.firsts.of_mut(self.words);
        tables::insert_tick(firsts, place, leaves, first);
        for table in [directory.lows, directory.highs, directory.bases] {
            layout.counts.insert(table.of_mut(self.words), place, leaves, 0);
        }
        self.marks.set_leaves(leaves.wrapping_add(1));
        self.view().leaf(place)
    }

    /// Takes a leaf, whose rows are free or moved, out of the directory. Its block is free then.
    fn unlist(&mut self, leaf: Leaf) {
        let (layout, leaves) = (self.layout, self.leaves());
        let directory = layout.directory();
        let ids = directory.ids.of_mut(self.words);
        let block = directory.leaf_ids.get(ids, leaf.place());
        directory.leaf_ids.remove(ids, leaf.place(), leaves);
        directory.leaf_ids.set(ids, leaves.wrapping_sub(1), block);
        let firsts = directory.firsts.of_mut(self.words);
        tables::remove_ticks(firsts, leaf.place(), leaf.place().wrapping_add(1), leaves);
        for table in [directory.lows, directory.highs, directory.bases] {
            layout.counts.remove(table.of_mut(self.words), leaf.place(), leaves);
        }
        self.marks.set_leaves(leaves.wrapping_sub(1));
    }

    /// The same of the first `count` leaves: the others are moved once.
    fn unlist_first(&mut self, count: usize) {
        let (layout, leaves) = (self.layout, self.leaves());
        let directory = layout.directory();
        let ids = directory.ids.of_mut(self.words);
        for place in count..leaves {
            let to = place.wrapping_sub(count);
            // The blocks of the first ones get behind the others, in any order.
            let (kept, other) =
                (directory.leaf_ids.get(ids, place), directory.leaf_ids.get(ids, to));
            directory.leaf_ids.set(ids, to, kept);
            directory.leaf_ids.set(ids, place, other);
        }
        let firsts = directory.firsts.of_mut(self.words);
        tables::remove_ticks(firsts, 0, count, leaves);
        for table in [directory.lows, directory.highs, directory.bases] {
            let table = table.of_mut(self.words);
            for place in count..leaves {
                let moved = layout.counts.get(table, place);
                layout.counts.set(table, place.wrapping_sub(count), moved);
            }
        }
        self.marks.set_leaves(leaves.wrapping_sub(count));
    }

    // Summaries.

    /// Makes the stored counts of a leaf the true ones.
    pub(crate) fn push_down_counts(&mut self, leaf: Leaf) {
        let (above, len) = (self.view().lazy_addend(leaf), self.view().len(leaf));
        if above == 0 {
            return;
        }
        let counts = self.layout.counts;
        counts.add(self.counts_mut(leaf), 0, len, above);
        let low = self.view().low(leaf);
        counts.set(self.layout.directory().bases.of_mut(self.words), leaf.place(), low);
    }

    /// Recomputes the summaries of a leaf.
    fn refresh(&mut self, leaf: Leaf) {
        if self.layout.is_flat() {
            return;
        }
        self.push_down_counts(leaf);
        let time = self.view().time(leaf.slot(0));
        tables::set_tick(self.layout.directory().firsts.of_mut(self.words), leaf.place(), time);
        self.recount(leaf);
        let words = self.layout.row;
        self.leaf_rows(leaf).reunite(0, words);
    }

    /// Adds `amount` to all counts of the leaves at the places `from..to`.
    pub(crate) fn raise(&mut self, from: usize, to: usize, amount: i64) {
        let (counts, directory) = (self.layout.counts, self.layout.directory());
        counts.add(directory.lows.of_mut(self.words), from, to, amount);
        counts.add(directory.highs.of_mut(self.words), from, to, amount);
    }

    /// Recomputes the least and the greatest count of a leaf whose counts are settled.
    pub(crate) fn recount(&mut self, leaf: Leaf) {
        if self.layout.is_flat() {
            return;
        }
        let (counts, directory) = (self.layout.counts, self.layout.directory());
        let view = self.view();
        let (low, high) = counts.least_and_greatest(view.counts(leaf), 0, view.len(leaf));
        counts.set(directory.lows.of_mut(self.words), leaf.place(), low);
        counts.set(directory.bases.of_mut(self.words), leaf.place(), low);
        counts.set(directory.highs.of_mut(self.words), leaf.place(), high);
    }
}
