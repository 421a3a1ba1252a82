//! Feasible starts with their maximal rectangles, one after the other.
//!
//! A candidate start is feasible if enough PEs are free from it on for the duration (Li et al.,
//! section 4.2). One that is not rules out others, up to the slot at which it fails.
//!
//! The candidates are the ready time, the latest start that keeps the deadline, and in between
//! the time of every slot and every such time less the duration. Two cursors, for the start and
//! for the end of a window of the length of the request, find them in order.
//!
//! Maximal rectangles, from Li et al., section 4.2: take the PEs free all through a candidate's interval, and
//! stretch it into the past and the future as long as all of them stay free. The source leaves two
//! things open. Here a rectangle begins at the present at the earliest, and one that stays free for good
//! ends at the end of time. Without identity, which the source does not treat, a rectangle is as high
//! as the least number free in the interval, and is stretched as long as so many are free.
//!
//! Neighbouring candidates often have the same slots, and then the same PEs and rectangle; or the
//! same rectangle nevertheless: one inside the last rectangle that has no PE more free.
//!
//! The PEs free in a window follow from those free in the last one. Cost of a candidate: the slots that come in at the end,
//! and where PEs become free before the start, a look at leaves of the window until each of these is busy again. A PE is
//! looked for through the whole of a window only where it stays free for as long, so all candidates together take at most a
//! look at each leaf for each PE, however long windows are.
//!
//! Cost of a rectangle: on either side a look at the union of each leaf passed, and at the rows of one leaf.

use super::fit::{Search, Start};
use crate::bits::{Word, algebra};
use crate::reserve::candidate::{Candidate, Rectangle};
use crate::reserve::slots::layout::LeafSlot;
use crate::reserve::slots::pes::Pes;
use crate::reserve::slots::view::Slots;
use crate::time::Instant;

/// The feasible candidates of a request, by rising start.
///
/// Made by [`Timeline::candidates`](crate::reserve::Timeline::candidates), or by a profile, which has
/// no `IDENTITY`. The first is the earliest fit, the others are the alternatives to it.
pub struct Candidates<'a, const IDENTITY: bool = true> {
    search: Search<'a, IDENTITY>,
    /// Where the next candidate is looked for; behind the latest start if there are no more.
    start: u64,
    /// Where its window begins and ends.
    head: Edge,
    tail: Edge,
    /// The last one returned.
    last: Candidate,
    /// From which slot up to but not including which the PEs in `free` are free, unless it has others.
    held: Option<(LeafSlot, LeafSlot)>,
    /// Left with the free PEs of the candidate last returned.
    free: &'a mut [Word],
}

/// The slot that an end of a window lies in, and with which starts of the window it does.
struct Edge {
    at: LeafSlot,
    /// From the start to this end of the window.
    after: u64,
    /// The first such start, and the first one after them.
    begins: u64,
    ends: u64,
}

impl Edge {
    fn new<const IDENTITY: bool>(slots: &Slots<'_, IDENTITY>, at: LeafSlot, after: u64) -> Self {
        let begins = slots.time(at).wrapping_sub(after);
        let mut edge = Self { at, after, begins, ends: begins };
        edge.find_end(slots);
        edge
    }

    /// Finds out with which start the slot is passed.
    fn find_end<const IDENTITY: bool>(&mut self, slots: &Slots<'_, IDENTITY>) {
        let next = slots.next(self.at).map(|next| slots.time(next));
        self.ends = next.map_or(u64::MAX, |next| next.wrapping_sub(self.after));
    }

    /// Moves to the next slot, if there is one.
    fn advance<const IDENTITY: bool>(&mut self, slots: &Slots<'_, IDENTITY>) {
        if let Some(next) = slots.next(self.at) {
            (self.at, self.begins) = (next, self.ends);
            self.find_end(slots);
        }
    }
}

impl<'a, const IDENTITY: bool> Candidates<'a, IDENTITY> {
    pub(crate) fn new(search: Search<'a, IDENTITY>, free: &'a mut [Word]) -> Self {
        let (at, start) = search.ready();
        let rectangle = Rectangle { begin: Instant::ZERO, end: Instant::ZERO, pes: 0 };
        let last = Candidate { start: Instant::ZERO, rectangle };
        let (head, tail) = Self::edges(&search, at, start);
        Self { search, start, head, tail, last, held: None, free }
    }

    /// The ends of the window from `start` on, which lies in the slot `head`.
    fn edges(search: &Search<'_, IDENTITY>, head: LeafSlot, start: u64) -> (Edge, Edge) {
        let (slots, duration) = (&search.slots, search.request.duration);
        let tail = slots.locate_from(head, start.saturating_add(duration));
        (Edge::new(slots, head, 0), Edge::new(slots, tail, duration))
    }

