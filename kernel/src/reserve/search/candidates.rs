//! Feasible starts with their maximal rectangles, one after the other.
//!
//! A candidate start is feasible if enough PEs are free from it on for the duration (Li et al.,
//! section 4.2). One that is not rules out others, up to the slot at which it fails.
//!
//! The candidates are the ready time, the latest start that keeps the deadline, and in between
//! the time of every slot and every such time less the duration. Two cursors, for the start and
//! for the end of a window of the length of the request, find them in order.
//!
//! Neighbouring candidates often have the same slots, and then the same PEs and rectangle; or the
//! same rectangle nevertheless: one inside the last rectangle that has no PE more free. Where there
//! are leaves, the union of the slots behind the first one of the window is kept, and a step adds a
//! row.

use super::super::choice::Mask;
use super::super::slots::tables::{self, Tick};
use super::super::slots::{At, Slots};
use super::ask::Ask;
use super::rectangle::Rectangle;
use crate::bits::{Word, algebra};
use crate::time::Instant;

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

/// The feasible candidates of a request, by rising start.
///
/// Made by [`Timeline::candidates`](crate::reserve::Timeline::candidates), or by a profile, which has
/// no `IDENTITY`. The first is the earliest fit, the others are the alternatives to it.
pub struct Candidates<'a, const IDENTITY: bool = true> {
    slots: Slots<'a, IDENTITY>,
    ask: Ask,
    mask: Mask<'a>,
    /// Where the next candidate is looked for; behind the latest start if there are no more.
    start: u64,
    /// Where its window begins and ends.
    head: Edge<'a>,
    tail: Edge<'a>,
    /// The last one, and from which slot up to which its PEs are free, if `free` still has them.
    pub(crate) last: Candidate,
    seen: Option<(At, At)>,
    /// What the window has of the leaves behind its first one.
    far: Reach,
    /// Left with the free PEs of the candidate last returned.
    pub(crate) free: &'a mut [Word],
}

/// The slot that an end of a window lies in, from when to when, and the times of its leaf.
#[derive(Clone, Copy)]
struct Edge<'a> {
    at: At,
    begins: u64,
    ends: u64,
    times: &'a [Tick],
}

impl<'a> Edge<'a> {
    fn new<const IDENTITY: bool>(slots: &Slots<'a, IDENTITY>, at: At) -> Self {
        let times = tables::ticks(slots.times(at.leaf), slots.len(at.leaf));
        let begins = slots.time(at);
        Self { at, begins, ends: begins, times }.with_end(slots)
    }

    /// Finds out when the slot ends.
    fn with_end<const IDENTITY: bool>(self, slots: &Slots<'a, IDENTITY>) -> Self {
        let next_leaf = || slots.leaf_after(self.at.leaf).map(|leaf| slots.time(leaf.slot(0)));
        let next = self.times.get(self.at.after().slot).map(tables::value);
        Self { ends: next.or_else(next_leaf).unwrap_or(u64::MAX), ..self }
    }

    /// Moves to the next slot, if there is one.
    fn advance<const IDENTITY: bool>(&mut self, slots: &Slots<'a, IDENTITY>) {
        let after = self.at.after();
        if after.slot < self.times.len() {
            *self = Self { at: after, begins: self.ends, ..*self }.with_end(slots);
        } else if let Some(leaf) = slots.leaf_after(self.at.leaf) {
            *self = Self::new(slots, leaf.slot(0));
        }
    }
}

/// The union of the slots from `from` up to but not including `to`, which only moves forward. Kept
/// for rows of up to [`Reach::WORDS`] words.
struct Reach {
    from: At,
    to: At,
    words: [Word; Reach::WORDS],
}

impl Reach {
    const WORDS: usize = 16;

    /// That of no slots.
    const fn at(from: At) -> Self {
        Self { from, to: from, words: [0; Self::WORDS] }
    }

    /// Adds to `busy` the PEs busy from `from` up to `to`.
    fn unite<const IDENTITY: bool>(
        &mut self,
        slots: &Slots<'_, IDENTITY>,
        from: At,
        to: At,
        busy: &mut [Word],
    ) {
        if self.from != from {
            *self = Self::at(from);
        }
        let Some(words) = self.words.get_mut(..busy.len()) else { return };
        slots.unite_between(self.to, to, words);
        self.to = to;
        algebra::unite(busy, words);
    }
}

impl<'a, const IDENTITY: bool> Candidates<'a, IDENTITY> {
    pub(crate) fn new(slots: Slots<'a, IDENTITY>, ask: Ask, free: &'a mut [Word]) -> Self {
        Self::among(slots, ask, Mask::ANY, free)
    }

