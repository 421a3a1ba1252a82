//! A rule of backfilling made into a planner over the caller's storage.

use super::desk::{Books, Desk, Moment};
use super::entries::{Entries, Entry, State};
use super::planner::{Planner, Ticket, TimedJob, WrongTicket};
use super::rule::Rule;
use crate::bits::Word;
use crate::broken::Broken;
use crate::handle::{self, PoolId};
use crate::reserve::{Denied, Limits, Misuse, Placement, Profile, Refusal, Unusable};
use crate::time::{Duration, Instant};

/// Backfilling under rule `R`, [`Easy`](super::Easy) or [`Conservative`](super::Conservative), in
/// the caller's words `W` and entries `S`: arrays, boxed or borrowed slices.
///
/// As many jobs may wait and run together as there are entries.
///
/// ```
/// use locox::dispatch::{Backfill, Easy, Entry, Planner, TimedJob, backfill_words};
/// use locox::handle::PoolId;
/// use locox::time::{Duration, Instant};
///
/// let words = [0; backfill_words(8, 16)];
/// let mut easy = Backfill::new(Easy::new(), PoolId(0), 8, words, [Entry::EMPTY; 16])?;
/// let now = Instant::from_ticks;
/// let mut push = |id, pes, requested| {
///     easy.push(TimedJob { id, pes, requested: Duration::from_ticks(requested) }, now(0))
/// };
/// let first = push(1, 6, 20)?;
/// let second = push(2, 8, 10)?;
/// push(3, 2, 25)?;
/// push(4, 2, 20)?;
/// // Job 2 has to wait for job 1; job 3 would delay it, job 4 does not.
/// assert_eq!(easy.next(now(0), &mut |_| true).map(|(_, job)| job.id), Some(1));
/// assert_eq!(easy.next(now(0), &mut |_| true).map(|(_, job)| job.id), Some(4));
/// assert_eq!(easy.next(now(0), &mut |_| true), None);
/// assert_eq!(easy.planned(second)?.map(|promise| promise.start), Some(now(20)));
/// # easy.finished(first, now(9))?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// - The profile holds the running jobs, until they should have ended; the intervals of jobs with
///   deadlines; under conservative backfilling also those of the jobs in line.
/// - It has a reservation for each entry, so that it is never full before the entries are.
#[derive(Clone)]
pub struct Backfill<R, W, S> {
    rule: R,
    books: Books,
    profile: Profile<W>,
    slots: S,
}

/// Words that a [`Backfill`] of so many PEs and entries takes.
pub const fn backfill_words(pes: u32, entries: usize) -> usize {
    Profile::words(limits(pes, entries))
}

const fn limits(pes: u32, entries: usize) -> Limits {
    let most = Limits::MOST as usize + 1;
    Limits { pes, reservations: if entries < most { entries as u32 } else { most as u32 } }
}

impl<R, const N: usize, const M: usize> Backfill<R, [Word; N], [Entry; M]> {
    /// An idle machine of `pes` PEs and an empty line in arrays of its own, fit for a `static`.
    ///
    /// # Errors
    ///
    /// [`Unusable`] numbers of PEs or entries, or fewer than [`backfill_words`].
    pub const fn new_static(rule: R, pool: PoolId, pes: u32) -> Result<Self, Unusable>
    where
        R: Copy,
    {
        let books = Books { entries: Entries::new(pool), pes, running: 0 };
        match Profile::in_array(pool, limits(pes, M)) {
            Ok(profile) => Ok(Self { rule, books, profile, slots: [Entry::EMPTY; M] }),
            Err(unusable) => Err(unusable),
        }
    }
}

