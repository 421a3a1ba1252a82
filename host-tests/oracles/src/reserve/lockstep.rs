//! A timeline or profile and its model, driven side by side.

use super::command::{Restart, STEPS};
use super::naive::{Entry, Naive, Which};
use super::speeds::Paces;
use super::subject::{Common, Trying, at, interval};
use super::{Command, Trial};
use crate::Mismatch;
use crate::mismatch::{Steps, equal};
use locox::handle::{self, Epoch, Handle};
use locox::reserve::{Error, Fit, Interval, Limits, Misuse, Refusal, Request, ReservationId, Step};
use locox::time::Duration;
use std::fmt::Debug;

const STALE: Misuse = Misuse::Handle(handle::Misuse::Stale);

/// A timeline and its model.
pub struct Lockstep<T> {
    real: T,
    naive: Naive,
    /// All ids ever given out; those of the model are the indices.
    ids: Vec<ReservationId>,
    limits: Limits,
    epoch: u16,
    room: usize,
    steps: Steps,
}

impl<T: Common> Lockstep<T> {
    /// From a fresh timeline (with `identity`) or profile on, in storage that was dirty.
    pub fn new(limits: Limits, identity: bool) -> Self {
        let naive = Naive::new(limits.pes, identity);
        let room = limits.reservations as usize;
        let (real, ids, steps) = (T::create(limits), vec![], Steps::default());
        Self { real, naive, ids, limits, epoch: 0, room, steps }
    }

    fn all(&self) -> u128 {
        (1 << self.naive.pes) - 1
    }

    fn live(&self) -> usize {
        self.naive.entries.iter().flatten().count()
    }

    /// Entries as far as they make sense for the machine.
    fn fit(&self, e: Entry) -> Entry {
        let set = e.2 & self.all();
        (e.0, e.1, if self.naive.identity { set } else { 0 }, set.count_ones())
    }

    fn note(&mut self, id: ReservationId, e: Entry) {
        self.ids.push(id);
        self.naive.entries.push(Some(e));
    }

