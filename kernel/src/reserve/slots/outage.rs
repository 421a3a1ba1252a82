//! PEs that fail and are repaired.
//!
//! A PE out of service is busy in every slot, the last one included. Reservations that hold it
//! keep it, and are told apart by asking who holds it; they can be moved, cancelled, or left to
//! hope for a repair.

use super::claim::{Change, Claim};
use super::leaves::SlotsMut;
use crate::bits::locate;
use crate::reserve::refusal::Misuse;
use crate::reserve::request::Placement;

impl<const IDENTITY: bool> SlotsMut<'_, IDENTITY> {
    /// Takes `pe` out of service, or back, if it is not so already; `holders` are the intervals of the
    /// reservations that hold it, which it is busy in anyway.
    pub(crate) fn set_out(
        &mut self,
        pe: u32,
        out: bool,
        holders: impl Iterator<Item = Placement>,
    ) -> Result<(), Misuse> {
        if pe >= self.view().pes() {
            return Err(Misuse::NoSuchPe);
        }
        let (at_word, bit) = locate(pe as usize);
        let pe = Claim::of_word(at_word, &bit);
        if out == (self.view().out_of_service(at_word) & bit != 0) {
            return Ok(());
        }
        if !out {
            self.change(Placement::ALWAYS, Change::Vacate(pe));
        }
        let of_holders = if out { Change::Vacate(pe) } else { Change::Occupy(pe) };
        holders.for_each(|at| self.change(at, of_holders));
        if out {
            self.change(Placement::ALWAYS, Change::Occupy(pe));
        }
        Ok(())
    }

    /// Without identity: makes `count` the number of PEs out of service.
    pub(crate) fn set_out_of_service(&mut self, count: u32) -> Result<(), Misuse> {
        if count > self.view().pes() {
            return Err(Misuse::NoSuchPe);
        }
        let before = self.view().busy_for_good();
        let change = match count.checked_sub(before) {
            Some(more) => Change::Occupy(Claim::of_count(more)),
            None => Change::Vacate(Claim::of_count(before.saturating_sub(count))),
        };
        self.change(Placement::ALWAYS, change);
        Ok(())
    }

    /// Frees what a reservation holds, except PEs out of service.
    pub(crate) fn give_back(&mut self, at: Placement, claim: Claim<'_>) {
        self.change(at, Change::Vacate(claim));
        self.leave_out(at, claim);
    }

    /// Makes busy those of PEs just freed that are out of service.
    pub(crate) fn leave_out(&mut self, at: Placement, claim: Claim<'_>) {
        self.each_out(claim, |slots, pes| slots.change(at, Change::Occupy(pes)));
    }

    /// Makes busy what a reservation holds, which may be PEs out of service.
    pub(crate) fn take_again(&mut self, at: Placement, claim: Claim<'_>) {
        self.each_out(claim, |slots, pes| slots.change(at, Change::Vacate(pes)));
        self.change(at, Change::Occupy(claim));
    }

    /// Calls `then` for the PEs of `claim` that are out of service, a word of them at a time.
    fn each_out(&mut self, claim: Claim<'_>, mut then: impl FnMut(&mut Self, Claim<'_>)) {
        if !IDENTITY || self.view().busy_for_good() == 0 {
            return;
        }
        for (at, &word) in (claim.skip..).zip(claim.words) {
            let out = word & self.view().out_of_service(at);
            if out != 0 {
                then(self, Claim::of_word(at, &out));
            }
        }
    }
}