impl<R, W, S> Backfill<R, W, S>
where
    R: Rule,
    W: AsRef<[Word]> + AsMut<[Word]>,
    S: AsRef<[Entry]> + AsMut<[Entry]>,
{
    /// An idle machine of `pes` PEs and an empty line; what the storage held does not matter.
    ///
    /// # Errors
    ///
    /// [`Unusable`] numbers of PEs or entries, or fewer words than [`backfill_words`].
    pub fn new(rule: R, pool: PoolId, pes: u32, words: W, slots: S) -> Result<Self, Unusable> {
        let profile = Profile::new(pool, limits(pes, slots.as_ref().len()), words)?;
        let books = Books { entries: Entries::new(pool), pes, running: 0 };
        Ok(Self { rule, books, profile, slots })
    }

    fn parts(&mut self) -> (&mut R, Desk<'_>) {
        let Self { rule, books, profile, slots } = self;
        (rule, Desk { books, profile, slots: slots.as_mut() })
    }

    /// Whether a job could ever run, and there is room for it.
    fn check(&self, job: &TimedJob, now: Instant) -> Result<(), Denied> {
        let end = now.checked_add(job.requested);
        match () {
            () if job.pes == 0 => Err(Misuse::NoPes.into()),
            () if job.requested == Duration::ZERO => Err(Misuse::NoTime.into()),
            () if job.pes > self.books.pes => Err(Refusal::TooLarge.into()),
            () if now < self.profile.now() => Err(Misuse::Past.into()),
            () if end.is_none_or(|end| end == Instant::MAX) => Err(Misuse::Overflow.into()),
            () if self.books.entries.is_full(self.slots.as_ref()) => Err(Refusal::Full.into()),
            () => Ok(()),
        }
    }

    fn find(&self, ticket: Ticket) -> Result<(u32, &Entry), handle::Misuse> {
        let slots = self.slots.as_ref();
        let index = self.books.entries.find(slots, ticket)?;
        Ok((index, slots.get(index as usize).ok_or(handle::Misuse::Stale)?))
    }

    /// Removes a job, and lets the others use what it leaves.
    fn remove(&mut self, index: u32, now: Instant) {
        let (rule, mut desk) = self.parts();
        // Given back before time moves on, while the reservation is known.
        let early = desk.remove(index).is_some_and(|end| end > now);
        desk.profile.advance(now);
        rule.released(&mut desk, early);
    }
}

