//! Conservative backfilling: each job has a promise from its arrival on.
//!
//! Source: A. W. Mu'alem and D. G. Feitelson, *Utilization, predictability, workloads, and user
//! runtime estimates in scheduling the IBM SP2 with backfilling*, 2001.
//!
//! 1. A job that arrives is given the earliest interval, by requested times, in which enough PEs
//!    are free between all others that run or have been given theirs.
//! 2. It starts when its interval does.
//! 3. *Compression*: when a job ends before its time, or one is cancelled, each job in line, in
//!    its order, is moved to the earliest interval that is now free, its own counted
//!    as free, if that is earlier. There is one pass: what a job leaves by moving is offered to
//!    those behind it, and to those before it at the next compression.
//!
//! An interval is never moved back, so no job delays another that came before it. The price
//! against EASY are holes that nobody may use. Choose it where users are told when their jobs run.
//!
//! Beyond the source: a bounded rule, [`Conservative::of`]. After an early end the first so many in
//! line are moved to the earliest interval, all others only if they can start now. Nobody starts
//! later than first promised, and a long line costs little.
//!
//! Beyond the source: compression in steps, [`Conservative::in_steps_of`]. A call that brings an early end
//! moves so many in line at most, and each call that asks who starts goes on with as many. So every call
//! has a bound, whatever was given up; a job that came or got another key meanwhile is met where
//! it stands then, and an early end has the line begun anew.
//!
//! Beyond the source: jobs with deadlines hold intervals like all others, but are never moved.
//! Jobs that run longer than requested hold their PEs: those whose time has come wait in the
//! order of arrival, and as many PEs are kept for them as they need. So do jobs that the machine
//! refuses.
//!
//! Cost: an arrival is a search and a reservation. A compression is a search for each job in
//! line, in what has been given up since the last one and before the job's own start, and a
//! reservation for each that moves; under the bounded rule for so many jobs; of the others those are
//! found by the logarithm of the line that ask for no more PEs and time than are free now, or start
//! soon, and are as many as fit. In steps a call does so for the jobs of a step.

use super::freed::Freed;
use super::planner::{Entry, Lines, Planner, Start};
use super::rule::{Promise, Rule, Steps};
use crate::dispatch::tree::{self, Needs, Place};
use crate::dispatch::{Job, Refusal, SizeClass};
use crate::reserve::Placement;
use crate::time::Instant;
use core::num::NonZeroU32;

/// The line of all jobs that were pushed. They are looked for by planned start.
const IN_LINE: u8 = SizeClass::SMALLEST.get();

/// The rules of conservative backfilling.
#[derive(Clone, Copy, Debug)]
pub struct Conservative {
    /// How many jobs are moved to the earliest interval at a time.
    depth: u32,
    rest: Rest,
    /// The number of the last pass over them, from 1 on; also of those that came since.
    pass: u32,
    /// What was given up since it began.
    freed: Freed,
}

/// What becomes of those behind them.
#[derive(Clone, Copy, Debug)]
enum Rest {
    /// They are moved if they can start now.
    StartsNow,
    /// Calls that follow go on, from a place on if any are left.
    Later(Option<Place>),
}

impl Conservative {
    /// All jobs in line are moved after an early end.
    pub const fn new() -> Self {
        Self::of(u32::MAX)
    }

    /// The first `depth` in line are, others only if they can start now.
    pub const fn of(depth: u32) -> Self {
        Self { depth, rest: Rest::StartsNow, pass: 1, freed: Freed::NONE }
    }

    /// All are, `most` of them at a time: the first ones when the early end is told, then others whenever
    /// it is asked who starts. Until all have been looked at, it wants to be asked at once
    /// ([`wake_at`](crate::dispatch::Queue::wake_at)), also if nobody starts.
    pub const fn in_steps_of(most: NonZeroU32) -> Self {
        Self { rest: Rest::Later(None), ..Self::of(most.get()) }
    }

    /// Moves jobs in line from a place on.
    fn compress(&mut self, planner: &mut Planner<'_>, from: Place) {
        let behind = self.move_first(planner, from);
        match (&mut self.rest, behind) {
            (Rest::Later(rest), _) => *rest = behind,
            (Rest::StartsNow, Some(from)) => self.start_now(planner, from),
            (Rest::StartsNow, None) => {}
        }
    }

