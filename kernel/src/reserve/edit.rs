//! What changes a timeline: its slots and its reservations together.

use super::calendar::Calendar;
use super::choice::Choice;
use super::ledger::{Entries, LedgerMut, ReservationId};
use super::refusal::{Error, Misuse, Refusal};
use super::request::{Interval, Request};
use super::search::best::Best;
use super::search::checked_request::CheckedRequest;
use super::search::fit::Search;
use super::slots::leaves::SlotsMut;
use super::slots::pes::{Change, Pes};
use crate::bits::Word;
use crate::time::Instant;

/// A timeline to be changed.
pub(super) struct Edit<'a, const IDENTITY: bool> {
    pub(super) slots: SlotsMut<'a, IDENTITY>,
    pub(super) ledger: LedgerMut<'a>,
}

impl<'a, const IDENTITY: bool> Edit<'a, IDENTITY> {
    // A copy in every caller would be the larger part of some.
    #[inline(never)]
    pub(super) fn new(calendar: &'a mut Calendar<IDENTITY>, words: &'a mut [Word]) -> Self {
        let Calendar { layout, entries, slab, .. } = calendar;
        let (words, rest) = words.split_at_mut_checked(layout.words()).unwrap_or_default();
        let slots = SlotsMut { layout, words };
        let now = slots.view().now();
        let entries = Entries { layout: entries, words: rest };
        Self { slots, ledger: LedgerMut { slab, entries, now } }
    }

    /// Places a request and reserves the PEs chosen.
    pub(super) fn reserve(
        &mut self,
        request: &Request,
        choice: &dyn Choice,
        best: &dyn Best<IDENTITY>,
    ) -> Result<(ReservationId, Interval), Error> {
        let request = self.check_request(request, choice)?;
        Ok(self.take_place(request, best)?)
    }

