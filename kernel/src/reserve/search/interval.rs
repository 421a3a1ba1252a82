//! Whether an interval and PEs that the caller names can be had.

use crate::bits::{Word, algebra};
use crate::reserve::choice::Mask;
use crate::reserve::refusal::{Error, Misuse, Refusal};
use crate::reserve::request::Placement;
use crate::reserve::slots::claim::Claim;
use crate::reserve::slots::store::{Slots, Store, Window};
use crate::time::Instant;

impl<S: Store> Slots<'_, S> {
    /// An interval that begins now or later, or when a `running` reservation does, and ends later
    /// still.
    pub(crate) fn check_interval(
        &self,
        at: Placement,
        running: Option<Instant>,
    ) -> Result<(), Misuse> {
        let now = Instant::from_ticks(self.now());
        if at.start < now && Some(at.start) != running {
            return Err(Misuse::Past);
        }
        if at.end <= at.start || at.end <= now {
            return Err(Misuse::NoTime);
        }
        if at.end == Instant::MAX {
            return Err(Misuse::Overflow);
        }
        Ok(())
    }

    /// At least one PE, and no more than the machine has.
    pub(crate) fn check_claim(&self, claim: Claim<'_>) -> Result<(), Error> {
        match claim.count {
            0 => Err(Misuse::NoPes.into()),
            count if count > self.pes() => Err(Refusal::TooLarge.into()),
            _ => Ok(()),
        }
    }

    /// The PEs of `claim` are free all through; an empty interval is. Returns where it lies.
    pub(crate) fn check_free(
        &self,
        at: Placement,
        claim: Claim<'_>,
    ) -> Result<Window<S::At>, Refusal> {
        let window = self.interval(at);
        if at.end <= at.start {
            return Ok(window);
        }
        let taken = if !S::IDENTITY {
            let limit = self.store.shape().limit(claim.count);
            S::first_above(self, window.head, window.end, limit)
        } else {
            S::first_meeting(self, window.head, window.end, claim)
        };
        match taken {
            None => Ok(window),
            Some(slot) => {
                let from = Instant::from_ticks(S::time(self, slot)).max(at.start);
                Err(Refusal::Busy { from })
            }
        }
    }

    /// Those of a reservation at `from` are free in the time that an interval adds to its own.
    pub(crate) fn check_added(
        &self,
        from: Placement,
        to: Placement,
        claim: Claim<'_>,
    ) -> Result<(), Refusal> {
        let before = Placement { start: to.start, end: to.end.min(from.start) };
        let after = Placement { start: to.start.max(from.end), end: to.end };
        self.check_free(before, claim)?;
        self.check_free(after, claim).map(|_| ())
    }

    // What the caller asks about an instant or an interval.

    /// The slot of an instant that is not past.
    pub(crate) fn slot_of(&self, time: Instant) -> Result<S::At, Misuse> {
        let past = time.ticks() < self.now();
        if past { Err(Misuse::Past) } else { Ok(S::locate(self, time.ticks())) }
    }

    pub(crate) fn free_at(&self, time: Instant) -> Result<u32, Misuse> {
        Ok(self.store.shape().free(S::busy(self, self.slot_of(time)?)))
    }

    pub(crate) fn fewest_free(&self, at: Placement) -> Result<u32, Misuse> {
        self.check_interval(at, None)?;
        let (_, busy) = self.range_until(S::locate(self, at.start.ticks()), at.end.ticks());
        Ok(self.store.shape().free(busy))
    }

    /// Makes `pes` the PEs free all through an interval, and returns how many they are.
    pub(crate) fn free_pes(&self, at: Placement, pes: &mut [Word]) -> Result<u32, Misuse> {
        self.check_interval(at, None)?;
        let head = S::locate(self, at.start.ticks());
        Ok(self.free_until(head, at.end.ticks(), Mask::ANY, pes))
    }

    /// Makes `pes` those busy at an instant.
    pub(crate) fn busy_pes(&self, time: Instant, pes: &mut [Word]) -> Result<(), Misuse> {
        let [a, b] = S::sets(self, self.slot_of(time)?);
        algebra::copy(pes, a);
        algebra::unite(pes, b);
        Ok(())
    }

    /// The most PEs free at a time of an interval, as far as that is not past.
    pub(crate) fn most_free(&self, at: Placement) -> u32 {
        let (busy, _) = self.range_until(S::locate(self, at.start.ticks()), at.end.ticks());
        self.store.shape().free(busy)
    }

    /// PEs free at the present.
    pub(crate) fn free_now(&self) -> u32 {
        self.store.shape().free(S::busy(self, S::start(self)))
    }

    /// Until when at least `pes` PEs are free; the present if they are not.
    pub(crate) fn enough_until(&self, pes: u32) -> Instant {
        let limit = self.store.shape().free(pes);
        let taken = S::first_above(self, S::start(self), u64::MAX, limit);
        taken.map_or(Instant::MAX, |at| Instant::from_ticks(S::time(self, at)))
    }
}