impl<R, W, S> Planner for Backfill<R, W, S>
where
    R: Rule,
    W: AsRef<[Word]> + AsMut<[Word]>,
    S: AsRef<[Entry]> + AsMut<[Entry]>,
{
    fn name(&self) -> &'static str {
        self.rule.name()
    }

    fn len(&self) -> usize {
        let Entries { line, dated, .. } = &self.books.entries;
        (line.len as usize).saturating_add(dated.len as usize)
    }

    fn push(&mut self, job: TimedJob, now: Instant) -> Result<Ticket, Denied> {
        self.check(&job, now)?;
        let (rule, mut desk) = self.parts();
        desk.profile.advance(now);
        let index = desk.books.entries.open(desk.slots, Entry::in_line(job));
        if let Err(denied) = rule.arrived(&mut desk, index) {
            desk.remove(index);
            return Err(denied);
        }
        let entry = desk.entry(index).ok_or(Refusal::Full)?;
        Ok(desk.books.entries.ticket(index, entry))
    }

    fn reserve(
        &mut self,
        job: TimedJob,
        ready: Instant,
        deadline: Instant,
        now: Instant,
    ) -> Result<(Ticket, Placement), Denied> {
        self.check(&job, now)?;
        if ready.checked_add(job.requested).is_none_or(|end| end > deadline) {
            return Err(Misuse::DeadlineTooEarly.into());
        }
        let (rule, mut desk) = self.parts();
        desk.profile.advance(now);
        let promise = rule.keep_promise(&mut desk);
        let planned = desk.earliest(&job, ready.max(now));
        if let Some(id) = promise {
            desk.profile.cancel(id);
        }
        let planned = planned?;
        if planned.end > deadline {
            return Err(Refusal::Late { finish: planned.end }.into());
        }
        let id = desk.profile.add(planned, job.pes).ok_or(Refusal::Full)?;
        let index = desk.books.entries.open(desk.slots, Entry::dated(job, planned, id));
        let entry = desk.entry(index).ok_or(Refusal::Full)?;
        Ok((desk.books.entries.ticket(index, entry), planned))
    }

    fn next(
        &mut self,
        now: Instant,
        start: &mut dyn FnMut(TimedJob) -> bool,
    ) -> Option<(Ticket, TimedJob)> {
        let (rule, mut desk) = self.parts();
        desk.profile.advance(now);
        let mut moment = Moment { now: desk.profile.now(), start };
        let index = rule.next(&mut desk, &mut moment)?;
        let entry = desk.entry(index)?;
        Some((desk.books.entries.ticket(index, entry), entry.job))
    }

    fn finished(&mut self, ticket: Ticket, now: Instant) -> Result<TimedJob, WrongTicket> {
        let (index, &Entry { job, state, .. }) = self.find(ticket)?;
        if state != State::Runs {
            return Err(WrongTicket::Waits);
        }
        self.remove(index, now);
        Ok(job)
    }

    fn cancel(&mut self, ticket: Ticket, now: Instant) -> Result<TimedJob, WrongTicket> {
        let (index, &Entry { job, state, .. }) = self.find(ticket)?;
        if state == State::Runs {
            return Err(WrongTicket::Runs);
        }
        self.remove(index, now);
        Ok(job)
    }

    fn planned(&self, ticket: Ticket) -> Result<Option<Placement>, handle::Misuse> {
        let (index, entry) = self.find(ticket)?;
        Ok(match entry.state {
            State::InLine => self.rule.promised(index == self.books.entries.line.first, entry),
            _ => Some(entry.planned),
        })
    }

    fn wake(&self) -> Option<Instant> {
        let Entries { line, dated, .. } = &self.books.entries;
        let (slots, now) = (self.slots.as_ref(), self.profile.now());
        let in_line = self.rule.wake(&mut Entries::each(slots, line), now);
        let dated = Entries::each(slots, dated).map(|entry| entry.planned.start);
        dated.filter(|&start| start > now).chain(in_line).min()
    }

    fn check_invariants(&self) -> Result<(), Broken> {
        let slots = self.slots.as_ref();
        self.books.entries.check(slots)?;
        self.profile.check_invariants()?;
        let running = self.books.entries.touched(slots).filter(|slot| slot.state == State::Runs);
        if running.map(|slot| slot.job.pes).sum::<u32>() != self.books.running {
            return Err(Broken("the PEs of all running jobs"));
        }
        self.check_bookings()
    }
}

impl<R, W, S> Backfill<R, W, S>
where
    R: Rule,
    W: AsRef<[Word]> + AsMut<[Word]>,
    S: AsRef<[Entry]> + AsMut<[Entry]>,
{
    /// The profile knows of each job what the entry says, and of nothing else.
    fn check_bookings(&self) -> Result<(), Broken> {
        let now = self.profile.now();
        let mut known = 0usize;
        for slot in self.books.entries.touched(self.slots.as_ref()) {
            let Some(id) = slot.booking else { continue };
            match self.profile.reservation(id) {
                Ok(held) if held.pes != slot.job.pes => {
                    return Err(Broken("a job's reservation has as many PEs as the job"));
                }
                Ok(held) => {
                    known = known.saturating_add(1);
                    // A job that started late may have been left the interval that it had.
                    if held.at != slot.planned && slot.state != State::Runs {
                        return Err(Broken("a waiting job is planned when the profile says"));
                    }
                }
                Err(_) if slot.planned.end > now && slot.state != State::Runs => {
                    return Err(Broken("a job that was promised an interval has it"));
                }
                Err(_) => {}
            }
        }
        if known != self.profile.reservations().count() {
            return Err(Broken("the profile knows of no other jobs"));
        }
        Ok(())
    }
}