    /// Makes one call and compares the answer, all slots and sets, and the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        self.answer(command)?;
        self.steps.check_last(command, self.compare())
    }

    /// Makes one call and compares the answer only.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn answer(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command);
        self.steps.check(command, compared)
    }

    /// Compares all slots and sets, and the invariants, after a call that is not written as a command.
    pub(super) fn look(&self, after: &impl Debug) -> Result<(), Mismatch> {
        let mut steps = Steps::default();
        steps.check(after, self.compare())
    }

    /// What the model knows.
    pub fn model(&self) -> &Naive {
        &self.naive
    }

    /// All that later answers depend on. Two states of one key are the same state.
    pub fn key(&self) -> String {
        format!("{:?} {:?} {:?} {}", self.real.image(), self.naive, self.ids, self.epoch)
    }

    /// How many reservations there have been.
    pub fn made(&self) -> usize {
        self.ids.len()
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        match *command {
            Command::Find(ref r, fit, which) => {
                let expected = self.naive.find(r, fit, which);
                equal("place", self.real.find(r, fit, which), expected.map(found))?;
            }
            Command::Candidates(ref r) => {
                if self.naive.find(r, Fit::First, Which::Lowest).is_ok() {
                    equal("candidates", self.real.candidates(r), self.naive.candidates(r))?;
                }
            }
            Command::Reserve(ref r, fit, which) => self.reserve(r, fit, which)?,
            Command::ReserveAmong(ref r, fit, which, allowed, required) => {
                self.reserve_among(r, fit, which, (allowed & self.all(), required & self.all()))?;
            }
            Command::ReserveAtSpeeds(ref r, fit, which, ref paces, required) => {
                let mut paces = paces.clone();
                paces.classes.iter_mut().for_each(|class| class.1 &= self.all());
                self.reserve_at_speeds(r, (fit, which), &paces, required & self.all())?;
            }
            Command::ReserveOneOf(ref alternatives, which) => {
                self.reserve_one_of(alternatives, which)?;
            }
            Command::ReserveSeries(ref r, period, times, which) => {
                self.reserve_series(r, period, times, which)?;
            }
            Command::Attempt(ref trials, kept) => self.attempt(trials, kept)?,
            Command::Add(e) => {
                let e = self.fit(e);
                let verdict = verdict(&self.naive, e, None).and_then(|()| self.has_room());
                let real = self.real.add(e);
                equal("answer", real.map(|_| ()), verdict)?;
                if let Ok(id) = real {
                    self.note(id, e);
                }
            }
            Command::Advance(by) => self.advance(by)?,
            Command::Out(set) => {
                let set = set & self.all();
                self.real.set_out(self.naive.out, set);
                self.naive.out = set;
            }
            Command::Free(start, length) => {
                let (start, end) = (start.max(self.naive.now), start.max(self.naive.now) + length);
                equal("free PEs", self.real.free(start, end), self.naive.free(start, end))?;
                equal("free now", self.real.free_at(at(start)), Ok(self.free_count(start)))?;
                let fewest =
                    (start..end).map(|time| self.free_count(time)).min().unwrap_or_default();
                equal("fewest free", self.real.fewest_free(interval(start, end)), Ok(fewest))?;
            }
            Command::Restart(how) => self.restart(how)?,
            _ if self.ids.is_empty() => {}
            Command::Cancel(n) => {
                let index = n % self.ids.len();
                let expected = self.naive.entries[index].take().ok_or(STALE);
                let given_back = expected.map(|e| interval(e.0.max(self.naive.now), e.1));
                equal("given back", self.real.cancel(self.ids[index]), given_back)?;
            }
            Command::CancelMany(n, count) => {
                let first = n % self.ids.len();
                (first..first + count).try_for_each(|n| self.carry_out(&Command::Cancel(n)))?;
            }
            Command::SetEnd(n, end) => {
                let index = n % self.ids.len();
                let start = self.naive.entries[index].map_or(0, |e| e.0);
                let verdict = verdict_of_shift(&self.naive, index, start, end);
                equal("answer", self.real.set_end(self.ids[index], at(end)), verdict)?;
                self.shift(index, start, end, verdict);
            }
            Command::MoveTo(n, start) => {
                let index = n % self.ids.len();
                let end = self.naive.entries[index].map_or(0, |e| start + e.1 - e.0);
                let verdict = verdict_of_shift(&self.naive, index, start, end);
                equal("answer", self.real.move_to(self.ids[index], at(start)), verdict)?;
                self.shift(index, start, end, verdict);
            }
            Command::Replace(n, e) => {
                let (index, e) = (n % self.ids.len(), self.fit(e));
                let live = self.naive.entries[index].ok_or(Error::from(STALE));
                let verdict = live.and_then(|_| verdict(&self.naive, e, Some(index)));
                equal("answer", self.real.replace(self.ids[index], e), verdict)?;
                if verdict.is_ok() {
                    self.naive.entries[index] = Some(e);
                }
            }
            Command::BringForward(n) => {
                let index = n % self.ids.len();
                let Some(real) = self.real.bring_forward(self.ids[index]) else { return Ok(()) };
                let others = self.naive.without(index);
                let earliest = |e: Entry| {
                    // What it has already is free for it, even if more is promised than there is.
                    let fits = |start: &u64| {
                        let own = (*start, (start + e.1 - e.0).min(e.0), 0, e.3);
                        others.conflict(own, None).is_none()
                    };
                    let start = (self.naive.now..e.0).find(fits).unwrap_or(e.0);
                    interval(start, start + e.1 - e.0)
                };
                let expected = self.naive.entries[index].map(earliest).ok_or(STALE);
                equal("interval", real, expected)?;
                if let (Some(e), Ok(to)) = (&mut self.naive.entries[index], real) {
                    (e.0, e.1) = (to.start.ticks(), to.end.ticks());
                }
            }
            Command::FindInstead(n, ref r, fit, which) => {
                let index = n % self.ids.len();
                let live = self.naive.entries[index].ok_or(Error::from(STALE));
                let expected = live.and_then(|_| self.naive.without(index).find(r, fit, which));
                let real = self.real.find_instead(self.ids[index], r, fit, which);
                equal("place", real, expected.map(found))?;
            }
        }
        self.naive.refresh();
        Ok(())
    }

    fn free_count(&self, time: u64) -> u32 {
        self.naive.pes.saturating_sub(self.naive.busy(time).1)
    }

    fn has_room(&self) -> Result<(), Error> {
        if self.live() < self.room { Ok(()) } else { Err(full(self.room)) }
    }

    /// An answer of the model, if there is room for `more`, else that there is none: this is found
    /// before it is looked for a place.
    fn with_room<P>(&self, found: Result<P, Error>, more: usize) -> Result<P, Error> {
        let too_many = is_looked_for(found.as_ref()) && self.live() + more > self.room;
        if too_many { Err(full(self.room)) } else { found }
    }

    fn reserve_among(
        &mut self,
        r: &Request,
        fit: Fit,
        which: Which,
        mask: (u128, u128),
    ) -> Result<(), String> {
        let Some(real) = self.real.reserve_among(r, fit, which, mask) else { return Ok(()) };
        let expected = self.naive.masked(mask.0, mask.1).find(r, fit, which);
        let expected = self.with_room(expected, 1);
        self.reserved(real, expected, r.pes)
    }

    fn reserve_at_speeds(
        &mut self,
        r: &Request,
        (fit, which): (Fit, Which),
        paces: &Paces,
        required: u128,
    ) -> Result<(), String> {
        let real = self.real.reserve_at_speeds(r, fit, which, paces, required);
        let Some((would, real)) = real else { return Ok(()) };
        let expected = self.naive.find_at_speeds(r, paces, (fit, which), required);
        let end = match expected {
            Ok((_, end, _)) if fit == Fit::First => Some(end),
            Err(Error::Refused(Refusal::Late { finish })) => Some(finish.ticks()),
            _ => None,
        };
        // An aligned subcube may need PEs beside those that it takes, slower ones too.
        let takes_all = which != Which::Aligned || (r.pes.is_power_of_two() && required == 0);
        if takes_all && end.is_some() {
            let earliest = self.naive.earliest_end_at_speeds(r, paces, which, required);
            equal("earliest end", end, earliest)?;
        }
        let expected = self.with_room(expected, 1);
        equal("what would be", would, expected.map(|e| found(e).0))?;
        self.reserved(real, expected, r.pes)
    }

    /// What the model says of a request, which is not yet placed.
    pub(super) fn expected(
        &self,
        r: &Request,
        fit: Fit,
        which: Which,
    ) -> Result<(u64, u64, u128), Error> {
        self.with_room(self.naive.find(r, fit, which), 1)
    }

    /// The timeline.
    pub(super) fn real(&mut self) -> &mut T {
        &mut self.real
    }

    /// Compares what was reserved, and notes it.
    pub(super) fn reserved(
        &mut self,
        real: Result<(ReservationId, Interval), Error>,
        expected: Result<(u64, u64, u128), Error>,
        pes: u32,
    ) -> Result<(), String> {
        equal("place", real.map(|(_, placement)| placement), expected.map(|e| found(e).0))?;
        if let (Ok((id, _)), Ok((start, end, set))) = (real, expected) {
            equal("PEs", self.real.pes_of(id), Ok((set, pes)))?;
            self.note(id, (start, end, set, pes));
        }
        self.naive.refresh();
        Ok(())
    }

    fn reserve_one_of(&mut self, alternatives: &[Request], which: Which) -> Result<(), String> {
        let real = self.real.reserve_one_of(alternatives, which);
        let expected = self.naive.find_one_of(alternatives, which);
        // No alternative is looked for only if there is none: then there is no place to look for.
        let expected = match expected {
            Err(Error::Misused(_)) => expected,
            _ if alternatives.is_empty() => expected,
            _ if self.live() >= self.room => Err(full(self.room)),
            _ => expected,
        };
        equal("alternative", real.map(|(n, ..)| n), expected.map(|(n, _)| n))?;
        let Ok((n, place)) = expected else { return Ok(()) };
        let real = real.map(|(_, id, at)| (id, at));
        self.reserved(real, Ok(place), alternatives[n].pes)
    }

    fn reserve_series(
        &mut self,
        r: &Request,
        period: u64,
        times: usize,
        which: Which,
    ) -> Result<(), String> {
        let mut ids = vec![None; times];
        let real = self.real.reserve_series(r, Duration::from_ticks(period), which, &mut ids);
        let expected = self.naive.find_series(r, period, times, which);
        let none_left = self.with_room(expected.as_ref().map(|_| ()).map_err(|it| *it), 1);
        let expected = none_left.and(expected);
        // That there is no room for all is found when they are reserved.
        let expected = expected.and_then(|series| self.with_room(Ok(series), times));
        let first = |series: &Vec<(u64, u64, u128)>| found(series[0]).0;
        equal("series", real, expected.as_ref().map(first).map_err(|it| *it))?;
        for (id, place) in ids.into_iter().zip(expected.unwrap_or_default()) {
            let id = id.ok_or("each of a series is reserved")?;
            self.reserved(Ok((id, found(place).0)), Ok(place), r.pes)?;
        }
        Ok(())
    }

    /// In the model nothing is undone: it is left as it was.
    fn attempt(&mut self, trials: &[Trial], kept: bool) -> Result<(), String> {
        let before = self.naive.clone();
        let mut steps = [Step::EMPTY; STEPS];
        let mut attempt = self.real.attempt(&mut steps);
        let mut model = Tried { naive: &mut self.naive, ids: &mut self.ids, held: 0, used: 0 };
        for trial in trials {
            model.step(&mut attempt, trial, self.room)?;
        }
        if kept {
            attempt.keep();
            return Ok(());
        }
        drop(attempt);
        // The ids that it gave out are stale.
        self.naive = before;
        self.naive.entries.resize(self.ids.len(), None);
        Ok(())
    }

    fn reserve(&mut self, r: &Request, fit: Fit, which: Which) -> Result<(), String> {
        let expected = self.expected(r, fit, which);
        let would = self.real.would_reserve(r, fit, which);
        equal("what would be", would, expected.map(|e| found(e).0))?;
        let real = self.real.reserve(r, fit, which);
        self.reserved(real, expected, r.pes)
    }

    fn advance(&mut self, by: u64) -> Result<(), String> {
        if self.naive.now > 0 {
            equal("time gone back", self.real.advance(at(self.naive.now - 1)), Err(Misuse::Past))?;
        }
        self.naive.now += by;
        equal("answer", self.real.advance(at(self.naive.now)), Ok(()))?;
        let now = self.naive.now;
        self.naive.entries.iter_mut().for_each(|e| *e = e.filter(|e| e.1 > now));
        Ok(())
    }

    /// What is held is held again, under the old names and under the new ones.
    fn restart(&mut self, how: Restart) -> Result<(), String> {
        let epoch = if how == Restart::Load { self.epoch } else { self.epoch.wrapping_add(1) };
        if how == Restart::Begin {
            self.real.begin(Epoch(epoch));
        } else {
            let image = self.real.image();
            self.real = T::create(self.limits);
            let taken = match how {
                Restart::Load => self.real.load(&image),
                _ => self.real.restore(&image, Epoch(epoch)),
            };
            equal("image", taken, Ok(()))?;
            let again = if how == Restart::Load { self.real.image() } else { image.clone() };
            equal("image of what was loaded", &again, &image)?;
        }
        self.epoch = epoch;
        for (id, entry) in self.ids.iter_mut().zip(&self.naive.entries) {
            let held = self.real.pes_of(*id).map(|(_, count)| count);
            equal("old name", held, entry.map(|it| it.3).ok_or(STALE))?;
            if entry.is_some() {
                *id = renamed(*id, Epoch(epoch));
            }
        }
        Ok(())
    }

    fn shift(&mut self, index: usize, start: u64, end: u64, verdict: Result<(), Error>) {
        if let (Some(e), Ok(())) = (&mut self.naive.entries[index], verdict) {
            (e.0, e.1) = (start, end);
        }
    }

    fn compare(&self) -> Result<(), String> {
        equal("invariants", self.real.check(), Ok(()))?;
        let slots = self.naive.slots();
        equal("slots", &self.real.slots(), &slots)?;
        for (time, _) in slots {
            if self.naive.identity {
                equal("busy PEs", self.real.busy(time), self.naive.busy(time).0)?;
            }
        }
        let mut listed = self.real.reservations();
        listed.sort_by_key(|(id, _)| self.ids.iter().position(|known| known == id));
        let live = self.ids.iter().zip(&self.naive.entries);
        let live = live.filter_map(|(&id, e)| e.map(|e| (id, interval(e.0, e.1))));
        equal("reservations", listed, live.collect())
    }
}

