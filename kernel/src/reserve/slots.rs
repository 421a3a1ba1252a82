//! The slots of a timeline, for reading: sorted leaves under a small directory.

use super::layout::{Layout, Table};
use super::ticks;
use crate::bits::{Word, load};

/// A slot: the leaf, counted in the order of time, and the place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) leaf: usize,
    pub(super) slot: usize,
}

/// A slot's set of busy PEs, in two parts whose union it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) own: &'a [Word],
    /// Common to all slots of the leaf; empty if the timeline is flat.
    pub(super) mask: &'a [Word],
}

/// What the tables hold of one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) time: u64,
    pub(super) count: u32,
    /// The number of its row.
    pub(super) row: u32,
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
    pub(super) const START: At = At { leaf: 0, slot: 0 };

    /// A table that begins `offset` words on; nothing if the storage does not hold all of it.
    fn table(&self, offset: usize, table: Table) -> &'a [Word] {
        let start = offset.wrapping_add(table.start);
        self.words.get(start..start.wrapping_add(table.len)).unwrap_or(&[])
    }

    /// A table of the directory.
    fn listed(&self, table: Table) -> &'a [Word] {
        self.table(0, table)
    }

    /// A table in the block of a leaf.
    fn in_leaf(&self, leaf: usize, table: Table) -> &'a [Word] {
        self.table(self.block(leaf), table)
    }

    /// Where the block of a leaf begins.
    pub(super) fn block(&self, leaf: usize) -> usize {
        if self.layout.is_flat() {
            return 0;
        }
        let id = self.layout.leaf_ids.get(self.listed(self.layout.directory.ids), leaf);
        (id as usize).wrapping_mul(self.layout.block.union.end())
    }

    pub(super) fn times(&self, leaf: usize) -> &'a [Word] {
        self.in_leaf(leaf, self.layout.block.times)
    }

    /// The counts as stored.
    pub(super) fn counts(&self, leaf: usize) -> &'a [Word] {
        self.in_leaf(leaf, self.layout.block.counts)
    }

    /// Slots in use in a leaf.
    pub(super) fn len(&self, leaf: usize) -> usize {
        // Stored as the last place in use, so that a storage of zeros is an empty timeline.
        load(self.in_leaf(leaf, self.layout.block.last), 0).wrapping_add(1)
    }

    /// PEs busy in all slots of a leaf, as far as they were added to it as a whole.
    pub(super) fn mask(&self, leaf: usize) -> &'a [Word] {
        self.in_leaf(leaf, self.layout.block.mask)
    }

    /// PEs busy in some slot of a leaf, those of the mask left out.
    pub(super) fn union(&self, leaf: usize) -> &'a [Word] {
        self.in_leaf(leaf, self.layout.block.union)
    }

    /// The time of a leaf's first slot; that of a flat timeline's only leaf is the beginning of
    /// time.
    pub(super) fn first(&self, leaf: usize) -> u64 {
        ticks::get(self.listed(self.layout.directory.firsts), leaf)
    }

    /// The least count of a leaf.
    pub(super) fn low(&self, leaf: usize) -> u32 {
        self.layout.counts.get(self.listed(self.layout.directory.lows), leaf)
    }

    /// The greatest count of a leaf.
    pub(super) fn high(&self, leaf: usize) -> u32 {
        self.layout.counts.get(self.listed(self.layout.directory.highs), leaf)
    }

    /// What the counts of a leaf are above the stored ones.
    pub(super) fn above_stored(&self, leaf: usize) -> i64 {
        let base = self.layout.counts.get(self.listed(self.layout.directory.bases), leaf);
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

    pub(super) fn stored(&self, at: At) -> Stored {
        let count = self.layout.counts.get(self.counts(at.leaf), at.slot);
        Stored { time: self.time(at), count, row: self.row_id(at) }
    }

    /// The number of the row of a slot.
    fn row_id(&self, at: At) -> u32 {
        self.layout.row_ids.get(self.in_leaf(at.leaf, self.layout.block.row_ids), at.slot)
    }

    pub(super) fn own_row(&self, at: At) -> &'a [Word] {
        let len = self.layout.row;
        let start = (self.row_id(at) as usize).wrapping_mul(len);
        self.table(self.layout.rows.start, Table { start, len })
    }

    pub(super) fn row(&self, at: At) -> Row<'a> {
        Row { own: self.own_row(at), mask: self.mask(at.leaf) }
    }

    /// Whether a slot says the same as the one before it.
    pub(super) fn repeats(&self, at: At) -> bool {
        let Some(before) = self.previous(at) else { return false };
        if self.busy(at) != self.busy(before) {
            return false;
        }
        let (a, b) = (self.row(at), self.row(before));
        if at.leaf == before.leaf {
            return a.own == b.own;
        }
        let masked = a.own.iter().zip(a.mask).zip(b.own.iter().zip(b.mask));
        masked.into_iter().all(|((a, a_mask), (b, b_mask))| a | a_mask == b | b_mask)
    }

    pub(super) fn next(&self, at: At) -> Option<At> {
        let slot = at.slot.wrapping_add(1);
        if slot < self.len(at.leaf) {
            return Some(At { slot, ..at });
        }
        let leaf = at.leaf.wrapping_add(1);
        (leaf < self.leaves).then_some(At { leaf, slot: 0 })
    }

    pub(super) fn previous(&self, at: At) -> Option<At> {
        if let Some(slot) = at.slot.checked_sub(1) {
            return Some(At { slot, ..at });
        }
        let leaf = at.leaf.checked_sub(1)?;
        Some(At { leaf, slot: self.len(leaf).wrapping_sub(1) })
    }

    /// The last slot.
    pub(super) fn last(&self) -> At {
        let leaf = self.leaves.wrapping_sub(1);
        At { leaf, slot: self.len(leaf).wrapping_sub(1) }
    }

    /// The slot that `time` lies in; the first one for a time in the past.
    pub(super) fn locate(&self, time: u64) -> At {
        let leaf = self.leaf_of(time);
        At { leaf, slot: ticks::last_at_most(self.times(leaf), self.len(leaf), time) }
    }

    fn leaf_of(&self, time: u64) -> usize {
        ticks::last_at_most(self.listed(self.layout.directory.firsts), self.leaves, time)
    }

    /// How many of a leaf's slots begin before `end`.
    pub(super) fn begun_before(&self, leaf: usize, end: u64) -> usize {
        let Some(latest) = end.checked_sub(1) else { return 0 };
        let after = leaf.wrapping_add(1);
        if after < self.leaves && self.first(after) < end {
            return self.len(leaf);
        }
        let times = self.times(leaf);
        if ticks::get(times, 0) > latest {
            return 0;
        }
        ticks::last_at_most(times, self.len(leaf), latest).wrapping_add(1)
    }

    /// The first slot from `at` on that begins before `end` and has more than `limit` PEs busy.
    pub(super) fn first_above(&self, at: At, end: u64, limit: u32) -> Option<At> {
        let mut from = at;
        loop {
            let bound = i64::from(limit).wrapping_add(1);
            if let Some(slot) = self.scan(from, bound, false) {
                return Some(At { slot, ..from }).filter(|&found| self.time(found) < end);
            }
            from = self.leaf_above(from.leaf, end, limit)?;
        }
    }

    /// The first leaf after `leaf` that begins before `end` and where more than `limit` PEs get
    /// busy.
    fn leaf_above(&self, leaf: usize, end: u64, limit: u32) -> Option<At> {
        let mut leaf = leaf;
        loop {
            leaf = leaf.wrapping_add(1);
            if leaf >= self.leaves || self.first(leaf) >= end {
                return None;
            }
            if self.high(leaf) > limit {
                return Some(At { leaf, slot: 0 });
            }
        }
    }

    /// The first slot from `at` on that has at most `limit` PEs busy.
    pub(super) fn first_within(&self, at: At, limit: u32) -> Option<At> {
        let bound = i64::from(limit).wrapping_add(1);
        if let Some(slot) = self.scan(at, bound, true) {
            return Some(At { slot, ..at });
        }
        let after = at.leaf.wrapping_add(1);
        let lows = self.listed(self.layout.directory.lows);
        let leaf = self.layout.counts.first_below(lows, after, self.leaves, bound)?;
        let slot = self.scan(At { leaf, slot: 0 }, bound, true)?;
        Some(At { leaf, slot })
    }

    /// The last slot before `at` that has more than `limit` PEs busy.
    pub(super) fn last_above(&self, at: At, limit: u32) -> Option<At> {
        let bound = i64::from(limit).wrapping_add(1);
        let (mut leaf, mut to) = (at.leaf, at.slot);
        loop {
            let stored = bound.wrapping_sub(self.above_stored(leaf));
            if let Some(slot) = self.layout.counts.last_at_least(self.counts(leaf), 0, to, stored) {
                return Some(At { leaf, slot });
            }
            let highs = self.listed(self.layout.directory.highs);
            leaf = self.layout.counts.last_at_least(highs, 0, leaf, bound)?;
            to = self.len(leaf);
        }
    }

    /// The first place in the leaf of `at`, from `at` on, whose count is at least `bound`, or,
    /// inverted, below it.
    fn scan(&self, at: At, bound: i64, invert: bool) -> Option<usize> {
        let stored = bound.wrapping_sub(self.above_stored(at.leaf));
        let (table, len) = (self.counts(at.leaf), self.len(at.leaf));
        if invert {
            self.layout.counts.first_below(table, at.slot, len, stored)
        } else {
            self.layout.counts.first_at_least(table, at.slot, len, stored)
        }
    }
}
