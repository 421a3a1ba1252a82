//! Feasible starts with their maximal rectangles, one after the other.
//!
//! A candidate start is feasible if enough PEs are free from it on for the duration (Li et al.,
//! section 4.2). One that is not rules out others, up to the slot at which it fails.
//!
//! The candidates are the ready time, the latest start that keeps the deadline, and in between
//! the time of every slot and every such time less the duration. Two cursors, for the start and
//! for the end of a window of the length of the request, find them in order.
//!
//! Neighbouring candidates have most of their slots in common, and often their rectangle. So the
//! unions of the slots in the first leaf of the window, and of those behind it, are kept, and a
//! step adds a row; and so is the last rectangle: a candidate inside it that has no PE more free
//! has the same one.

use super::super::choice::Mask;
use super::super::slots::{At, Slots, Window};
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
    window: Window,
    last: Option<Rectangle>,
    /// What the window has of its first leaf, and of those behind it.
    near: Reach,
    far: Reach,
    /// Left with the free PEs of the candidate last returned.
    pub(crate) free: &'a mut [Word],
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
        let head = slots.locate(ask.ready);
        let window = slots.window(ask.ready, head, &ask);
        let (near, far) = (Reach::at(head), Reach::at(head));
        Self { slots, ask, mask, window, last: None, near, far, free }
    }

    /// Moves to the first feasible candidate from the present window on; how many PEs are free in
    /// it.
    fn feasible(&mut self) -> Option<u32> {
        let (slots, ask) = (self.slots, self.ask);
        while self.window.start <= ask.latest {
            let pes = self.narrow();
            if pes >= ask.pes && self.mask.is_met(self.free) {
                return Some(pes);
            }
            let Window { start, head, .. } = self.window;
            let (mut after, leapt) = slots.leap((head, start), &ask)?;
            if leapt == start {
                // Enough are free at any time, but not the same ones all through.
                let to = slots.behind(&self.window);
                after = slots.next(slots.blocking(head, to, ask.pes, self.mask, self.free))?;
            }
            self.window = slots.window(slots.time(after), after, &ask);
        }
        None
    }

    /// Leaves in `free` the PEs free in the window, and returns how many they are.
    fn narrow(&mut self) -> u32 {
        let (slots, head) = (self.slots, self.window.head);
        if !IDENTITY {
            return slots.layout.limits.pes.saturating_sub(slots.range(head, self.window.end).1);
        }
        let to = slots.behind(&self.window);
        self.free.fill(0);
        if slots.layout.row > Reach::WORDS {
            slots.unite_between(head, to, self.free);
        } else if head.leaf == to.leaf {
            self.near.unite(&slots, head, to, self.free);
        } else {
            self.near.unite(&slots, head, head.leaf.slot(slots.len(head.leaf)), self.free);
            let behind = slots.leaf(head.leaf.place().wrapping_add(1)).slot(0);
            self.far.unite(&slots, behind, to, self.free);
        }
        slots.left(self.mask, self.free)
    }
}

impl<const IDENTITY: bool> Iterator for Candidates<'_, IDENTITY> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let pes = self.feasible()?;
        let (window, slots) = (&mut self.window, self.slots);
        let same = self.last.filter(|last| {
            last.begin.ticks() <= window.start && window.end <= last.end.ticks() && last.pes == pes
        });
        let rectangle = same.unwrap_or_else(|| slots.stretch(window, pes, self.free));
        self.last = Some(rectangle);
        let start = Instant::from_ticks(window.start);
        slots.step(window, &self.ask);
        Some(Candidate { start, rectangle })
    }
}

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// The window at `start`, which lies in the slot `head`.
    pub(crate) fn window(&self, start: u64, head: At, ask: &Ask) -> Window {
        let end = start.saturating_add(ask.duration);
        Window { start, end, head, tail: self.locate_from(head, end) }
    }

    /// Moves a window to the next candidate; behind the latest start if it was at the last one.
    fn step(&self, window: &mut Window, ask: &Ask) {
        let (after_head, after_tail) = (self.next(window.head), self.next(window.tail));
        let by_head = after_head.map_or(u64::MAX, |at| self.time(at));
        let by_tail = after_tail.map_or(u64::MAX, |at| self.time(at).wrapping_sub(ask.duration));
        let is_before = ask.has_deadline && window.start < ask.latest;
        let by_deadline = if is_before { ask.latest } else { u64::MAX };
        let next = by_head.min(by_tail).min(by_deadline);
        window.start = next;
        window.end = next.saturating_add(ask.duration);
        if let Some(at) = after_head.filter(|_| by_head == next) {
            window.head = at;
        }
        if let Some(at) = after_tail.filter(|_| by_tail == next) {
            window.tail = at;
        }
    }

    /// Behind the last slot of a window.
    pub(crate) fn behind(&self, window: &Window) -> At {
        if self.time(window.tail) == window.end { window.tail } else { window.tail.after() }
    }
}
