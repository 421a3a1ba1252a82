//! Whether an interval and PEs that the caller names can be had.

use super::super::refusal::{Error, Misuse, Refusal};
use super::super::request::Placement;
use super::super::slots::rows::Claim;
use super::super::slots::{At, Slots, Window};
use crate::time::Instant;

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
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
            count if count > self.layout.limits.pes => Err(Refusal::TooLarge.into()),
            _ => Ok(()),
        }
    }

    /// The PEs of `claim` are free all through; an empty interval is. Returns where it lies.
    pub(crate) fn check_free(&self, at: Placement, claim: Claim<'_>) -> Result<Window, Refusal> {
        let window = self.interval(at);
        if at.end <= at.start {
            return Ok(window);
        }
        let taken = if !IDENTITY {
            let limit = self.layout.limits.pes.wrapping_sub(claim.count);
            self.first_above(window.head, window.end, limit)
        } else {
            self.first_meeting(window.head, window.end, claim)
        };
        match taken {
            None => Ok(window),
            Some(slot) => {
                let from = Instant::from_ticks(self.time(slot)).max(at.start);
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
    pub(crate) fn slot_of(&self, time: Instant) -> Result<At, Misuse> {
        let past = time.ticks() < self.now();
        if past { Err(Misuse::Past) } else { Ok(self.locate(time.ticks())) }
    }

    pub(crate) fn free_at(&self, time: Instant) -> Result<u32, Misuse> {
        Ok(self.layout.limits.pes.saturating_sub(self.busy(self.slot_of(time)?)))
    }

    pub(crate) fn fewest_free(&self, at: Placement) -> Result<u32, Misuse> {
        self.check_interval(at, None)?;
        let (_, busy) = self.range(self.locate(at.start.ticks()), at.end.ticks());
        Ok(self.layout.limits.pes.saturating_sub(busy))
    }
}
