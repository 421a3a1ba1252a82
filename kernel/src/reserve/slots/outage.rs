//! PEs that fail and are repaired.
//!
//! A PE out of service is busy in every slot, the last one included. Reservations that hold it
//! keep it, and are told apart by asking who holds it; they can be moved, cancelled, or left to
//! hope for a repair.

use super::leaves::SlotsMut;
use super::pes::{Change, Pes};
use crate::bits::locate;
use crate::reserve::refusal::Misuse;
use crate::reserve::request::Interval;

impl<const IDENTITY: bool> SlotsMut<'_, IDENTITY> {
    /// Takes `pe` out of service, or back, if it is not so already; `holders` are the intervals of the
    /// reservations that hold it, which it is busy in anyway.
    pub(crate) fn set_out(
        &mut self,
        pe: u32,
        out: bool,
        holders: impl Iterator<Item = Interval>,
    ) -> Result<(), Misuse> {
        if pe >= self.view().pes() {
            return Err(Misuse::NoSuchPe);
        }
        let (at_word, bit) = locate(pe as usize);
        let pe = Pes::of_word(at_word, &bit);
        if out == (self.view().out_of_service(at_word) & bit != 0) {
            return Ok(());
        }
        if !out {
            self.change(Interval::ALWAYS, Change::Vacate(pe));
        }
        let of_holders = if out { Change::Vacate(pe) } else { Change::Occupy(pe) };
        holders.for_each(|at| self.change(at, of_holders));
        if out {
            self.change(Interval::ALWAYS, Change::Occupy(pe));
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
            Some(more) => Change::Occupy(Pes::of_count(more)),
            None => Change::Vacate(Pes::of_count(before.saturating_sub(count))),
        };
        self.change(Interval::ALWAYS, change);
        Ok(())
    }

    /// Frees what a reservation holds, except PEs out of service.
    pub(crate) fn give_back(&mut self, at: Interval, pes: Pes<'_>) {
        self.change(at, Change::Vacate(pes));
        self.leave_out(at, pes);
    }

    /// Makes busy those of PEs just freed that are out of service.
    pub(crate) fn leave_out(&mut self, at: Interval, pes: Pes<'_>) {
        self.each_out(pes, |slots, pes| slots.change(at, Change::Occupy(pes)));
    }

    /// Makes busy what a reservation holds, which may be PEs out of service.
    pub(crate) fn take_again(&mut self, at: Interval, pes: Pes<'_>) {
        self.each_out(pes, |slots, pes| slots.change(at, Change::Vacate(pes)));
        self.change(at, Change::Occupy(pes));
    }

    /// Calls `then` for the PEs of `pes` that are out of service, a word of them at a time.
    fn each_out(&mut self, pes: Pes<'_>, mut then: impl FnMut(&mut Self, Pes<'_>)) {
        if !IDENTITY || self.view().busy_for_good() == 0 {
            return;
        }
        for (at, &word) in (pes.skip..).zip(pes.words) {
            let out = word & self.view().out_of_service(at);
            if out != 0 {
                then(self, Pes::of_word(at, &out));
            }
        }
    }
}
