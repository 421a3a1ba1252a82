//! The slots of a timeline, for reading: sorted leaves under a small directory.

use super::layout::{Layout, Table};
use super::ticks;
use crate::bits::{Word, load};
use crate::time::Instant;

/// From `time` until the next slot's, so many PEs are busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Slot {
    /// When it begins.
    pub time: Instant,
    /// PEs reserved or out of service.
    pub busy: u32,
}

/// A leaf: its place in the order of time, and where its block begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    pub(super) place: usize,
    pub(super) block: usize,
}

/// A slot: the leaf, and the place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) leaf: Leaf,
    pub(super) slot: usize,
}

impl Leaf {
    pub(super) const fn slot(self, slot: usize) -> At {
        At { leaf: self, slot }
    }
}

impl At {
    pub(super) const fn after(self) -> Self {
        self.leaf.slot(self.slot.wrapping_add(1))
    }
}

/// The slots: from its time on, a slot says which PEs are busy and how many, up to the time of
/// the next; the last one says it for good.
///
/// - Times rise strictly; the first slot's is the present.
/// - Neighbouring slots differ: in their sets, or in their counts if those are all there is.
/// - The last slot's busy PEs are those out of service: all reservations have ended by then.
/// - No leaf is empty; two neighbouring leaves together hold more than half of what one can.
/// - A slot's count is the stored one plus `low - base` of its leaf; its set is the union of its
///   own row and the mask of its leaf.
/// - Of each leaf, `low` and `high` are the least and the greatest count, `base` the least stored
///   count, and the union is that of its own rows.
/// - In a flat timeline the stored counts and the own rows are the whole truth.
#[derive(Clone, Copy)]
pub(super) struct Slots<'a> {
    pub(super) layout: &'a Layout,
    /// Leaves in use.
    pub(super) leaves: usize,
    pub(super) words: &'a [Word],
}

