//! EASY backfilling: the head of the line has a promise, others may overtake if they keep it.
//!
//! Source: D. A. Lifka, *The ANL/IBM SP scheduling system*, 1995; the rules as in A. W. Mu'alem
//! and D. G. Feitelson, *Utilization, predictability, workloads, and user runtime estimates in
//! scheduling the IBM SP2 with backfilling*, 2001.
//!
//! 1. As long as the first job in line can start, it does.
//! 2. The first one that cannot is promised the *shadow time*: the earliest time at which enough
//!    PEs will be free, by requested times.
//! 3. The others are tried in the order of arrival. One starts if enough PEs are free and it ends
//!    by the shadow time, or if it uses only *extra* PEs, which the first job leaves over then.
//!
//! The promise is made anew after each release, so an early end brings it forward. The head is
//! never delayed by a job that overtakes it; those behind it may be, without bound. Choose it for
//! utilisation and short waits where jobs say how long they run.
//!
//! Beyond the sources: a job that runs longer than requested holds its PEs and is taken to end at the
//! next tick. Where the machine refuses the head although enough PEs are free, that number is kept
//! for it. Jobs that ask for more PEs than are in service keep their places and stand in nobody's way.
//! A [`Capacity`] on which a job needs certain PEs together says itself what can start, and when.
//!
//! Cost: who may overtake is found without a look at the others. Jobs wait in a tree for each size
//! class, whose branches say what the least job asks for. A search in a class costs the logarithm of
//! its line, if all or none of its jobs are small enough. In the one class between, it may also look
//! at branches in which one job is small and another one short. The shadow time, a start and an end
//! cost the logarithm of the jobs that run, which stand in a tree by their ends.

use super::planner::{BackfillPolicy, ByNumber, Entry, Plan, Planner, Start};
use super::running::Running;
use crate::dispatch::jobs::Jobs;
use crate::dispatch::slot::{Aggregate, HELD, QueueKey, behind};
use crate::dispatch::{Job, Refusal, SizeClass, Ticket};
use crate::image::{BadImage, Stored, Take};
use crate::invariant::InvariantViolation;
use crate::reserve::Interval;
use crate::time::Instant;

/// EASY backfilling, of [`Backfill::easy`](super::Backfill::easy).
// Invariants of the fields:
//
// - `head` is the first job in line and when it is to run; `None` if that is to be found.
// - `running` has the jobs that run, by their ends.
// - At most `depth` jobs behind the first one are tried.
// - With a promise, the jobs that stand before `untried` cannot start before something is
//   released: what is free only shrinks, and what ends later only comes nearer to the shadow time.
//   So it is not behind a job that the machine refused, which is offered again.
#[derive(Clone, Copy, Debug)]
pub struct Easy {
    pub(super) depth: u32,
    head: Option<Head>,
    untried: QueueKey,
    running: Running,
}

/// The first job in line, for which too few PEs are free or which was refused, and its promise.
#[derive(Clone, Copy, Debug)]
struct Head {
    place: QueueKey,
    pes: u32,
    /// `None` only if it would end beyond the end of time.
    promise: Option<Interval>,
}

/// Behind all jobs.
const END: QueueKey = (u64::MAX, u64::MAX);

/// The last line.
const LAST: u8 = SizeClass::LARGEST.get();

crate::stored!(Head { place, pes, promise });

/// Which jobs there is room for, and when. What it says holds until it takes the next one.
pub trait Capacity {
    /// Whether there is room for a job at any time. One for which there is none stands in nobody's way.
    fn ever(&mut self, ticket: Ticket, job: &Job) -> bool;

    /// When there is room for a job, if those that run hold their PEs as long as they are taken to, and none other starts.
    fn earliest(&mut self, ticket: Ticket, job: &Job, running: &Outlook<'_>) -> Option<Instant>;

    /// The most PEs of a job that may be taken now, and of one that holds them still when the first one in line, of
    /// `first` PEs, starts.
    fn room(&mut self, first: u32, start: Option<Instant>, running: &Outlook<'_>) -> [u32; 2];

    /// Takes a job, or does not.
    fn take(&mut self, ticket: Ticket, job: Job) -> bool;
}

/// The jobs that run, as a [`Capacity`] sees them.
pub struct Outlook<'a> {
    planner: &'a Planner<'a>,
    running: &'a Running,
}

impl Outlook<'_> {
    /// The PEs that are free.
    pub fn free(&self) -> u32 {
        self.planner.free()
    }
}

