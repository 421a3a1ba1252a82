//! Changes to the slots of a timeline: PEs become busy or free for an interval, time moves on.

use super::super::refusal::Misuse;
use super::super::request::Placement;
use super::layout::LEAVES;
use super::leaves::SlotsMut;
use super::rows::Claim;
use super::{At, Leaf, Window};
use crate::time::Instant;

/// Which PEs a change makes busy, or free.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'a> {
    Occupy(Claim<'a>),
    Vacate(Claim<'a>),
}

impl Change<'_> {
    /// What it adds to the number of busy PEs.
    fn amount(self) -> i64 {
        match self {
            Self::Occupy(claim) => i64::from(claim.count),
            Self::Vacate(claim) => -i64::from(claim.count),
        }
    }
}

/// A slot that begins where a change does, or where it ends.
#[derive(Clone, Copy)]
struct Border {
    at: At,
    /// It was put in just now, and so differs from the slot before it once the change is made.
    is_new: bool,
}

impl<const IDENTITY: bool> SlotsMut<'_, IDENTITY> {
    /// Makes PEs busy (or free) for an interval; for good if it ends at the end of time. They must
    /// be free (busy) all through. What lies in the past is left out, which what is for good never does:
    /// there is a present at the end of time too.
    pub(crate) fn change(&mut self, at: Placement, change: Change<'_>) {
        let for_good = at.end == Instant::MAX;
        if at.end.ticks() <= self.view().now() && !for_good {
            return;
        }
        let window = self.view().interval(at);
        if for_good {
            let from = self.open(window.head, window.start);
            self.cover(from.at, self.view().last().after(), change);
            self.close_repeated(from, None, window.start);
            return;
        }
        self.change_window(&window, change);
    }

    /// Without identity: moves what is held from one interval to another that begins earlier. The time
    /// that is in both stays as it is.
    pub(crate) fn bring_forward(&mut self, from: Placement, to: Placement, claim: Claim<'_>) {
        let (left, reached) = (from.start.max(to.end), from.start.min(to.end));
        self.change(Placement { start: left, ..from }, Change::Vacate(claim));
        self.change(Placement { end: reached, ..to }, Change::Occupy(claim));
    }

    /// The same if it is known where the interval lies, and that it ends some time.
    pub(crate) fn change_window(&mut self, window: &Window, change: Change<'_>) {
        let Window { start, end, head, tail } = *window;
        debug_assert!(self.view().now() <= start && start < end, "an interval yet to come");
        let leaves = self.leaves();
        let mut to = self.open(tail, end);
        let head = if self.leaves() == leaves { head } else { self.view().locate(start) };
        let leaves = self.leaves();
        let from = self.open(head, start);
        if self.leaves() != leaves {
            to.at = self.view().locate_from(from.at, end);
        } else if from.is_new && from.at.leaf == to.at.leaf {
            to.at = to.at.after();
        }
        self.cover(from.at, to.at, change);
        self.close_repeated(from, Some(to), start);
    }

    /// The slot that begins at `time`, which lies in the slot `at`; it is put in if need be.
    fn open(&mut self, at: At, time: u64) -> Border {
        if self.view().time(at) == time {
            return Border { at, is_new: false };
        }
        if LEAVES && self.view().len(at.leaf) >= self.layout.directory().leaf {
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
    fn cover(&mut self, from: At, to: At, change: Change<'_>) {
        let (first, last) = (from.leaf, to.leaf);
        if first == last {
            self.change_part(from, to.slot, change);
            return;
        }
        let first_whole = first.place().wrapping_add((from.slot > 0) as usize);
        if from.slot > 0 {
            self.change_part(from, self.view().len(first), change);
        }
        self.raise(first_whole, last.place(), change.amount());
        for place in first_whole..last.place() {
            let leaf = self.view().leaf(place);
            self.change_rows(leaf, 0, self.view().len(leaf), change);
        }
        if to.slot > 0 {
            self.change_part(last.slot(0), to.slot, change);
        }
    }

    /// Changes the slots of a leaf from `from` on up to but not including the one in place `to`.
    fn change_part(&mut self, from: At, to: usize, change: Change<'_>) {
        self.push_down_counts(from.leaf);
        let counts = self.layout.counts;
        let table = self.counts_mut(from.leaf);
        counts.add(table, from.slot, to, change.amount());
        self.recount(from.leaf);
        self.change_rows(from.leaf, from.slot, to, change);
    }

    fn change_rows(&mut self, leaf: Leaf, from: usize, to: usize, change: Change<'_>) {
        if !IDENTITY {
            return;
        }
        let mut rows = self.leaf_rows(leaf);
        match change {
            Change::Occupy(claim) | Change::Vacate(claim) if !LEAVES => rows.turn(from, to, claim),
            Change::Occupy(claim) => rows.occupy(from, to, claim),
            Change::Vacate(claim) => rows.vacate(from, to, claim),
        }
    }

    /// Moves the present forward to `now`, and drops what has passed.
    pub(crate) fn advance(&mut self, now: Instant) -> Result<(), Misuse> {
        let at = self.view().slot_of(now)?;
        if at != self.view().start() {
            self.drop_before(at);
        }
        self.set_first(self.view().leaf(0), now.ticks());
        Ok(())
    }
}
