//! The earliest fit: the first instant from which enough PEs are free, the same ones all through.
//!
//! Rules: a start is the ready time or the time of a slot, for only there PEs become free. The
//! search leaps. A slot with too few free PEs inside the window moves the start to the first slot
//! after it that has enough. Where all counts suffice, the sets are intersected from the end of
//! the window backwards; the slot at which too few PEs are left rules out every start up to it.
//!
//! PE_W is the same search, which asks for one PE more after each start that it finds. The other
//! policies look at each candidate ([`best`]). A flat timeline is swept ([`sweep`]).
//!
//! Cost: each leap passes over leaves by their least and greatest counts, and over leaves inside
//! the window by the union of their rows. Source of the idea of a slot list: Li et al., section
//! 4; unlike there, no list of candidates is made, and the answer is the true earliest one.

use super::choice::{Choice, FreePes, Mask};
use super::policy::Policy;
use super::refusal::Refusal;
use super::request::Placement;
use super::slots::{At, Slots};
use crate::bits::Word;
use ask::Ask;
use best::{Best, Earliest, MostPes};

pub(crate) mod ask;
mod best;
mod candidates;
mod counts;
mod interval;
mod rectangle;
mod sets;
mod sweep;

pub use candidates::{Candidate, Candidates};
pub use rectangle::Rectangle;

/// How one of several places is chosen.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'r, const IDENTITY: bool> {
    best: &'r dyn Best<IDENTITY>,
    pub(crate) choice: &'r dyn Choice,
}

impl<'r, const IDENTITY: bool> Rules<'r, IDENTITY> {
    /// By the one search that the policy needs: a program with policies that are known to need no
    /// others does not link them.
    pub(crate) fn new<P: Policy + ?Sized>(policy: &'r &'r P, choice: &'r dyn Choice) -> Self {
        let best: &dyn Best<IDENTITY> = if policy.takes_first() {
            &Earliest
        } else if policy.takes_most_pes() {
            &MostPes
        } else {
            policy
        };
        Self { best, choice }
    }

    /// The earliest start.
    pub(crate) const fn first(choice: &'r dyn Choice) -> Self {
        Self { best: &Earliest, choice }
    }
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
        rules: Rules<'_, IDENTITY>,
        free: &mut [Word],
    ) -> Result<Placement, Refusal> {
        let Rules { best, choice } = rules;
        match best.start(self, ask, choice, free) {
            Some(start) if start <= ask.latest => Ok(ask.placed(start)),
            Some(start) => Err(Refusal::Late { finish: ask.placed(start).end }),
            None => Err(self.never(ask, choice, free)),
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

    /// The first start from one on, at which enough of the PEs that `mask` allows are free; these
    /// are left in `free`.
    fn fit(&self, from: Start, ask: &Ask, mask: Mask<'_>, free: &mut [Word]) -> Option<Fit> {
        if IDENTITY && self.layout.is_flat() {
            return self.sweep(from, ask, false, mask, free);
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
            let ask = Ask { ready: first, duration, latest, due: latest, pes, until };
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

    /// Leaves in `free` the PEs chosen at a feasible start; whether there is a choice.
    fn take(&self, start: u64, ask: &Ask, choice: &dyn Choice, free: &mut [Word]) -> bool {
        let end = start.wrapping_add(ask.duration);
        let left = self.free_until(self.locate(start), end, choice.mask(), free);
        debug_assert!(left >= ask.pes, "they were a moment ago");
        self.choose(choice, free, ask.pes)
    }

    /// The earliest start that is too late.
    fn later(&self, ask: &Ask, choice: &dyn Choice, free: &mut [Word]) -> Option<u64> {
        self.earliest_from(self.too_late(ask)?, &ask.forever(), choice, free)
    }

    /// Why a request has no place before its deadline.
    pub(crate) fn why_not(&self, ask: &Ask, choice: &dyn Choice, free: &mut [Word]) -> Refusal {
        match self.later(ask, choice, free) {
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
