//! What a timeline does, on plain slices: compiled once, whatever the storage.

use super::ledger::{Ledger, LedgerMut, ReservationId};
use super::refusal::{Denied, Misuse};
use super::request::{Placement, Request};
use super::search::Rules;
use super::slots::Slots;
use super::slots::edit::Change;
use super::slots::layout::{Layout, Table};
use super::slots::leaves::{Marks, SlotsMut};
use super::slots::rows::{Claim, Wish};
use crate::bits::Word;
use crate::broken::Broken;
use crate::handle::{self, PoolId};
use crate::slab::Slab;
use crate::time::Instant;

/// The state of a timeline beside its words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Book {
    layout: Layout,
    marks: Marks,
    slab: Slab,
}

impl Book {
    pub(super) const fn new(pool: PoolId, layout: Layout) -> Self {
        Self { layout, marks: Marks::START, slab: Slab::new(pool) }
    }

    pub(super) const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Clears what is read before it is written: the first leaf and the directory. Storage that
    /// is not used is not touched.
    pub(super) fn clear(&self, words: &mut [Word]) {
        let Layout { directory, .. } = self.layout;
        let first_leaf = Table { start: 0, len: self.layout.block_words() };
        let listed = Table {
            start: directory.firsts.start,
            len: directory.bases.end().wrapping_sub(directory.firsts.start),
        };
        first_leaf.of_mut(words).fill(0);
        listed.of_mut(words).fill(0);
    }

    // Views.

    pub(super) fn slots<'a>(&'a self, words: &'a [Word]) -> Slots<'a> {
        debug_assert!(words.len() >= self.layout.words(), "the storage has not become shorter");
        let words = words.get(..self.layout.entries.start).unwrap_or(&[]);
        Slots { layout: &self.layout, leaves: self.marks.leaves as usize, words }
    }

    pub(super) fn ledger<'a>(&'a self, words: &'a [Word]) -> Ledger<'a> {
        let now = self.slots(words).now();
        let words = words.get(self.layout.entries.start..).unwrap_or(&[]);
        Ledger::new(&self.layout, &self.slab, now, words)
    }

