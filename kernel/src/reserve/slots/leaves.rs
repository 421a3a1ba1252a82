//! Slots in sorted leaves under a small directory, so that a change or a search passes over two leaves
//! of slots, and over a summary of each leaf between.
//!
//! - No leaf is empty; two neighbouring leaves together hold more than half of what one can.
//! - A change that covers a leaf is noted once, at the leaf, and pushed down to the slots when one
//!   covers a part of it (lazy propagation): a slot's count is the stored one plus the lazy addend
//!   `low - base` of its leaf, its set the union of its own row and the lazy set of its leaf.
//! - Of each leaf, `low` and `high` are the least and the greatest count, `base` the least stored
//!   count, and the union is that of its own rows.

use super::array::{Array, Shape};
use super::claim::{Change, Claim};
use super::store::{Border, Slots, SlotsMut, Store};
use super::tables::{self, TICK_WORDS, Table};
use crate::bits::{Packed, Sought, Word, algebra, load};
use crate::invariant::{InvariantViolation, ensure};
use core::ops::Range;

/// Where the leaves lie, and the directory behind them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaves<const IDENTITY: bool> {
    /// The array of slots that a leaf begins with.
    pub(crate) shape: Shape,
    /// Leaves that there is room for.
    pub(crate) room: usize,
    /// PEs busy in all slots of a leaf, as far as they were added to it as a whole; counted from the first
    /// word of the leaf.
    pub(crate) lazy_set: Table,
    /// The union of the rows of a leaf; likewise.
    pub(crate) union: Table,
    /// The last leaf in use, and the last block that has been in use. The directory lists those blocks that
    /// are free again behind the leaves in use.
    pub(crate) marks: Table,
    /// One entry a leaf in each table from here on, in the order of time.
    pub(crate) firsts: Table,
    /// The block of each leaf.
    pub(crate) blocks: Table,
    /// Lanes for the numbers of blocks.
    pub(crate) block_lanes: Packed,
    pub(crate) lows: Table,
    pub(crate) highs: Table,
    /// The least stored count.
    pub(crate) bases: Table,
}

/// A leaf: its place in the order of time, and where its block begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) place: usize,
    pub(crate) block: usize,
}

/// A place has one block at a time.
impl PartialEq for Leaf {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

/// A slot: the leaf, and the place in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LeafSlot {
    pub(crate) leaf: Leaf,
    pub(crate) slot: usize,
}

impl Leaf {
    pub(crate) const fn slot(self, slot: usize) -> LeafSlot {
        LeafSlot { leaf: self, slot }
    }
}

impl<const IDENTITY: bool> Leaves<IDENTITY> {
    /// The most slots of a leaf. A change passes over all rows of the leaves at its ends: where there
    /// are any, leaves are smaller.
    const SLOTS: usize = if IDENTITY { 32 } else { 64 };

    /// The most slots of a flat timeline. Counts and times are few words: to move those of three leaves
    /// takes less than to keep leaves and their summaries.
    pub(crate) const FLAT: usize = if IDENTITY { Self::SLOTS } else { 192 };

    /// Leaves of so many slots together; `None` for more PEs than can be counted.
    pub(crate) const fn new(pes: u32, slots: usize) -> Option<Self> {
        let Some(shape) = Shape::new(pes, Self::SLOTS, IDENTITY) else { return None };
        // Two neighbouring leaves together hold more than half of what one can hold.
        let room = 2 * (slots / (Self::SLOTS / 2 + 1)) + 1;
        let Some(block_lanes) = Packed::holding(room as u32) else { return None };
        let lazy_set = Table { start: shape.words, len: shape.row };
        let union = Table { start: lazy_set.end(), len: shape.row };
        let marks = Table { start: room.saturating_mul(union.end()), len: 2 };
        let firsts = Table { start: marks.end(), len: room.saturating_mul(TICK_WORDS) };
        let blocks = Table { start: firsts.end(), len: block_lanes.words(room) };
        let counts = shape.counts.words(room);
        let lows = Table { start: blocks.end(), len: counts };
        let highs = Table { start: lows.end(), len: counts };
        let bases = Table { start: highs.end(), len: counts };
        Some(Self {
            shape,
            room,
            lazy_set,
            union,
            marks,
            firsts,
            blocks,
            block_lanes,
            lows,
            highs,
            bases,
        })
    }

