//! Changes to the slots of a timeline: PEs become busy or free for an interval, time moves on.

use super::leaves::SlotsMut;
use super::request::Placement;
use super::sets::Claim;
use super::slots::At;

/// Whether a change makes PEs busy or free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Occupy,
    Vacate,
}

/// A slot that begins where a change does, or where it ends.
#[derive(Clone, Copy)]
struct Border {
    at: At,
    /// It was put in just now, and so differs from the slot before it once the change is made.
    is_new: bool,
}

impl SlotsMut<'_> {
    /// Makes the PEs of `claim` busy (or free) for an interval; for good if it ends at the end of
    /// time. They must be free (busy) all through. What lies in the past is left out.
    pub(super) fn change(&mut self, at: Placement, claim: Claim<'_>, change: Change) {
        self.change_from(self.view().locate(at.start.ticks()), at, claim, change);
    }

    /// The same if the interval is known to begin in the slot `head`.
    pub(super) fn change_from(
        &mut self,
        head: At,
        at: Placement,
        claim: Claim<'_>,
        change: Change,
    ) {
        let now = self.view().now();
        let (start, end) = (at.start.ticks().max(now), at.end.ticks());
        if end <= now {
            return;
        }
        if end == u64::MAX {
            let from = self.open(head, start);
            self.cover(from.at, self.view().end(), claim, change);
            self.close_repeated(from, None, start);
            return;
        }
        let leaves = self.marks.leaves;
        let mut to = self.open(self.view().locate_from(head, end), end);
        let head = if self.marks.leaves == leaves { head } else { self.view().locate(start) };
        let leaves = self.marks.leaves;
        let from = self.open(head, start);
        if self.marks.leaves != leaves {
            to.at = self.view().locate_from(from.at, end);
        } else if from.is_new && from.at.leaf == to.at.leaf {
            to.at = to.at.after();
        }
        self.cover(from.at, to.at, claim, change);
        self.close_repeated(from, Some(to), start);
    }

    /// The slot that begins at `time`, which lies in the slot `at`; it is put in if need be.
    fn open(&mut self, at: At, time: u64) -> Border {
        if self.view().time(at) == time {
            return Border { at, is_new: false };
        }
        if self.view().len(at.leaf) >= self.layout.leaf {
            self.split(at.leaf);
            return self.open(self.view().locate(time), time);
        }
        self.insert_after(at, time);
        Border { at: at.after(), is_new: true }
    }

    /// Takes out the borders of a change that say the same as the slots before them. The first
    /// one begins at `start`.
    fn close_repeated(&mut self, from: Border, to: Option<Border>, start: u64) {
        let repeats = |border: &Border| !border.is_new && self.view().repeats(border.at);
        let (from_repeats, to) = (repeats(&from), to.filter(repeats));
        let moved = to.is_some_and(|to| self.close(to.at));
        if from_repeats {
            self.close(if moved { self.view().locate(start) } else { from.at });
        }
    }

    /// Changes all slots from `from` on up to but not including `to`.
    fn cover(&mut self, from: At, to: At, claim: Claim<'_>, change: Change) {
        for place in from.leaf.place..=to.leaf.place {
            let Some((first, end)) = self.view().part_of_leaf(place, from, to) else { continue };
            self.change_counts(first, end, claim, change);
            if self.layout.row > 0 {
                self.change_rows(first, end, claim, change);
            }
        }
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
        let mut rows = self.leaf_rows(from.leaf);
        match change {
            Change::Occupy => rows.occupy(from.slot, to, claim),
            Change::Vacate => rows.vacate(from.slot, to, claim),
        }
    }

    /// Moves the present forward to `now`, and drops what has passed.
    pub(super) fn advance(&mut self, now: u64) {
        let at = self.view().locate(now);
        if at != self.view().start() {
            self.drop_before(at);
        }
        self.set_first(self.view().leaf(0), now);
    }
}
