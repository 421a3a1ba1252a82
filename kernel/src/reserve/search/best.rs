//! Which of the feasible starts is the best, and how it is found: one search for the earliest, one for
//! the one with most PEs, and one for whatever a policy prefers.

use super::super::choice::Choice;
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
        slots.most(ask, choice, free).or_else(|| slots.later(ask, choice, free))
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
        slots
            .preferred(ask, &|new, best| self.prefers(new, best), choice, free)
            .or_else(|| slots.later(ask, choice, free))
    }
}

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// The earliest start at which as many PEs are free as at any that suits `choice`.
    fn most(&self, ask: &Ask, choice: &dyn Choice, free: &mut [Word]) -> Option<u64> {
        // The choice is offered each that comes into question only if it refuses the best of all.
        for offer in [false, true] {
            let start = self.most_of(ask, choice, offer, free)?;
            if self.take(start, ask, choice, free) {
                return Some(start);
            }
        }
        None
    }

    /// The same, of those that suit if each is to be offered: an earliest fit that asks for one PE
    /// more after each. The PEs are not chosen yet.
    fn most_of(
        &self,
        ask: &Ask,
        choice: &dyn Choice,
        offer: bool,
        free: &mut [Word],
    ) -> Option<u64> {
        let (ready, mask) = (self.ready(ask), choice.mask());
        if IDENTITY && self.layout.is_flat() && !offer {
            return Some(self.sweep(ready, ask, true, mask, free)?.start);
        }
        let (mut more, mut best, mut from) = (*ask, None, Some(ready));
        while let Some(fit) = from.and_then(|from| self.fit(from, &more, mask, free)) {
            if !offer || self.choose(choice, free, ask.pes) {
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
        prefers: &dyn Fn(&Candidate, &Candidate) -> bool,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Option<u64> {
        let mut best: Option<Candidate> = None;
        let mut candidates = Candidates::among(*self, *ask, choice.mask(), free);
        while let Some(candidate) = candidates.advance() {
            if best.as_ref().is_none_or(|best| prefers(candidate, best)) {
                candidates.forget();
                if self.choose(choice, candidates.free, ask.pes) {
                    best = Some(candidates.last);
                }
            }
        }
        let start = best?.start.ticks();
        // A choice that takes something else the second time gets nothing.
        self.take(start, ask, choice, free).then_some(start)
    }
}
