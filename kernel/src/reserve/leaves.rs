//! Leaves of a timeline that change: slots put in and taken out, leaves split and joined, rows
//! and blocks handed out, summaries recomputed.

use super::layout::{Layout, Table};
use super::rows::LeafRows;
use super::sets;
use super::slots::{At, Leaf, Slots, Stored};
use super::ticks;
use crate::bits::{Word, load};

/// What the storage does not say about the slots.
///
/// - Blocks below `blocks` have been in use; the directory lists those that are free again
///   behind the leaves in use.
/// - Rows below `rows` have been in use; those that are free again form a chain through their
///   first words. `free_row` and the links are one more than the number of a row, 0 at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    pub(super) leaves: u32,
    pub(super) blocks: u32,
    pub(super) rows: u32,
    pub(super) free_row: u32,
}

impl Marks {
    /// One slot, the present, in the first leaf.
    pub(super) const START: Self = Self { leaves: 1, blocks: 1, rows: 1, free_row: 0 };
}

/// The slots, to be changed.
pub(super) struct SlotsMut<'a> {
    pub(super) layout: &'a Layout,
    pub(super) marks: &'a mut Marks,
    /// The storage up to the reservations.
    pub(super) words: &'a mut [Word],
}

impl SlotsMut<'_> {
    pub(super) fn view(&self) -> Slots<'_> {
        Slots { layout: self.layout, leaves: self.marks.leaves as usize, words: self.words }
    }

    fn table(&mut self, offset: usize, table: Table) -> &mut [Word] {
        let start = offset.wrapping_add(table.start);
        self.words.get_mut(start..start.wrapping_add(table.len)).unwrap_or(&mut [])
    }

    /// A table in the block of a leaf.
    pub(super) fn in_leaf(&mut self, leaf: Leaf, table: Table) -> &mut [Word] {
        self.table(leaf.block, table)
    }

    /// The rows of a leaf; `None` if only counts are kept.
    pub(super) fn leaf_rows(&mut self, leaf: Leaf) -> Option<LeafRows<'_>> {
        let Layout { row, row_ids: lanes, block, rows, .. } = *self.layout;
        if row == 0 {
            return None;
        }
        let (len, start) = (self.view().len(leaf), leaf.block);
        let place = |offset: usize, table: Table| {
            offset.wrapping_add(table.start)..offset.wrapping_add(table.end())
        };
        let places = [
            place(start, block.row_ids),
            place(start, block.mask),
            place(start, block.union),
            place(0, rows),
        ];
        let [ids, mask, union, rows] = self.words.get_disjoint_mut(places).ok()?;
        Some(LeafRows { len, row, lanes, ids, rows, mask, union })
    }

    fn set_len(&mut self, leaf: Leaf, len: usize) {
        if let Some(last) = self.in_leaf(leaf, self.layout.block.last).first_mut() {
            *last = len.wrapping_sub(1);
        }
    }

    // Slots.

    /// Puts a slot in at `at`; those behind it in the leaf, which has room, move up.
    pub(super) fn insert(&mut self, at: At, slot: Stored) {
        let (block, len) = (self.layout.block, self.view().len(at.leaf));
        ticks::insert(self.in_leaf(at.leaf, block.times), at.slot, len, slot.time);
        let (counts, row_ids) = (self.layout.counts, self.layout.row_ids);
        counts.insert(self.in_leaf(at.leaf, block.counts), at.slot, len, slot.count);
        row_ids.insert(self.in_leaf(at.leaf, block.row_ids), at.slot, len, slot.row);
        self.set_len(at.leaf, len.wrapping_add(1));
    }

    /// Takes `count` slots out from `at` on, but not all of the leaf. Their rows stay taken.
    fn remove(&mut self, at: At, count: usize) {
        let (block, len) = (self.layout.block, self.view().len(at.leaf));
        let (counts, row_ids) = (self.layout.counts, self.layout.row_ids);
        ticks::remove(self.in_leaf(at.leaf, block.times), at.slot, len, count);
        for taken in 0..count {
            let len = len.wrapping_sub(taken);
            counts.remove(self.in_leaf(at.leaf, block.counts), at.slot, len);
            row_ids.remove(self.in_leaf(at.leaf, block.row_ids), at.slot, len);
        }
        self.set_len(at.leaf, len.wrapping_sub(count));
    }

    /// Takes out a slot that says the same as the one before it. Whether leaves were joined or
    /// removed on that occasion, so that places are no longer what they were.
    pub(super) fn close(&mut self, at: At) -> bool {
        self.free_row(self.view().row_id(at));
        if self.view().len(at.leaf) == 1 {
            self.unlist(at.leaf);
            return true;
        }
        self.remove(at, 1);
        if at.slot == 0 {
            self.refresh(at.leaf);
        }
        self.join_if_small(at.leaf)
    }

    /// Drops all slots before `at`.
    pub(super) fn drop_before(&mut self, at: At) {
        for _ in 0..at.leaf.place {
            let first = self.view().leaf(0);
            self.free_rows(first, self.view().len(first));
            self.unlist(first);
        }
        let first = self.view().leaf(0);
        self.free_rows(first, at.slot);
        self.remove(first.slot(0), at.slot);
        self.refresh(first);
        self.join_if_small(first);
    }

    /// Makes `time` that of a leaf's first slot.
    pub(super) fn set_first(&mut self, leaf: Leaf, time: u64) {
        ticks::set(self.in_leaf(leaf, self.layout.block.times), 0, time);
        ticks::set(self.table(0, self.layout.directory.firsts), leaf.place, time);
    }

    // Rows.

    /// A row with the words of `from`.
    pub(super) fn copy_row(&mut self, from: u32) -> u32 {
        let row = self.take_row();
        let len = self.layout.row;
        let span = |row: u32| {
            let start = (row as usize).wrapping_mul(len);
            start..start.wrapping_add(len)
        };
        if let Ok([to, from]) =
            self.table(0, self.layout.rows).get_disjoint_mut([span(row), span(from)])
        {
            sets::copy(to, from);
        }
        row
    }

    fn take_row(&mut self) -> u32 {
        if self.layout.row == 0 {
            return 0;
        }
        let Some(row) = self.marks.free_row.checked_sub(1) else {
            let row = self.marks.rows;
            self.marks.rows = row.wrapping_add(1);
            return row;
        };
        let link = (row as usize).wrapping_mul(self.layout.row);
        self.marks.free_row = load(self.table(0, self.layout.rows), link) as u32;
        row
    }

    fn free_row(&mut self, row: u32) {
        let link = (row as usize).wrapping_mul(self.layout.row);
        let next = self.marks.free_row;
        if let Some(word) = self.table(0, self.layout.rows).get_mut(link) {
            *word = next as Word;
            self.marks.free_row = row.wrapping_add(1);
        }
    }

    /// Frees the rows of the first `count` slots of a leaf.
    fn free_rows(&mut self, leaf: Leaf, count: usize) {
        for slot in 0..count {
            self.free_row(self.view().row_id(leaf.slot(slot)));
        }
    }

    // Leaves.

    /// Splits a full leaf in halves.
    pub(super) fn split(&mut self, leaf: Leaf) {
        self.settle(leaf);
        let kept = self.view().len(leaf) >> 1;
        let upper = self.list(leaf.place.wrapping_add(1), self.view().time(leaf.slot(kept)));
        self.copy_block(upper, leaf);
        self.remove(upper.slot(0), kept);
        self.set_len(leaf, kept);
        self.refresh(leaf);
        self.refresh(upper);
    }

    /// Joins a leaf with a neighbour if both together fill no more than half of one.
    fn join_if_small(&mut self, leaf: Leaf) -> bool {
        let room = (self.layout.leaf >> 1).saturating_sub(self.view().len(leaf));
        if room == 0 {
            return false;
        }
        let view = self.view();
        if let Some(after) = view.leaf_after(leaf).filter(|&after| view.len(after) <= room) {
            self.join(leaf, after);
            return true;
        }
        let before = leaf.place.checked_sub(1).map(|place| view.leaf(place));
        let Some(before) = before.filter(|&before| view.len(before) <= room) else { return false };
        self.join(before, leaf);
        true
    }

    /// Moves the slots of `upper` behind those of `leaf`, its neighbour.
    fn join(&mut self, leaf: Leaf, upper: Leaf) {
        for leaf in [leaf, upper] {
            self.settle(leaf);
            if let Some(mut rows) = self.leaf_rows(leaf) {
                rows.unmask();
            }
        }
        for slot in 0..self.view().len(upper) {
            let end = self.view().len(leaf);
            self.insert(leaf.slot(end), self.view().stored(upper.slot(slot)));
        }
        self.unlist(upper);
        self.refresh(leaf);
    }

    fn copy_block(&mut self, to: Leaf, from: Leaf) {
        let len = self.layout.block.union.end();
        let span = |leaf: Leaf| leaf.block..leaf.block.wrapping_add(len);
        if let Ok([to, from]) = self.words.get_disjoint_mut([span(to), span(from)]) {
            sets::copy(to, from);
        }
    }

    /// Enters a free block in the directory at `place`; the leaf begins at `first`.
    fn list(&mut self, place: usize, first: u64) -> Leaf {
        let (layout, Marks { leaves, blocks, .. }) = (self.layout, *self.marks);
        let (directory, recycled) = (layout.directory, leaves < blocks);
        let leaves = leaves as usize;
        let ids = self.table(0, directory.ids);
        // The free blocks stand behind the leaves in use; if there are none, take a new one.
        let block = if recycled { layout.leaf_ids.get(ids, leaves) } else { blocks };
        layout.leaf_ids.insert(ids, place, leaves, block);
        ticks::insert(self.table(0, directory.firsts), place, leaves, first);
        for table in [directory.lows, directory.highs, directory.bases] {
            layout.counts.insert(self.table(0, table), place, leaves, 0);
        }
        self.marks.leaves = self.marks.leaves.wrapping_add(1);
        self.marks.blocks = self.marks.blocks.max(self.marks.leaves);
        self.view().leaf(place)
    }

    /// Takes a leaf, whose rows are free or moved, out of the directory. Its block is free then.
    fn unlist(&mut self, leaf: Leaf) {
        let (layout, leaves) = (self.layout, self.marks.leaves as usize);
        let directory = layout.directory;
        let ids = self.table(0, directory.ids);
        let block = layout.leaf_ids.get(ids, leaf.place);
        layout.leaf_ids.remove(ids, leaf.place, leaves);
        layout.leaf_ids.set(ids, leaves.wrapping_sub(1), block);
        ticks::remove(self.table(0, directory.firsts), leaf.place, leaves, 1);
        for table in [directory.lows, directory.highs, directory.bases] {
            layout.counts.remove(self.table(0, table), leaf.place, leaves);
        }
        self.marks.leaves = self.marks.leaves.wrapping_sub(1);
    }

    // Summaries.

    /// Makes the stored counts of a leaf the true ones.
    pub(super) fn settle(&mut self, leaf: Leaf) {
        let (above, len) = (self.view().above_stored(leaf), self.view().len(leaf));
        if above == 0 {
            return;
        }
        let counts = self.layout.counts;
        counts.add(self.in_leaf(leaf, self.layout.block.counts), 0, len, above);
        let low = self.view().low(leaf);
        counts.set(self.table(0, self.layout.directory.bases), leaf.place, low);
    }

    /// Recomputes the summaries of a leaf.
    fn refresh(&mut self, leaf: Leaf) {
        self.settle(leaf);
        let time = self.view().time(leaf.slot(0));
        ticks::set(self.table(0, self.layout.directory.firsts), leaf.place, time);
        self.recount(leaf);
        if let Some(mut rows) = self.leaf_rows(leaf) {
            rows.reunite(0, rows.row);
        }
    }

    /// Adds `amount` to all counts of a leaf.
    pub(super) fn raise(&mut self, leaf: Leaf, amount: i64) {
        let (counts, directory) = (self.layout.counts, self.layout.directory);
        let (place, after) = (leaf.place, leaf.place.wrapping_add(1));
        counts.add(self.table(0, directory.lows), place, after, amount);
        counts.add(self.table(0, directory.highs), place, after, amount);
    }

    /// Recomputes the least and the greatest count of a leaf whose counts are settled.
    pub(super) fn recount(&mut self, leaf: Leaf) {
        if self.layout.is_flat() {
            return;
        }
        let (counts, directory) = (self.layout.counts, self.layout.directory);
        let view = self.view();
        let (low, high) = counts.least_and_greatest(view.counts(leaf), 0, view.len(leaf));
        counts.set(self.table(0, directory.lows), leaf.place, low);
        counts.set(self.table(0, directory.bases), leaf.place, low);
        counts.set(self.table(0, directory.highs), leaf.place, high);
    }
}
