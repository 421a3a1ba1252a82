//! Whether an interval and PEs that the caller names can be had.

use crate::bits::{Word, algebra};
use crate::reserve::choice::Mask;
use crate::reserve::refusal::{Error, Misuse, Refusal};
use crate::reserve::request::Interval;
use crate::reserve::slots::find::Window;
use crate::reserve::slots::layout::LeafSlot;
use crate::reserve::slots::pes::Pes;
use crate::reserve::slots::view::Slots;
use crate::time::Instant;

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// An interval that begins now or later, or when a `running` reservation does, and ends later
    /// still.
    pub(crate) fn check_interval(
        &self,
        at: Interval,
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
    pub(crate) fn check_pes(&self, pes: Pes<'_>) -> Result<(), Error> {
        match pes.count {
            0 => Err(Misuse::NoPes.into()),
            count if count > self.pes() => Err(Refusal::TooLarge { pes: self.pes() }.into()),
            _ => Ok(()),
        }
    }

    /// The PEs of `pes` are free all through; an empty interval is. Returns where it lies.
    pub(crate) fn check_free(&self, at: Interval, pes: Pes<'_>) -> Result<Window, Refusal> {
        let window = self.interval(at);
        if at.end <= at.start {
            return Ok(window);
        }
        match self.first_conflict(window.head, window.end, pes) {
            None => Ok(window),
            Some(slot) => Err(Refusal::Busy { from: self.instant(slot).max(at.start) }),
        }
    }

    /// Those of a reservation at `from` are free in the time that an interval adds to its own.
    pub(crate) fn check_added(
        &self,
        from: Interval,
        to: Interval,
        pes: Pes<'_>,
    ) -> Result<(), Refusal> {
        let before = Interval { start: to.start, end: to.end.min(from.start) };
        let after = Interval { start: to.start.max(from.end), end: to.end };
        self.check_free(before, pes)?;
        self.check_free(after, pes).map(|_| ())
    }

    /// Makes `free` the PEs free from the slot `head` until `end`, of those that `mask` allows, and
    /// returns how many they are.
    pub(crate) fn free_until(
        &self,
        head: LeafSlot,
        end: u64,
        mask: Mask<'_>,
        free: &mut [Word],
    ) -> u32 {
        if !IDENTITY {
            return self.pes();
        }
        self.free_between(head, self.end_of(head, end), mask, free)
    }

    /// The same from the slot `head` up to but not including `to`.
    pub(crate) fn free_between(
        &self,
        head: LeafSlot,
        to: LeafSlot,
        mask: Mask<'_>,
        free: &mut [Word],
    ) -> u32 {
        free.fill(0);
        self.unite(head, to, free);
        self.complement(mask, free)
    }

    /// Makes of the PEs that are busy those that are not, as far as `mask` allows them, and returns
    /// how many they are.
    // One body: it is longer than a call.
    #[inline(never)]
    pub(crate) fn complement(&self, mask: Mask<'_>, busy: &mut [Word]) -> u32 {
        let free = algebra::complement(busy, self.pes());
        mask.narrow(busy, free)
    }

    // What the caller asks about an instant or an interval.

    /// The slot of an instant that is not past.
    pub(crate) fn slot_of(&self, time: Instant) -> Result<LeafSlot, Misuse> {
        let past = time.ticks() < self.now();
        if past { Err(Misuse::Past) } else { Ok(self.locate(time.ticks())) }
    }

    pub(crate) fn free_at(&self, time: Instant) -> Result<u32, Misuse> {
        Ok(self.layout.shape.free(self.busy(self.slot_of(time)?)))
    }

    /// The least and the most PEs free at a time of an interval, as far as that is not past.
    pub(crate) fn range_free(&self, at: Interval) -> (u32, u32) {
        let (low, high) = self.range_until(self.locate(at.start.ticks()), at.end.ticks());
        (self.layout.shape.free(high), self.layout.shape.free(low))
    }
}
