//! The slots of a timeline, for reading: sorted leaves under a small directory.

pub(crate) mod edit;
pub(crate) mod layout;
pub(crate) mod leaves;
pub(crate) mod rows;
pub(crate) mod tables;

use super::request::Placement;
use crate::bits::{Word, load};
use crate::time::Instant;
use layout::Layout;

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
pub(crate) struct Leaf {
    pub(crate) place: usize,
    pub(crate) block: usize,
}

/// A slot: the leaf, and the place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) leaf: Leaf,
    pub(crate) slot: usize,
}

impl Leaf {
    pub(crate) const fn slot(self, slot: usize) -> At {
        At { leaf: self, slot }
    }
}

impl At {
    pub(crate) const fn after(self) -> Self {
        self.leaf.slot(self.slot.wrapping_add(1))
    }
}

/// An interval, such as one of the duration of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// The slot that the start lies in.
    pub(crate) head: At,
    /// The slot that the end lies in.
    pub(crate) tail: At,
}

/// The slots: from its time on, a slot says which PEs are busy and how many, up to the time of
/// the next; the last one says it for good.
///
/// - Times rise strictly; the first slot's is the present.
/// - Neighbouring slots differ: in their sets, or in their counts if those are all there is.
/// - The last slot's busy PEs are those out of service: all reservations have ended by then.
/// - No leaf is empty; two neighbouring leaves together hold more than half of what one can.
/// - A change that covers a leaf is noted once, at the leaf, and pushed down to the slots when one
///   covers a part of it (lazy propagation): a slot's count is the stored one plus the lazy addend
///   `low - base` of its leaf, its set the union of its own row and the lazy set of its leaf.
/// - Of each leaf, `low` and `high` are the least and the greatest count, `base` the least stored
///   count, and the union is that of its own rows.
/// - In a flat timeline the stored counts and the own rows are the whole truth.
#[derive(Clone, Copy)]
pub(crate) struct Slots<'a, const IDENTITY: bool> {
    pub(crate) layout: &'a Layout,
    /// Leaves in use.
    pub(crate) leaves: usize,
    pub(crate) words: &'a [Word],
}

impl<'a, const IDENTITY: bool> Slots<'a, IDENTITY> {
    /// The leaf at a place.
    pub(crate) fn leaf(&self, place: usize) -> Leaf {
        // A flat timeline has no directory, and reads a zero.
        let id = self.layout.leaf_ids.get(self.layout.directory.ids.of(self.words), place);
        Leaf { place, block: (id as usize).wrapping_mul(self.layout.block_words()) }
    }

    /// The leaf after `leaf`.
    pub(crate) fn leaf_after(&self, leaf: Leaf) -> Option<Leaf> {
        let place = leaf.place.wrapping_add(1);
        (place < self.leaves).then(|| self.leaf(place))
    }

    /// The places of the leaves after `leaf` that begin before `end`.
    pub(crate) fn places_after(&self, leaf: Leaf, end: u64) -> impl Iterator<Item = usize> {
        let after = leaf.place.wrapping_add(1)..self.leaves;
        after.take_while(move |&place| self.first(place) < end)
    }

    /// All slots.
    pub(crate) fn all(self) -> impl Iterator<Item = At> {
        core::iter::successors(Some(self.start()), move |&at| self.next(at))
    }

    /// The first slot.
    pub(crate) fn start(&self) -> At {
        self.leaf(0).slot(0)
    }

    /// The present.
    pub(crate) fn now(&self) -> u64 {
        self.time(self.start())
    }