/// Any PEs will do, behind what takes the jobs.
pub(super) struct Counted<'a>(pub(super) Start<'a>);

impl Capacity for Counted<'_> {
    fn ever(&mut self, _: Ticket, _: &Job) -> bool {
        true
    }

    fn earliest(&mut self, _: Ticket, job: &Job, of: &Outlook<'_>) -> Option<Instant> {
        of.running.earliest(of.planner, job)
    }

    fn room(&mut self, first: u32, start: Option<Instant>, of: &Outlook<'_>) -> [u32; 2] {
        let free = start.map_or(0, |start| of.running.free_at(of.planner, start));
        let spare = of.free();
        [spare, free.saturating_sub(first).min(spare)]
    }

    fn take(&mut self, _: Ticket, job: Job) -> bool {
        (self.0)(job)
    }
}

impl Easy {
    /// Any job may overtake. Nothing is promised yet.
    pub(super) const fn new() -> Self {
        Self { depth: u32::MAX, head: None, untried: END, running: Running::EMPTY }
    }

    /// The first job in line as far as the last call has found it, and its promise.
    pub(super) fn first_promised(&self) -> Option<(QueueKey, Interval)> {
        let head = self.head?;
        Some((head.place, head.promise?))
    }

    /// When a job could start if it were the first in line.
    pub(super) fn earliest(&self, planner: &Planner<'_>, job: &Job) -> Option<Instant> {
        self.running.earliest(planner, job)
    }

    /// What the first job in line was promised is found anew.
    pub(super) const fn forget_promise(&mut self) {
        self.head = None;
    }

    /// A job that waits, or runs, runs since `started`, with other terms.
    pub(super) fn claim(
        &mut self,
        planner: &mut Planner<'_>,
        row: u32,
        job: Job,
        started: Instant,
    ) {
        planner.advance();
        if planner.entry(row).is_some_and(Entry::runs) {
            self.running.remove(planner.entries, row);
        }
        planner.claim(row, job);
        self.running.add(planner, row, started);
        self.head = None;
    }

    /// A job has other terms.
    pub(super) fn change(&mut self, planner: &mut Planner<'_>, row: u32, job: Job) {
        match planner.entry(row).filter(|entry| entry.runs()).map(|entry| entry.note.at.start) {
            Some(start) => self.claim(planner, row, job, start),
            None => {
                planner.advance();
                planner.jobs.change(planner.entries, row, job, SizeClass::of(job.pes).get());
                self.head = None;
            }
        }
    }

    /// Starts a job that a machine takes, if there is one.
    pub(super) fn next_on(
        &mut self,
        planner: &mut Planner<'_>,
        machine: &mut impl Capacity,
    ) -> Option<u32> {
        let is_due = |at: Interval| at.start <= planner.now;
        let try_head = self.head.is_none_or(|head| head.promise.is_some_and(is_due));
        let started = if try_head { self.try_head(planner, machine) } else { None };
        let row = match started {
            Some(row) => row,
            None => self.try_others(planner, machine)?,
        };
        self.running.add(planner, row, planner.now);
        Some(row)
    }

    /// Offers the first job in line if it can start, else finds out when it can. The job, if it
    /// starts.
    fn try_head(&mut self, planner: &mut Planner<'_>, machine: &mut impl Capacity) -> Option<u32> {
        self.head = None;
        let (place, row) = first(planner, machine)?;
        let job = planner.entry(row)?.job;
        let outlook = Outlook { planner, running: &self.running };
        let start = machine.earliest(planner.ticket(row), &job, &outlook);
        let end = start.and_then(|start| start.checked_add(job.requested));
        let end = end.filter(|&end| end < Instant::MAX);
        let promise = start.zip(end).map(|(start, end)| Interval { start, end });
        if promise.is_some_and(|at| at.start == planner.now) && offer(planner, row, machine) {
            return Some(row);
        }
        self.head = Some(Head { place, pes: job.pes, promise });
        self.untried = behind(place);
        None
    }