    /// Words of a leaf.
    pub(crate) const fn block_words(&self) -> usize {
        self.union.end()
    }

    /// Where the directory lies.
    pub(crate) const fn directory(&self) -> Range<usize> {
        self.marks.start..self.end()
    }

    /// The word behind the directory.
    pub(crate) const fn end(&self) -> usize {
        self.bases.end()
    }
}

impl<'a, const IDENTITY: bool> Slots<'a, Leaves<IDENTITY>> {
    /// Leaves in use.
    pub(crate) fn leaves(&self) -> usize {
        load(self.store.marks.of(self.words), 0).wrapping_add(1)
    }

    /// Blocks that have been in use.
    pub(crate) fn blocks(&self) -> usize {
        load(self.store.marks.of(self.words), 1).wrapping_add(1)
    }

    /// The leaf at a place.
    pub(crate) fn leaf(&self, place: usize) -> Leaf {
        let block = self.store.block_lanes.get(self.store.blocks.of(self.words), place);
        Leaf { place, block: (block as usize).wrapping_mul(self.store.block_words()) }
    }

    /// The leaf after `leaf`.
    pub(crate) fn leaf_after(&self, leaf: Leaf) -> Option<Leaf> {
        let place = leaf.place.wrapping_add(1);
        (place < self.leaves()).then(|| self.leaf(place))
    }

    /// The leaves after `leaf` that begin before `end`.
    fn leaves_after(&self, leaf: Leaf, end: u64) -> impl Iterator<Item = Leaf> {
        let after = leaf.place.wrapping_add(1)..self.leaves();
        let firsts = self.firsts();
        let before = move |&place: &usize| tables::tick(firsts, place) < end;
        after.take_while(before).map(|place| self.leaf(place))
    }

