//! Which of the feasible starts is the best, and how it is found: one search for the earliest, one for
//! the one with most PEs, and one for whatever a policy prefers.

use super::super::choice::{Choice, Mask};
use super::super::policy::Policy;
use super::super::slots::Slots;
use super::ask::Ask;
use super::candidates::{Candidate, Candidates};
use crate::bits::Word;

/// A search for the best start.
pub(crate) trait Best<const IDENTITY: bool> {
    /// The best start that keeps the deadline; if there is none, the earliest of all. `free` is left
    /// with the PEs chosen.
    fn start(
        &self,
        slots: &Slots<'_, IDENTITY>,
        ask: &Ask,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Option<u64>;
}

/// The earliest.
pub(crate) struct Earliest;

impl<const IDENTITY: bool> Best<IDENTITY> for Earliest {
    fn start(
        &self,
        slots: &Slots<'_, IDENTITY>,
        ask: &Ask,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Option<u64> {
        slots.earliest(&ask.forever(), choice, free)
    }
}

/// The one from which on most PEs are free.
pub(crate) struct MostPes;

impl<const IDENTITY: bool> Best<IDENTITY> for MostPes {
    fn start(
        &self,
        slots: &Slots<'_, IDENTITY>,
        ask: &Ask,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Option<u64> {
        let best = |offered: Option<&dyn Choice>, free: &mut [Word]| {
            slots.most(ask, choice.mask(), offered, free)
        };
        slots.chosen(ask, choice, free, best).or_else(|| slots.later(ask, choice, free))
    }
}

/// The one that the policy prefers to all others.
impl<P: Policy + ?Sized, const IDENTITY: bool> Best<IDENTITY> for &P {
    fn start(
        &self,
        slots: &Slots<'_, IDENTITY>,
        ask: &Ask,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Option<u64> {
        let prefers = |new: &Candidate, best: &Candidate| self.prefers(new, best);
        let best = |offered: Option<&dyn Choice>, free: &mut [Word]| {
            slots.preferred(ask, choice.mask(), &prefers, offered, free)
        };
        slots.chosen(ask, choice, free, best).or_else(|| slots.later(ask, choice, free))
    }
}

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// The best start, with the PEs chosen. The choice is asked about the best of all; only if it
    /// refuses that is each on the way offered to it.
    fn chosen(
        &self,
        ask: &Ask,
        choice: &dyn Choice,
        free: &mut [Word],
        best: impl Fn(Option<&dyn Choice>, &mut [Word]) -> Option<u64>,
    ) -> Option<u64> {
        for offered in [None, Some(choice)] {
            let start = best(offered, free)?;
            // A choice that takes something else the second time gets nothing.
            if self.take(start, ask, choice, free) {
                return Some(start);
            }
        }
        None
    }

    /// Whether a start with the PEs `free` counts: it suits the choice, if that is to be asked.
    fn suits(&self, offered: Option<&dyn Choice>, ask: &Ask, free: &mut [Word]) -> bool {
        offered.is_none_or(|choice| self.choose(choice, free, ask.pes))
    }

    /// The earliest start at which as many PEs are free as at any: an earliest fit that asks for one
    /// PE more after each.
    fn most(
        &self,
        ask: &Ask,
        mask: Mask<'_>,
        offered: Option<&dyn Choice>,
        free: &mut [Word],
    ) -> Option<u64> {
        let ready = self.ready(ask);
        if IDENTITY && self.layout.is_flat() && offered.is_none() {
            return Some(self.sweep(ready, ask, true, mask, free)?.start);
        }
        let (mut more, mut best, mut from) = (*ask, None, Some(ready));
        while let Some(fit) = from.and_then(|from| self.fit(from, &more, mask, free)) {
            if self.suits(offered, ask, free) {
                best = Some(fit.start);
                more.pes = self.free_in(&fit, ask).wrapping_add(1);
            }
            let some_are_more = more.pes <= self.layout.limits.pes;
            from = some_are_more.then(|| self.starts_after(fit.head)).flatten();
        }
        best
    }

    /// The start that is preferred to all others, by a look at each candidate.
    fn preferred(
        &self,
        ask: &Ask,
        mask: Mask<'_>,
        prefers: &dyn Fn(&Candidate, &Candidate) -> bool,
        offered: Option<&dyn Choice>,
        free: &mut [Word],
    ) -> Option<u64> {
        let mut best: Option<Candidate> = None;
        let mut candidates = Candidates::among(*self, *ask, mask, free);
        while let Some(candidate) = candidates.advance() {
            if best.as_ref().is_none_or(|best| prefers(candidate, best)) {
                if offered.is_some() {
                    candidates.forget();
                }
                if self.suits(offered, ask, candidates.free) {
                    best = Some(candidates.last);
                }
            }
        }
        Some(best?.start.ticks())
    }
}