/// The name of a reservation in another epoch.
fn renamed(id: ReservationId, epoch: Epoch) -> ReservationId {
    let old = id.handle();
    let new = Handle::from_parts(old.pool(), old.index(), old.generation(), epoch);
    ReservationId::from_handle(new)
}

/// Whether a place is looked for: the request makes sense, and could have one on this machine.
fn is_looked_for<P>(found: Result<&P, &Error>) -> bool {
    matches!(found, Ok(_) | Err(Error::Refused(Refusal::Late { .. } | Refusal::Faulty { .. })))
}

/// All of so many reservations are in use.
fn full(room: usize) -> Error {
    Refusal::Full { reservations: room as u32 }.into()
}

fn found((start, end, set): (u64, u64, u128)) -> (Interval, u128) {
    (interval(start, end), set)
}

/// What the model says of an interval and PEs that the caller names.
fn verdict(naive: &Naive, e: Entry, except: Option<usize>) -> Result<(), Error> {
    let running = except.and_then(|index| naive.entries[index]).map(|e| e.0);
    match e {
        _ if e.0 < naive.now && running != Some(e.0) => Err(Misuse::Past.into()),
        _ if e.1 <= e.0.max(naive.now) => Err(Misuse::NoTime.into()),
        _ if e.3 == 0 => Err(Misuse::NoPes.into()),
        _ => match conflict(naive, e, except) {
            Some(from) => Err(Refusal::Busy { from: at(from) }.into()),
            None => Ok(()),
        },
    }
}

