//! Searches over the slots: by how many PEs are busy, and by which.
//!
//! Cost: two leaves of slots, and a summary of each leaf between.

use super::layout::{Directory, Leaf, LeafSlot};
use super::pes::Pes;
use super::view::Slots;
use crate::bits::{Sought, Word, algebra, load};
use crate::reserve::request::Interval;

/// An interval, such as one of the duration of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// The slot that the start lies in.
    pub(crate) head: LeafSlot,
    /// The slot that the end lies in.
    pub(crate) tail: LeafSlot,
}

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// An interval, without what lies in the past.
    pub(crate) fn interval(&self, at: Interval) -> Window {
        let (start, end) = (at.start.ticks().max(self.now()), at.end.ticks());
        let head = self.locate(start);
        Window { start, end, head, tail: self.locate_from(head, end) }
    }

    /// Behind the last slot from `head` on that begins before `end`.
    pub(crate) fn end_of(&self, head: LeafSlot, end: u64) -> LeafSlot {
        self.locate_from(head, end.wrapping_sub(1)).after()
    }

    /// What each leaf has of the slots from `from` on up to but not including `to`, if any: the
    /// first one, and where they end in the leaf.
    fn parts(
        &self,
        from: LeafSlot,
        to: LeafSlot,
    ) -> impl DoubleEndedIterator<Item = (LeafSlot, usize)> {
        let places = from.leaf.place()..to.leaf.place().wrapping_add(1);
        places.filter_map(move |place| {
            let first = if place == from.leaf.place() { from } else { self.leaf(place).slot(0) };
            let end = if place == to.leaf.place() { to.slot } else { self.len(first.leaf) };
            (first.slot < end).then_some((first, end))
        })
    }

    /// Whether a part of a leaf is all of it, so that its summary will do.
    fn is_whole(&self, from: LeafSlot, end: usize) -> bool {
        !self.layout.is_flat() && from.slot == 0 && end == self.len(from.leaf)
    }

    // By how many PEs are busy.

    /// What is sought, as the counts of a leaf are stored.
    fn stored(&self, leaf: Leaf, sought: Sought) -> Sought {
        Sought { bound: sought.bound.saturating_sub(self.lazy_addend(leaf)), ..sought }
    }

    /// The first slot from `at` on in its leaf whose count is the one sought.
    fn first_in(&self, at: LeafSlot, sought: Sought) -> Option<LeafSlot> {
        let sought = self.stored(at.leaf, sought);
        Some(at.leaf.slot(self.array(at.leaf).first(at.slot, sought)?))
    }

    /// The first slot from `at` on, in a leaf before the place `end`, whose count is the one sought.
    fn first(&self, at: LeafSlot, end: usize, sought: Sought) -> Option<LeafSlot> {
        self.first_in(at, sought).or_else(|| {
            let Directory { lows, highs, .. } = self.directory();
            let bounds = if sought.below { lows } else { highs };
            let after = at.leaf.place().wrapping_add(1)..end;
            let place = self.layout.shape.counts.first(bounds.of(self.words), after, sought)?;
            self.first_in(self.leaf(place).slot(0), sought)
        })
    }

    /// The last slot from `from` on up to but not including `end` in its leaf whose count is the one sought.
    fn last_in(&self, from: LeafSlot, end: usize, sought: Sought) -> Option<LeafSlot> {
        let sought = self.stored(from.leaf, sought);
        Some(from.leaf.slot(self.array(from.leaf).last_of(from.slot..end, sought)?))
    }

    /// The last slot from `head` on, in a leaf before another one, with more than `limit` PEs busy.
    fn last_above(&self, head: LeafSlot, leaf: Leaf, limit: u32) -> Option<LeafSlot> {
        let highs = self.directory().highs.of(self.words);
        let between = head.leaf.place().wrapping_add(1)..leaf.place();
        let place = self.layout.shape.counts.last(highs, between, Sought::above(limit));
        let from = place.map_or(head, |place| self.leaf(place).slot(0));
        self.last_in(from, self.len(from.leaf), Sought::above(limit))
    }

    /// A slot from `head` on that begins before `end` and has more than `limit` PEs busy, so that no start
    /// in a slot up to it will do. Of several a late one, or each hole between them would be tried: the last
    /// one in leaves that end before `end`, or else the first one in the leaf that `end` lies in.
    pub(crate) fn blocker(&self, head: LeafSlot, end: u64, limit: u32) -> Option<LeafSlot> {
        let is_before_end = |found: &LeafSlot| self.time(*found) < end;
        let last = self.leaf_from(head.leaf, end.wrapping_sub(1));
        if last == head.leaf {
            return self.first_in(head, Sought::above(limit)).filter(is_before_end);
        }
        let some =
            (self.high(last) > limit).then(|| self.first_in(last.slot(0), Sought::above(limit)));
        let first = some.flatten().filter(is_before_end);
        first.or_else(|| self.last_above(head, last, limit))
    }

    /// The first slot from `at` on that has at most `limit` PEs busy.
    pub(crate) fn first_within(&self, at: LeafSlot, limit: u32) -> Option<LeafSlot> {
        self.first(at, self.leaves(), Sought::within(limit))
    }

    /// The least and the greatest count from the slot `head` up to but not including `to`.
    pub(crate) fn range(&self, head: LeafSlot, to: LeafSlot) -> (u32, u32) {
        let of_part = |(from, end): (LeafSlot, usize)| {
            if self.is_whole(from, end) {
                return (self.low(from.leaf), self.high(from.leaf));
            }
            let (low, high) = self.array(from.leaf).range(from.slot..end);
            let addend = self.lazy_addend(from.leaf);
            (low.wrapping_add_signed(addend), high.wrapping_add_signed(addend))
        };
        let wider = |(low, high): (u32, u32), (least, most)| (low.min(least), high.max(most));
        self.parts(head, to).map(of_part).fold((u32::MAX, 0), wider)
    }

    /// The least and the greatest count from the slot `head` until `end`.
    pub(crate) fn range_until(&self, head: LeafSlot, end: u64) -> (u32, u32) {
        self.range(head, self.end_of(head, end))
    }

    // By which PEs are busy.

    /// Adds to `busy` the PEs busy in a slot from `head` up to but not including `to`.
    pub(crate) fn unite(&self, head: LeafSlot, to: LeafSlot, busy: &mut [Word]) {
        if self.layout.is_flat() {
            return self.array(head.leaf).unite(head.slot..to.slot, busy);
        }
        for (from, end) in self.parts(head, to) {
            let [lazy_set, union] = self.summary_sets(from.leaf);
            algebra::unite(busy, lazy_set);
            if self.is_whole(from, end) {
                algebra::unite(busy, union);
            } else {
                self.array(from.leaf).unite(from.slot..end, busy);
            }
        }
    }

    /// The PEs busy in the slot `at` and free in `next`, word by word.
    fn vacated(&self, at: LeafSlot, next: LeafSlot) -> impl Iterator<Item = Word> {
        let (before, after) = (self.sets(at), self.sets(next));
        let word = |sets: [&[Word]; 2], index| load(sets[0], index) | load(sets[1], index);
        (0..self.layout.shape.row).map(move |index| word(before, index) & !word(after, index))
    }

    /// Adds to `free` the PEs busy in the slot `at` and free in `next`; whether there are any.
    pub(crate) fn add_vacated(&self, at: LeafSlot, next: LeafSlot, free: &mut [Word]) -> bool {
        let vacated = free.iter_mut().zip(self.vacated(at, next));
        vacated.fold(false, |some, (free, word)| {
            *free |= word;
            some || word != 0
        })
    }

    /// Whether `free` has PEs busy in the slot `at` and free in `next`.
    pub(crate) fn has_vacated(&self, at: LeafSlot, next: LeafSlot, free: &[Word]) -> bool {
        free.iter().zip(self.vacated(at, next)).any(|(free, word)| free & word != 0)
    }

    /// Takes out of `free` the PEs busy in a slot from `head` up to but not including `to`. Ends early, with false,
    /// if behind some leaf `goes_on` denies that the others matter.
    pub(crate) fn take_busy(
        &self,
        head: LeafSlot,
        to: LeafSlot,
        free: &mut [Word],
        goes_on: impl Fn(&[Word]) -> bool,
    ) -> bool {
        self.parts(head, to).all(|(from, end)| {
            let (array, [lazy_set, union]) = (self.array(from.leaf), self.summary_sets(from.leaf));
            algebra::subtract(free, lazy_set);
            if self.is_whole(from, end) {
                algebra::subtract(free, union);
            } else {
                (from.slot..end).for_each(|slot| algebra::subtract(free, array.row(slot)));
            }
            goes_on(free)
        })
    }

    /// In a window, from `head` up to but not including `to`, that does not leave `pes` PEs free and all that are
    /// `required`: a slot that each window which does must begin behind. `free` holds all
    /// PEs that may be had, and is of no use then.
    ///
    /// It is the last slot from which on too few are free until the end, by the union of each leaf inside.
    pub(crate) fn blocking(
        &self,
        head: LeafSlot,
        to: LeafSlot,
        free: &mut [Word],
        pes: u32,
        required: &[Word],
    ) -> LeafSlot {
        let mut left = algebra::count(free);
        for (from, end) in self.parts(head, to).rev() {
            let (leaf, array) = (from.leaf, self.array(from.leaf));
            let [lazy_set, union] = self.summary_sets(leaf);
            left = left.wrapping_sub(algebra::take(free, lazy_set));
            let some_left = left.wrapping_sub(algebra::count_common(free, union)) >= pes;
            let is_cut = [union, lazy_set].into_iter().any(|set| algebra::meet(required, set));
            if self.is_whole(from, end) && some_left && !is_cut {
                left = left.wrapping_sub(algebra::take(free, union));
                continue;
            }
            for slot in (from.slot..end).rev() {
                let row = array.row(slot);
                left = left.wrapping_sub(algebra::take(free, row));
                if left < pes || !algebra::is_within(required, free) {
                    return leaf.slot(slot);
                }
            }
        }
        head
    }

    // By what is in the way of a pes: one of its PEs, or too many if only counts are kept.

    /// The first slot from `at` on, beginning before `end`, that is in the way of `pes`.
    pub(crate) fn first_conflict(&self, at: LeafSlot, end: u64, pes: Pes<'_>) -> Option<LeafSlot> {
        let last = self.leaf_from(at.leaf, end.wrapping_sub(1)).place().wrapping_add(1);
        let found = if IDENTITY {
            self.first_meeting_in(at, pes).or_else(|| {
                let mut later =
                    (at.leaf.place().wrapping_add(1)..last).map(|place| self.leaf(place));
                self.first_meeting_in(later.find(|&leaf| self.meets(leaf, pes))?.slot(0), pes)
            })
        } else {
            self.first(at, last, Sought::above(self.layout.shape.free(pes.count)))
        };
        found.filter(|&found| self.time(found) < end)
    }

    fn first_meeting_in(&self, at: LeafSlot, pes: Pes<'_>) -> Option<LeafSlot> {
        let [lazy_set, _] = self.summary_sets(at.leaf);
        if pes.meets(lazy_set) {
            return Some(at);
        }
        Some(at.leaf.slot(self.array(at.leaf).first_meeting(at.slot, pes)?))
    }

    /// The last slot before `at` that is in the way of `pes`.
    pub(crate) fn last_conflict(&self, at: LeafSlot, pes: Pes<'_>) -> Option<LeafSlot> {
        if !IDENTITY {
            let limit = self.layout.shape.free(pes.count);
            let near = self.last_in(at.leaf.slot(0), at.slot, Sought::above(limit));
            let far = || self.last_above(self.start(), at.leaf, limit);
            return if at.leaf.place() > 0 { near.or_else(far) } else { near };
        }
        self.last_meeting_in(at, pes).or_else(|| {
            let mut earlier = (0..at.leaf.place()).rev().map(|place| self.leaf(place));
            let leaf = earlier.find(|&leaf| self.meets(leaf, pes))?;
            self.last_meeting_in(leaf.slot(self.len(leaf)), pes)
        })
    }

    fn last_meeting_in(&self, end: LeafSlot, pes: Pes<'_>) -> Option<LeafSlot> {
        let [lazy_set, _] = self.summary_sets(end.leaf);
        let slot = if pes.meets(lazy_set) {
            end.slot.checked_sub(1)?
        } else {
            self.array(end.leaf).last_meeting(end.slot, pes)?
        };
        Some(end.leaf.slot(slot))
    }
}
