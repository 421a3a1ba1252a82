//! Maximal rectangles: PEs that are free together, and since and until when all of them are.
//!
//! Rule, from Li et al., section 4.2: take the PEs free all through a candidate's interval, and
//! stretch it into the past and the future as long as all of them stay free.
//!
//! The source leaves two things open. Here a rectangle begins at the present at the earliest, and
//! one that stays free for good ends at the end of time. Without identity, which the source does
//! not treat, a rectangle is as high as the least number free in the interval, and is stretched
//! as long as so many are free.
//!
//! Cost: on either side a look at the union of each leaf passed, and at the rows of one leaf.

use super::claim::Claim;
use super::slots::{At, Leaf, Slots};
use super::window::Window;
use crate::bits::Word;
use crate::time::Instant;

/// PEs that are free together, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Rectangle {
    /// Since when all of them are free; not before the present.
    pub begin: Instant,
    /// Until when all of them are free; [`Instant::MAX`] if for good.
    pub end: Instant,
    /// How many.
    pub pes: u32,
}

impl Rectangle {
    /// Its duration in ticks; an open end counts as [`Instant::MAX`].
    pub const fn duration(&self) -> u64 {
        self.end.ticks().saturating_sub(self.begin.ticks())
    }

    /// PEs times duration.
    pub const fn area(&self) -> u128 {
        (self.pes as u128).wrapping_mul(self.duration() as u128)
    }
}

impl Slots<'_> {
    /// Stretches the PEs free in `window`, `pes` in number, to their maximal rectangle.
    pub(super) fn stretch(&self, window: &Window, pes: u32, free: &[Word]) -> Rectangle {
        let behind = if self.time(window.tail) == window.end {
            Some(window.tail)
        } else {
            self.next(window.tail)
        };
        let (before, after) = if self.layout.row == 0 {
            let limit = self.layout.pes.wrapping_sub(pes);
            let after = behind.and_then(|at| self.first_above(at, u64::MAX, limit));
            (self.last_above(window.head, limit), after)
        } else {
            let claim = Claim::of_counted(free, pes);
            let after = behind.and_then(|at| self.first_meeting(at, u64::MAX, claim));
            (self.last_meeting(window.head, claim), after)
        };
        let begin = before.and_then(|at| self.next(at)).unwrap_or(self.start());
        Rectangle {
            begin: Instant::from_ticks(self.time(begin)),
            end: after.map_or(Instant::MAX, |at| Instant::from_ticks(self.time(at))),
            pes,
        }
    }

    /// The first slot from `at` on, beginning before `end`, in which a PE of `claim` is busy.
    pub(super) fn first_meeting(&self, at: At, end: u64, claim: Claim<'_>) -> Option<At> {
        let mut found = self.first_meeting_in(at, claim);
        let mut place = at.leaf.place;
        while found.is_none() {
            place = place.wrapping_add(1);
            if place >= self.leaves || self.first(place) >= end {
                return None;
            }
            let leaf = self.leaf(place);
            if self.meets_leaf(leaf, claim) {
                found = self.first_meeting_in(leaf.slot(0), claim);
            }
        }
        found.filter(|&at| self.time(at) < end)
    }

    fn first_meeting_in(&self, from: At, claim: Claim<'_>) -> Option<At> {
        if claim.meets(self.mask(from.leaf)) {
            return Some(from);
        }
        let rows = self.rows_between(from, self.len(from.leaf));
        let passed = rows.chunks_exact(self.layout.row.max(1)).position(|row| claim.meets(row))?;
        Some(from.leaf.slot(from.slot.wrapping_add(passed)))
    }

    /// The last slot before `at` in which a PE of `claim` is busy.
    fn last_meeting(&self, at: At, claim: Claim<'_>) -> Option<At> {
        let mut found = self.last_meeting_in(at, claim);
        let mut place = at.leaf.place;
        while found.is_none() {
            place = place.checked_sub(1)?;
            let leaf = self.leaf(place);
            if self.meets_leaf(leaf, claim) {
                found = self.last_meeting_in(leaf.slot(self.len(leaf)), claim);
            }
        }
        found
    }

    fn last_meeting_in(&self, end: At, claim: Claim<'_>) -> Option<At> {
        if claim.meets(self.mask(end.leaf)) {
            return end.slot.checked_sub(1).map(|slot| end.leaf.slot(slot));
        }
        let rows = self.rows_between(end.leaf.slot(0), end.slot);
        let slot = rows.chunks_exact(self.layout.row.max(1)).rposition(|row| claim.meets(row))?;
        Some(end.leaf.slot(slot))
    }

    /// Whether a PE of `claim` is busy in some slot of a leaf.
    fn meets_leaf(&self, leaf: Leaf, claim: Claim<'_>) -> bool {
        claim.meets(self.mask(leaf)) || claim.meets(self.union(leaf))
    }
}
