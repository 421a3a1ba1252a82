//! PEs that fail and are repaired.
//!
//! A PE out of service is busy in every slot, the last one included. Reservations that hold it
//! keep it, and are told apart by asking who holds it; they can be moved, cancelled, or left to
//! hope for a repair.

use super::refusal::Misuse;
use super::request::Placement;
use super::slots::edit::Change;
use super::slots::leaves::SlotsMut;
use super::slots::rows::Claim;
use super::slots::{At, Slots};
use crate::bits::{WORD_LOG2, Word, load, locate};
use crate::time::Instant;

/// One PE as a set.
struct Single {
    skip: usize,
    mask: [Word; 1],
}

impl Single {
    fn new(pe: u32) -> Self {
        let (skip, mask) = locate(pe as usize);
        Self { skip, mask: [mask] }
    }

    fn claim(&self) -> Claim<'_> {
        Claim { count: 1, skip: self.skip, words: &self.mask }
    }
}

impl Slots<'_> {
    pub(super) fn check_pe(&self, pe: u32) -> Result<(), Misuse> {
        if pe < self.layout.pes { Ok(()) } else { Err(Misuse::NoSuchPe) }
    }

    /// Word `at` of the set of PEs out of service.
    fn out_of_service(&self, at: usize) -> Word {
        let (own, lazy) = self.sets(self.last());
        load(own, at) | load(lazy, at)
    }

    /// Whether a PE is out of service.
    pub(super) fn is_out(&self, pe: u32) -> bool {
        let (at, mask) = locate(pe as usize);
        self.out_of_service(at) & mask != 0
    }

    fn is_busy(&self, at: At, pe: &Single) -> bool {
        pe.claim().meets(self.own_row(at)) || pe.claim().meets(self.lazy_set(at.leaf))
    }
}

impl SlotsMut<'_> {
    /// Makes `pe` busy where it is not, for good.
    pub(super) fn fail(&mut self, pe: u32) {
        let pe = Single::new(pe);
        let mut next = Some(self.view().start());
        while let Some(at) = next {
            let view = self.view();
            if view.is_busy(at, &pe) {
                next = view.next(at);
                continue;
            }
            let start = Instant::from_ticks(view.time(at));
            let end = view.first_meeting(at, u64::MAX, pe.claim()).map(|at| view.time(at));
            let gap = Placement { start, end: end.map_or(Instant::MAX, Instant::from_ticks) };
            self.change(gap, pe.claim(), Change::Occupy);
            next = end.map(|end| self.view().locate(end));
        }
    }

    /// Takes `pe` back into service; `holders` are the intervals of the reservations that hold it.
    pub(super) fn repair(&mut self, pe: u32, holders: impl Iterator<Item = Placement>) {
        let pe = Single::new(pe);
        self.change(Placement::ALWAYS, pe.claim(), Change::Vacate);
        holders.for_each(|at| self.change(at, pe.claim(), Change::Occupy));
    }

    /// Frees what a reservation holds, except PEs out of service.
    pub(super) fn give_back(&mut self, at: Placement, claim: Claim<'_>) {
        self.change(at, claim, Change::Vacate);
        self.each_out(claim, |slots, pe| slots.change(at, pe, Change::Occupy));
    }

    /// Makes busy what a reservation holds, which may be PEs out of service.
    pub(super) fn take_again(&mut self, at: Placement, claim: Claim<'_>) {
        self.each_out(claim, |slots, pe| slots.change(at, pe, Change::Vacate));
        self.change(at, claim, Change::Occupy);
    }

    /// Calls `then` for each PE of `claim` that is out of service.
    fn each_out(&mut self, claim: Claim<'_>, mut then: impl FnMut(&mut Self, Claim<'_>)) {
        if self.view().busy(self.view().last()) == 0 {
            return;
        }
        for (offset, &word) in claim.words.iter().enumerate() {
            let at = claim.skip.wrapping_add(offset);
            let mut rest = word & self.view().out_of_service(at);
            while rest != 0 {
                let pe = ((at as u32) << WORD_LOG2) | rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
                then(self, Single::new(pe).claim());
            }
        }
    }
}