    fn parts<'a>(&'a mut self, words: &'a mut [Word]) -> (SlotsMut<'a>, LedgerMut<'a>) {
        let now = self.slots(words).now();
        let Self { layout, marks, slab } = self;
        let (slots, words) =
            words.split_at_mut_checked(layout.entries.start).unwrap_or((&mut [], &mut []));
        (SlotsMut { layout, marks, words: slots }, LedgerMut::new(layout, slab, now, words))
    }

    // Reservations.

    /// Places a request and reserves the PEs chosen.
    pub(super) fn reserve(
        &mut self,
        words: &mut [Word],
        request: &Request,
        rules: Rules<'_>,
    ) -> Result<(ReservationId, Placement), Denied> {
        let (mut slots, mut ledger) = self.parts(words);
        let ask = slots.view().ask(request)?;
        let index = ledger.vacant()?;
        let placement = slots.view().find(&ask, rules, ledger.set(index))?;
        if slots.layout.row == 0 {
            ledger.record(index, Wish::Count(ask.pes));
        }
        slots.change(placement, ledger.view().claim(index), Change::Occupy);
        Ok((ledger.open(index, placement), placement))
    }

    /// Reserves what the caller has chosen.
    pub(super) fn add(
        &mut self,
        words: &mut [Word],
        placement: Placement,
        wish: Wish<'_>,
    ) -> Result<ReservationId, Denied> {
        let (mut slots, mut ledger) = self.parts(words);
        let claim = wish.claim();
        slots.view().check_interval(placement, None)?;
        slots.view().check_claim(claim)?;
        let window = slots.view().check_free(placement, claim)?;
        let index = ledger.vacant()?;
        ledger.record(index, wish);
        slots.change_window(&window, claim, Change::Occupy);
        Ok(ledger.open(index, placement))
    }

    /// Ends a reservation now; the part of it that was yet to come.
    pub(super) fn cancel(
        &mut self,
        words: &mut [Word],
        id: ReservationId,
    ) -> Result<Placement, handle::Misuse> {
        let (mut slots, mut ledger) = self.parts(words);
        let (index, placement) = ledger.view().held(id)?;
        slots.give_back(placement, ledger.view().claim(index));
        ledger.close(index);
        let start = placement.start.max(Instant::from_ticks(ledger.now()));
        Ok(Placement { start, ..placement })
    }

    /// Gives a reservation another interval, with the same PEs.
    pub(super) fn reschedule(
        &mut self,
        words: &mut [Word],
        id: ReservationId,
        to: Placement,
    ) -> Result<(), Denied> {
        let (mut slots, mut ledger) = self.parts(words);
        let (index, from) = ledger.view().held(id)?;
        let claim = ledger.view().claim(index);
        slots.view().check_interval(to, Some(from.start))?;
        // What it has already is free for it, even PEs that have failed since.
        let before = Placement { start: to.start, end: to.end.min(from.start) };
        let after = Placement { start: to.start.max(from.end), end: to.end };
        slots.view().check_free(before, claim)?;
        slots.view().check_free(after, claim)?;
        slots.give_back(from, claim);
        slots.take_again(to, claim);
        ledger.place(index, to);
        Ok(())
    }

    /// Without identity: moves a reservation to the earliest start from now on, if that is earlier
    /// than the one it has.
    pub(super) fn bring_forward(
        &mut self,
        words: &mut [Word],
        id: ReservationId,
    ) -> Result<Placement, handle::Misuse> {
        let (mut slots, mut ledger) = self.parts(words);
        let (index, from) = ledger.view().held(id)?;
        let claim = ledger.view().claim(index);
        let Some(to) = slots.view().earlier(from, claim.count) else { return Ok(from) };
        slots.give_back(from, claim);
        slots.take_again(to, claim);
        ledger.place(index, to);
        Ok(to)
    }

    /// Gives a reservation another interval and other PEs.
    pub(super) fn replace(
        &mut self,
        words: &mut [Word],
        id: ReservationId,
        to: Placement,
        wish: Wish<'_>,
    ) -> Result<(), Denied> {
        let (mut slots, mut ledger) = self.parts(words);
        let (index, from) = ledger.view().held(id)?;
        let (old, new) = (ledger.view().claim(index), wish.claim());
        slots.view().check_interval(to, Some(from.start))?;
        slots.view().check_claim(new)?;
        slots.give_back(from, old);
        let window = match slots.view().check_free(to, new) {
            Ok(window) => window,
            Err(refusal) => {
                slots.take_again(from, old);
                return Err(refusal.into());
            }
        };
        slots.change_window(&window, new, Change::Occupy);
        ledger.place(index, to);
        ledger.record(index, wish);
        Ok(())
    }

    /// Places a request as if one reservation did not exist.
    pub(super) fn find_instead(
        &mut self,
        words: &mut [Word],
        id: ReservationId,
        request: &Request,
        rules: Rules<'_>,
        free: &mut [Word],
    ) -> Result<Placement, Denied> {
        let (mut slots, ledger) = self.parts(words);
        let ledger = ledger.view();
        let index = ledger.find(id)?;
        let ask = slots.view().ask(request)?;
        let (at, claim) = (ledger.placement(index), ledger.claim(index));
        slots.give_back(at, claim);
        let found = slots.view().find(&ask, rules, free);
        slots.take_again(at, claim);
        Ok(found?)
    }

    // Time and outages.

    pub(super) fn advance(&mut self, words: &mut [Word], now: Instant) -> Result<(), Misuse> {
        let (mut slots, ledger) = self.parts(words);
        if now.ticks() < ledger.now() {
            return Err(Misuse::Past);
        }
        slots.advance(now.ticks());
        Ok(())
    }

    /// Without identity: makes `count` the number of PEs out of service.
    pub(super) fn set_out_of_service(
        &mut self,
        words: &mut [Word],
        count: u32,
    ) -> Result<(), Misuse> {
        let (mut slots, _) = self.parts(words);
        if count > slots.layout.pes {
            return Err(Misuse::NoSuchPe);
        }
        let before = slots.view().busy(slots.view().last());
        let (change, amount) = match count.checked_sub(before) {
            Some(more) => (Change::Occupy, more),
            None => (Change::Vacate, before.saturating_sub(count)),
        };
        slots.change(Placement::ALWAYS, Claim::of_count(amount), change);
        Ok(())
    }

    pub(super) fn fail(&mut self, words: &mut [Word], pe: u32) -> Result<(), Misuse> {
        let (mut slots, _) = self.parts(words);
        slots.view().check_pe(pe)?;
        slots.fail(pe);
        Ok(())
    }

    pub(super) fn repair(&mut self, words: &mut [Word], pe: u32) -> Result<(), Misuse> {
        let (mut slots, ledger) = self.parts(words);
        slots.view().check_pe(pe)?;
        if !slots.view().is_out(pe) {
            return Ok(());
        }
        let ledger = ledger.view();
        let holders = ledger.live().filter(|(index, _)| ledger.holds(*index, pe));
        slots.repair(pe, holders.map(|(index, _)| ledger.placement(index)));
        Ok(())
    }

    /// Recomputes what is derived.
    pub(super) fn check(&self, words: &[Word]) -> Result<(), Broken> {
        let slots = self.slots(words);
        slots.check(&self.marks)?;
        let ledger = self.ledger(words);
        ledger.check()?;
        slots.check_against(ledger)
    }
}
