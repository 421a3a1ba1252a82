//! The earliest fit: the first instant from which enough PEs are free, the same ones all through.
//!
//! Rules: a start is the ready time or the time of a slot, for only there PEs become free. The
//! search leaps. A slot with too few free PEs inside the window moves the start to the first slot
//! after it that has enough. Where all counts suffice, the sets are intersected from the end of
//! the window backwards; the slot at which too few PEs are left rules out every start up to it.
//!
//! Where the choice refuses the PEs of a window, later ones have no others before a PE becomes free and stays so to the end of
//! its window; the search goes on there.
//!
//! Cost: each leap passes over leaves by their least and greatest counts, and over leaves inside
//! the window by the union of their rows. A window fails at its start, or is the first that the choice is asked about again,
//! only for a PE that is busy before it and free in all the rest: windows of all starts together take at most a look at each
//! leaf for each PE, however long they are. Source of the idea of a slot list: Li et al., section
//! 4; unlike there, no list of candidates is made, and the answer is the true earliest one.

use super::checked_request::CheckedRequest;
use crate::bits::{Word, algebra};
use crate::reserve::choice::{FreePes, Lowest};
use crate::reserve::refusal::Refusal;
use crate::reserve::request::Interval;
use crate::reserve::slots::layout::LeafSlot;
use crate::reserve::slots::view::Slots;

/// A search for a place of one request.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a, const IDENTITY: bool> {
    pub(crate) slots: Slots<'a, IDENTITY>,
    pub(crate) request: CheckedRequest<'a>,
}

/// A start, after the slot that it lies in.
pub(crate) type Start = (LeafSlot, u64);

