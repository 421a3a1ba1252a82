//! Reservations made of several requests: alternatives of which one is placed, and series of which all are.

use super::bids::{Bids, Chosen};
use super::choice::Choice;
use super::edit::Edit;
use super::ledger::ReservationId;
use super::refusal::{Error, Misuse, Refusal};
use super::request::{Interval, Request};
use super::search::best::Earliest;
use super::search::checked_request::{CheckedRequest, LATEST_END};
use super::search::fit::Search;
use super::slots::view::Slots;
use crate::bits::Word;
use crate::time::{Duration, Instant};

/// The alternative that ends first, of equal ones the first. It need not be looked for where
/// it would end later than another.
fn earliest_end<const IDENTITY: bool>(
    slots: Slots<'_, IDENTITY>,
    alternatives: &[Request],
    choice: &dyn Choice,
    free: &mut [Word],
) -> Result<Chosen, Error> {
    let mut bids = Bids::default();
    for (number, request) in alternatives.iter().enumerate() {
        let found = CheckedRequest::new(&slots, request, choice).and_then(|request| {
            let search = Search { slots, request };
            Ok(match bids.best {
                None => search.best(&Earliest, free)?,
                Some((_, at)) => search.before(at.end, free)?,
            })
        });
        bids.hear(number, found)?;
    }
    bids.chosen()
}

impl<const IDENTITY: bool> Search<'_, IDENTITY> {
    /// The earliest place, if it ends before `end`; why not does not matter.
    fn before(mut self, end: Instant, free: &mut [Word]) -> Result<Interval, Refusal> {
        let late = Refusal::Late { finish: end };
        let latest = end.ticks().saturating_sub(1).checked_sub(self.request.duration);
        self.request.latest = self.request.latest.min(latest.ok_or(late)?);
        let start = self.earliest(free).ok_or(late)?;
        Ok(self.request.placed(start))
    }

    /// The earliest start from which on all of a series have a place, each one `period` after the
    /// one before it.
    fn earliest_series(
        &self,
        period: u64,
        times: usize,
        free: &mut [Word],
    ) -> Result<u64, Refusal> {
        let Self { slots, request } = *self;
        let whole = period.saturating_mul((times as u64).saturating_sub(1));
        let most = LATEST_END.saturating_sub(request.duration).checked_sub(whole);
        let most = most.filter(|&most| most >= request.ready).ok_or(Refusal::Overflow)?;
        let (mut start, mut number) = (request.ready, 0);
        while number < times {
            let after = period.saturating_mul(number as u64);
            let ready = start.saturating_add(after);
            let latest = most.saturating_add(after);
            let one = Search { slots, request: CheckedRequest { ready, latest, ..request } };
            let Some(found) = one.earliest(free) else {
                // One that is too late for the whole series is none before the end of time.
                let later = one.later(free);
                return Err(later.map_or_else(|| one.never(free), |_| Refusal::Overflow));
            };
            let found = found.saturating_sub(after);
            // What is not free now is free for none of the starts between.
            number = if found > start { 0 } else { number.saturating_add(1) };
            start = found;
        }
        // Refused for its deadline only once it is known when it could be.
        if start > request.latest {
            return Err(Refusal::Late { finish: request.placed(start).end });
        }
        Ok(start)
    }
}

impl<const IDENTITY: bool> Edit<'_, IDENTITY> {
    /// Places one of some alternatives, and reserves it; which.
    pub(super) fn reserve_one_of(
        &mut self,
        alternatives: &[Request],
        choice: &dyn Choice,
    ) -> Result<(usize, ReservationId, Interval), Error> {
        for request in alternatives {
            let asked = self.check_request(request, choice);
            asked.err().and_then(Error::misuse).map_or(Ok(()), Err)?;
        }
        if alternatives.is_empty() {
            return Err(Misuse::NoRequest.into());
        }
        let Self { slots, ledger } = self;
        let index = ledger.vacant()?;
        let (number, at) = earliest_end(slots.view(), alternatives, choice, ledger.set(index))?;
        let pes = alternatives.get(number).map_or(0, |request| request.pes);
        // Its PEs, which later searches may have written over.
        let (id, at) = self.reserve_at(at, pes, choice)?;
        Ok((number, id, at))
    }

    /// Reserves PEs for an interval in which so many that suit are free.
    fn reserve_at(
        &mut self,
        at: Interval,
        pes: u32,
        choice: &dyn Choice,
    ) -> Result<(ReservationId, Interval), Error> {
        let duration = at.end.since(at.start).unwrap_or_default();
        self.reserve(&Request::new(at.start, duration, pes).by(at.end), choice, &Earliest)
    }

    /// Reserves a series, all of it or nothing; where the first one lies.
    pub(super) fn reserve_series(
        &mut self,
        request: &Request,
        period: Duration,
        choice: &dyn Choice,
        ids: &mut [Option<ReservationId>],
    ) -> Result<Interval, Error> {
        if ids.is_empty() || period < request.duration {
            return Err(Misuse::WrongSeries.into());
        }
        let request = self.check_request(request, choice)?;
        let Self { slots, ledger } = self;
        let index = ledger.vacant()?;
        let search = Search { slots: slots.view(), request };
        let first = search.earliest_series(period.ticks(), ids.len(), ledger.set(index))?;
        let first = request.placed(first);
        let made = self.reserve_each(first, period, request.pes, choice, ids);
        if made.is_err() {
            for id in ids.iter_mut().filter_map(Option::take) {
                let _ = self.cancel(id);
            }
        }
        made.map(|()| first)
    }

    /// Reserves a series that has a place from `first` on. After an error `ids` names what was
    /// reserved before it.
    fn reserve_each(
        &mut self,
        first: Interval,
        period: Duration,
        pes: u32,
        choice: &dyn Choice,
        ids: &mut [Option<ReservationId>],
    ) -> Result<(), Error> {
        ids.fill(None);
        let duration = first.end.since(first.start).unwrap_or_default();
        let mut at = first;
        for id in ids {
            *id = Some(self.reserve_at(at, pes, choice)?.0);
            let start = at.start.saturating_add(period);
            at = Interval { start, end: start.saturating_add(duration) };
        }
        Ok(())
    }
}
