//! Whether an interval and PEs that the caller names can be had.

use super::claim::Claim;
use super::request::{Placement, Refusal};
use super::slots::Slots;
use super::window::Window;
use crate::time::Instant;

impl Slots<'_> {
    /// An interval that begins now or later, or when a `running` reservation does, and ends later
    /// still.
    pub(super) fn check_interval(
        &self,
        at: Placement,
        running: Option<Instant>,
    ) -> Result<(), Refusal> {
        let now = Instant::from_ticks(self.now());
        if at.start < now && Some(at.start) != running {
            return Err(Refusal::Past);
        }
        if at.end <= at.start || at.end <= now {
            return Err(Refusal::NoTime);
        }
        if at.end == Instant::MAX {
            return Err(Refusal::Overflow);
        }
        Ok(())
    }

    /// At least one PE, and no more than the machine has.
    pub(super) fn check_claim(&self, claim: Claim<'_>) -> Result<(), Refusal> {
        match claim.count {
            0 => Err(Refusal::NoPes),
            count if count > self.layout.pes => Err(Refusal::TooLarge),
            _ => Ok(()),
        }
    }

    /// The PEs of `claim` are free all through; an empty interval is. Returns where it lies.
    pub(super) fn check_free(&self, at: Placement, claim: Claim<'_>) -> Result<Window, Refusal> {
        let window = self.interval(at);
        if at.end <= at.start {
            return Ok(window);
        }
        let taken = if self.layout.row == 0 {
            let limit = self.layout.pes.wrapping_sub(claim.count);
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
}