impl<const IDENTITY: bool> Search<'_, IDENTITY> {
    /// The same search without a deadline.
    pub(crate) fn forever(&self) -> Self {
        Self { request: self.request.forever(), ..*self }
    }

    /// The earliest start; `free` is left with the PEs chosen.
    pub(crate) fn earliest(&self, free: &mut [Word]) -> Option<u64> {
        self.earliest_from(self.ready(), free)
    }

    /// The same from a start on.
    fn earliest_from(&self, from: Start, free: &mut [Word]) -> Option<u64> {
        let (mut head, mut start) = self.fit(from, free)?;
        while !self.choose(free) {
            (head, start) = self.fit(self.regained(head, free)?, free)?;
        }
        Some(start)
    }

    /// The first start from one on, at which enough of the PEs that the mask allows are free; these
    /// are left in `free`.
    pub(crate) fn fit(&self, from: Start, free: &mut [Word]) -> Option<Start> {
        let Self { slots, request: CheckedRequest { duration, pes, choice, .. } } = self;
        let mask = choice.mask();
        let mut fit = self.leap(from, u64::MAX)?;
        loop {
            let (head, start) = fit;
            if !IDENTITY {
                return Some(fit);
            }
            let to = slots.end_of(head, start.wrapping_add(*duration));
            if slots.free_between(head, to, mask, free) >= *pes && mask.is_met(free) {
                return Some(fit);
            }
            let blocking = self.blocking(head, to, free);
            fit = self.leap(self.starts_after(blocking)?, u64::MAX)?;
        }
    }

    /// Moves a start forward until, by counts, enough PEs are free all through. `None` after the
    /// latest start. From `until` on they need not be free.
    pub(crate) fn leap(&self, from: Start, until: u64) -> Option<Start> {
        let Self { slots, request } = self;
        let limit = slots.layout.shape.free(request.pes);
        let (mut head, mut start) = from;
        while start <= request.latest {
            let end = start.wrapping_add(request.duration).min(until);
            let Some(blocker) = slots.blocker(head, end, limit) else {
                return Some((head, start));
            };
            head = slots.first_within(blocker, limit)?;
            start = slots.time(head);
        }
        None
    }

    /// A slot that each window with enough free PEs must begin behind, as the one from `head` up to but not
    /// including `to` has too few.
    pub(crate) fn blocking(&self, head: LeafSlot, to: LeafSlot, free: &mut [Word]) -> LeafSlot {
        let CheckedRequest { pes, choice, .. } = self.request;
        let mask = choice.mask();
        free.fill(0);
        self.slots.complement(mask, free);
        self.slots.blocking(head, to, free, pes, mask.required())
    }

    /// How many PEs are free from a fit on, which are in `free`.
    pub(crate) fn pes_of(&self, (head, start): Start, free: &[Word]) -> u32 {
        if IDENTITY {
            return algebra::count(free);
        }
        let end = start.wrapping_add(self.request.duration);
        self.slots.layout.shape.free(self.slots.range_until(head, end).1)
    }

    /// Where a search begins.
    pub(crate) fn ready(&self) -> Start {
        (self.slots.locate(self.request.ready), self.request.ready)
    }

    /// The start after those in a slot.
    pub(crate) fn starts_after(&self, at: LeafSlot) -> Option<Start> {
        self.slots.next(at).map(|next| (next, self.slots.time(next)))
    }

    /// The next start, after those in the slot `head`, from which a PE is free all through that was not from the start
    /// before it: where the choice refused the PEs free from `head` on, it refuses all starts before this one, which have
    /// no others. `None` after the latest start. `free` may hold anything, and is of no use then.
    pub(crate) fn regained(&self, head: LeafSlot, free: &mut [Word]) -> Option<Start> {
        let Self { slots, request: CheckedRequest { duration, latest, choice, .. } } = self;
        let mask = choice.mask();
        let mut outlast = |head: LeafSlot, end, add: &dyn Fn(&mut [Word])| {
            free.fill(0);
            add(free);
            let some = |free: &[Word]| free.iter().any(|&word| word != 0);
            mask.narrow(free, 0);
            some(free) && slots.take_busy(head, slots.end_of(head, end), free, some)
        };
        let mut at = head;
        while let Some((next, start)) = self.starts_after(at).filter(|next| next.1 <= *latest) {
            let end = start.wrapping_add(*duration);
            // None of a whole leaf, if all of its PEs are busy behind it in each of these windows.
            let behind =
                slots.leaf_after(at.leaf).filter(|_| at.slot == 0).map(|leaf| leaf.slot(0));
            if let Some(behind) = behind.filter(|&behind| slots.time(behind) < end)
                && !outlast(behind, end, &|free| slots.unite(at, behind, free))
            {
                at = behind;
                continue;
            }
            if outlast(next, end, &|free| _ = slots.add_vacated(at, next, free)) {
                return Some((next, start));
            }
            at = next;
        }
        None
    }

    /// Keeps the PEs of `free` that the choice takes. Without identity there is no choice.
    pub(crate) fn choose(&self, free: &mut [Word]) -> bool {
        if !IDENTITY {
            return true;
        }
        let CheckedRequest { choice, pes, .. } = self.request;
        FreePes::new(free, self.slots.pes()).is_some_and(|mut free| free.take(choice, pes))
    }

    /// Leaves in `free` the PEs chosen at a feasible start; whether there is a choice.
    pub(crate) fn take(&self, start: u64, free: &mut [Word]) -> bool {
        let Self { slots, request } = self;
        let (head, end) = (slots.locate(start), start.wrapping_add(request.duration));
        let left = slots.free_until(head, end, request.choice.mask(), free);
        debug_assert!(left >= request.pes, "they were a moment ago");
        self.choose(free)
    }

    /// The earliest start that is too late.
    pub(crate) fn later(&self, free: &mut [Word]) -> Option<u64> {
        let Self { slots, request } = self;
        let from = if request.latest < request.ready {
            self.ready()
        } else {
            self.starts_after(slots.locate(request.latest))?
        };
        self.forever().earliest_from(from, free)
    }

    /// Where a start is, if it is not too late; why there is none else.
    pub(crate) fn placed(
        &self,
        start: Option<u64>,
        free: &mut [Word],
    ) -> Result<Interval, Refusal> {
        let Some(start) = start else { return Err(self.never(free)) };
        let at = self.request.placed(start);
        if start <= self.request.latest { Ok(at) } else { Err(Refusal::Late { finish: at.end }) }
    }

    /// Why a request has no place at all.
    pub(crate) fn never(&self, free: &mut [Word]) -> Refusal {
        let Self { slots, request: CheckedRequest { pes, choice, .. } } = self;
        let (last, mask) = (slots.last(), choice.mask());
        let serving = slots.layout.shape.free(slots.busy(last));
        let fits = serving >= *pes
            && slots.free_until(last, u64::MAX, mask, free) >= *pes
            && mask.is_met(free)
            && self.choose(free);
        if fits { Refusal::Overflow } else { Refusal::Faulty { serving } }
    }
}

/// By counts: where a reservation of `pes` PEs at `own` could go that starts earlier and has
/// time in one of the intervals of `freed`, which come by start. From its own start on it has the
/// PEs already, so they need only be free until then.
pub(crate) fn earlier(
    slots: Slots<'_, false>,
    own: Interval,
    pes: u32,
    freed: impl Iterator<Item = Interval>,
) -> Option<Interval> {
    let (now, until) = (slots.now(), own.start.ticks());
    let duration = own.end.since(own.start)?.ticks();
    let mut untried = now;
    for at in freed {
        let ready = at.start.ticks().saturating_add(1).saturating_sub(duration).max(untried);
        let latest = at.end.ticks().min(until).checked_sub(1);
        let Some(latest) = latest.filter(|&latest| ready <= latest) else { continue };
        let (choice, has_deadline) = (&Lowest, true);
        let request = CheckedRequest { ready, duration, latest, has_deadline, pes, choice };
        let head = if ready == now { slots.start() } else { slots.locate(ready) };
        if let Some((_, start)) = (Search { slots, request }).leap((head, ready), until) {
            return Some(request.placed(start));
        }
        untried = latest.wrapping_add(1);
    }
    None
}
