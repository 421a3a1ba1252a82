//! Changes to the slots of a timeline: PEs become busy or free for an interval, time moves on.

use super::leaves::SlotsMut;
use super::request::Placement;
use super::sets::Claim;
use super::slots::{At, Slots};

/// Whether a change makes PEs busy or free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Occupy,
    Vacate,
}

impl SlotsMut<'_> {
    /// Makes the PEs of `claim` busy (or free) from `start` to `end`; for good if that is the end
    /// of time. They must be free (busy) all through. What lies in the past is left out.
    pub(super) fn change(&mut self, start: u64, end: u64, claim: Claim<'_>, change: Change) {
        if end <= self.view().time(Slots::START) {
            return;
        }
        if end != u64::MAX {
            self.open(end);
        }
        let from = self.open(start);
        let to = self.cover(from, end, claim, change).filter(|&at| self.view().repeats(at));
        let from_repeats = self.view().repeats(from);
        let moved = to.is_some_and(|at| self.close(at));
        if from_repeats {
            self.close(if moved { self.view().locate(start) } else { from });
        }
    }

    pub(super) fn change_at(&mut self, at: Placement, claim: Claim<'_>, change: Change) {
        self.change(at.start.ticks(), at.end.ticks(), claim, change);
    }

    /// Finds the slot that begins at `time`, or begins one there; the present for an earlier time.
    fn open(&mut self, time: u64) -> At {
        let at = self.view().locate(time);
        if self.view().time(at) >= time {
            return at;
        }
        if self.view().len(at.leaf) >= self.layout.leaf {
            self.split(at.leaf);
            return self.open(time);
        }
        let mut slot = self.view().stored(at);
        slot.row = self.copy_row(slot.row);
        slot.time = time;
        let opened = At { slot: at.slot.wrapping_add(1), ..at };
        self.insert(opened, slot);
        opened
    }

    /// Changes all slots from `from` on that begin before `end`; where it stopped, or `None` at
    /// the end of time.
    fn cover(&mut self, from: At, end: u64, claim: Claim<'_>, change: Change) -> Option<At> {
        let mut at = from;
        while at.leaf < self.marks.leaves as usize {
            let to = self.view().begun_before(at.leaf, end);
            if at.slot < to {
                self.change_counts(at, to, claim, change);
                self.change_rows(at, to, claim, change);
            }
            if to < self.view().len(at.leaf) {
                return Some(At { slot: to, ..at });
            }
            at = At { leaf: at.leaf.wrapping_add(1), slot: 0 };
        }
        None
    }

    fn change_counts(&mut self, from: At, to: usize, claim: Claim<'_>, change: Change) {
        let amount = match change {
            Change::Occupy => i64::from(claim.count),
            Change::Vacate => -i64::from(claim.count),
        };
        let whole = from.slot == 0 && to == self.view().len(from.leaf);
        if whole && !self.layout.is_flat() {
            self.raise(from.leaf, amount);
            return;
        }
        self.settle(from.leaf);
        let counts = self.layout.counts;
        counts.add(self.in_leaf(from.leaf, self.layout.block.counts), from.slot, to, amount);
        self.recount(from.leaf);
    }

    fn change_rows(&mut self, from: At, to: usize, claim: Claim<'_>, change: Change) {
        let Some(mut rows) = self.leaf_rows(from.leaf) else { return };
        match change {
            Change::Occupy => rows.occupy(from.slot, to, claim),
            Change::Vacate => rows.vacate(from.slot, to, claim),
        }
    }

    /// Moves the present forward to `now`, and drops what has passed.
    pub(super) fn advance(&mut self, now: u64) {
        let at = self.view().locate(now);
        if at != Slots::START {
            self.drop_before(at);
        }
        self.set_first(0, now);
    }
}
