//! Feasible starts with their maximal rectangles, one after the other.
//!
//! A candidate start is feasible if enough PEs are free from it on for the duration (Li et al.,
//! section 4.2). One that is not rules out others, up to the slot at which it fails.
//!
//! Neighbouring candidates have most of their slots in common, and often their rectangle. So the
//! sweep keeps the union of the slots behind the first leaf of the window, to which each step
//! adds a row, and it keeps the last rectangle: a candidate inside it that has no PE more free
//! has the same one.

use super::rectangle::Rectangle;
use super::search::Ask;
use super::sets;
use super::slots::{At, Slots};
use super::window::Window;
use crate::bits::Word;
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
/// Made by [`Timeline::candidates`](super::Timeline::candidates). The first is the earliest fit,
/// the others are the alternatives to it.
pub struct Candidates<'a> {
    slots: Slots<'a>,
    ask: Ask,
    next: Option<Window>,
    last: Option<Rectangle>,
    reach: Reach,
    /// Left with the free PEs of the candidate last returned.
    pub(super) free: &'a mut [Word],
}

/// The union of the slots from the beginning of a leaf up to but not including `to`. Only kept
/// for rows of up to [`Reach::WORDS`] words.
struct Reach {
    /// Place of the leaf; 0 for none, since the first one has no leaf before it.
    place: usize,
    to: At,
    words: [Word; Reach::WORDS],
}

impl Reach {
    const WORDS: usize = 16;

    /// Adds to `busy` the PEs busy from the beginning of the leaf at `place` up to `to`, which
    /// never goes back.
    fn unite(&mut self, slots: &Slots<'_>, place: usize, to: At, busy: &mut [Word]) {
        if self.place != place {
            self.place = place;
            self.to = slots.leaf(place).slot(0);
            self.words.fill(0);
        }
        let Some(words) = self.words.get_mut(..busy.len()) else { return };
        slots.unite_between(self.to, to, words);
        self.to = to;
        sets::unite(busy, words);
    }
}

impl<'a> Candidates<'a> {
    pub(super) fn new(slots: Slots<'a>, ask: Ask, free: &'a mut [Word]) -> Self {
        let head = slots.locate(ask.ready);
        let next = (ask.ready <= ask.latest).then(|| slots.window(ask.ready, head, &ask));
        let reach = Reach { place: 0, to: head, words: [0; Reach::WORDS] };
        Self { slots, ask, next, last: None, reach, free }
    }

    /// The first feasible candidate from `window` on, and how many PEs are free in it.
    fn feasible(&mut self, window: Window) -> Option<(Window, u32)> {
        let (slots, ask) = (self.slots, self.ask);
        let mut window = window;
        while window.start <= ask.latest {
            let pes = self.narrow(&window);
            if pes >= ask.pes {
                return Some((window, pes));
            }
            let (head, start) = slots.leap(window.head, window.start, &ask)?;
            let (head, start) = if start == window.start {
                // Enough are free at any time, but not the same ones all through.
                let to = slots.behind(&window);
                let after = slots.next(slots.blocking(head, to, ask.pes, self.free))?;
                (after, slots.time(after))
            } else {
                (head, start)
            };
            window = slots.window(start, head, &ask);
        }
        None
    }

    /// Leaves in `free` the PEs free in a window, and returns how many they are.
    fn narrow(&mut self, window: &Window) -> u32 {
        let (slots, head) = (self.slots, window.head);
        if slots.layout.row == 0 {
            return slots.layout.pes.saturating_sub(slots.most_busy(head, window.end));
        }
        let to = slots.behind(window);
        self.free.fill(0);
        if slots.layout.row > Reach::WORDS || head.leaf == to.leaf {
            slots.unite_between(head, to, self.free);
        } else {
            slots.unite_between(head, head.leaf.slot(slots.len(head.leaf)), self.free);
            self.reach.unite(&slots, head.leaf.place.wrapping_add(1), to, self.free);
        }
        sets::complement(self.free, slots.layout.pes)
    }
}

impl Iterator for Candidates<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let window = self.next.take()?;
        let (window, pes) = self.feasible(window)?;
        self.next = self.slots.next_window(&window, &self.ask);
        let within = |r: &Rectangle| {
            r.begin.ticks() <= window.start && window.end <= r.end.ticks() && r.pes == pes
        };
        let rectangle = match self.last.filter(within) {
            Some(same) => same,
            None => self.slots.stretch(&window, pes, self.free),
        };
        self.last = Some(rectangle);
        Some(Candidate { start: Instant::from_ticks(window.start), rectangle })
    }
}