    /// Moves the first jobs from a place on to the earliest interval; where the others stand.
    fn move_first(&mut self, planner: &mut Planner<'_>, from: Place) -> Option<Place> {
        let before = self.pass;
        let mut offered = core::mem::replace(&mut self.freed, Freed::NONE);
        self.pass = before.wrapping_add(1).max(1);
        let mut at = planner.jobs.line(IN_LINE).first_from(planner.entries, from);
        let mut left = self.depth;
        while let Some(row) = at {
            let entry = planner.entries.get_mut(row as usize)?;
            if left == 0 {
                return Some(entry.place());
            }
            let last = core::mem::replace(&mut entry.note.pass, self.pass);
            let freed = if last == before { &offered } else { &Freed::ALL };
            if let Some(given_up) = planner.bring_forward(row, freed) {
                let most = planner.most_free(given_up);
                offered.add(given_up, most);
                self.freed.add(given_up, most);
            }
            at = tree::next(planner.entries, row);
            left = left.wrapping_sub(1);
        }
        None
    }

    /// Moves those from a place on that can start now to the present.
    fn start_now(&mut self, planner: &mut Planner<'_>, mut from: Place) {
        let mut gap = Gap::now(planner);
        while let Some((place, row)) = gap.first(planner, from) {
            from = tree::behind(place);
            if let Some(given_up) = planner.bring_to_now(row) {
                self.freed.add(given_up, planner.most_free(given_up));
                gap = Gap::now(planner);
            }
        }
    }
}

impl Default for Conservative {
    fn default() -> Self {
        Self::new()
    }
}

/// What a job may ask for that starts now: enough PEs are free until it would end, or until it has
/// its own.
struct Gap([Needs; 2]);

impl Gap {
    fn now(planner: &Planner<'_>) -> Self {
        let least = planner.jobs.line(IN_LINE).least(planner.entries);
        let until = planner.free_until(least.pes).ticks();
        let most = Needs { pes: planner.spare(), ..Needs::MOST };
        let short = Needs { requested: until.saturating_sub(planner.now.ticks()), ..most };
        Self([short, Needs { time: until, ..most }])
    }

    /// The first job at a place or behind it that asks for no more.
    fn first(&self, planner: &Planner<'_>, from: Place) -> Option<(Place, u32)> {
        planner.jobs.line(IN_LINE).first_within(planner.entries, from, &self.0)
    }
}

impl Rule for Conservative {}

impl Steps for Conservative {
    const NAME: &'static str = "conservative";
    const BOOKS: bool = true;

    fn promise(&self, planner: &mut Planner<'_>, job: &Job) -> Promise {
        planner.keep_for_reserved();
        planner.earliest(job, planner.now).map(Some).ok_or(Refusal::Overflow)
    }

    /// Its earliest start was looked for just now, unless the present was left out although the
    /// profile has room there.
    fn arrived(&mut self, planner: &mut Planner<'_>, row: u32) {
        let Some(&Entry { job, .. }) = planner.entry(row) else { return };
        let left_out = planner.is_held_up(&job) && planner.free_now() >= job.pes;
        if !left_out && let Some(entry) = planner.entries.get_mut(row as usize) {
            entry.note.pass = self.pass;
        }
    }

    fn next(&mut self, planner: &mut Planner<'_>, start: Start<'_>) -> Option<u32> {
        if let Rest::Later(Some(from)) = self.rest {
            self.compress(planner, from);
        }
        planner.start_due(IN_LINE, start)
    }

    fn changed(&mut self, planner: &mut Planner<'_>, freed: Option<Placement>) {
        let Some(freed) = freed else { return };
        self.freed.add(freed, planner.most_free(freed));
        self.compress(planner, Place::default());
    }

    fn promised(&self, entry: &Entry) -> Option<Placement> {
        Some(entry.note.at)
    }

    fn wake_at(&self, jobs: &Lines, entries: &[Entry], now: Instant) -> Option<Instant> {
        if let Rest::Later(Some(_)) = self.rest {
            return Some(now);
        }
        jobs.next_start(entries, IN_LINE, now)
    }
}
