//! Requests that belong together: alternatives of which one is placed, and series of which all are.

use super::book::Edit;
use super::choice::Choice;
use super::ledger::ReservationId;
use super::refusal::{Error, Misuse, Refusal};
use super::request::{Placement, Request};
use super::search::Rules;
use super::search::ask::{Ask, LATEST_END};
use super::slots::Slots;
use crate::bits::Word;
use crate::time::{Duration, Instant};

/// One of some alternatives, and where it goes.
type Best = (usize, Ask, Placement);

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// The alternative that ends first, of equal ones the first. It need not be looked for where
    /// it would end later than another.
    fn earliest_end(
        &self,
        alternatives: &[Request],
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Result<Best, Error> {
        let mut best: Option<Best> = None;
        let mut refused: Option<Refusal> = None;
        for (number, request) in alternatives.iter().enumerate() {
            let found = match best {
                None => self.place(request, choice, free),
                Some((_, _, at)) => self.place_sooner(request, at.end, choice, free),
            };
            match found {
                Ok((ask, at)) => best = Some((number, ask, at)),
                Err(Error::Refused(refusal)) => refused = Some(nearer(refused, refusal)),
                wrong => wrong.map(|_| ())?,
            }
        }
        best.ok_or(refused.map_or(Misuse::NoRequest.into(), Error::Refused))
    }

    fn place(
        &self,
        request: &Request,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Result<(Ask, Placement), Error> {
        let ask = self.ask_among(request, choice)?;
        let at = self.find(&ask, Rules::first(choice), free)?;
        Ok((ask, at))
    }

    /// As [`Slots::place`], if it ends before `end`; why not does not matter.
    fn place_sooner(
        &self,
        request: &Request,
        end: Instant,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Result<(Ask, Placement), Error> {
        let mut ask = self.ask_among(request, choice)?;
        let latest = end.ticks().saturating_sub(1).checked_sub(ask.duration);
        ask.latest = ask.latest.min(latest.ok_or(Refusal::Late { finish: end })?);
        let start = self.earliest(&ask, choice, free).ok_or(Refusal::Late { finish: end })?;
        Ok((ask, ask.placed(start)))
    }

    /// The earliest start from which on all of a series have a place, each one `period` after the
    /// one before it.
    fn earliest_series(
        &self,
        ask: &Ask,
        period: u64,
        times: usize,
        choice: &dyn Choice,
        free: &mut [Word],
    ) -> Result<u64, Refusal> {
        let whole = period.saturating_mul((times as u64).saturating_sub(1));
        let most = LATEST_END.saturating_sub(ask.duration).checked_sub(whole);
        let most = most.filter(|&most| most >= ask.ready).ok_or(Refusal::Overflow)?;
        let (mut start, mut number) = (ask.ready, 0);
        while number < times {
            let after = period.saturating_mul(number as u64);
            let ready = start.saturating_add(after);
            // Refused for its deadline only once it is known when it could be.
            let one = Ask { ready, latest: most.saturating_add(after), ..*ask };
            let found = match self.earliest(&one, choice, free) {
                Some(found) => found.saturating_sub(after),
                None => return Err(never(self.why_not(&one, choice, free))),
            };
            // What is not free now is free for none of the starts between.
            number = if found > start { 0 } else { number.saturating_add(1) };
            start = found;
        }
        if start > ask.latest {
            return Err(Refusal::Late { finish: ask.placed(start).end });
        }
        Ok(start)
    }
}

/// The refusal that says more: an earlier finish, or that there is one.
fn nearer(known: Option<Refusal>, new: Refusal) -> Refusal {
    match (known, new) {
        (Some(Refusal::Late { finish: known }), Refusal::Late { finish }) => {
            Refusal::Late { finish: known.min(finish) }
        }
        (Some(known @ Refusal::Late { .. }), _) => known,
        (_, Refusal::Late { .. }) | (None, _) => new,
        (Some(known), _) => known,
    }
}

/// Of one that has no place before the end of time: a later one is none either.
fn never(refusal: Refusal) -> Refusal {
    if let Refusal::Late { .. } = refusal { Refusal::Overflow } else { refusal }
}

impl<const IDENTITY: bool> Edit<'_, IDENTITY> {
    /// Places one of some alternatives, and reserves it; which.
    pub(super) fn reserve_one_of(
        &mut self,
        alternatives: &[Request],
        choice: &dyn Choice,
    ) -> Result<(usize, ReservationId, Placement), Error> {
        if alternatives.is_empty() {
            return Err(Misuse::NoRequest.into());
        }
        let (slots, ledger) = self.parts();
        for request in alternatives {
            let asked = slots.ask_among(request, choice);
            asked.err().and_then(Error::misuse).map_or(Ok(()), Err)?;
        }
        let index = ledger.vacant()?;
        let (number, ask, at) = slots.earliest_end(alternatives, choice, ledger.set(index))?;
        // Its PEs, which later searches may have written over.
        let exactly =
            Request::new(at.start, Duration::from_ticks(ask.duration), ask.pes).by(at.end);
        let (id, at) = self.reserve(&exactly, Rules::first(choice))?;
        Ok((number, id, at))
    }

    /// Reserves a series, all of it or nothing; where the first one lies.
    pub(super) fn reserve_series(
        &mut self,
        request: &Request,
        period: Duration,
        choice: &dyn Choice,
        ids: &mut [Option<ReservationId>],
    ) -> Result<Placement, Error> {
        if ids.is_empty() || period < request.duration {
            return Err(Misuse::WrongSeries.into());
        }
        let (slots, ledger) = self.parts();
        let ask = slots.ask_among(request, choice)?;
        let index = ledger.vacant()?;
        let (times, free) = (ids.len(), ledger.set(index));
        let first = slots.earliest_series(&ask, period.ticks(), times, choice, free)?;
        let first = ask.placed(first);
        let made = self.reserve_each(first, period, ask.pes, choice, ids);
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
        first: Placement,
        period: Duration,
        pes: u32,
        choice: &dyn Choice,
        ids: &mut [Option<ReservationId>],
    ) -> Result<(), Error> {
        ids.fill(None);
        let duration = first.end.since(first.start).unwrap_or_default();
        let mut at = first;
        for id in ids {
            let one = Request::new(at.start, duration, pes).by(at.end);
            *id = Some(self.reserve(&one, Rules::first(choice))?.0);
            let start = at.start.saturating_add(period);
            at = Placement { start, end: start.saturating_add(duration) };
        }
        Ok(())
    }
}
