//! Slots that change: put in, taken out, covered; leaves split and joined, blocks handed out, summaries
//! recomputed. In a flat timeline nothing but its one leaf changes.

use super::array::ArrayMut;
use super::layout::{Directory, Leaf, LeafSlot, Leaves};
use super::pes::{Change, Pes};
use super::tables::{self, Table};
use super::view::Slots;
use crate::bits::{Word, algebra};
use core::ops::Range;

/// The slots, to be changed.
pub(crate) struct SlotsMut<'a, const IDENTITY: bool> {
    pub(crate) layout: &'a Leaves<IDENTITY>,
    pub(crate) words: &'a mut [Word],
}

/// A slot that begins where a change does, or where it ends.
#[derive(Clone, Copy)]
pub(crate) struct Border {
    pub(crate) at: LeafSlot,
    /// It was put in just now, and so differs from the slot before it once the change is made.
    pub(crate) is_new: bool,
}

impl<const IDENTITY: bool> SlotsMut<'_, IDENTITY> {
    pub(crate) const fn view(&self) -> Slots<'_, IDENTITY> {
        Slots { layout: self.layout, words: self.words }
    }

    /// The slots of a leaf.
    fn array(&mut self, leaf: Leaf) -> ArrayMut<'_, IDENTITY> {
        let words = self.words.get_mut(leaf.block()..).unwrap_or_default();
        ArrayMut { shape: &self.layout.shape, words }
    }

    /// The sets of a leaf.
    fn sets(&mut self, leaf: Leaf) -> LeafSets<'_, IDENTITY> {
        let (shape, len) = (&self.layout.shape, self.view().len(leaf));
        let block = self.words.get_mut(self.layout.block(leaf)).unwrap_or_default();
        let (words, summary) = block.split_at_mut_checked(shape.words).unwrap_or_default();
        let (lazy_set, union) = summary.split_at_mut_checked(shape.row).unwrap_or_default();
        LeafSets { array: ArrayMut { shape, words }, len, lazy_set, union }
    }

    fn count_leaves(&mut self, leaves: usize) {
        if let [last, last_used] = self.layout.directory().marks.of_mut(self.words) {
            *last = leaves.wrapping_sub(1);
            *last_used = (*last_used).max(*last);
        }
    }

    /// The directory's tables of counts.
    const fn count_tables(&self) -> [Table; 3] {
        let Directory { lows, highs, bases, .. } = *self.layout.directory();
        [lows, highs, bases]
    }

    // Slots. Of the position `other` of a slot a change makes the position that the slot has after it.

    /// The slot that begins at `time`, which lies in the slot `at`; it is put in if need be.
    pub(crate) fn open(&mut self, mut at: LeafSlot, time: u64, other: &mut LeafSlot) -> Border {
        let view = self.view();
        if view.time(at) == time {
            return Border { at, is_new: false };
        }
        if !self.layout.is_flat() && view.len(at.leaf) == self.layout.shape.slots {
            let other_time = view.time(*other);
            self.split(at.leaf);
            (at, *other) = (self.view().locate(time), self.view().locate(other_time));
        }
        self.array(at.leaf).insert_after(at.slot, time);
        if other.leaf == at.leaf && other.slot > at.slot {
            *other = other.after();
        }
        Border { at: at.after(), is_new: true }
    }

    /// Takes out a slot that says the same as the one before it. `earlier` is no later slot, and is found
    /// again if places are no longer what they were.
    pub(crate) fn close(&mut self, at: LeafSlot, earlier: &mut LeafSlot) {
        let time = self.view().time(*earlier);
        if self.take_out(at) {
            *earlier = self.view().locate(time);
        }
    }

    /// Takes a slot out. Whether leaves were joined or removed on that occasion, so that places are no
    /// longer what they were.
    fn take_out(&mut self, at: LeafSlot) -> bool {
        if !self.layout.is_flat() && self.view().len(at.leaf) == 1 {
            self.unlist(at.leaf);
            return true;
        }
        self.array(at.leaf).remove(at.slot..at.slot.wrapping_add(1));
        if at.slot == 0 {
            self.refresh(at.leaf);
        }
        self.join_if_small(at.leaf)
    }

    /// Drops the slots before `at`.
    pub(crate) fn drop_before(&mut self, at: LeafSlot) {
        match at.leaf.place() {
            0 => {}
            1 => self.unlist(self.view().leaf(0)),
            count => self.unlist_first(count),
        }
        let first = self.view().leaf(0);
        self.array(first).remove(0..at.slot);
        self.refresh(first);
        self.join_if_small(first);
    }

    /// Makes `now` the time of the first slot, before that of the second one.
    pub(crate) fn set_present(&mut self, now: u64) {
        self.array(self.view().leaf(0)).set_time(0, now);
        tables::set_tick(self.layout.directory().firsts.of_mut(self.words), 0, now);
    }

    /// Changes all slots from `from` on up to but not including `to`.
    pub(crate) fn cover(&mut self, from: LeafSlot, to: LeafSlot, change: Change<'_>) {
        if from.leaf == to.leaf {
            return self.change_part(from, to.slot, change);
        }
        if from.slot > 0 {
            self.change_part(from, self.view().len(from.leaf), change);
        }
        let first = from.leaf.place().wrapping_add((from.slot > 0) as usize);
        self.change_leaves(first..to.leaf.place(), change);
        if to.slot > 0 {
            self.change_part(to.leaf.slot(0), to.slot, change);
        }
    }

    /// Changes the slots of a leaf from `from` on up to but not including the one in place `to`.
    fn change_part(&mut self, from: LeafSlot, to: usize, change: Change<'_>) {
        let leaf = from.leaf;
        self.push_down_counts(leaf);
        self.array(leaf).add(from.slot..to, change.amount());
        if self.layout.is_flat() {
            // Those to become busy are free in all of these slots, and the other way round.
            let (Change::Occupy(pes) | Change::Vacate(pes)) = change;
            let turn = |row: &mut [Word]| algebra::turn(pes.part_mut(row), pes.words);
            return if IDENTITY {
                self.array(leaf).each_row(from.slot..to, turn)
            };
        }
        self.recount(leaf);
        if IDENTITY {
            self.sets(leaf).change(from.slot..to, change);
        }
    }

    /// Changes all slots of the leaves at some places.
    fn change_leaves(&mut self, places: Range<usize>, change: Change<'_>) {
        let counts = self.layout.shape.counts;
        let [lows, highs, _] = self.count_tables();
        for table in [lows, highs] {
            counts.add(table.of_mut(self.words), places.start, places.end, change.amount());
        }
        for place in places.filter(|_| IDENTITY) {
            let mut sets = self.sets(self.view().leaf(place));
            sets.change(0..sets.len, change);
        }
    }

    // Leaves.

    /// Splits a full leaf in halves.
    pub(crate) fn split(&mut self, leaf: Leaf) {
        self.push_down_counts(leaf);
        let len = self.view().len(leaf);
        let kept = len >> 1;
        let upper = self.list(leaf.place().wrapping_add(1), self.view().array(leaf).time(kept));
        self.array(upper).set_len(0);
        self.append(upper, leaf, kept..len);
        self.array(leaf).remove(kept..len);
        let [lazy_set, _] = self.layout.summary_sets(Leaf::default());
        if let Some([to, from]) = self.blocks(upper, leaf) {
            algebra::copy(lazy_set.of_mut(to), lazy_set.of(from));
        }
        self.refresh(leaf);
        self.refresh(upper);
    }

    /// Copies slots of another leaf whose counts are settled behind those of `leaf`.
    fn append(&mut self, leaf: Leaf, other: Leaf, slots: Range<usize>) {
        let shape = &self.layout.shape;
        let Some([to, from]) = self.blocks(leaf, other) else { return };
        let from = ArrayMut { shape, words: from };
        ArrayMut::<IDENTITY> { shape, words: to }.append(&from.view(), slots);
    }

    /// Joins a leaf with a neighbour if both together fill no more than half of one.
    fn join_if_small(&mut self, leaf: Leaf) -> bool {
        let view = self.view();
        let room = (self.layout.shape.slots >> 1).saturating_sub(view.len(leaf));
        let after = view.leaf_after(leaf).filter(|&after| view.len(after) <= room);
        let before = leaf.place().checked_sub(1).map(|place| view.leaf(place));
        let before = before.filter(|&before| view.len(before) <= room);
        match (after, before) {
            (Some(after), _) => self.join(leaf, after),
            (None, Some(before)) => self.join(before, leaf),
            (None, None) => return false,
        }
        true
    }

    /// Moves the slots of `upper` behind those of `leaf`, its neighbour.
    fn join(&mut self, leaf: Leaf, upper: Leaf) {
        for leaf in [leaf, upper] {
            self.push_down_counts(leaf);
            self.sets(leaf).push_down_all();
        }
        self.append(leaf, upper, 0..self.view().len(upper));
        self.unlist(upper);
        self.refresh(leaf);
    }

    /// The blocks of two leaves.
    fn blocks(&mut self, a: Leaf, b: Leaf) -> Option<[&mut [Word]; 2]> {
        self.words.get_disjoint_mut([a, b].map(|leaf| self.layout.block(leaf))).ok()
    }

    /// Enters a free block in the directory at `place`, not the first; the leaf begins at `first`.
    fn list(&mut self, place: usize, first: u64) -> Leaf {
        let (directory, leaves, used) =
            (self.layout.directory(), self.view().leaves(), self.view().blocks());
        debug_assert!(leaves < directory.room, "as many leaves as can be needed");
        let blocks = directory.blocks.of_mut(self.words);
        // The free blocks stand behind the leaves in use; if there are none, take a new one.
        let recycled = leaves < used;
        let block = if recycled { directory.block_lanes.get(blocks, leaves) } else { used as u32 };
        directory.block_lanes.insert(blocks, place, leaves, block);
        tables::insert_tick(directory.firsts.of_mut(self.words), place, leaves, first);
        for table in self.count_tables() {
            self.layout.shape.counts.insert(table.of_mut(self.words), place, leaves, 0);
        }
        self.count_leaves(leaves.wrapping_add(1));
        self.view().leaf(place)
    }

    /// Takes a leaf, whose slots are dropped or moved, out of the directory. Its block is free then.
    fn unlist(&mut self, leaf: Leaf) {
        let (directory, leaves, place) =
            (self.layout.directory(), self.view().leaves(), leaf.place());
        let blocks = directory.blocks.of_mut(self.words);
        let block = directory.block_lanes.get(blocks, place);
        directory.block_lanes.remove(blocks, place, leaves);
        directory.block_lanes.set(blocks, leaves.wrapping_sub(1), block);
        let firsts = directory.firsts.of_mut(self.words);
        tables::remove_ticks(firsts, place, place.wrapping_add(1), leaves);
        for table in self.count_tables() {
            self.layout.shape.counts.remove(table.of_mut(self.words), place, leaves);
        }
        self.count_leaves(leaves.wrapping_sub(1));
    }

    /// The same of the first `count` leaves: the others are moved once.
    fn unlist_first(&mut self, count: usize) {
        let (directory, leaves) = (self.layout.directory(), self.view().leaves());
        let blocks = directory.blocks.of_mut(self.words);
        for (to, place) in (count..leaves).enumerate() {
            // The blocks of the first ones get behind the others, in any order.
            let (kept, other) =
                (directory.block_lanes.get(blocks, place), directory.block_lanes.get(blocks, to));
            directory.block_lanes.set(blocks, to, kept);
            directory.block_lanes.set(blocks, place, other);
        }
        tables::remove_ticks(directory.firsts.of_mut(self.words), 0, count, leaves);
        for table in self.count_tables() {
            let table = table.of_mut(self.words);
            for (to, place) in (count..leaves).enumerate() {
                self.layout.shape.counts.set(table, to, self.layout.shape.counts.get(table, place));
            }
        }
        self.count_leaves(leaves.wrapping_sub(count));
    }

    // Summaries.

    /// Makes the stored counts of a leaf the true ones.
    fn push_down_counts(&mut self, leaf: Leaf) {
        let (addend, len) = (self.view().lazy_addend(leaf), self.view().len(leaf));
        if addend != 0 {
            self.array(leaf).add(0..len, addend);
            let low = self.view().low(leaf);
            self.layout.shape.counts.set(
                self.layout.directory().bases.of_mut(self.words),
                leaf.place(),
                low,
            );
        }
    }

    /// Recomputes the summaries of a leaf, if there are any.
    fn refresh(&mut self, leaf: Leaf) {
        if self.layout.is_flat() {
            return;
        }
        self.push_down_counts(leaf);
        let time = self.view().array(leaf).time(0);
        tables::set_tick(self.layout.directory().firsts.of_mut(self.words), leaf.place(), time);
        self.recount(leaf);
        let words = self.layout.shape.row;
        self.sets(leaf).reunite(0, words);
    }

    /// Recomputes the least and the greatest count of a leaf whose counts are settled.
    fn recount(&mut self, leaf: Leaf) {
        let (low, high) = self.view().array(leaf).range(0..self.view().len(leaf));
        for (table, count) in self.count_tables().into_iter().zip([low, high, low]) {
            self.layout.shape.counts.set(table.of_mut(self.words), leaf.place(), count);
        }
    }
}