    /// Offers the untried jobs that do not delay the first one.
    fn try_others(
        &mut self,
        planner: &mut Planner<'_>,
        machine: &mut impl Capacity,
    ) -> Option<u32> {
        let head = self.head?;
        let from = core::mem::replace(&mut self.untried, END);
        // Without this check each call looks for what the first job leaves over.
        if from == END || planner.free() < least_pes(planner) {
            return None;
        }
        let mut next = from;
        loop {
            // What was refused may say more of those behind it.
            let most = self.leeway(planner, head, machine);
            let (place, row) = first_within(planner, next, &most)?;
            if self.depth < u32::MAX
                && more_between(planner, [head.place, place], planner.serving(), self.depth)
            {
                return None;
            }
            let job = planner.entry(row)?.job;
            if planner.now.checked_add(job.requested).is_some() {
                if offer(planner, row, machine) {
                    self.untried = self.untried.min(behind(place));
                    return Some(row);
                }
                self.untried = self.untried.min(place);
            }
            next = behind(place);
        }
    }

    /// What a job may ask for that does not delay the first one: it ends by the shadow time, or uses
    /// only PEs that the first job leaves over at that time.
    fn leeway(
        &self,
        planner: &Planner<'_>,
        head: Head,
        machine: &mut impl Capacity,
    ) -> [Aggregate; 2] {
        let shadow = head.promise.map(|at| at.start);
        let outlook = Outlook { planner, running: &self.running };
        let [spare, extra] = machine.room(head.pes, shadow, &outlook);
        let slack = shadow.unwrap_or(Instant::MAX).ticks().saturating_sub(planner.now.ticks());
        let short = Aggregate { pes: spare, requested: slack, ..Aggregate::MOST };
        [short, Aggregate { pes: extra, ..Aggregate::MOST }]
    }
}

/// Offers a job to a machine, and starts it if it is taken.
fn offer(planner: &mut Planner<'_>, row: u32, machine: &mut impl Capacity) -> bool {
    let ticket = planner.ticket(row);
    planner.offer(row, &mut |job| machine.take(ticket, job))
}

/// The first job of all lines for which there is room at any time.
fn first(planner: &Planner<'_>, machine: &mut impl Capacity) -> Option<(QueueKey, u32)> {
    let mut from = QueueKey::default();
    loop {
        let (place, row) = first_from(planner, from)?;
        if machine.ever(planner.ticket(row), &planner.entry(row)?.job) {
            return Some((place, row));
        }
        from = behind(place);
    }
}

/// The first job at a place or behind it that asks for no more PEs than are in service.
fn first_from(planner: &Planner<'_>, from: QueueKey) -> Option<(QueueKey, u32)> {
    let most = planner.serving();
    let first = |line| {
        let row = planner.jobs.first(line)?;
        let entry = planner.entry(row)?;
        // Most often it is the first of its line.
        if entry.job.pes <= most && from <= entry.place() {
            return Some((entry.place(), row));
        }
        let most = [Aggregate { pes: most, ..Aggregate::MOST }];
        planner.jobs.line(line).first_within(planner.entries, from.max(entry.place()), &most)
    };
    planner.jobs.standing(LAST).filter_map(first).min()
}

/// The first job at a place or behind it that asks for no more than one of `most`, the first of
/// which has the most PEs.
fn first_within(
    planner: &Planner<'_>,
    from: QueueKey,
    most: &[Aggregate; 2],
) -> Option<(QueueKey, u32)> {
    let in_line = |line| planner.jobs.line(line).first_within(planner.entries, from, most);
    let [Aggregate { pes, .. }, _] = *most;
    planner.jobs.standing(SizeClass::of(pes).get()).filter_map(in_line).min()
}

/// The PEs of the smallest job in line.
fn least_pes(planner: &Planner<'_>) -> u32 {
    let least = |line| planner.jobs.line(line).least(planner.entries).pes;
    planner.jobs.standing(LAST).next().map_or(u32::MAX, least)
}