    /// Those of some PEs only.
    pub(crate) fn among(
        slots: Slots<'a, IDENTITY>,
        ask: Ask,
        mask: Mask<'a>,
        free: &'a mut [Word],
    ) -> Self {
        let head = Edge::new(&slots, slots.locate(ask.ready));
        let rectangle = Rectangle { begin: Instant::ZERO, end: Instant::ZERO, pes: 0 };
        let far = Reach::at(head.at);
        let last = Candidate { start: Instant::ZERO, rectangle };
        let start = ask.ready;
        let mut all =
            Self { slots, ask, mask, start, head, tail: head, last, seen: None, far, free };
        all.find_tail();
        all
    }

    /// When the window ends.
    fn end(&self) -> u64 {
        self.start.saturating_add(self.ask.duration)
    }

    /// Finds where the window ends, given where it begins.
    fn find_tail(&mut self) {
        let tail = self.slots.locate_from(self.head.at, self.end());
        self.tail = Edge::new(&self.slots, tail);
    }

    /// Moves to the next candidate; behind the latest start from the last one.
    fn step(&mut self) {
        let (by_head, tail_ends) = (self.head.ends, self.tail.ends);
        let is_last = tail_ends == u64::MAX;
        let by_tail = if is_last { tail_ends } else { tail_ends.wrapping_sub(self.ask.duration) };
        let is_before = self.ask.has_deadline && self.start < self.ask.latest;
        let by_deadline = if is_before { self.ask.latest } else { u64::MAX };
        self.start = by_head.min(by_tail).min(by_deadline);
        if by_head == self.start {
            self.head.advance(&self.slots);
        }
        if by_tail == self.start {
            self.tail.advance(&self.slots);
        }
    }

    /// Moves to the next candidate that is feasible, and past it.
    pub(crate) fn advance(&mut self) -> Option<&Candidate> {
        while self.start <= self.ask.latest {
            let tail = &self.tail;
            let to = if tail.begins == self.end() { tail.at } else { tail.at.after() };
            if self.is_feasible(to) {
                self.last.start = Instant::from_ticks(self.start);
                self.step();
                return Some(&self.last);
            }
            let after = self.passed(to)?;
            self.head = Edge::new(&self.slots, after);
            self.start = self.head.begins;
            self.find_tail();
        }
        None
    }

    /// Something else is in `free` since the last candidate.
    pub(crate) fn forget(&mut self) {
        self.seen = None;
    }

    /// Whether the window up to slot `to` is feasible; its rectangle is then the last one's.
    fn is_feasible(&mut self, to: At) -> bool {
        let (head, between) = (self.head.at, Some((self.head.at, to)));
        if self.seen == between {
            return true;
        }
        let pes = self.narrow(to);
        if pes < self.ask.pes || !self.mask.is_met(self.free) {
            return false;
        }
        self.seen = between;
        let Rectangle { begin, end, pes: before } = self.last.rectangle;
        let holds = begin.ticks() <= self.start && self.end() <= end.ticks();
        if !(holds && before == pes) {
            self.last.rectangle = self.slots.stretch(head, to, pes, self.free);
        }
        true
    }

    /// Leaves in `free` the PEs free in the window, and returns how many they are.
    fn narrow(&mut self, to: At) -> u32 {
        let (slots, head) = (self.slots, self.head.at);
        if !IDENTITY {
            return slots.layout.limits.pes.saturating_sub(slots.range(head, self.end()).1);
        }
        if head.leaf == to.leaf || slots.layout.row > Reach::WORDS {
            return slots.free_between(head, to, self.mask, self.free);
        }
        self.free.fill(0);
        slots.unite_between(head, head.leaf.slot(slots.len(head.leaf)), self.free);
        let behind = slots.leaf(head.leaf.place().wrapping_add(1)).slot(0);
        self.far.unite(&slots, behind, to, self.free);
        slots.left(self.mask, self.free)
    }

    /// The first slot after a window that is not feasible, from which on one may be.
    fn passed(&mut self, to: At) -> Option<At> {
        let (slots, ask, head) = (self.slots, &self.ask, self.head.at);
        if IDENTITY && slots.layout.is_flat() {
            return slots.next(head);
        }
        let (after, leapt) = slots.leap((head, self.start), ask)?;
        if leapt > self.start {
            return Some(after);
        }
        // Enough are free at any time, but not the same ones all through.
        slots.next(slots.blocking(head, to, ask.pes, self.mask, self.free))
    }
}

impl<const IDENTITY: bool> Iterator for Candidates<'_, IDENTITY> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        self.advance().copied()
    }
}
