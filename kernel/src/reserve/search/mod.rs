//! The earliest fit: the first instant from which enough PEs are free, the same ones all through.
//!
//! Rules: a start is the ready time or the time of a slot, for only there PEs become free. The
//! search leaps. A slot with too few free PEs inside the window moves the start to the first slot
//! after it that has enough. Where all counts suffice, the sets are intersected from the end of
//! the window backwards; the slot at which too few PEs are left rules out every start up to it.
//!
//! PE_W is the same search, which asks for one PE more after each start that it finds. The other
//! policies look at each candidate.
//!
//! A flat timeline has few slots: there it costs less to try one after the other, by the rows of its
//! window, than to find out where to leap.
//!
//! Cost: each leap passes over leaves by their least and greatest counts, and over leaves inside
//! the window by the union of their rows. Source of the idea of a slot list: Li et al., section
//! 4; unlike there, no list of candidates is made, and the answer is the true earliest one.

use super::choice::{Choice, FreePes, Mask};
use super::policy::Policy;
use super::refusal::{Denied, Refusal};
use super::request::Placement;
use super::slots::{At, Slots, tables};
use crate::bits::Word;
use ask::Ask;

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

/// A start, after the slot that it lies in.
pub(crate) type Start = (At, u64);

/// A start at which enough PEs are free: the slot that it lies in, and how many if it
/// was not only counted.
struct Fit {
    head: At,
    start: u64,
    pes: u32,
}

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// Places a request; `free` is left with the PEs chosen.
    pub(crate) fn find(
        &self,
        ask: &Ask,
        rules: Rules<'_>,
        free: &mut [Word],
    ) -> Result<Placement, Denied> {
        let Rules { policy, choice } = rules;
        choice.mask().check(self.layout.limits.pes, ask.pes)?;
        let from = if policy.takes_first() {
            Some(self.ready(ask))
        } else if let Some(start) = self.best(ask, rules, free) {
            return Ok(ask.placed(start));
        } else {
            self.too_late(ask)
        };
        // If it comes too late, it says why there is none.
        match from.and_then(|from| self.earliest_from(from, &ask.forever(), choice, free)) {
            Some(start) if start <= ask.latest => Ok(ask.placed(start)),
            Some(start) => Err(Refusal::Late { finish: ask.placed(start).end }.into()),
            None => Err(self.never(ask, choice, free).into()),
        }
    }

    /// The earliest start of `ask`; `free` is left with the PEs chosen.
    pub(crate) fn earliest(
        &self,
        ask: &Ask,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Option<u64> {
        self.earliest_from(self.ready(ask), ask, choice, free)
    }

    /// The same from a start on.
    fn earliest_from(
        &self,
        from: Start,
        ask: &Ask,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Option<u64> {
        let mut fit = self.fit(from, ask, choice.mask(), free)?;
        while !self.choose(choice, free, ask.pes) {
            fit = self.fit(self.starts_after(fit.head)?, ask, choice.mask(), free)?;
        }
        Some(fit.start)
    }

    /// The earliest start at which as many PEs are free as at any: an earliest fit that asks for
    /// one more after each. The PEs are not chosen yet.
    fn most(&self, ask: &Ask, mask: Mask<'_>, free: &mut [Word]) -> Option<u64> {
        let ready = self.ready(ask);
        if IDENTITY && self.layout.is_flat() {
            return Some(self.scan(ready, ask, true, mask, free)?.start);
        }
        let (mut ask, mut best, mut from) = (*ask, None, Some(ready));
        while let Some(fit) = from.and_then(|from| self.fit(from, &ask, mask, free)) {
            best = Some(fit.start);
            ask.pes = self.free_in(&fit, &ask).wrapping_add(1);
            let some_are_more = ask.pes <= self.layout.limits.pes;
            from = some_are_more.then(|| self.starts_after(fit.head)).flatten();
        }
        best
    }

    /// The first start from one on, at which enough of the PEs that `mask` allows are free; these
    /// are left in `free`.
    fn fit(&self, from: Start, ask: &Ask, mask: Mask<'_>, free: &mut [Word]) -> Option<Fit> {
        if IDENTITY && self.layout.is_flat() {
            return self.scan(from, ask, false, mask, free);
        }
        let mut from = from;
        loop {
            let (head, start) = self.leap(from, ask)?;
            let end = start.wrapping_add(ask.duration);
            match self.narrow(head, end, ask.pes, mask, free) {
                Ok(pes) => return Some(Fit { head, start, pes }),
                Err(fails) => from = self.starts_after(fails)?,
            }
        }
    }

    /// The same in a flat timeline, by trying one start after the other: there are few. If it is to
    /// be the `most`, it goes on for one more PE after each.
    fn scan(
        &self,
        from: Start,
        ask: &Ask,
        most: bool,
        mask: Mask<'_>,
        free: &mut [Word],
    ) -> Option<Fit> {
        let (At { leaf, slot: mut head }, mut start) = from;
        let (mut to, times) = (head, tables::ticks(self.times(leaf), self.len(leaf)));
        let (mut found, mut wanted) = (None, ask.pes);
        while start <= ask.latest {
            let end = start.wrapping_add(ask.duration);
            while times.get(to).is_some_and(|tick| tables::value(tick) < end) {
                to = to.wrapping_add(1);
            }
            let pes = self.free_between(leaf.slot(head), leaf.slot(to), mask, free);
            if pes >= wanted && mask.is_met(free) {
                found = Some(Fit { head: leaf.slot(head), start, pes });
                if !most {
                    break;
                }
                wanted = pes.wrapping_add(1);
            }
            head = head.wrapping_add(1);
            let Some(tick) = times.get(head) else { break };
            start = tables::value(tick);
        }
        found
    }

    /// How many PEs are free in a fit.
    fn free_in(&self, fit: &Fit, ask: &Ask) -> u32 {
        if IDENTITY {
            return fit.pes;
        }
        let end = fit.start.wrapping_add(ask.duration);
        self.layout.limits.pes.saturating_sub(self.range(fit.head, end).1)
    }

    /// Where a search begins.
    fn ready(&self, ask: &Ask) -> Start {
        (self.locate(ask.ready), ask.ready)
    }

    /// The first start that would be too late.
    fn too_late(&self, ask: &Ask) -> Option<Start> {
        if ask.latest < ask.ready {
            return Some(self.ready(ask));
        }
        self.starts_after(self.locate(ask.latest))
    }

    /// The start after those in a slot.
    fn starts_after(&self, at: At) -> Option<Start> {
        self.next(at).map(|next| (next, self.time(next)))
    }

    /// By counts: places a request at its earliest start.
    pub(crate) fn first_by_counts(&self, ask: &Ask) -> Result<Placement, Refusal> {
        if let Some((_, start)) = self.leap(self.ready(ask), &ask.forever()) {
            let at = ask.placed(start);
            return if start <= ask.latest {
                Ok(at)
            } else {
                Err(Refusal::Late { finish: at.end })
            };
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
            if let Some((_, start)) = self.leap((head, first), &ask) {
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
        let Rules { policy, choice } = rules;
        if policy.takes_most_pes() {
            let start = self.most(ask, choice.mask(), free)?;
            if self.take(start, ask, choice, free) {
                return Some(start);
            }
        }
        let start = self.preferred(ask, rules, free)?;
        // A choice that takes something else the second time gets nothing.
        self.take(start, ask, choice, free).then_some(start)
    }

    /// The same by a look at each candidate. By itself, so that others do not have its stack.
    #[inline(never)]
    fn preferred(&self, ask: &Ask, rules: Rules<'_>, free: &mut [Word]) -> Option<u64> {
        let mut best: Option<Candidate> = None;
        let mut candidates = Candidates::among(*self, *ask, rules.choice.mask(), free);
        while let Some(candidate) = candidates.advance() {
            if best.as_ref().is_none_or(|best| rules.policy.prefers(candidate, best)) {
                candidates.forget();
                if self.choose(rules.choice, candidates.free, ask.pes) {
                    best = Some(candidates.last);
                }
            }
        }
        Some(best?.start.ticks())
    }

    /// Leaves in `free` the PEs chosen at a feasible start; whether there is a choice.
    fn take(&self, start: u64, ask: &Ask, choice: &dyn Choice, free: &mut [Word]) -> bool {
        let end = start.wrapping_add(ask.duration);
        let left = self.free_until(self.locate(start), end, choice.mask(), free);
        debug_assert!(left >= ask.pes, "they were a moment ago");
        self.choose(choice, free, ask.pes)
    }

    /// Why a request has no place before its deadline.
    pub(crate) fn why_not(&self, ask: &Ask, choice: &dyn Choice, free: &mut [Word]) -> Refusal {
        let from = self.too_late(ask);
        match from.and_then(|from| self.earliest_from(from, &ask.forever(), choice, free)) {
            Some(start) => Refusal::Late { finish: ask.placed(start).end },
            None => self.never(ask, choice, free),
        }
    }

    /// Why a request has no place at all.
    fn never(&self, ask: &Ask, choice: &dyn Choice, free: &mut [Word]) -> Refusal {
        let last = self.last();
        let in_service = self.layout.limits.pes.saturating_sub(self.busy(last));
        let mask = choice.mask();
        let fits = in_service >= ask.pes
            && self.free_until(last, u64::MAX, mask, free) >= ask.pes
            && mask.is_met(free)
            && self.choose(choice, free, ask.pes);
        if fits { Refusal::Overflow } else { Refusal::Faulty }
    }
}