/// Whether more than `most` jobs in line that ask for no more than `pes` PEs stand from one place on and before
/// another. Cost: a search for each of as many.
fn more_between(planner: &Planner<'_>, [from, place]: [QueueKey; 2], pes: u32, most: u32) -> bool {
    let within = [Aggregate { pes, ..Aggregate::MOST }];
    let between = |line| {
        let line = planner.jobs.line(line);
        let first = move |from| {
            line.first_within(planner.entries, from, &within).filter(|&(at, _)| at < place)
        };
        core::iter::successors(first(from), move |&(at, _)| first(behind(at)))
    };
    let lines = planner.jobs.standing(SizeClass::of(pes).get());
    lines.flat_map(between).nth(most as usize).is_some()
}

impl BackfillPolicy for Easy {
    const NAME: &'static str = "easy";
    // All that a job runs on may be out of service.
    const LEAST_PES: u32 = 0;
    const KIND: [u8; 4] = *b"EASY";

    fn may_wait_in(job: &Job, line: u8) -> bool {
        SizeClass::of(job.pes).get() == line
    }

    fn push(&mut self, planner: &mut Planner<'_>, job: Job) -> Result<u32, Refusal> {
        planner.advance();
        let row = planner.accept(SizeClass::of(job.pes).get(), job, Plan::NONE)?;
        if let Some(place) = planner.entry(row).map(Entry::place) {
            self.head = self.head.filter(|head| head.place < place);
            self.untried = self.untried.min(place);
        }
        Ok(row)
    }

    fn adopt(
        &mut self,
        planner: &mut Planner<'_>,
        job: Job,
        started: Instant,
    ) -> Result<u32, Refusal> {
        planner.advance();
        let row = planner.adopt(SizeClass::of(job.pes).get(), job)?;
        self.running.add(planner, row, started);
        self.head = None;
        Ok(row)
    }

    fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32> {
        self.next_on(planner, &mut Counted(start))
    }

    fn remove(&mut self, planner: &mut Planner<'_>, row: u32) {
        if planner.entry(row).is_some_and(Entry::runs) {
            self.running.remove(planner.entries, row);
        }
        planner.remove(row);
        planner.advance();
        self.head = None;
    }

    fn requeue(&mut self, planner: &mut Planner<'_>, row: u32) {
        let Some(job) = planner.entry(row).map(|entry| entry.job) else { return };
        self.running.remove(planner.entries, row);
        planner.requeue(row, SizeClass::of(job.pes).get());
        planner.advance();
        self.head = None;
    }

    fn set_held(&mut self, planner: &mut Planner<'_>, row: u32, held: bool) {
        let Some(job) = planner.entry(row).map(|entry| entry.job) else { return };
        planner.advance();
        let line = if held { HELD } else { SizeClass::of(job.pes).get() };
        planner.jobs.change_line(planner.entries, row, line);
        self.head = None;
    }

    fn rekeyed(&mut self, _: &mut Planner<'_>, _: u32) {
        self.head = None;
    }

    fn promised(&self, entry: &Entry) -> Option<Interval> {
        self.head.filter(|head| head.place == entry.place())?.promise
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        self.head.store(&mut put);
        self.untried.store(&mut put);
    }

    fn load(&mut self, planner: &mut Planner<'_>, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        self.head = Stored::load(&mut take)?;
        self.untried = Stored::load(&mut take)?;
        for row in 0..planner.jobs.slab.used() {
            if planner.entry(row).is_some_and(Entry::runs) {
                self.running.insert(planner.entries, row);
            }
        }
        let sound = self.running.check(planner.jobs, planner.entries);
        sound.map_err(|it| BadImage::Contradiction(it.0))
    }

    fn forget(&mut self) {
        *self = Self { depth: self.depth, ..Self::new() };
    }

    fn check(&self, jobs: &Jobs, entries: &[Entry]) -> Result<(), InvariantViolation> {
        self.running.check(jobs, entries)
    }
}

impl ByNumber for Easy {
    fn outage_changed(&mut self, planner: &mut Planner<'_>) {
        planner.advance();
        self.head = None;
    }
}
