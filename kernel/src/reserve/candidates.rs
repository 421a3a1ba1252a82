//! Candidate starts and their maximal rectangles, as in Li et al., section 4.2.
//!
//! Rules. The candidate starts of a request are its ready time, the latest start that keeps the
//! deadline, and in between the time of every slot and every such time less the duration. A
//! candidate is feasible if enough PEs are free from it on for the duration. Its *maximal
//! rectangle* is the set of those PEs, stretched into the past and the future as long as all of
//! them stay free.
//!
//! The source leaves two things open. The rectangle begins at the present at the earliest; one
//! that stays free for good ends at the end of time. Without identity the set is a number: the
//! rectangle is as high as the least number free, and is stretched as long as so many are free.
//!
//! Cost: two cursors step through the slots; a candidate that fails rules out others up to the
//! slot that it fails at.

use super::search::Ask;
use super::sets::Claim;
use super::slots::{At, Leaf, Slots};
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

/// A feasible start with its maximal rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Candidate {
    /// The start.
    pub start: Instant,
    /// The maximal rectangle around it.
    pub rectangle: Rectangle,
}

/// A window of the duration of a request that moves from candidate to candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) start: u64,
    /// The slot that the start lies in.
    pub(super) head: At,
    /// The slot that the end lies in.
    pub(super) tail: At,
}

impl Slots<'_> {
    /// The window at `start`, which lies in the slot `head`.
    fn window(&self, start: u64, head: At, ask: &Ask) -> Window {
        Window { start, head, tail: self.locate(start.wrapping_add(ask.duration)) }
    }

    /// The first candidate of a request.
    pub(super) fn first_window(&self, ask: &Ask) -> Window {
        self.window(ask.ready, self.locate(ask.ready), ask)
    }

    /// The candidate after `window`.
    pub(super) fn next_window(&self, window: Window, ask: &Ask) -> Option<Window> {
        let Window { start, head, tail } = window;
        let (after_head, after_tail) = (self.next(head), self.next(tail));
        let by_head = after_head.map_or(u64::MAX, |at| self.time(at));
        let by_tail = after_tail.map_or(u64::MAX, |at| self.time(at).wrapping_sub(ask.duration));
        let by_deadline = if ask.has_deadline { ask.latest } else { u64::MAX };
        let next = by_head.min(by_tail).min(by_deadline);
        if next > ask.latest || start >= ask.latest {
            return None;
        }
        Some(Window {
            start: next,
            head: after_head.filter(|_| by_head == next).unwrap_or(head),
            tail: after_tail.filter(|_| by_tail == next).unwrap_or(tail),
        })
    }

    /// The first feasible candidate from `window` on, and how many PEs are free in it; `free` is
    /// left with them.
    pub(super) fn feasible(
        &self,
        window: Window,
        ask: &Ask,
        free: &mut [Word],
    ) -> Option<(Window, u32)> {
        let mut window = window;
        loop {
            let (head, start) = self.leap(window.head, window.start, ask)?;
            if start != window.start {
                window = self.window(start, head, ask);
            }
            let end = start.wrapping_add(ask.duration);
            match self.narrow(head, end, ask.pes, free) {
                Ok(_) if self.layout.row == 0 => {
                    let busy = self.most_busy(head, end);
                    return Some((window, self.layout.pes.wrapping_sub(busy)));
                }
                Ok(pes) => return Some((window, pes)),
                Err(fails) => {
                    let head = self.next(fails)?;
                    window = self.window(self.time(head), head, ask);
                }
            }
        }
    }

    /// Stretches the PEs free in `window`, `pes` in number, to their maximal rectangle.
    pub(super) fn stretch(&self, window: Window, ask: &Ask, pes: u32, free: &[Word]) -> Rectangle {
        let end = window.start.wrapping_add(ask.duration);
        let starts_with_end = self.time(window.tail) == end;
        let behind = if starts_with_end { Some(window.tail) } else { self.next(window.tail) };
        let limit = self.layout.pes.wrapping_sub(pes);
        let (before, after) = if self.layout.row == 0 {
            let after = behind.and_then(|at| self.first_above(at, u64::MAX, limit));
            (self.last_above(window.head, limit), after)
        } else {
            let claim = Claim::of_set(free);
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
        let mut from = at;
        loop {
            let leaf = from.leaf;
            let found = if claim.meets(self.mask(leaf)) {
                Some(from)
            } else {
                self.first_meeting_in(from, claim)
            };
            if found.is_some() {
                return found.filter(|&at| self.time(at) < end);
            }
            let after = leaf.place.wrapping_add(1);
            if after >= self.leaves || self.first(after) >= end {
                return None;
            }
            from = self.leaf(after).slot(0);
        }
    }

    fn first_meeting_in(&self, from: At, claim: Claim<'_>) -> Option<At> {
        if !self.may_meet(from.leaf, claim) {
            return None;
        }
        let mut slots = (from.slot..self.len(from.leaf)).map(|slot| from.leaf.slot(slot));
        slots.find(|&at| claim.meets(self.own_row(at)))
    }

    /// The last slot before `at` in which a PE of `claim` is busy.
    fn last_meeting(&self, at: At, claim: Claim<'_>) -> Option<At> {
        let mut end = at;
        loop {
            let leaf = end.leaf;
            if end.slot > 0 && claim.meets(self.mask(leaf)) {
                return Some(leaf.slot(end.slot.wrapping_sub(1)));
            }
            if self.may_meet(leaf, claim) {
                let mut slots = (0..end.slot).rev().map(|slot| leaf.slot(slot));
                if let Some(found) = slots.find(|&at| claim.meets(self.own_row(at))) {
                    return Some(found);
                }
            }
            let leaf = self.leaf(leaf.place.checked_sub(1)?);
            end = leaf.slot(self.len(leaf));
        }
    }

    /// Whether some row of a leaf has a PE of `claim`, as far as the leaf as a whole can tell.
    fn may_meet(&self, leaf: Leaf, claim: Claim<'_>) -> bool {
        self.layout.is_flat() || claim.meets(self.union(leaf))
    }
}

/// The feasible candidates of a request, by rising start.
///
/// Made by [`Timeline::candidates`](super::Timeline::candidates). The first is the earliest fit,
/// the others are the alternatives to it.
pub struct Candidates<'a> {
    pub(super) slots: Slots<'a>,
    pub(super) ask: Ask,
    pub(super) next: Option<Window>,
    /// Left with the free PEs of the candidate last returned.
    pub(super) free: &'a mut [Word],
}

impl Iterator for Candidates<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let (window, pes) = self.slots.feasible(self.next.take()?, &self.ask, self.free)?;
        self.next = self.slots.next_window(window, &self.ask);
        let rectangle = self.slots.stretch(window, &self.ask, pes, self.free);
        Some(Candidate { start: Instant::from_ticks(window.start), rectangle })
    }
}
