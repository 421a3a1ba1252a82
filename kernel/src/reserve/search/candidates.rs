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
//! same rectangle nevertheless: one inside the last rectangle that has no PE more free. Where there
//! are leaves, the union of the slots behind the first leaf of the window is kept, and a step adds a row.
//!
//! Cost of a rectangle: on either side a look at the union of each leaf passed, and at the rows of one leaf.

use super::fit::Search;
use crate::bits::{Word, algebra};
use crate::reserve::candidate::{Candidate, Rectangle};
use crate::reserve::slots::claim::Claim;
use crate::reserve::slots::store::{Slots, Store};
use crate::time::Instant;

/// The feasible candidates of a request, by rising start.
pub(crate) struct CandidateSearch<'a, S: Store> {
    search: Search<'a, S>,
    /// Where the next candidate is looked for; behind the latest start if there are no more.
    start: u64,
    /// Where its window begins and ends.
    head: Edge<S>,
    tail: Edge<S>,
    /// The last one, and up to which slot its PEs are free, if `free` still has them and the window still
    /// begins in the same slot.
    last: Candidate,
    free_up_to: Option<S::At>,
    /// What the window has of the leaves behind its first one.
    far: Reach<S>,
    /// Left with the free PEs of the candidate last returned.
    free: &'a mut [Word],
}

/// The slot that an end of a window lies in, and with which starts of the window it does.
struct Edge<S: Store> {
    at: S::At,
    /// From the start to this end of the window.
    after: u64,
    /// The first such start, and the first one after them.
    begins: u64,
    ends: u64,
}

impl<S: Store> Edge<S> {
    fn new(slots: &Slots<'_, S>, at: S::At, after: u64) -> Self {
        let begins = S::time(slots, at).wrapping_sub(after);
        let mut edge = Self { at, after, begins, ends: begins };
        edge.find_end(slots);
        edge
    }

    /// Finds out with which start the slot is passed.
    fn find_end(&mut self, slots: &Slots<'_, S>) {
        let next = S::next(slots, self.at).map(|next| S::time(slots, next));
        self.ends = next.map_or(u64::MAX, |next| next.wrapping_sub(self.after));
    }

    /// Moves to the next slot, if there is one.
    fn advance(&mut self, slots: &Slots<'_, S>) {
        if let Some(next) = S::next(slots, self.at) {
            (self.at, self.begins) = (next, self.ends);
            self.find_end(slots);
        }
    }
}

/// The union of the slots from `from` up to but not including `to`, which only moves forward. Kept
/// for rows of up to [`Reach::WORDS`] words.
struct Reach<S: Store> {
    from: S::At,
    to: S::At,
    words: [Word; 16],
}

impl<S: Store> Reach<S> {
    /// That of no slots.
    const fn at(from: S::At) -> Self {
        Self { from, to: from, words: [0; 16] }
    }

    /// Adds to `busy` the PEs busy from `from` up to `to`.
    fn unite(&mut self, slots: &Slots<'_, S>, from: S::At, to: S::At, busy: &mut [Word]) {
        if self.from != from {
            *self = Self::at(from);
        }
        let Some(words) = self.words.get_mut(..busy.len()) else {
            return S::unite(slots, from, to, busy);
        };
        S::unite(slots, self.to, to, words);
        self.to = to;
        algebra::unite(busy, words);
    }
}

impl<'a, S: Store> CandidateSearch<'a, S> {
    pub(crate) fn new(search: Search<'a, S>, free: &'a mut [Word]) -> Self {
        let (at, start) = search.ready();
        let rectangle = Rectangle { begin: Instant::ZERO, end: Instant::ZERO, pes: 0 };
        let last = Candidate { start: Instant::ZERO, rectangle };
        let (head, tail) = Self::edges(&search, at, start);
        Self { search, start, head, tail, last, free_up_to: None, far: Reach::at(at), free }
    }

