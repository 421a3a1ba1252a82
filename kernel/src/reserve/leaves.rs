//! Leaves of a timeline that change: slots put in and taken out, leaves split and joined, rows
//! and blocks handed out, summaries recomputed.

use super::layout::{Layout, Table};
use super::rows::LeafRows;
use super::sets;
use super::slots::{At, Slots, Stored};
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
    pub(super) fn in_leaf(&mut self, leaf: usize, table: Table) -> &mut [Word] {
        self.table(self.view().block(leaf), table)
    }

    /// The rows of a leaf; `None` if only counts are kept.
    pub(super) fn leaf_rows(&mut self, leaf: usize) -> Option<LeafRows<'_>> {
        let Layout { row, row_ids: lanes, block, rows, .. } = *self.layout;
        if row == 0 {
            return None;
        }
        let (len, start) = (self.view().len(leaf), self.view().block(leaf));
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

    fn set_len(&mut self, leaf: usize, len: usize) {
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
        self.free_row(self.view().stored(at).row);
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
        for _ in 0..at.leaf {
            self.free_rows(self.view().len(0));
            self.unlist(0);
        }
        self.free_rows(at.slot);
        self.remove(Slots::START, at.slot);
        self.refresh(0);
        self.join_if_small(0);
    }

    /// Makes `time` that of a leaf's first slot.
    pub(super) fn set_first(&mut self, leaf: usize, time: u64) {
        ticks::set(self.in_leaf(leaf, self.layout.block.times), 0, time);
        ticks::set(self.table(0, self.layout.directory.firsts), leaf, time);
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

    /// Frees the rows of the first `count` slots of all.
    fn free_rows(&mut self, count: usize) {
        for slot in 0..count {
            self.free_row(self.view().stored(At { leaf: 0, slot }).row);
        }
    }

    // Leaves.

    /// Splits a full leaf in halves.
    pub(super) fn split(&mut self, leaf: usize) {
        self.settle(leaf);
        let len = self.view().len(leaf);
        let kept = len >> 1;
        let upper = leaf.wrapping_add(1);
        self.list(upper, self.view().time(At { leaf, slot: kept }));
        self.copy_block(upper, leaf);
        self.remove(At { leaf: upper, slot: 0 }, kept);
        self.set_len(leaf, kept);
        self.refresh(leaf);
        self.refresh(upper);
    }

    /// Joins a leaf with a neighbour if both together fill no more than half of one.
    fn join_if_small(&mut self, leaf: usize) -> bool {
        let after = leaf.wrapping_add(1);
        if after < self.marks.leaves as usize && self.fit_together(leaf) {
            self.join(leaf);
            return true;
        }
        match leaf.checked_sub(1) {
            Some(before) if self.fit_together(before) => {
                self.join(before);
                true
            }
            _ => false,
        }
    }

    fn fit_together(&self, leaf: usize) -> bool {
        let view = self.view();
        view.len(leaf).wrapping_add(view.len(leaf.wrapping_add(1))) <= self.layout.leaf >> 1
    }

    /// Moves the slots of the next leaf behind those of `leaf`.
    fn join(&mut self, leaf: usize) {
        let upper = leaf.wrapping_add(1);
        self.settle(leaf);
        self.settle(upper);
        for leaf in [leaf, upper] {
            if let Some(mut rows) = self.leaf_rows(leaf) {
                rows.unmask();
            }
        }
        for slot in 0..self.view().len(upper) {
            let moved = self.view().stored(At { leaf: upper, slot });
            let end = self.view().len(leaf);
            self.insert(At { leaf, slot: end }, moved);
        }
        self.unlist(upper);
        self.refresh(leaf);
    }

    fn copy_block(&mut self, to: usize, from: usize) {
        let len = self.layout.block.union.end();
        let (to, from) = (self.view().block(to), self.view().block(from));
        let spans = [to..to.wrapping_add(len), from..from.wrapping_add(len)];
        if let Ok([to, from]) = self.words.get_disjoint_mut(spans) {
            sets::copy(to, from);
        }
    }

    /// Enters a free block in the directory as `leaf`, which begins at `first`.
    fn list(&mut self, leaf: usize, first: u64) {
        let (layout, Marks { leaves, blocks, .. }) = (*self.layout, *self.marks);
        let (directory, recycled) = (layout.directory, leaves < blocks);
        let leaves = leaves as usize;
        let ids = self.table(0, directory.ids);
        // The free blocks stand behind the leaves in use; if there are none, take a new one.
        let block = if recycled { layout.leaf_ids.get(ids, leaves) } else { blocks };
        layout.leaf_ids.insert(ids, leaf, leaves, block);
        ticks::insert(self.table(0, directory.firsts), leaf, leaves, first);
        for table in [directory.lows, directory.highs, directory.bases] {
            layout.counts.insert(self.table(0, table), leaf, leaves, 0);
        }
        self.marks.leaves = self.marks.leaves.wrapping_add(1);
        self.marks.blocks = self.marks.blocks.max(self.marks.leaves);
    }

    /// Takes a leaf, whose rows are free or moved, out of the directory. Its block is free then.
    fn unlist(&mut self, leaf: usize) {
        let (layout, leaves) = (*self.layout, self.marks.leaves as usize);
        let directory = layout.directory;
        let ids = self.table(0, directory.ids);
        let block = layout.leaf_ids.get(ids, leaf);
        layout.leaf_ids.remove(ids, leaf, leaves);
        layout.leaf_ids.set(ids, leaves.wrapping_sub(1), block);
        ticks::remove(self.table(0, directory.firsts), leaf, leaves, 1);
        for table in [directory.lows, directory.highs, directory.bases] {
            layout.counts.remove(self.table(0, table), leaf, leaves);
        }
        self.marks.leaves = self.marks.leaves.wrapping_sub(1);
    }

    // Summaries.

    /// Makes the stored counts of a leaf the true ones.
    pub(super) fn settle(&mut self, leaf: usize) {
        let (above, len) = (self.view().above_stored(leaf), self.view().len(leaf));
        if above == 0 {
            return;
        }
        let counts = self.layout.counts;
        counts.add(self.in_leaf(leaf, self.layout.block.counts), 0, len, above);
        let low = self.view().low(leaf);
        counts.set(self.table(0, self.layout.directory.bases), leaf, low);
    }

    /// Recomputes the summaries of a leaf.
    fn refresh(&mut self, leaf: usize) {
        self.settle(leaf);
        let time = self.view().time(At { leaf, slot: 0 });
        ticks::set(self.table(0, self.layout.directory.firsts), leaf, time);
        self.recount(leaf);
        if let Some(mut rows) = self.leaf_rows(leaf) {
            rows.reunite(0, rows.row);
        }
    }

    /// Adds `amount` to all counts of a leaf.
    pub(super) fn raise(&mut self, leaf: usize, amount: i64) {
        let (counts, directory) = (self.layout.counts, self.layout.directory);
        let after = leaf.wrapping_add(1);
        counts.add(self.table(0, directory.lows), leaf, after, amount);
        counts.add(self.table(0, directory.highs), leaf, after, amount);
    }

    /// Recomputes the least and the greatest count of a leaf whose counts are settled.
    pub(super) fn recount(&mut self, leaf: usize) {
        if self.layout.is_flat() {
            return;
        }
        let (counts, directory) = (self.layout.counts, self.layout.directory);
        let view = self.view();
        let (low, high) = counts.least_and_greatest(view.counts(leaf), 0, view.len(leaf));
        counts.set(self.table(0, directory.lows), leaf, low);
        counts.set(self.table(0, directory.bases), leaf, low);
        counts.set(self.table(0, directory.highs), leaf, high);
    }
}