fn conflict(naive: &Naive, e: Entry, except: Option<usize>) -> Option<u64> {
    let rest = (e.0.max(naive.now), e.1, e.2, e.3);
    match except {
        Some(index) => naive.without(index).conflict(rest, naive.entries[index]),
        None => naive.conflict(rest, None),
    }
}

/// The same if it keeps its PEs.
fn verdict_of_shift(naive: &Naive, index: usize, start: u64, end: u64) -> Result<(), Error> {
    let old = naive.entries[index].ok_or(Error::from(STALE))?;
    verdict(naive, (start, end, old.2, old.3), Some(index))
}

/// What the model knows within an attempt.
struct Tried<'a> {
    naive: &'a mut Naive,
    ids: &'a mut Vec<ReservationId>,
    /// Entries of what was cancelled in it, which are not free before it is kept.
    held: usize,
    used: usize,
}

impl Tried<'_> {
    fn step(&mut self, real: &mut impl Trying, trial: &Trial, room: usize) -> Result<(), String> {
        let steps = STEPS as u32;
        let no_step =
            || if self.used < STEPS { Ok(()) } else { Err(Refusal::NoStep { steps }.into()) };
        let done = match *trial {
            Trial::Reserve(ref r, fit, which) => {
                let live = self.naive.entries.iter().flatten().count();
                let too_many = live + self.held >= room;
                let expected = match self.naive.find(r, fit, which) {
                    found if !is_looked_for(found.as_ref()) => found,
                    _ if too_many => no_step().and(Err(full(room))),
                    found => no_step().and(found),
                };
                let answer = real.reserve(r, fit, which);
                equal("place", answer.map(|(_, at)| at), expected.map(|e| found(e).0))?;
                if let (Ok((id, _)), Ok((start, end, set))) = (answer, expected) {
                    self.ids.push(id);
                    self.naive.entries.push(Some((start, end, set, r.pes)));
                }
                expected.is_ok()
            }
            _ if self.ids.is_empty() => false,
            Trial::Cancel(n) => {
                let index = n % self.ids.len();
                let live = self.naive.entries[index].ok_or(Error::from(STALE));
                let expected = live.and_then(|live| no_step().map(|()| live));
                let given_back = expected.map(|e| interval(e.0.max(self.naive.now), e.1));
                equal("given back", real.cancel(self.ids[index]), given_back)?;
                if expected.is_ok() {
                    (self.naive.entries[index], self.held) = (None, self.held + 1);
                }
                expected.is_ok()
            }
            Trial::MoveTo(n, start) => {
                let index = n % self.ids.len();
                let end = self.naive.entries[index].map_or(0, |e| start + e.1 - e.0);
                let verdict = match verdict_of_shift(self.naive, index, start, end) {
                    Err(Error::Misused(misuse)) => Err(misuse.into()),
                    verdict => no_step().and(verdict),
                };
                equal("answer", real.move_to(self.ids[index], at(start)), verdict)?;
                if let (Some(e), Ok(())) = (&mut self.naive.entries[index], verdict) {
                    (e.0, e.1) = (start, end);
                }
                verdict.is_ok()
            }
        };
        self.used += usize::from(done);
        self.naive.refresh();
        Ok(())
    }
}