    /// The ends of the window from `start` on, which lies in the slot `head`.
    fn edges(search: &Search<'_, S>, head: S::At, start: u64) -> (Edge<S>, Edge<S>) {
        let (slots, duration) = (&search.slots, search.request.duration);
        let tail = S::locate_from(slots, head, start.saturating_add(duration));
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
            self.free_up_to = None;
        }
        if by_tail == next {
            self.tail.advance(slots);
        }
    }

    /// Moves to the next candidate that is feasible, and past it.
    pub(crate) fn next(&mut self) -> Option<Candidate> {
        while self.start <= self.search.request.latest {
            let tail = &self.tail;
            let to = if tail.begins == self.start { tail.at } else { S::after(tail.at) };
            if self.is_feasible(to) {
                self.last.start = Instant::from_ticks(self.start);
                self.step();
                return Some(self.last);
            }
            let after = self.passed(to)?;
            self.free_up_to = None;
            self.start = S::time(&self.search.slots, after);
            (self.head, self.tail) = Self::edges(&self.search, after, self.start);
        }
        None
    }

    /// The PEs free from the last candidate on; something else is in their place later.
    pub(crate) fn free_for_choice(&mut self) -> &mut [Word] {
        self.free_up_to = None;
        self.free
    }

    /// Whether the window up to slot `to` is feasible; its rectangle is then the last one's.
    fn is_feasible(&mut self, to: S::At) -> bool {
        if self.free_up_to == Some(to) {
            return true;
        }
        let pes = self.narrow(to);
        let request = &self.search.request;
        if pes < request.pes || !request.choice.mask().is_met(self.free) {
            return false;
        }
        self.free_up_to = Some(to);
        let (last, end) = (self.last.rectangle, self.start.saturating_add(request.duration));
        let holds = last.begin.ticks() <= self.start && end <= last.end.ticks();
        if !(holds && last.pes == pes) {
            self.last.rectangle = self.search.slots.stretch(self.head.at, to, pes, self.free);
        }
        true
    }

    /// Leaves in `free` the PEs free in the window up to slot `to`, and returns how many they are.
    fn narrow(&mut self, to: S::At) -> u32 {
        let (Search { slots, request }, head) = (&self.search, self.head.at);
        if !S::IDENTITY {
            return slots.store.shape().free(S::range(slots, head, to).1);
        }
        let near = S::near(slots, head, to);
        self.free.fill(0);
        S::unite(slots, head, near, self.free);
        if near != to {
            self.far.unite(slots, near, to, self.free);
        }
        slots.complement(request.choice.mask(), self.free)
    }

    /// The first slot after a window that is not feasible, from which on one may be.
    fn passed(&mut self, to: S::At) -> Option<S::At> {
        let (search, head) = (&self.search, self.head.at);
        let (after, leapt) = search.leap((head, self.start), u64::MAX)?;
        if leapt > self.start {
            return Some(after);
        }
        // Enough are free at any time, but not the same ones all through.
        S::next(&search.slots, search.blocking(head, to, self.free))
    }
}

impl<S: Store> Slots<'_, S> {
    /// Stretches the PEs free from the slot `head` up to but not including `to`, `pes` in number, to
    /// their maximal rectangle.
    fn stretch(&self, head: S::At, to: S::At, pes: u32, free: &[Word]) -> Rectangle {
        let (before, after) = if !S::IDENTITY {
            let limit = self.store.shape().limit(pes);
            (S::last_above(self, head, limit), S::first_above(self, to, u64::MAX, limit))
        } else {
            let claim = Claim { count: pes, skip: 0, words: free };
            // Behind the last slot of a leaf none of these PEs is in the leaf's lazy set.
            (S::last_meeting(self, head, claim), S::first_meeting(self, to, u64::MAX, claim))
        };
        let begin = before.and_then(|at| S::next(self, at)).unwrap_or_else(|| S::start(self));
        Rectangle {
            begin: Instant::from_ticks(S::time(self, begin)),
            end: after.map_or(Instant::MAX, |at| Instant::from_ticks(S::time(self, at))),
            pes,
        }
    }
}
