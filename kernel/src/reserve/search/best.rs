//! Which of the feasible starts is the best, and how it is found: one search for the earliest, one for
//! the one with most PEs, and one for whatever a policy prefers.
//!
//! PE_W is an earliest fit, which asks for one PE more after each start that it finds. The other
//! policies look at each candidate.

use super::candidates::Candidates;
use super::fit::Search;
use crate::bits::Word;
use crate::reserve::candidate::Candidate;
use crate::reserve::policy::Policy;
use crate::reserve::refusal::Refusal;
use crate::reserve::request::Interval;

/// A search for the best start.
pub(crate) trait Best<const IDENTITY: bool> {
    /// The best start that keeps the deadline; if there is none, the earliest of all. `free` is left
    /// with the PEs chosen.
    fn start(&self, search: &Search<'_, IDENTITY>, free: &mut [Word]) -> Option<u64>;
}

/// The one search that a policy needs: a program with policies that are known to need no others does not
/// link them.
pub(crate) fn best_of<'r, const IDENTITY: bool, P: Policy + ?Sized>(
    policy: &'r &'r P,
) -> &'r dyn Best<IDENTITY> {
    if policy.takes_first() {
        &Earliest
    } else if policy.takes_most_pes() {
        &MostPes
    } else {
        policy
    }
}

/// The earliest.
pub(crate) struct Earliest;

impl<const IDENTITY: bool> Best<IDENTITY> for Earliest {
    fn start(&self, search: &Search<'_, IDENTITY>, free: &mut [Word]) -> Option<u64> {
        search.forever().earliest(free)
    }
}

/// The one from which on most PEs are free.
struct MostPes;

impl<const IDENTITY: bool> Best<IDENTITY> for MostPes {
    fn start(&self, search: &Search<'_, IDENTITY>, free: &mut [Word]) -> Option<u64> {
        search.chosen(free, |offer, free| search.most(offer, free))
    }
}

/// The one that the policy prefers to all others.
impl<P: Policy + ?Sized, const IDENTITY: bool> Best<IDENTITY> for &P {
    fn start(&self, search: &Search<'_, IDENTITY>, free: &mut [Word]) -> Option<u64> {
        let prefers = |new: &Candidate, best: &Candidate| self.prefers(new, best);
        search.chosen(free, |offer, free| search.preferred(&prefers, offer, free))
    }
}

impl<const IDENTITY: bool> Search<'_, IDENTITY> {
    /// Places the request; `free` is left with the PEs chosen.
    pub(crate) fn best(
        &self,
        best: &dyn Best<IDENTITY>,
        free: &mut [Word],
    ) -> Result<Interval, Refusal> {
        self.placed(best.start(self, free), free)
    }

    /// The best start, with the PEs chosen. The choice is asked about the best of all; only if it
    /// refuses that is each on the way offered to it.
    fn chosen(
        &self,
        free: &mut [Word],
        best: impl Fn(bool, &mut [Word]) -> Option<u64>,
    ) -> Option<u64> {
        for offer in [false, true] {
            let Some(start) = best(offer, free) else { break };
            // A choice that takes something else the second time gets nothing.
            if self.take(start, free) {
                return Some(start);
            }
        }
        self.later(free)
    }

    /// The earliest start at which as many PEs are free as at any: an earliest fit that asks for one
    /// PE more after each.
    fn most(&self, offer: bool, free: &mut [Word]) -> Option<u64> {
        let (mut more, mut best, mut from) = (*self, None, Some(self.ready()));
        while let Some(fit) = from.and_then(|from| more.fit(from, free)) {
            let pes = more.pes_of(fit, free);
            if offer && !self.choose(free) {
                from = self.regained(fit.0, free);
                continue;
            }
            best = Some(fit.1);
            more.request.pes = pes.wrapping_add(1);
            let some_are_more = more.request.pes <= self.slots.pes();
            from = some_are_more.then(|| self.starts_after(fit.0)).flatten();
        }
        best
    }

    /// The start that is preferred to all others, by a look at each candidate.
    fn preferred(
        &self,
        prefers: &dyn Fn(&Candidate, &Candidate) -> bool,
        offer: bool,
        free: &mut [Word],
    ) -> Option<u64> {
        let mut best: Option<Candidate> = None;
        let mut candidates = Candidates::new(*self, free);
        while let Some(candidate) = candidates.next() {
            if best.is_some_and(|best| !prefers(&candidate, &best)) {
                continue;
            }
            if !offer || self.choose(candidates.free_for_choice()) {
                best = Some(candidate);
            } else {
                candidates.skip_refused();
            }
        }
        Some(best?.start.ticks())
    }
}
