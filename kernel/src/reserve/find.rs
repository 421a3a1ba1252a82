//! Finding a place for a request: first checks, the search that the policy needs, and the reason
//! if there is none.

use super::candidates::{Candidate, Candidates};
use super::choice::Choice;
use super::policy::Policy;
use super::refusal::{Denied, Misuse, Refusal};
use super::request::{Placement, Request};
use super::search::Ask;
use super::slots::Slots;
use crate::bits::Word;
use crate::time::{Duration, Instant};

/// How one of several places is chosen.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    pub(super) policy: &'r dyn Policy,
    pub(super) choice: &'r dyn Choice,
}

/// The latest end that a reservation may have: after it, nothing but PEs out of service.
const LATEST_END: u64 = u64::MAX - 1;

impl Slots<'_> {
    /// A request that makes sense for this machine, in ticks.
    pub(super) fn ask(&self, request: &Request) -> Result<Ask, Denied> {
        let Request { ready, duration, deadline, pes } = *request;
        if pes == 0 {
            return Err(Misuse::NoPes.into());
        }
        if duration == Duration::ZERO {
            return Err(Misuse::NoTime.into());
        }
        if pes > self.layout.pes {
            return Err(Refusal::TooLarge.into());
        }
        let end = ready.checked_add(duration).ok_or(Misuse::Overflow)?;
        if deadline.is_some_and(|deadline| deadline < end) {
            return Err(Misuse::DeadlineTooEarly.into());
        }
        if end == Instant::MAX {
            return Err(Misuse::Overflow.into());
        }
        let duration = duration.ticks();
        let latest_end = deadline.map_or(LATEST_END, |end| end.ticks().min(LATEST_END));
        let ready = ready.ticks().max(self.now());
        if ready > LATEST_END.saturating_sub(duration) {
            return Err(Refusal::Overflow.into());
        }
        // Below the duration if the deadline has passed already: then no start is early enough.
        let latest = latest_end.saturating_sub(duration);
        Ok(Ask { ready, duration, latest, has_deadline: deadline.is_some(), pes, until: u64::MAX })
    }

    /// Places a request; `free` is left with the PEs chosen.
    pub(super) fn find(
        &self,
        ask: &Ask,
        rules: Rules<'_>,
        free: &mut [Word],
    ) -> Result<Placement, Refusal> {
        let start = if rules.policy.takes_first() {
            self.earliest(ask, rules.choice, free)
        } else {
            self.best(ask, rules, free)
        };
        match start {
            Some(start) => Ok(ask.placed(start)),
            None => Err(self.why_not(ask, rules.choice, free)),
        }
    }

    /// The start that the policy prefers to all others.
    fn best(&self, ask: &Ask, rules: Rules<'_>, free: &mut [Word]) -> Option<u64> {
        let mut best: Option<Candidate> = None;
        let mut candidates = Candidates::new(*self, *ask, free);
        while let Some(candidate) = candidates.next() {
            let better = best.is_none_or(|best| rules.policy.prefers(&candidate, &best));
            if better && self.choose(rules.choice, candidates.free, ask.pes) {
                best = Some(candidate);
            }
        }
        let start = best?.start.ticks();
        let end = start.wrapping_add(ask.duration);
        // It was feasible a moment ago, and the choice follows from the set alone.
        self.narrow(self.locate(start), end, ask.pes, free).ok()?;
        self.choose(rules.choice, free, ask.pes).then_some(start)
    }

    /// Why a request has no place before its deadline.
    fn why_not(&self, ask: &Ask, choice: &dyn Choice, free: &mut [Word]) -> Refusal {
        let forever = Ask { latest: LATEST_END.saturating_sub(ask.duration), ..*ask };
        if let Some(start) = self.earliest(&forever, choice, free) {
            return Refusal::Late { finish: ask.placed(start).end };
        }
        let last = self.last();
        let in_service = self.layout.pes.saturating_sub(self.busy(last));
        let fits = in_service >= ask.pes
            && self.narrow(last, u64::MAX, ask.pes, free).is_ok()
            && self.choose(choice, free, ask.pes);
        if fits { Refusal::Overflow } else { Refusal::Faulty }
    }
}

impl Ask {
    pub(super) fn placed(&self, start: u64) -> Placement {
        Placement {
            start: Instant::from_ticks(start),
            end: Instant::from_ticks(start.saturating_add(self.duration)),
        }
    }
}