    pub(crate) fn times(&self, leaf: Leaf) -> &'a [Word] {
        self.layout.block.times.at(leaf.block).of(self.words)
    }

    /// The counts as stored.
    pub(crate) fn counts(&self, leaf: Leaf) -> &'a [Word] {
        self.layout.block.counts.at(leaf.block).of(self.words)
    }

    /// Slots in use in a leaf.
    pub(crate) fn len(&self, leaf: Leaf) -> usize {
        // Stored as the last place in use, so that a storage of zeros is an empty timeline.
        load(self.words, leaf.block.wrapping_add(self.layout.block.last.start)).wrapping_add(1)
    }

    /// PEs busy in all slots of a leaf, as far as they were added to it as a whole.
    pub(crate) fn lazy_set(&self, leaf: Leaf) -> &'a [Word] {
        self.layout.block.lazy_set.at(leaf.block).of(self.words)
    }

    /// PEs busy in some slot of a leaf, those of the lazy set left out.
    pub(crate) fn union(&self, leaf: Leaf) -> &'a [Word] {
        self.layout.block.union.at(leaf.block).of(self.words)
    }

    /// The time of the first slot of the leaf at a place; that of a flat timeline's only leaf is
    /// the beginning of time.
    pub(crate) fn first(&self, place: usize) -> u64 {
        tables::tick(self.layout.directory.firsts.of(self.words), place)
    }

    /// The least count of a leaf.
    pub(crate) fn low(&self, leaf: Leaf) -> u32 {
        self.layout.counts.get(self.layout.directory.lows.of(self.words), leaf.place)
    }

    /// The greatest count of the leaf at a place.
    pub(crate) fn high(&self, place: usize) -> u32 {
        self.layout.counts.get(self.layout.directory.highs.of(self.words), place)
    }

    /// What the counts of a leaf are above the stored ones.
    pub(crate) fn lazy_addend(&self, leaf: Leaf) -> i64 {
        let base = self.layout.counts.get(self.layout.directory.bases.of(self.words), leaf.place);
        i64::from(self.low(leaf)).wrapping_sub(i64::from(base))
    }

    pub(crate) fn time(&self, at: At) -> u64 {
        tables::tick(self.times(at.leaf), at.slot)
    }

    /// PEs busy in a slot.
    pub(crate) fn busy(&self, at: At) -> u32 {
        let stored = self.layout.counts.get(self.counts(at.leaf), at.slot);
        i64::from(stored).wrapping_add(self.lazy_addend(at.leaf)) as u32
    }

    pub(crate) fn slot(&self, at: At) -> Slot {
        Slot { time: Instant::from_ticks(self.time(at)), busy: self.busy(at) }
    }

    /// The rows of a leaf from `from` on up to but not including the one in place `to`.
    pub(crate) fn rows_between(
        &self,
        from: At,
        to: usize,
    ) -> impl DoubleEndedIterator<Item = &'a [Word]> + ExactSizeIterator + Clone {
        let Layout { block, .. } = *self.layout;
        let [ids, rows] =
            [block.row_ids, block.rows].map(|it| it.at(from.leaf.block).of(self.words));
        let layout = self.layout;
        (from.slot..to).map(move |slot| layout.row(layout.row_id(ids, slot)).of(rows))
    }

    pub(crate) fn own_row(&self, at: At) -> &'a [Word] {
        let rows = self.layout.block.rows.start.wrapping_add(at.leaf.block);
        self.layout.row(self.row_id(at)).at(rows).of(self.words)
    }

    pub(crate) fn row_id(&self, at: At) -> u32 {
        self.layout.row_id(self.layout.block.row_ids.at(at.leaf.block).of(self.words), at.slot)
    }

    /// The PEs busy in a slot, in two sets: its own row, and the lazy set of its leaf.
    pub(crate) fn sets(&self, at: At) -> (&'a [Word], &'a [Word]) {
        (self.own_row(at), self.lazy_set(at.leaf))
    }

    /// Word `at` of the set of PEs busy in a slot.
    pub(crate) fn word(&self, slot: At, at: usize) -> Word {
        let (own, lazy) = self.sets(slot);
        load(own, at) | load(lazy, at)
    }

    /// Whether a slot says the same as the one before it.
    pub(crate) fn repeats(&self, at: At) -> bool {
        if let Some(slot) = at.slot.checked_sub(1) {
            let (counts, table) = (self.layout.counts, self.counts(at.leaf));
            return counts.get(table, at.slot) == counts.get(table, slot)
                && self.own_row(at) == self.own_row(at.leaf.slot(slot));
        }
        let Some(before) = self.previous(at) else { return false };
        let ((a, a_lazy), (b, b_lazy)) = (self.sets(at), self.sets(before));
        let mut words = a.iter().zip(a_lazy).zip(b.iter().zip(b_lazy));
        self.busy(at) == self.busy(before)
            && words.all(|((a, a_lazy), (b, b_lazy))| a | a_lazy == b | b_lazy)
    }

    pub(crate) fn next(&self, at: At) -> Option<At> {
        let after = at.after();
        if after.slot < self.len(at.leaf) {
            return Some(after);
        }
        self.leaf_after(at.leaf).map(|leaf| leaf.slot(0))
    }

    pub(crate) fn previous(&self, at: At) -> Option<At> {
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
    pub(crate) fn last(&self) -> At {
        self.last_of(self.leaf(self.leaves.wrapping_sub(1)))
    }

    /// The slot that `time` lies in; the first one for a time in the past.
    pub(crate) fn locate(&self, time: u64) -> At {
        let firsts = self.layout.directory.firsts.of(self.words);
        self.locate_in(self.leaf(tables::last_at_most(firsts, self.leaves, time)), time)
    }

    /// The same if it is known to be `at` or a slot after it.
    pub(crate) fn locate_from(&self, at: At, time: u64) -> At {
        let firsts = self.layout.directory.firsts.of(self.words);
        let place = tables::last_at_most_from(firsts, at.leaf.place, self.leaves, time);
        let leaf = if place == at.leaf.place { at.leaf } else { self.leaf(place) };
        self.locate_in(leaf, time)
    }

    fn locate_in(&self, leaf: Leaf, time: u64) -> At {
        leaf.slot(tables::last_at_most(self.times(leaf), self.len(leaf), time))
    }

    /// An interval, without what lies in the past.
    pub(crate) fn interval(&self, at: Placement) -> Window {
        let (start, end) = (at.start.ticks().max(self.now()), at.end.ticks());
        let head = self.locate(start);
        Window { start, end, head, tail: self.locate_from(head, end) }
    }

    /// What the leaf at `place` has of the slots from `from` on up to but not including `to`: the
    /// first one, and where they end in the leaf. `None` if it has none of them.
    pub(crate) fn part_of_leaf(&self, place: usize, from: At, to: At) -> Option<(At, usize)> {
        let first = if place == from.leaf.place { from } else { self.leaf(place).slot(0) };
        let end = if place == to.leaf.place { to.slot } else { self.len(first.leaf) };
        (first.slot < end).then_some((first, end))
    }
}