impl<'a> Slots<'a> {
    /// A table that begins `offset` words on; nothing if the storage does not hold all of it.
    fn table(&self, offset: usize, table: Table) -> &'a [Word] {
        let start = offset.wrapping_add(table.start);
        self.words.get(start..start.wrapping_add(table.len)).unwrap_or(&[])
    }

    /// A table of the directory.
    pub(super) fn listed(&self, table: Table) -> &'a [Word] {
        self.table(0, table)
    }

    /// The leaf at a place.
    pub(super) fn leaf(&self, place: usize) -> Leaf {
        // A flat timeline has no directory, and reads a zero.
        let id = self.layout.leaf_ids.get(self.listed(self.layout.directory.ids), place);
        Leaf { place, block: (id as usize).wrapping_mul(self.layout.block_words()) }
    }

    /// The leaf after `leaf`.
    pub(super) fn leaf_after(&self, leaf: Leaf) -> Option<Leaf> {
        let place = leaf.place.wrapping_add(1);
        (place < self.leaves).then(|| self.leaf(place))
    }

    /// The first slot.
    pub(super) fn start(&self) -> At {
        self.leaf(0).slot(0)
    }

    /// The present.
    pub(super) fn now(&self) -> u64 {
        self.time(self.start())
    }

    pub(super) fn times(&self, leaf: Leaf) -> &'a [Word] {
        self.table(leaf.block, self.layout.block.times)
    }

    /// The counts as stored.
    pub(super) fn counts(&self, leaf: Leaf) -> &'a [Word] {
        self.table(leaf.block, self.layout.block.counts)
    }

    /// Slots in use in a leaf.
    pub(super) fn len(&self, leaf: Leaf) -> usize {
        // Stored as the last place in use, so that a storage of zeros is an empty timeline.
        load(self.words, leaf.block.wrapping_add(self.layout.block.last.start)).wrapping_add(1)
    }

    /// PEs busy in all slots of a leaf, as far as they were added to it as a whole.
    pub(super) fn mask(&self, leaf: Leaf) -> &'a [Word] {
        self.table(leaf.block, self.layout.block.mask)
    }

    /// PEs busy in some slot of a leaf, those of the mask left out.
    pub(super) fn union(&self, leaf: Leaf) -> &'a [Word] {
        self.table(leaf.block, self.layout.block.union)
    }

    /// The time of the first slot of the leaf at a place; that of a flat timeline's only leaf is
    /// the beginning of time.
    pub(super) fn first(&self, place: usize) -> u64 {
        ticks::get(self.listed(self.layout.directory.firsts), place)
    }

    /// The least count of a leaf.
    pub(super) fn low(&self, leaf: Leaf) -> u32 {
        self.layout.counts.get(self.listed(self.layout.directory.lows), leaf.place)
    }

    /// The greatest count of the leaf at a place.
    pub(super) fn high(&self, place: usize) -> u32 {
        self.layout.counts.get(self.listed(self.layout.directory.highs), place)
    }

    /// What the counts of a leaf are above the stored ones.
    pub(super) fn above_stored(&self, leaf: Leaf) -> i64 {
        let base = self.layout.counts.get(self.listed(self.layout.directory.bases), leaf.place);
        i64::from(self.low(leaf)).wrapping_sub(i64::from(base))
    }

    pub(super) fn time(&self, at: At) -> u64 {
        ticks::get(self.times(at.leaf), at.slot)
    }

    /// PEs busy in a slot.
    pub(super) fn busy(&self, at: At) -> u32 {
        let stored = self.layout.counts.get(self.counts(at.leaf), at.slot);
        i64::from(stored).wrapping_add(self.above_stored(at.leaf)) as u32
    }

    pub(super) fn slot(&self, at: At) -> Slot {
        Slot { time: Instant::from_ticks(self.time(at)), busy: self.busy(at) }
    }

    /// The rows of a leaf, one after the other.
    pub(super) fn rows(&self, leaf: Leaf) -> &'a [Word] {
        self.table(leaf.block, self.layout.block.rows)
    }

    /// The rows of a leaf from `from` on up to but not including the one in place `to`.
    pub(super) fn rows_between(&self, from: At, to: usize) -> &'a [Word] {
        let row = self.layout.row;
        let span = from.slot.wrapping_mul(row)..to.wrapping_mul(row);
        self.rows(from.leaf).get(span).unwrap_or(&[])
    }

    pub(super) fn own_row(&self, at: At) -> &'a [Word] {
        let len = self.layout.row;
        let start = at.slot.wrapping_mul(len);
        self.rows(at.leaf).get(start..start.wrapping_add(len)).unwrap_or(&[])
    }

    /// The PEs busy in a slot, in two sets: its own row, and the mask of its leaf.
    pub(super) fn sets(&self, at: At) -> (&'a [Word], &'a [Word]) {
        (self.own_row(at), self.mask(at.leaf))
    }

    /// Whether a slot says the same as the one before it.
    pub(super) fn repeats(&self, at: At) -> bool {
        if let Some(slot) = at.slot.checked_sub(1) {
            let (counts, table) = (self.layout.counts, self.counts(at.leaf));
            return counts.get(table, at.slot) == counts.get(table, slot)
                && self.own_row(at) == self.own_row(at.leaf.slot(slot));
        }
        let Some(before) = self.previous(at) else { return false };
        let ((a, a_mask), (b, b_mask)) = (self.sets(at), self.sets(before));
        let mut words = a.iter().zip(a_mask).zip(b.iter().zip(b_mask));
        self.busy(at) == self.busy(before)
            && words.all(|((a, a_mask), (b, b_mask))| a | a_mask == b | b_mask)
    }

    pub(super) fn next(&self, at: At) -> Option<At> {
        let after = at.after();
        if after.slot < self.len(at.leaf) {
            return Some(after);
        }
        self.leaf_after(at.leaf).map(|leaf| leaf.slot(0))
    }

    pub(super) fn previous(&self, at: At) -> Option<At> {
        if let Some(slot) = at.slot.checked_sub(1) {
            return Some(at.leaf.slot(slot));
        }
        let leaf = self.leaf(at.leaf.place.checked_sub(1)?);
        Some(self.last_of(leaf))
    }

    fn last_of(&self, leaf: Leaf) -> At {
        leaf.slot(self.len(leaf).wrapping_sub(1))
    }

    /// The last slot.
    pub(super) fn last(&self) -> At {
        self.last_of(self.leaf(self.leaves.wrapping_sub(1)))
    }

    /// The slot that `time` lies in; the first one for a time in the past.
    pub(super) fn locate(&self, time: u64) -> At {
        let firsts = self.listed(self.layout.directory.firsts);
        self.locate_in(self.leaf(ticks::last_at_most(firsts, self.leaves, time)), time)
    }

    /// The same if it is known to be `at` or a slot after it.
    pub(super) fn locate_from(&self, at: At, time: u64) -> At {
        let firsts = self.listed(self.layout.directory.firsts);
        let place = ticks::last_at_most_from(firsts, at.leaf.place, self.leaves, time);
        let leaf = if place == at.leaf.place { at.leaf } else { self.leaf(place) };
        self.locate_in(leaf, time)
    }

    fn locate_in(&self, leaf: Leaf, time: u64) -> At {
        leaf.slot(ticks::last_at_most(self.times(leaf), self.len(leaf), time))
    }

    /// Behind the last slot.
    pub(super) fn end(&self) -> At {
        self.last().after()
    }

    /// What the leaf at `place` has of the slots from `from` on up to but not including `to`: the
    /// first one, and where they end in the leaf. `None` if it has none of them.
    pub(super) fn part_of_leaf(&self, place: usize, from: At, to: At) -> Option<(At, usize)> {
        let first = if place == from.leaf.place { from } else { self.leaf(place).slot(0) };
        let end = if place == to.leaf.place { to.slot } else { self.len(first.leaf) };
        (first.slot < end).then_some((first, end))
    }
}