    /// The slots of a leaf.
    pub(crate) fn array(&self, leaf: Leaf) -> Array<'a, IDENTITY> {
        let words = self.words.get(leaf.block..).unwrap_or_default();
        Array { shape: &self.store.shape, words }
    }

    /// Slots in use in a leaf.
    pub(crate) fn len(&self, leaf: Leaf) -> usize {
        self.array(leaf).len()
    }

    /// The times of the first slots of the leaves.
    fn firsts(&self) -> &'a [Word] {
        self.store.firsts.of(self.words)
    }

    /// The least count of a leaf.
    pub(crate) fn low(&self, leaf: Leaf) -> u32 {
        self.store.shape.counts.get(self.store.lows.of(self.words), leaf.place)
    }

    /// The greatest count of a leaf.
    fn high(&self, leaf: Leaf) -> u32 {
        self.store.shape.counts.get(self.store.highs.of(self.words), leaf.place)
    }

    /// What the counts of a leaf are above the stored ones.
    pub(crate) fn lazy_addend(&self, leaf: Leaf) -> i64 {
        let base = self.store.shape.counts.get(self.store.bases.of(self.words), leaf.place);
        i64::from(self.low(leaf)).wrapping_sub(i64::from(base))
    }

    /// The least number above `limit`, as the counts of a leaf are stored.
    fn above(&self, leaf: Leaf, limit: u32) -> i64 {
        i64::from(limit).wrapping_add(1).wrapping_sub(self.lazy_addend(leaf))
    }

    fn lazy_set(&self, leaf: Leaf) -> &'a [Word] {
        self.store.lazy_set.at(leaf.block).of(self.words)
    }

    fn union(&self, leaf: Leaf) -> &'a [Word] {
        self.store.union.at(leaf.block).of(self.words)
    }

    /// Whether a PE of `claim` is busy in some slot of a leaf.
    fn meets(&self, leaf: Leaf, claim: Claim<'_>) -> bool {
        claim.meets(self.lazy_set(leaf)) || claim.meets(self.union(leaf))
    }

    /// The last slot before `at` that lies in another leaf.
    fn end_of_leaf_before(&self, at: LeafSlot) -> Option<LeafSlot> {
        let leaf = self.leaf(at.leaf.place.checked_sub(1)?);
        Some(leaf.slot(self.array(leaf).last()))
    }

    /// What the leaf at `place` has of the slots from `from` on up to but not including `to`: the
    /// first one, and where they end in the leaf. `None` if it has none of them.
    fn part_of_leaf(
        &self,
        place: usize,
        from: LeafSlot,
        to: LeafSlot,
    ) -> Option<(LeafSlot, usize)> {
        let first = if place == from.leaf.place { from } else { self.leaf(place).slot(0) };
        let end = if place == to.leaf.place { to.slot } else { self.len(first.leaf) };
        (first.slot < end).then_some((first, end))
    }

    /// The same of each leaf with some of them.
    fn parts(
        &self,
        from: LeafSlot,
        to: LeafSlot,
    ) -> impl DoubleEndedIterator<Item = (LeafSlot, usize)> {
        let places = from.leaf.place..to.leaf.place.wrapping_add(1);
        places.filter_map(move |place| self.part_of_leaf(place, from, to))
    }

    /// Whether a part of a leaf is all of it.
    fn is_whole(&self, from: LeafSlot, end: usize) -> bool {
        from.slot == 0 && end == self.len(from.leaf)
    }

    fn first_above_in(&self, at: LeafSlot, limit: u32) -> Option<LeafSlot> {
        let above = Sought::AtLeast(self.above(at.leaf, limit));
        Some(at.leaf.slot(self.array(at.leaf).first(at.slot, above)?))
    }

    fn last_above_in(&self, leaf: Leaf, from: usize, end: usize, limit: u32) -> Option<LeafSlot> {
        let above = Sought::AtLeast(self.above(leaf, limit));
        Some(leaf.slot(self.array(leaf).last_of(from..end, above)?))
    }

    fn first_meeting_in(&self, from: LeafSlot, claim: Claim<'_>) -> Option<LeafSlot> {
        if claim.meets(self.lazy_set(from.leaf)) {
            return Some(from);
        }
        Some(from.leaf.slot(self.array(from.leaf).first_meeting(from.slot, claim)?))
    }

    fn last_meeting_in(&self, end: LeafSlot, claim: Claim<'_>) -> Option<LeafSlot> {
        let slot = if claim.meets(self.lazy_set(end.leaf)) {
            end.slot.checked_sub(1)?
        } else {
            self.array(end.leaf).last_meeting(end.slot, claim)?
        };
        Some(end.leaf.slot(slot))
    }
}

impl<const IDENTITY: bool> Store for Leaves<IDENTITY> {
    const IDENTITY: bool = IDENTITY;
    type At = LeafSlot;

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn words(&self) -> usize {
        self.end()
    }

    fn start(slots: &Slots<'_, Self>) -> LeafSlot {
        slots.leaf(0).slot(0)
    }

    fn last(slots: &Slots<'_, Self>) -> LeafSlot {
        let leaf = slots.leaf(slots.leaves().wrapping_sub(1));
        leaf.slot(slots.array(leaf).last())
    }

    fn next(slots: &Slots<'_, Self>, at: LeafSlot) -> Option<LeafSlot> {
        let after = Self::after(at);
        if after.slot < slots.len(at.leaf) {
            return Some(after);
        }
        slots.leaf_after(at.leaf).map(|leaf| leaf.slot(0))
    }

    fn after(at: LeafSlot) -> LeafSlot {
        at.leaf.slot(at.slot.wrapping_add(1))
    }

    fn time(slots: &Slots<'_, Self>, at: LeafSlot) -> u64 {
        slots.array(at.leaf).time(at.slot)
    }