    /// Moves to the next candidate; behind the latest start from the last one.
    fn step(&mut self) {
        let Search { slots, request } = &self.search;
        let (by_head, by_tail) = (self.head.ends, self.tail.ends);
        let next = by_head.min(by_tail);
        if next > request.latest {
            let last = request.has_deadline && self.start < request.latest;
            self.start = if last { request.latest } else { u64::MAX };
            return;
        }
        self.start = next;
        if by_head == next {
            self.head.advance(slots);
        }
        if by_tail == next {
            self.tail.advance(slots);
        }
    }

    /// The PEs free from the last candidate on; something else is in their place later.
    pub(crate) fn free_for_choice(&mut self) -> &mut [Word] {
        self.held = None;
        self.free
    }

    /// Leaves out the candidates after the last one that have no PEs beside its, which the choice refused.
    pub(crate) fn skip_refused(&mut self) {
        let head = self.search.slots.locate(self.last.start.ticks());
        match self.search.regained(head, self.free) {
            Some(next) => self.go_on_at(next),
            None => self.start = u64::MAX,
        }
    }

    /// Makes a start later than all so far the next one.
    fn go_on_at(&mut self, (head, start): Start) {
        self.held = None;
        self.start = start;
        (self.head, self.tail) = Self::edges(&self.search, head, start);
    }

    /// Whether the window up to slot `to` is feasible; its rectangle is then the last one's.
    fn is_feasible(&mut self, to: LeafSlot) -> bool {
        if self.held == Some((self.head.at, to)) {
            return true;
        }
        let pes = self.narrow(to);
        let request = &self.search.request;
        if pes < request.pes || !request.choice.mask().is_met(self.free) {
            return false;
        }
        let (last, end) = (self.last.rectangle, self.start.saturating_add(request.duration));
        let holds = last.begin.ticks() <= self.start && end <= last.end.ticks();
        if !(holds && last.pes == pes) {
            self.last.rectangle = self.stretch(to, pes);
        }
        true
    }

    /// Leaves in `free` the PEs free in the window up to slot `to`, and returns how many they are: those of the last
    /// window that are free to its end, and those that are vacated before its start and not busy again.
    fn narrow(&mut self, to: LeafSlot) -> u32 {
        let (Search { slots, request }, head) = (&self.search, self.head.at);
        let (mask, last) = (request.choice.mask(), self.held.replace((head, to)));
        if !IDENTITY {
            return slots.layout.shape.free(slots.range(head, to).1);
        }
        let Some((before, end)) =
            last.filter(|&(at, _)| at == head || slots.next(at) == Some(head))
        else {
            return slots.free_between(head, to, mask, self.free);
        };
        slots.take_busy(end, to, self.free, |_| true);
        if before != head && slots.add_vacated(before, head, self.free) {
            mask.narrow(self.free, 0);
            slots.take_busy(head, to, self.free, |free| slots.has_vacated(before, head, free));
        }
        algebra::count(self.free)
    }

    /// The first slot after a window that is not feasible, from which on one may be.
    fn passed(&mut self, to: LeafSlot) -> Option<LeafSlot> {
        let (search, head) = (&self.search, self.head.at);
        let (after, leapt) = search.leap((head, self.start), u64::MAX)?;
        if leapt > self.start {
            return Some(after);
        }
        // Enough are free at any time, but not the same ones all through.
        search.slots.next(search.blocking(head, to, self.free))
    }

    /// Stretches the PEs free in the window up to slot `to`, `pes` in number, to their maximal rectangle.
    fn stretch(&self, to: LeafSlot, pes: u32) -> Rectangle {
        let slots = &self.search.slots;
        let set = Pes { count: pes, skip: 0, words: self.free };
        // Behind the last slot of a leaf none of these PEs is in the leaf's lazy set.
        let after = slots.first_conflict(to, u64::MAX, set);
        let before = slots.last_conflict(self.head.at, set);
        let begin = before.and_then(|at| slots.next(at)).unwrap_or_else(|| slots.start());
        let end = after.map_or(Instant::MAX, |at| slots.instant(at));
        Rectangle { begin: slots.instant(begin), end, pes }
    }
}

impl<const IDENTITY: bool> Iterator for Candidates<'_, IDENTITY> {
    type Item = Candidate;

    /// Moves to the next candidate that is feasible, and past it.
    fn next(&mut self) -> Option<Candidate> {
        while self.start <= self.search.request.latest {
            let tail = &self.tail;
            let to = if tail.begins == self.start { tail.at } else { tail.at.after() };
            if self.is_feasible(to) {
                self.last.start = Instant::from_ticks(self.start);
                self.step();
                return Some(self.last);
            }
            let after = self.passed(to)?;
            self.go_on_at((after, self.search.slots.time(after)));
        }
        None
    }
}
