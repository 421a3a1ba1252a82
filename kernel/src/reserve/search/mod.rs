//! The earliest fit: the first instant from which enough PEs are free, the same ones all through.
//!
//! Rules: a start is the ready time or the time of a slot, for only there PEs become free. The
//! search leaps. A slot with too few free PEs inside the window moves the start to the first slot
//! after it that has enough. Where all counts suffice, the sets are intersected from the end of
//! the window backwards; the slot at which too few PEs are left rules out every start up to it.
//!
//! Cost: each leap passes over leaves by their least and greatest counts, and over leaves inside
//! the window by the union of their rows. Source of the idea of a slot list: Li et al., section
//! 4; unlike there, no list of candidates is made, and the answer is the true earliest one.

use super::choice::{Choice, FreePes};
use super::policy::Policy;
use super::refusal::{Denied, Refusal};
use super::request::Placement;
use super::slots::Slots;
use crate::bits::Word;
use ask::{Ask, LATEST_END};

pub(crate) mod ask;
mod candidates;
mod counts;
mod interval;
mod rectangle;
mod sets;

pub use candidates::{Candidate, Candidates};
pub use rectangle::Rectangle;

/// How one of several places is chosen.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'r> {
    pub(crate) policy: &'r dyn Policy,
    pub(crate) choice: &'r dyn Choice,
}

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// Places a request; `free` is left with the PEs chosen.
    pub(crate) fn find(
        &self,
        ask: &Ask,
        rules: Rules<'_>,
        free: &mut [Word],
    ) -> Result<Placement, Denied> {
        rules.choice.mask().check(self.layout.limits.pes, ask.pes)?;
        let start = if rules.policy.takes_first() {
            self.earliest(ask, rules.choice, free)
        } else {
            self.best(ask, rules, free)
        };
        match start {
            Some(start) => Ok(ask.placed(start)),
            None => Err(self.why_not(ask, rules.choice, free).into()),
        }
    }

    /// The earliest start of `ask`; `free` is left with the PEs chosen.
    pub(crate) fn earliest(
        &self,
        ask: &Ask,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Option<u64> {
        let (mut head, mut start) = (self.locate(ask.ready), ask.ready);
        loop {
            (head, start) = self.leap(head, start, ask)?;
            let end = start.wrapping_add(ask.duration);
            let after = match self.narrow(head, end, ask.pes, choice.mask(), free) {
                Ok(_) if self.choose(choice, free, ask.pes) => return Some(start),
                Ok(_) => head,
                Err(fails) => fails,
            };
            head = self.next(after)?;
            start = self.time(head);
        }
    }

    /// By counts: places a request at its earliest start.
    pub(crate) fn first_by_counts(&self, ask: &Ask) -> Result<Placement, Refusal> {
        let first = |ask: &Ask| self.leap(self.locate(ask.ready), ask.ready, ask);
        if let Some((_, start)) = first(ask) {
            return Ok(ask.placed(start));
        }
        let forever = Ask { latest: LATEST_END.saturating_sub(ask.duration), ..*ask };
        if let Some((_, start)) = first(&forever) {
            return Err(Refusal::Late { finish: ask.placed(start).end });
        }
        let in_service = self.layout.limits.pes.saturating_sub(self.busy(self.last()));
        Err(if in_service >= ask.pes { Refusal::Overflow } else { Refusal::Faulty })
    }

    /// By counts: where a reservation of `pes` PEs at `own` could go that starts earlier and has
    /// time in one of the intervals of `freed`, which come by start. From its own start on it has the
    /// PEs already, so they need only be free until then.
    pub(crate) fn earlier(
        &self,
        own: Placement,
        pes: u32,
        freed: impl Iterator<Item = Placement>,
    ) -> Option<Placement> {
        let (now, until) = (self.now(), own.start.ticks());
        let duration = own.end.since(own.start)?.ticks();
        let mut untried = now;
        for at in freed {
            let first = at.start.ticks().saturating_add(1).saturating_sub(duration).max(untried);
            let latest = at.end.ticks().min(until).checked_sub(1);
            let Some(latest) = latest.filter(|&latest| first <= latest) else { continue };
            let ask = Ask { ready: first, duration, latest, has_deadline: true, pes, until };
            let head = if first == now { self.start() } else { self.locate(first) };
            if let Some((_, start)) = self.leap(head, first, &ask) {
                return Some(ask.placed(start));
            }
            untried = latest.wrapping_add(1);
        }
        None
    }

    /// Keeps the PEs of `free` that `choice` takes. Without identity there is no choice.
    pub(crate) fn choose(&self, choice: &dyn Choice, free: &mut [Word], pes: u32) -> bool {
        if !IDENTITY {
            return true;
        }
        FreePes::new(free, self.layout.limits.pes).is_some_and(|mut free| free.take(choice, pes))
    }

    /// The start that the policy prefers to all others.
    fn best(&self, ask: &Ask, rules: Rules<'_>, free: &mut [Word]) -> Option<u64> {
        let mut best: Option<Candidate> = None;
        let mask = rules.choice.mask();
        let mut candidates = Candidates::among(*self, *ask, mask, free);
        while let Some(candidate) = candidates.next() {
            let better = best.is_none_or(|best| rules.policy.prefers(&candidate, &best));
            if better && self.choose(rules.choice, candidates.free, ask.pes) {
                best = Some(candidate);
            }
        }
        let start = best?.start.ticks();
        let end = start.wrapping_add(ask.duration);
        let feasible = self.narrow(self.locate(start), end, ask.pes, mask, free).is_ok();
        debug_assert!(feasible, "it was a moment ago");
        // A choice that takes something else the second time gets nothing.
        (feasible && self.choose(rules.choice, free, ask.pes)).then_some(start)
    }

    /// Why a request has no place before its deadline.
    pub(crate) fn why_not(&self, ask: &Ask, choice: &dyn Choice, free: &mut [Word]) -> Refusal {
        let forever = Ask { latest: LATEST_END.saturating_sub(ask.duration), ..*ask };
        if let Some(start) = self.earliest(&forever, choice, free) {
            return Refusal::Late { finish: ask.placed(start).end };
        }
        let last = self.last();
        let in_service = self.layout.limits.pes.saturating_sub(self.busy(last));
        let fits = in_service >= ask.pes
            && self.narrow(last, u64::MAX, ask.pes, choice.mask(), free).is_ok()
            && self.choose(choice, free, ask.pes);
        if fits { Refusal::Overflow } else { Refusal::Faulty }
    }
}