    fn busy(slots: &Slots<'_, Self>, at: LeafSlot) -> u32 {
        let stored = slots.array(at.leaf).count(at.slot);
        i64::from(stored).wrapping_add(slots.lazy_addend(at.leaf)) as u32
    }

    fn sets<'a>(slots: &Slots<'a, Self>, at: LeafSlot) -> [&'a [Word]; 2] {
        [slots.array(at.leaf).row(at.slot), slots.lazy_set(at.leaf)]
    }

    fn repeats(slots: &Slots<'_, Self>, at: LeafSlot) -> bool {
        if at.slot > 0 {
            return slots.array(at.leaf).repeats(at.slot);
        }
        let Some(before) = slots.end_of_leaf_before(at) else { return false };
        let words = slots.store.shape.row;
        Self::busy(slots, at) == Self::busy(slots, before)
            && (0..words).all(|word| slots.word(at, word) == slots.word(before, word))
    }

    fn locate(slots: &Slots<'_, Self>, time: u64) -> LeafSlot {
        let leaf = slots.leaf(tables::last_at_most(slots.firsts(), slots.leaves(), time));
        leaf.slot(slots.array(leaf).locate(time))
    }

    fn locate_from(slots: &Slots<'_, Self>, at: LeafSlot, time: u64) -> LeafSlot {
        let (firsts, from) = (slots.firsts(), at.leaf.place);
        let place = tables::last_at_most_from(firsts, from, slots.leaves(), time);
        let leaf = if place == from { at.leaf } else { slots.leaf(place) };
        leaf.slot(slots.array(leaf).locate(time))
    }

    /// The last one in leaves that end before `end`, or else the first one in the leaf that `end` lies in.
    fn blocker(slots: &Slots<'_, Self>, head: LeafSlot, end: u64, limit: u32) -> Option<LeafSlot> {
        let (firsts, first) = (slots.firsts(), head.leaf.place);
        let last = tables::last_at_most_from(firsts, first, slots.leaves(), end.wrapping_sub(1));
        let is_before_end = |found: &LeafSlot| Self::time(slots, *found) < end;
        if last == first {
            return slots.first_above_in(head, limit).filter(is_before_end);
        }
        let tail = slots.leaf(last);
        if slots.high(tail) > limit
            && let Some(found) = slots.first_above_in(tail.slot(0), limit).filter(is_before_end)
        {
            return Some(found);
        }
        let above = Sought::AtLeast(i64::from(limit).wrapping_add(1));
        let highs = slots.store.highs.of(slots.words);
        let between = first.wrapping_add(1)..last;
        let (leaf, from) = match slots.store.shape.counts.last(highs, between, above) {
            Some(place) => (slots.leaf(place), 0),
            None => (head.leaf, head.slot),
        };
        slots.last_above_in(leaf, from, slots.len(leaf), limit)
    }

    fn first_within(slots: &Slots<'_, Self>, at: LeafSlot, limit: u32) -> Option<LeafSlot> {
        let first_in = |leaf: Leaf, from: usize| {
            let within = Sought::Below(slots.above(leaf, limit));
            Some(leaf.slot(slots.array(leaf).first(from, within)?))
        };
        first_in(at.leaf, at.slot).or_else(|| {
            let after = at.leaf.place.wrapping_add(1)..slots.leaves();
            let within = Sought::Below(i64::from(limit).wrapping_add(1));
            let lows = slots.store.lows.of(slots.words);
            first_in(slots.leaf(slots.store.shape.counts.first(lows, after, within)?), 0)
        })
    }

    fn first_above(
        slots: &Slots<'_, Self>,
        at: LeafSlot,
        end: u64,
        limit: u32,
    ) -> Option<LeafSlot> {
        let found = slots.first_above_in(at, limit).or_else(|| {
            let mut later = slots.leaves_after(at.leaf, end);
            let leaf = later.find(|&leaf| slots.high(leaf) > limit)?;
            slots.first_above_in(leaf.slot(0), limit)
        });
        found.filter(|&found| Self::time(slots, found) < end)
    }

    fn last_above(slots: &Slots<'_, Self>, at: LeafSlot, limit: u32) -> Option<LeafSlot> {
        slots.last_above_in(at.leaf, 0, at.slot, limit).or_else(|| {
            let above = Sought::AtLeast(i64::from(limit).wrapping_add(1));
            let highs = slots.store.highs.of(slots.words);
            let leaf = slots.leaf(slots.store.shape.counts.last(highs, 0..at.leaf.place, above)?);
            slots.last_above_in(leaf, 0, slots.len(leaf), limit)
        })
    }

    fn range(slots: &Slots<'_, Self>, head: LeafSlot, to: LeafSlot) -> (u32, u32) {
        let of_part = |(from, end): (LeafSlot, usize)| {
            if slots.is_whole(from, end) {
                return (slots.low(from.leaf), slots.high(from.leaf));
            }
            let (low, high) = slots.array(from.leaf).range(from.slot..end);
            let busy =
                |stored: u32| i64::from(stored).wrapping_add(slots.lazy_addend(from.leaf)) as u32;
            (busy(low), busy(high))
        };
        let wider = |(low, high): (u32, u32), (least, most)| (low.min(least), high.max(most));
        slots.parts(head, to).map(of_part).reduce(wider).unwrap_or((0, 0))
    }

    fn unite(slots: &Slots<'_, Self>, head: LeafSlot, to: LeafSlot, busy: &mut [Word]) {
        for (from, end) in slots.parts(head, to) {
            algebra::unite(busy, slots.lazy_set(from.leaf));
            if slots.is_whole(from, end) {
                algebra::unite(busy, slots.union(from.leaf));
            } else {
                slots.array(from.leaf).unite(from.slot..end, busy);
            }
        }
    }

    fn near(slots: &Slots<'_, Self>, head: LeafSlot, to: LeafSlot) -> LeafSlot {
        if head.leaf == to.leaf {
            return to;
        }
        slots.leaf(head.leaf.place.wrapping_add(1)).slot(0)
    }

    /// The last slot from which on too few are free until the end, by the union of each leaf inside.
    fn blocking(
        slots: &Slots<'_, Self>,
        head: LeafSlot,
        to: LeafSlot,
        free: &mut [Word],
        pes: u32,
        required: &[Word],
    ) -> LeafSlot {
        let mut left = algebra::count(free);
        for (from, end) in slots.parts(head, to).rev() {
            let (leaf, array) = (from.leaf, slots.array(from.leaf));
            let (lazy_set, union) = (slots.lazy_set(leaf), slots.union(leaf));
            left = left.wrapping_sub(algebra::take(free, lazy_set));
            let some_left = left.wrapping_sub(algebra::count_common(free, union)) >= pes;
            let is_cut = algebra::meet(required, union) || algebra::meet(required, lazy_set);
            if slots.is_whole(from, end) && some_left && !is_cut {
                left = left.wrapping_sub(algebra::take(free, union));
                continue;
            }
            for slot in (from.slot..end).rev() {
                let row = array.row(slot);
                if algebra::meet(free, row) {
                    left = left.wrapping_sub(algebra::take(free, row));
                }
                if left < pes || !algebra::is_within(required, free) {
                    return leaf.slot(slot);
                }
            }
        }
        head
    }

    fn first_meeting(
        slots: &Slots<'_, Self>,
        at: LeafSlot,
        end: u64,
        claim: Claim<'_>,
    ) -> Option<LeafSlot> {
        let found = slots.first_meeting_in(at, claim).or_else(|| {
            let mut later = slots.leaves_after(at.leaf, end);
            let leaf = later.find(|&leaf| slots.meets(leaf, claim))?;
            slots.first_meeting_in(leaf.slot(0), claim)
        });
        found.filter(|&found| Self::time(slots, found) < end)
    }

    fn last_meeting(slots: &Slots<'_, Self>, at: LeafSlot, claim: Claim<'_>) -> Option<LeafSlot> {
        slots.last_meeting_in(at, claim).or_else(|| {
            let mut earlier = (0..at.leaf.place).rev().map(|place| slots.leaf(place));
            let leaf = earlier.find(|&leaf| slots.meets(leaf, claim))?;
            slots.last_meeting_in(leaf.slot(slots.len(leaf)), claim)
        })
    }

    fn open(
        slots: &mut SlotsMut<'_, Self>,
        at: LeafSlot,
        time: u64,
        other: &mut LeafSlot,
    ) -> Border<LeafSlot> {
        let view = slots.view();
        if Self::time(&view, at) == time {
            return Border { at, is_new: false };
        }
        let mut at = at;
        if view.len(at.leaf) == view.store.shape.slots {
            let other_time = Self::time(&view, *other);
            slots.split(at.leaf);
            (at, *other) =
                (Self::locate(&slots.view(), time), Self::locate(&slots.view(), other_time));
        }
        slots.array(at.leaf).insert_after(at.slot, time);
        if other.leaf == at.leaf && other.slot > at.slot {
            *other = Self::after(*other);
        }
        Border { at: Self::after(at), is_new: true }
    }

    fn close(slots: &mut SlotsMut<'_, Self>, at: LeafSlot, other: &mut LeafSlot) {
        let other_time = Self::time(&slots.view(), *other);
        if slots.take_out(at) {
            *other = Self::locate(&slots.view(), other_time);
        } else if other.leaf == at.leaf && other.slot > at.slot {
            other.slot = other.slot.wrapping_sub(1);
        }
    }

    fn cover(slots: &mut SlotsMut<'_, Self>, from: LeafSlot, to: LeafSlot, change: Change<'_>) {
        let (first, last) = (from.leaf, to.leaf);
        if first == last {
            slots.change_part(from, to.slot, change);
            return;
        }
        if from.slot > 0 {
            slots.change_part(from, slots.view().len(first), change);
        }
        let whole = first.place.wrapping_add((from.slot > 0) as usize)..last.place;
        slots.change_leaves(whole, change);
        if to.slot > 0 {
            slots.change_part(last.slot(0), to.slot, change);
        }
    }

    fn drop_before(slots: &mut SlotsMut<'_, Self>, at: LeafSlot) {
        slots.drop_leaves_before(at);
    }

    fn set_present(slots: &mut SlotsMut<'_, Self>, now: u64) {
        slots.set_first(slots.view().leaf(0), now);
    }

    fn check(slots: &Slots<'_, Self>) -> Result<(), InvariantViolation> {
        let blocks = slots.blocks();
        let once =
            |place| (0..place).all(|other| slots.leaf(other).block != slots.leaf(place).block);
        ensure((0..blocks).all(once), "a block has one place in the directory")?;
        (0..slots.leaves()).try_for_each(|place| slots.check_leaf(slots.leaf(place)))
    }
}

impl<const IDENTITY: bool> Slots<'_, Leaves<IDENTITY>> {
    fn check_leaf(&self, leaf: Leaf) -> Result<(), InvariantViolation> {
        let (len, most, array) = (self.len(leaf), self.store.shape.slots, self.array(leaf));
        ensure((1..=most).contains(&len), "a leaf has at least one slot, and room for all")?;
        let both = self.leaf_after(leaf).map(|after| len.saturating_add(self.len(after)));
        let fills = both.is_none_or(|both| both > most >> 1);
        ensure(fills, "neighbouring leaves hold more than half of one")?;
        let busy = || (0..len).map(|slot| Leaves::busy(self, leaf.slot(slot)));
        let first = tables::tick(self.firsts(), leaf.place);
        ensure(first == array.time(0), "the directory's times")?;
        ensure(busy().min() == Some(self.low(leaf)), "least counts")?;
        ensure(busy().max() == Some(self.high(leaf)), "greatest counts")?;
        for (word, &known) in self.union(leaf).iter().enumerate() {
            let own = |slot| load(array.row(slot), word);
            ensure((0..len).fold(0, |union, slot| union | own(slot)) == known, "unions of rows")?;
        }
        Ok(())
    }
}
