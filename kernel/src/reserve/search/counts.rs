//! Searches by the number of busy PEs, which leap: over leaves by their least and greatest counts,
//! over slots a word of counts at a time.

use super::super::slots::{At, Leaf, Slots};
use super::ask::Ask;
use crate::bits::{Packed, Word};

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
    /// The first slot from `from` on that counts more than `limit`.
    fn first_above(&self, from: usize, limit: u32) -> Option<At> {
        let stored = i64::from(limit).wrapping_add(1).wrapping_sub(self.above);
        let slot = self.lanes.first_at_least(self.table, from, self.len, stored)?;
        Some(self.leaf.slot(slot))
    }

    /// The first slot from `from` on that counts at most `limit`.
    fn first_within(&self, from: usize, limit: u32) -> Option<At> {
        let stored = i64::from(limit).wrapping_add(1).wrapping_sub(self.above);
        let slot = self.lanes.first_below(self.table, from, self.len, stored)?;
        Some(self.leaf.slot(slot))
    }
}

impl<'a> Slots<'a> {
    fn counted(&self, leaf: Leaf) -> Counted<'a> {
        let (lanes, above) = (self.layout.counts, self.lazy_addend(leaf));
        Counted { leaf, lanes, table: self.counts(leaf), above, len: self.len(leaf) }
    }

    /// Moves a start forward until, by counts, enough PEs are free all through. `head` is the slot
    /// that the start lies in. `None` after the latest start.
    pub(crate) fn leap(&self, head: At, start: u64, ask: &Ask) -> Option<(At, u64)> {
        let limit = self.layout.pes.wrapping_sub(ask.pes);
        let (mut head, mut start, mut counted) = (head, start, self.counted(head.leaf));
        while start <= ask.latest {
            let end = start.wrapping_add(ask.duration).min(ask.until);
            let Some(above) = self.above(&mut counted, head.slot, end, limit) else {
                return Some((head, start));
            };
            head = self.within(&mut counted, above.slot, limit)?;
            start = self.time(head);
        }
        None
    }

    /// The first slot from `at` on that begins before `end` and has more than `limit` PEs busy.
    pub(crate) fn first_above(&self, at: At, end: u64, limit: u32) -> Option<At> {
        self.above(&mut self.counted(at.leaf), at.slot, end, limit)
    }

    /// The same from place `from` of a leaf on; the leaf of the slot found is then at hand.
    fn above(&self, counted: &mut Counted<'a>, from: usize, end: u64, limit: u32) -> Option<At> {
        let mut from = from;
        loop {
            if let Some(found) = counted.first_above(from, limit) {
                return (self.time(found) < end).then_some(found);
            }
            *counted = self.counted(self.leaf_above(counted.leaf.place, end, limit)?);
            from = 0;
        }
    }

    /// The first leaf after `place` that begins before `end` and where more than `limit` PEs get
    /// busy.
    fn leaf_above(&self, place: usize, end: u64, limit: u32) -> Option<Leaf> {
        let mut place = place;
        loop {
            place = place.wrapping_add(1);
            if place >= self.leaves || self.first(place) >= end {
                return None;
            }
            if self.high(place) > limit {
                return Some(self.leaf(place));
            }
        }
    }

    /// The first slot, from place `from` of a leaf on, that has at most `limit` PEs busy; its leaf
    /// is then at hand.
    fn within(&self, counted: &mut Counted<'a>, from: usize, limit: u32) -> Option<At> {
        if let Some(found) = counted.first_within(from, limit) {
            return Some(found);
        }
        let after = counted.leaf.place.wrapping_add(1);
        let lows = self.listed(self.layout.directory.lows);
        let bound = i64::from(limit).wrapping_add(1);
        let place = self.layout.counts.first_below(lows, after, self.leaves, bound)?;
        *counted = self.counted(self.leaf(place));
        counted.first_within(0, limit)
    }

    /// The last slot before `at` that has more than `limit` PEs busy.
    pub(crate) fn last_above(&self, at: At, limit: u32) -> Option<At> {
        let bound = i64::from(limit).wrapping_add(1);
        let highs = self.listed(self.layout.directory.highs);
        let mut end = at;
        loop {
            let stored = bound.wrapping_sub(self.lazy_addend(end.leaf));
            let table = self.counts(end.leaf);
            if let Some(slot) = self.layout.counts.last_at_least(table, 0, end.slot, stored) {
                return Some(end.leaf.slot(slot));
            }
            let place = self.layout.counts.last_at_least(highs, 0, end.leaf.place, bound)?;
            let leaf = self.leaf(place);
            end = leaf.slot(self.len(leaf));
        }
    }

    /// The greatest count from the slot `head` until `end`.
    pub(crate) fn most_busy(&self, head: At, end: u64) -> u32 {
        let to = self.locate_from(head, end.wrapping_sub(1)).after();
        let places = head.leaf.place..=to.leaf.place;
        let parts = places.filter_map(|place| self.part_of_leaf(place, head, to));
        parts.map(|(from, to)| self.most_busy_in(from, to)).max().unwrap_or(0)
    }

    fn most_busy_in(&self, from: At, to: usize) -> u32 {
        if from.slot == 0 && to == self.len(from.leaf) && !self.layout.is_flat() {
            return self.high(from.leaf.place);
        }
        let counts = self.counts(from.leaf);
        let (_, most) = self.layout.counts.least_and_greatest(counts, from.slot, to);
        i64::from(most).wrapping_add(self.lazy_addend(from.leaf)) as u32
    }
}
