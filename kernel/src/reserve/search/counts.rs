//! Searches by the number of busy PEs, which leap: over leaves by their least and greatest counts,
//! over slots a word of counts at a time.

use super::super::slots::{At, Leaf, Slots, tables};
use super::Start;
use super::ask::Ask;
use crate::bits::{Packed, Sought, Word};

/// The counts of a leaf, to be searched more than once.
#[derive(Clone, Copy)]
struct Counted<'a> {
    leaf: Leaf,
    lanes: Packed,
    /// As stored.
    table: &'a [Word],
    /// What the counts are above the stored ones.
    above: i64,
    len: usize,
}

impl Counted<'_> {
    /// The last slot from `from` on that has more than `limit` PEs busy.
    fn last_above(&self, from: usize, limit: u32) -> Option<At> {
        let stored = Sought::AtLeast(bound(limit).wrapping_sub(self.above));
        let slot = self.lanes.last(self.table, from..self.len, stored)?;
        Some(self.leaf.slot(slot))
    }

    /// The first slot from `from` on that counts what is `sought` of the number above `limit`.
    fn first(&self, from: usize, limit: u32, sought: impl Fn(i64) -> Sought) -> Option<At> {
        let stored = bound(limit).wrapping_sub(self.above);
        let slot = self.lanes.first(self.table, from..self.len, sought(stored))?;
        Some(self.leaf.slot(slot))
    }
}

/// The least number above `limit`.
fn bound(limit: u32) -> i64 {
    i64::from(limit).wrapping_add(1)
}

impl<'a, const IDENTITY: bool> Slots<'a, IDENTITY> {
    fn counted(&self, leaf: Leaf) -> Counted<'a> {
        let (lanes, above) = (self.layout.counts, self.lazy_addend(leaf));
        Counted { leaf, lanes, table: self.counts(leaf), above, len: self.len(leaf) }
    }

    /// Moves a start forward until, by counts, enough PEs are free all through. `None` after the
    /// latest start.
    pub(crate) fn leap(&self, from: Start, ask: &Ask) -> Option<Start> {
        let limit = self.layout.limits.pes.wrapping_sub(ask.pes);
        let ((mut head, mut start), mut counted) = (from, self.counted(from.0.leaf));
        while start <= ask.latest {
            let end = start.wrapping_add(ask.duration).min(ask.until);
            let Some(above) = self.blocker(&mut counted, head.slot, end, limit) else {
                return Some((head, start));
            };
            head = self.within(&mut counted, above.slot, limit)?;
            start = self.time(head);
        }
        None
    }

    /// A slot from place `from` of a leaf on that begins before `end` and has more than `limit` PEs
    /// busy, so that no start up to it will do. Of several a late one, or all the holes between them
    /// would be tried: the last one in leaves that end before `end`, or else the first one in the leaf
    /// that `end` lies in. Its leaf is then at hand.
    fn blocker(&self, counted: &mut Counted<'a>, from: usize, end: u64, limit: u32) -> Option<At> {
        let head = counted.leaf.place();
        let firsts = self.layout.directory().firsts.of(self.words);
        let last = tables::last_at_most_from(firsts, head, self.leaves(), end.wrapping_sub(1));
        if last == head {
            let found = counted.first(from, limit, Sought::AtLeast)?;
            return (self.time(found) < end).then_some(found);
        }
        if self.high(last) > limit {
            let tail = self.counted(self.leaf(last));
            let found = tail.first(0, limit, Sought::AtLeast);
            if let Some(found) = found.filter(|&found| self.time(found) < end) {
                *counted = tail;
                return Some(found);
            }
        }
        let highs = self.layout.directory().highs.of(self.words);
        let between = head.wrapping_add(1)..last;
        let Some(place) = self.layout.counts.last(highs, between, Sought::AtLeast(bound(limit)))
        else {
            return counted.last_above(from, limit);
        };
        *counted = self.counted(self.leaf(place));
        counted.last_above(0, limit)
    }

    /// The first slot from `at` on that begins before `end` and has more than `limit` PEs busy.
    pub(crate) fn first_above(&self, at: At, end: u64, limit: u32) -> Option<At> {
        let in_leaf = |at: At| self.counted(at.leaf).first(at.slot, limit, Sought::AtLeast);
        let found = in_leaf(at).or_else(|| {
            let mut later = self.places_after(at.leaf, end);
            in_leaf(self.leaf(later.find(|&place| self.high(place) > limit)?).slot(0))
        })?;
        (self.time(found) < end).then_some(found)
    }

    /// The first slot, from place `from` of a leaf on, that has at most `limit` PEs busy; its leaf
    /// is then at hand.
    fn within(&self, counted: &mut Counted<'a>, from: usize, limit: u32) -> Option<At> {
        if let Some(found) = counted.first(from, limit, Sought::Below) {
            return Some(found);
        }
        let after = counted.leaf.place().wrapping_add(1);
        let lows = self.layout.directory().lows.of(self.words);
        let sought = Sought::Below(bound(limit));
        let place = self.layout.counts.first(lows, after..self.leaves(), sought)?;
        *counted = self.counted(self.leaf(place));
        counted.first(0, limit, Sought::Below)
    }

    /// The last slot before `at` that has more than `limit` PEs busy.
    pub(crate) fn last_above(&self, at: At, limit: u32) -> Option<At> {
        let bound = bound(limit);
        let highs = self.layout.directory().highs.of(self.words);
        let mut end = at;
        loop {
            let stored = Sought::AtLeast(bound.wrapping_sub(self.lazy_addend(end.leaf)));
            if let Some(slot) = self.layout.counts.last(self.counts(end.leaf), 0..end.slot, stored)
            {
                return Some(end.leaf.slot(slot));
            }
            let place =
                self.layout.counts.last(highs, 0..end.leaf.place(), Sought::AtLeast(bound))?;
            let leaf = self.leaf(place);
            end = leaf.slot(self.len(leaf));
        }
    }

    /// The least and the greatest count from the slot `head` until `end`.
    pub(crate) fn range(&self, head: At, end: u64) -> (u32, u32) {
        let to = self.locate_from(head, end.wrapping_sub(1)).after();
        let places = head.leaf.place()..=to.leaf.place();
        let parts = places.filter_map(|place| self.part_of_leaf(place, head, to));
        let wider = |(low, high): (u32, u32), (least, most)| (low.min(least), high.max(most));
        parts.map(|(from, to)| self.range_in(from, to)).reduce(wider).unwrap_or((0, 0))
    }

    fn range_in(&self, from: At, to: usize) -> (u32, u32) {
        if from.slot == 0 && to == self.len(from.leaf) && !self.layout.is_flat() {
            return (self.low(from.leaf), self.high(from.leaf.place()));
        }
        let (least, most) =
            self.layout.counts.least_and_greatest(self.counts(from.leaf), from.slot, to);
        let above = self.lazy_addend(from.leaf);
        (i64::from(least).wrapping_add(above) as u32, i64::from(most).wrapping_add(above) as u32)
    }
}