/// The rows of a leaf and their summaries. Sets on the same PE never overlap in time; so what is taken
/// away was added exactly once, to a row or to the lazy set.
struct LeafSets<'a, const IDENTITY: bool> {
    array: ArrayMut<'a, IDENTITY>,
    /// Slots in use.
    len: usize,
    lazy_set: &'a mut [Word],
    union: &'a mut [Word],
}

impl<const IDENTITY: bool> LeafSets<'_, IDENTITY> {
    fn change(&mut self, slots: Range<usize>, change: Change<'_>) {
        debug_assert!(slots.start < slots.end && slots.end <= self.len, "slots of the leaf");
        match change {
            Change::Occupy(pes) => self.occupy(slots, pes),
            Change::Vacate(pes) => self.vacate(slots, pes),
        }
    }

    /// Makes the PEs of `pes` busy in some slots.
    fn occupy(&mut self, slots: Range<usize>, pes: Pes<'_>) {
        if slots == (0..self.len) {
            algebra::unite(pes.part_mut(self.lazy_set), pes.words);
            return;
        }
        self.array.each_row(slots, |row| algebra::unite(pes.part_mut(row), pes.words));
        algebra::unite(pes.part_mut(self.union), pes.words);
    }

    /// Makes the PEs of `pes` free in some slots.
    fn vacate(&mut self, slots: Range<usize>, pes: Pes<'_>) {
        if pes.meets(self.lazy_set) {
            if slots != (0..self.len) {
                self.push_down(pes);
            }
            algebra::subtract(pes.part_mut(self.lazy_set), pes.words);
        }
        if pes.meets(self.union) {
            let free = |row: &mut [Word]| algebra::subtract(pes.part_mut(row), pes.words);
            self.array.each_row(slots, free);
            self.reunite(pes.skip, pes.words.len());
        }
    }

    /// Adds to all rows what the lazy set holds of `pes`.
    fn push_down(&mut self, pes: Pes<'_>) {
        let lazy = pes.part(self.lazy_set);
        let add = |row: &mut [Word]| {
            let held = lazy.iter().zip(pes.words).map(|(a, b)| a & b);
            pes.part_mut(row).iter_mut().zip(held).for_each(|(word, held)| *word |= held);
        };
        add(self.union);
        self.array.each_row(0..self.len, add);
    }

    /// Moves the whole lazy set into the rows. The union is to be recomputed.
    fn push_down_all(&mut self) {
        let lazy = &*self.lazy_set;
        self.array.each_row(0..self.len, |row| algebra::unite(row, lazy));
        self.lazy_set.fill(0);
    }

    /// Recomputes `len` words from `skip` on of the union.
    fn reunite(&mut self, skip: usize, len: usize) {
        if let Some(part) = self.union.get_mut(skip..skip.wrapping_add(len)) {
            part.fill(0);
            let add = |row: &mut [Word]| algebra::unite(part, row.get(skip..).unwrap_or_default());
            self.array.each_row(0..self.len, add);
        }
    }
}
