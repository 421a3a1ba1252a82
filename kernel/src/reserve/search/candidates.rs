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
///
/// Candidates are the ready time, the latest start that keeps a deadline, and in between the time of
/// every slot and every such time less the duration. The rectangle is of the PEs that are free, and
/// allowed by a mask, from the start on for the duration; it begins and ends where one of them is busy.
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
    /// The last one, and up to which slot its PEs are free, if `free` still has them and the window still
    /// begins in the same slot.
    pub(crate) last: Candidate,
    seen: Option<At>,
    /// What the window has of the leaves behind its first one.
    far: Reach,
    /// Left with the free PEs of the candidate last returned.
    pub(crate) free: &'a mut [Word],
}

/// The slot that an end of a window lies in, with which starts of the window it does, and the times of its
/// leaf.
#[derive(Clone, Copy)]
struct Edge<'a> {
    at: At,
    /// From the start to this end of the window.
    after: u64,
    /// The first such start, and the first one after them.
    begins: u64,
    ends: u64,
    times: &'a [Tick],
}

impl<'a> Edge<'a> {
    fn new<const IDENTITY: bool>(slots: &Slots<'a, IDENTITY>, at: At, after: u64) -> Self {
        let times = tables::ticks(slots.times(at.leaf), slots.len(at.leaf));
        let begins = slots.time(at).wrapping_sub(after);
        let mut edge = Self { at, after, begins, ends: begins, times };
        edge.find_end(slots);
        edge
    }

    /// The end of a window from `start` on, given the slot that it begins in.
    fn tail<const IDENTITY: bool>(
        slots: &Slots<'a, IDENTITY>,
        head: At,
        start: u64,
        duration: u64,
    ) -> Self {
        Self::new(slots, slots.locate_from(head, start.saturating_add(duration)), duration)
    }

    /// Finds out with which start the slot is passed.
    fn find_end<const IDENTITY: bool>(&mut self, slots: &Slots<'a, IDENTITY>) {
        let next_leaf = || slots.leaf_after(self.at.leaf).map(|leaf| slots.time(leaf.slot(0)));
        let next = self.times.get(self.at.after().slot).map(tables::value).or_else(next_leaf);
        self.ends = next.map_or(u64::MAX, |next| next.wrapping_sub(self.after));
    }

    /// Moves to the next slot, if there is one.
    // A call would take as long as what is done.
    #[inline(always)]
    fn advance<const IDENTITY: bool>(&mut self, slots: &Slots<'a, IDENTITY>) {
        let after = self.at.after();
        if after.slot < self.times.len() {
            (self.at.slot, self.begins) = (after.slot, self.ends);
            self.find_end(slots);
        } else if let Some(leaf) = slots.leaf_after(self.at.leaf) {
            *self = Self::new(slots, leaf.slot(0), self.after);
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
        let head = Edge::new(&slots, slots.locate(ask.ready), 0);
        let tail = Edge::tail(&slots, head.at, ask.ready, ask.duration);
        let rectangle = Rectangle { begin: Instant::ZERO, end: Instant::ZERO, pes: 0 };
        let far = Reach::at(head.at);
        let last = Candidate { start: Instant::ZERO, rectangle };
        let start = ask.ready;
        Self { slots, ask, mask, start, head, tail, last, seen: None, far, free }
    }

    /// When the window ends.
    fn end(&self) -> u64 {
        self.start.saturating_add(self.ask.duration)
    }

    /// Moves to the next candidate; behind the latest start from the last one.
    fn step(&mut self) {
        let (by_head, by_tail) = (self.head.ends, self.tail.ends);
        let next = by_head.min(by_tail);
        if next > self.ask.latest {
            self.start = if self.start < self.ask.due { self.ask.due } else { u64::MAX };
            return;
        }
        self.start = next;
        if by_head == self.start {
            self.head.advance(&self.slots);
            self.seen = None;
        }
        if by_tail == self.start {
            self.tail.advance(&self.slots);
        }
    }

    /// Moves to the next candidate that is feasible, and past it.
    pub(crate) fn advance(&mut self) -> Option<&Candidate> {
        while self.start <= self.ask.latest {
            let tail = &self.tail;
            let to = if tail.begins == self.start { tail.at } else { tail.at.after() };
            if self.is_feasible(to) {
                self.last.start = Instant::from_ticks(self.start);
                self.step();
                return Some(&self.last);
            }
            let after = self.passed(to)?;
            self.seen = None;
            self.head = Edge::new(&self.slots, after, 0);
            self.start = self.head.begins;
            self.tail = Edge::tail(&self.slots, after, self.start, self.ask.duration);
        }
        None
    }

    /// Something else is in `free` since the last candidate.
    pub(crate) fn forget(&mut self) {
        self.seen = None;
    }

    /// Whether the window up to slot `to` is feasible; its rectangle is then the last one's.
    fn is_feasible(&mut self, to: At) -> bool {
        if self.seen == Some(to) {
            return true;
        }
        let end = self.end();
        let pes = self.narrow(to, end);
        if pes < self.ask.pes || !self.mask.is_met(self.free) {
            return false;
        }
        self.seen = Some(to);
        let last = self.last.rectangle;
        let holds = last.begin.ticks() <= self.start && end <= last.end.ticks();
        if !(holds && last.pes == pes) {
            self.last.rectangle =
                self.slots.stretch(self.head.at, to, self.head.times, pes, self.free);
        }
        true
    }

    /// Leaves in `free` the PEs free in the window, and returns how many they are.
    fn narrow(&mut self, to: At, end: u64) -> u32 {
        let Self { slots, head, mask, free, far, .. } = self;
        let head = head.at;
        if !IDENTITY {
            return slots.layout.limits.pes.saturating_sub(slots.range(head, end).1);
        }
        if head.leaf == to.leaf || slots.layout.row > Reach::WORDS {
            return slots.free_between(head, to, *mask, free);
        }
        free.fill(0);
        slots.unite_between(head, head.leaf.slot(slots.len(head.leaf)), free);
        let behind = slots.leaf(head.leaf.place().wrapping_add(1)).slot(0);
        far.unite(slots, behind, to, free);
        slots.left(*mask, free)
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
