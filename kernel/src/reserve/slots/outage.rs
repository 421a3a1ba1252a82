//! PEs that fail and are repaired.
//!
//! A PE out of service is busy in every slot, the last one included. Reservations that hold it
//! keep it, and are told apart by asking who holds it; they can be moved, cancelled, or left to
//! hope for a repair.

use super::claim::{Change, Claim};
use super::leaves::SlotsMut;
use crate::bits::{Word, locate};
use crate::reserve::refusal::Misuse;
use crate::reserve::request::Placement;
use crate::time::Instant;

/// Where in a row the bit of one of the machine's PEs lies.
fn bit_of(pe: u32, pes: u32) -> Result<(usize, Word), Misuse> {
    if pe < pes { Ok(locate(pe as usize)) } else { Err(Misuse::NoSuchPe) }
}

impl<const IDENTITY: bool> SlotsMut<'_, IDENTITY> {
    /// Makes `pe` busy where it is not, for good.
    pub(crate) fn fail(&mut self, pe: u32) -> Result<(), Misuse> {
        let (at_word, bit) = bit_of(pe, self.view().pes())?;
        let pe = Claim::of_word(at_word, &bit);
        let mut next = Some(self.view().start());
        while let Some(at) = next {
            let view = self.view();
            if view.word(at, at_word) & bit != 0 {
                next = view.next(at);
                continue;
            }
            let end = view.first_conflict(at, u64::MAX, pe).map(|end| view.time(end));
            let gap = Placement {
                start: view.instant(at),
                end: end.map_or(Instant::MAX, Instant::from_ticks),
            };
            self.change(gap, Change::Occupy(pe));
            next = end.map(|end| self.view().locate(end));
        }
        Ok(())
    }

    /// Takes `pe` back into service if it is out; `holders` are the intervals of the reservations
    /// that hold it.
    pub(crate) fn repair(
        &mut self,
        pe: u32,
        holders: impl Iterator<Item = Placement>,
    ) -> Result<(), Misuse> {
        let (at_word, bit) = bit_of(pe, self.view().pes())?;
        if self.view().out_of_service(at_word) & bit != 0 {
            let pe = Claim::of_word(at_word, &bit);
            self.change(Placement::ALWAYS, Change::Vacate(pe));
            holders.for_each(|at| self.change(at, Change::Occupy(pe)));
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
