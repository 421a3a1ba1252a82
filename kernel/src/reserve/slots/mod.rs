//! The slots of a timeline, for reading: sorted leaves under a small directory.

pub(crate) mod edit;
pub(crate) mod layout;
pub(crate) mod leaves;
pub(crate) mod rows;
pub(crate) mod tables;

use super::request::Placement;
use crate::bits::{Word, algebra, load};
use crate::time::Instant;
use layout::{LEAVES, Layout};
use leaves::Marks;

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

/// A leaf; nothing at all where there is only one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf([Listed; LEAVES as usize]);

/// The place of a leaf in the order of time, and where its block begins.
#[derive(Clone, Copy, Debug)]
struct Listed {
    place: usize,
    block: usize,
}

/// A slot: the leaf, and the place in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct At {
    pub(crate) leaf: Leaf,
    pub(crate) slot: usize,
}

/// A place has one block at a time.
impl PartialEq for Leaf {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

impl Leaf {
    const fn new(place: usize, block: usize) -> Self {
        Self([Listed { place, block }; LEAVES as usize])
    }

    pub(crate) fn place(self) -> usize {
        self.0.first().map_or(0, |listed| listed.place)
    }

    pub(crate) fn block(self) -> usize {
        self.0.first().map_or(0, |listed| listed.block)
    }

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
    pub(crate) marks: Marks,
    pub(crate) words: &'a [Word],
}

impl<'a, const IDENTITY: bool> Slots<'a, IDENTITY> {
    /// Leaves in use.
    pub(crate) fn leaves(&self) -> usize {
        self.marks.leaves()
    }

    /// The leaf at a place.
    pub(crate) fn leaf(&self, place: usize) -> Leaf {
        // A flat timeline has no directory, and reads a zero.
        let directory = self.layout.directory();
        let id = directory.leaf_ids.get(directory.ids.of(self.words), place);
        Leaf::new(place, (id as usize).wrapping_mul(self.layout.block.words))
    }

    /// The leaf after `leaf`.
    pub(crate) fn leaf_after(&self, leaf: Leaf) -> Option<Leaf> {
        let place = leaf.place().wrapping_add(1);
        (place < self.leaves()).then(|| self.leaf(place))
    }

    /// The places of the leaves after `leaf` that begin before `end`.
    pub(crate) fn places_after(&self, leaf: Leaf, end: u64) -> impl Iterator<Item = usize> {
        let after = leaf.place().wrapping_add(1)..self.leaves();
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

    /// The times of a leaf's slots, and what lies behind them.
    pub(crate) fn times(&self, leaf: Leaf) -> &'a [Word] {
        self.words.get(leaf.block()..).unwrap_or_default()
    }

    /// The counts as stored, and what lies behind them.
    pub(crate) fn counts(&self, leaf: Leaf) -> &'a [Word] {
        self.words.get(leaf.block().wrapping_add(self.layout.block.counts)..).unwrap_or_default()
    }

    /// Slots in use in a leaf.
    pub(crate) fn len(&self, leaf: Leaf) -> usize {
        // Stored as the last place in use, so that a storage of zeros is an empty timeline.
        load(self.words, leaf.block().wrapping_add(self.layout.block.last)).wrapping_add(1)
    }

    /// PEs busy in all slots of a leaf, as far as they were added to it as a whole.
    pub(crate) fn lazy_set(&self, leaf: Leaf) -> &'a [Word] {
        self.layout.beside().lazy_set.at(leaf.block()).of(self.words)
    }

    /// PEs busy in some slot of a leaf, those of the lazy set left out.
    pub(crate) fn union(&self, leaf: Leaf) -> &'a [Word] {
        self.layout.beside().union.at(leaf.block()).of(self.words)
    }

    /// The time of the first slot of the leaf at a place; that of a flat timeline's only leaf is
    /// the beginning of time.
    pub(crate) fn first(&self, place: usize) -> u64 {
        tables::tick(self.layout.directory().firsts.of(self.words), place)
    }

    /// The least count of a leaf.
    pub(crate) fn low(&self, leaf: Leaf) -> u32 {
        self.layout.counts.get(self.layout.directory().lows.of(self.words), leaf.place())
    }

    /// The greatest count of the leaf at a place.
    pub(crate) fn high(&self, place: usize) -> u32 {
        self.layout.counts.get(self.layout.directory().highs.of(self.words), place)
    }

    /// What the counts of a leaf are above the stored ones.
    pub(crate) fn lazy_addend(&self, leaf: Leaf) -> i64 {
        let base =
            self.layout.counts.get(self.layout.directory().bases.of(self.words), leaf.place());
        i64::from(self.low(leaf)).wrapping_sub(i64::from(base))
    }

    pub(crate) fn time(&self, at: At) -> u64 {
        tables::tick(self.times(at.leaf), at.slot)
    }

    /// PEs busy in a slot.
    pub(crate) fn busy(&self, at: At) -> u32 {
        i64::from(self.stored(at)).wrapping_add(self.lazy_addend(at.leaf)) as u32
    }

    /// The count of a slot as stored.
    pub(crate) fn stored(&self, at: At) -> u32 {
        self.layout.counts.get(self.counts(at.leaf), at.slot)
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
        let (ids, rows, layout) = (self.row_ids(from.leaf), self.rows(from.leaf), self.layout);
        (from.slot..to).map(move |slot| layout.row(layout.row_id(ids, slot)).of(rows))
    }

    pub(crate) fn own_row(&self, at: At) -> &'a [Word] {
        self.layout.row(self.row_id(at)).of(self.rows(at.leaf))
    }

    pub(crate) fn row_id(&self, at: At) -> u32 {
        self.layout.row_id(self.row_ids(at.leaf), at.slot)
    }

    pub(crate) fn rows(&self, leaf: Leaf) -> &'a [Word] {
        self.words.get(leaf.block().wrapping_add(self.layout.block.rows)..).unwrap_or_default()
    }

    fn row_ids(&self, leaf: Leaf) -> &'a [Word] {
        self.layout.beside().row_ids.at(leaf.block()).of(self.words)
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
            let before = at.leaf.slot(slot);
            let same = || algebra::same(self.own_row(at), self.own_row(before));
            return self.stored(at) == self.stored(before) && (!IDENTITY || same());
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
        let leaf = self.leaf(at.leaf.place().checked_sub(1)?);
        Some(self.last_of(leaf))
    }

    fn last_of(&self, leaf: Leaf) -> At {
        leaf.slot(self.len(leaf).wrapping_sub(1))
    }

    /// The last slot.
    pub(crate) fn last(&self) -> At {
        self.last_of(self.leaf(self.leaves().wrapping_sub(1)))
    }

    /// The slot that `time` lies in; the first one for a time in the past.
    pub(crate) fn locate(&self, time: u64) -> At {
        let firsts = self.layout.directory().firsts.of(self.words);
        self.locate_in(self.leaf(tables::last_at_most(firsts, self.leaves(), time)), time)
    }

    /// The same if it is known to be `at` or a slot after it.
    pub(crate) fn locate_from(&self, at: At, time: u64) -> At {
        let firsts = self.layout.directory().firsts.of(self.words);
        let place = tables::last_at_most_from(firsts, at.leaf.place(), self.leaves(), time);
        let leaf = if place == at.leaf.place() { at.leaf } else { self.leaf(place) };
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
        let first = if place == from.leaf.place() { from } else { self.leaf(place).slot(0) };
        let end = if place == to.leaf.place() { to.slot } else { self.len(first.leaf) };
        (first.slot < end).then_some((first, end))
    }
}