    pub(super) fn check_request<'c>(
        &self,
        request: &Request,
        choice: &'c dyn Choice,
    ) -> Result<CheckedRequest<'c>, Error> {
        CheckedRequest::new(&self.slots.view(), request, choice)
    }

    /// The same of a request that makes sense.
    pub(super) fn take_place(
        &mut self,
        request: CheckedRequest<'_>,
        best: &dyn Best<IDENTITY>,
    ) -> Result<(ReservationId, Interval), Refusal> {
        let (index, interval) = self.find_place(request, best)?;
        Ok(self.occupy(index, interval, request.pes))
    }

    /// Where a request would be placed.
    pub(super) fn would_reserve(
        &mut self,
        request: &Request,
        choice: &dyn Choice,
        best: &dyn Best<IDENTITY>,
    ) -> Result<Interval, Error> {
        let request = self.check_request(request, choice)?;
        Ok(self.find_place(request, best)?.1)
    }

    /// The same, and an entry that is vacant, in whose set the PEs chosen are left.
    fn find_place(
        &mut self,
        request: CheckedRequest<'_>,
        best: &dyn Best<IDENTITY>,
    ) -> Result<(u32, Interval), Refusal> {
        let Self { slots, ledger } = self;
        let index = ledger.vacant()?;
        let search = Search { slots: slots.view(), request };
        Ok((index, search.best(best, ledger.set(index))?))
    }

    /// Reserves the PEs in the set of a vacant entry; without identity so many.
    pub(super) fn occupy(
        &mut self,
        index: u32,
        at: Interval,
        pes: u32,
    ) -> (ReservationId, Interval) {
        let Self { slots, ledger } = self;
        if !IDENTITY {
            ledger.record(index, Pes::of_count(pes));
        }
        slots.change(at, Change::Occupy(ledger.view().pes(index)));
        (ledger.open(index, at), at)
    }

    /// Reserves what the caller has chosen.
    pub(super) fn add(&mut self, at: Interval, pes: Pes<'_>) -> Result<ReservationId, Error> {
        let Self { slots, ledger } = self;
        slots.view().check_interval(at, None)?;
        slots.view().check_pes(pes)?;
        let window = slots.view().check_free(at, pes)?;
        let index = ledger.vacant()?;
        ledger.record(index, pes);
        slots.change_window(&window, Change::Occupy(pes));
        Ok(ledger.open(index, at))
    }

    /// The entry of a live reservation.
    pub(super) fn find(&self, id: ReservationId) -> Result<u32, Misuse> {
        self.ledger.view().find(id)
    }

    /// Ends a reservation now; the part of it that was yet to come.
    pub(super) fn cancel(&mut self, id: ReservationId) -> Result<Interval, Misuse> {
        let given_back = self.suspend(id)?;
        self.forget(id);
        Ok(given_back)
    }

    /// Gives back what a reservation has that is yet to come, and keeps its entry; what was given
    /// back.
    pub(super) fn suspend(&mut self, id: ReservationId) -> Result<Interval, Misuse> {
        let Self { slots, ledger } = self;
        let (_, at, pes) = ledger.view().held(id)?;
        slots.give_back(at, pes);
        Ok(Interval { start: at.start.max(Instant::from_ticks(ledger.now)), ..at })
    }

    /// Gives up the entry of a reservation that was suspended.
    pub(super) fn forget(&mut self, id: ReservationId) {
        if let Ok(index) = self.find(id) {
            self.ledger.close(index);
        }
    }

    /// Takes again what a reservation had that was suspended, and that is free.
    pub(super) fn resume(&mut self, id: ReservationId) {
        if let Ok((_, at, pes)) = self.ledger.view().held(id) {
            self.slots.take_again(at, pes);
        }
    }

    /// When a reservation is, and when it would be with another start.
    pub(super) fn moved(
        &self,
        id: ReservationId,
        start: Instant,
    ) -> Result<(Interval, Interval), Misuse> {
        let (_, at, _) = self.ledger.view().held(id)?;
        let duration = at.end.since(at.start).unwrap_or_default();
        let end = start.checked_add(duration).ok_or(Misuse::Overflow)?;
        let to = Interval { start, end };
        self.slots.view().check_interval(to, Some(at.start))?;
        Ok((at, to))
    }

    /// Gives a reservation an interval that it had before and that is free.
    pub(super) fn put_back(&mut self, id: ReservationId, to: Interval) {
        if let Ok((index, from, _)) = self.ledger.view().held(id) {
            self.shift(index, from, to);
        }
    }

    /// Gives a reservation another interval, with the same PEs. What it has already is free for it,
    /// even PEs that have failed since.
    pub(super) fn reschedule(&mut self, id: ReservationId, to: Interval) -> Result<(), Error> {
        let (index, from, pes) = self.ledger.view().held(id)?;
        let slots = self.slots.view();
        slots.check_interval(to, Some(from.start))?;
        slots.check_added(from, to, pes)?;
        self.shift(index, from, to);
        Ok(())
    }

    /// Without identity: moves a reservation to an interval that begins earlier and is free for it.
    pub(super) fn bring_forward(&mut self, id: ReservationId, to: Interval) {
        let Ok((index, from, pes)) = self.ledger.view().held(id) else { return };
        // On the way there is a border more than before and after it.
        if self.ledger.has_vacant() {
            self.slots.bring_forward(from, to, pes);
            self.ledger.place(index, to);
        } else {
            self.shift(index, from, to);
        }
    }

    /// Moves what a reservation has.
    fn shift(&mut self, index: u32, from: Interval, to: Interval) {
        let pes = self.ledger.view().pes(index);
        self.slots.give_back(from, pes);
        self.slots.take_again(to, pes);
        self.ledger.place(index, to);
    }

    /// Gives a reservation another interval and other PEs. What it has already is free for it, as for
    /// [`Edit::reschedule`].
    pub(super) fn replace(
        &mut self,
        id: ReservationId,
        to: Interval,
        new: Pes<'_>,
    ) -> Result<(), Error> {
        let Self { slots, ledger } = self;
        let (index, from, old) = ledger.view().held(id)?;
        slots.view().check_interval(to, Some(from.start))?;
        slots.view().check_pes(new)?;
        slots.change(from, Change::Vacate(old));
        let free = if !IDENTITY && new.count <= old.count {
            slots.view().check_added(from, to, new)
        } else {
            slots.view().check_free(to, new).map(|_| ())
        };
        slots.leave_out(from, old);
        match free {
            Ok(()) => slots.take_again(to, new),
            Err(_) => slots.take_again(from, old),
        }
        free?;
        ledger.place(index, to);
        ledger.record(index, new);
        Ok(())
    }

    /// Places a request as if one reservation did not exist.
    pub(super) fn find_instead(
        &mut self,
        id: ReservationId,
        request: &Request,
        choice: &dyn Choice,
        best: &dyn Best<IDENTITY>,
        free: &mut [Word],
    ) -> Result<Interval, Error> {
        let (_, at, pes) = self.ledger.view().held(id)?;
        let request = self.check_request(request, choice)?;
        self.slots.give_back(at, pes);
        let found = Search { slots: self.slots.view(), request }.best(best, free);
        self.slots.take_again(at, pes);
        Ok(found?)
    }

    /// Takes a PE out of service, or back.
    pub(super) fn set_out(&mut self, pe: u32, out: bool) -> Result<(), Misuse> {
        let ledger = self.ledger.view();
        let holders = ledger.holders(pe).map(|id| ledger.interval(id.index()));
        self.slots.set_out(pe, out, holders)
    }
}
