//! A planner and its model, driven side by side.

use super::{Command, Naive, State};
use crate::Mismatch;
use crate::dispatch::restart::{Restartable, renamed, restart};
use crate::mismatch::{Steps, equal};
use crate::reserve::Restart;
use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Easy, Entry, Error, Job, Misuse, Refusal, Standing, Ticket,
};
use locox::handle::{self, PoolId};
use locox::reserve::{Interval, Limits, Profile, Request};
use locox::time::{Duration, Instant};
use std::num::NonZeroU32;

const STALE: Misuse = Misuse::Handle(handle::Misuse::Stale);

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn interval((start, end): (u64, u64)) -> Interval {
    Interval { start: at(start), end: at(end) }
}

/// Words in which nothing is as it should be.
fn words(pes: u32, entries: usize) -> Vec<Word> {
    vec![0xA5A5_A5A5; Backfill::words(pes, entries)]
}

fn easy(pes: u32, entries: usize) -> Backfill<Easy, Vec<Entry>> {
    Backfill::easy(PoolId(3), pes, vec![Entry::EMPTY; entries])
}

fn conservative(pes: u32, entries: usize) -> Backfill<Conservative<Vec<Word>>, Vec<Entry>> {
    let (words, slots) = (words(pes, entries), vec![Entry::EMPTY; entries]);
    Backfill::conservative(PoolId(3), pes, words, slots).unwrap()
}

/// The policy of a planner.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// [`Easy`] of a depth.
    Easy(u32),
    /// [`Conservative`] of a depth.
    Conservative(u32),
    /// [`Conservative`] in steps.
    InSteps(NonZeroU32),
}

/// A planner of the kernel.
enum Real {
    Easy(Box<Backfill<Easy, Vec<Entry>>>),
    Conservative(Box<Backfill<Conservative<Vec<Word>>, Vec<Entry>>>),
}

impl Real {
    fn queue(&self) -> &dyn Restartable {
        match self {
            Self::Easy(it) => &**it,
            Self::Conservative(it) => &**it,
        }
    }

    fn queue_mut(&mut self) -> &mut dyn Restartable {
        match self {
            Self::Easy(it) => &mut **it,
            Self::Conservative(it) => &mut **it,
        }
    }
}

/// A planner and its model. Jobs start as soon as they are offered.
pub struct Lockstep {
    real: Real,
    naive: Naive,
    tickets: Vec<Ticket>,
    entries: usize,
    depth: u32,
    epoch: u16,
    /// The last time told, if that is known.
    heard: Option<u64>,
    /// Starts are asked for after each single call, or only when time moves on.
    each_event: bool,
    /// The machine refuses those of eight jobs whose bits are set.
    refused: u8,
    steps: Steps,
}

impl Lockstep {
    /// From a fresh planner in dirty storage on. With `each_event` starts are asked for after each
    /// single call, else only when time moves on.
    pub fn new(kind: Kind, pes: u32, entries: usize, each_event: bool) -> Self {
        Self::beside(kind, kind, pes, entries, each_event)
    }

    /// The same beside a model of another kind.
    pub fn beside(kind: Kind, other: Kind, pes: u32, entries: usize, each_event: bool) -> Self {
        let real = match kind {
            Kind::Easy(depth) => Real::Easy(Box::new(easy(pes, entries).with_depth(depth))),
            Kind::Conservative(depth) => {
                Real::Conservative(Box::new(conservative(pes, entries).with_depth(depth)))
            }
            Kind::InSteps(step) => {
                Real::Conservative(Box::new(conservative(pes, entries).in_steps_of(step)))
            }
        };
        let (conservative, depth, in_steps) = match other {
            Kind::Easy(depth) => (false, depth, false),
            Kind::Conservative(depth) => (true, depth, false),
            Kind::InSteps(step) => (true, step.get(), true),
        };
        let naive = Naive::new(conservative, depth as usize, in_steps, pes);
        let (tickets, steps) = (vec![], Steps::default());
        let heard = None;
        Self {
            real,
            naive,
            tickets,
            entries,
            depth,
            epoch: 0,
            heard,
            each_event,
            refused: 0,
            steps,
        }
    }

    /// The time that a call is told: the present, or sometimes a time before it that means it.
    fn now(&self) -> Instant {
        let was_heard = self.heard == Some(self.naive.now);
        let before = if was_heard { self.tickets.len() as u64 % 4 } else { 0 };
        at(self.naive.now.saturating_sub(before * before))
    }

    /// The time that a call is told: if it is to be refused, a later one, which must not matter.
    fn told(&self, fault: Option<Error>) -> Instant {
        if fault.is_some() { at(self.naive.now + 7) } else { self.now() }
    }

    /// What the model knows.
    pub fn model(&self) -> &Naive {
        &self.naive
    }

    /// The time is told with the next call.
    pub fn set_now(&mut self, now: u64) {
        self.naive.now = now;
    }

    /// Makes one call and compares the answer, all plans, and the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command).and_then(|()| self.compare());
        self.steps.check(command, compared)
    }

    /// All that later answers depend on. Two states of one key are the same state.
    pub fn key(&self) -> String {
        let Self { real, naive, tickets, epoch, .. } = self;
        format!("{:?} {naive:?} {epoch} {tickets:?}", real.queue().image())
    }

    /// Jobs that are not gone.
    pub fn open(&self) -> usize {
        self.naive.jobs.iter().filter(|job| job.state != State::Gone).count()
    }

    /// What is wrong with a job, whatever else goes on.
    fn fault(&self, pes: u32, requested: u64) -> Option<Error> {
        match () {
            () if pes == 0 => Some(Misuse::NoPes.into()),
            () if requested == 0 => Some(Misuse::NoTime.into()),
            () if pes > self.naive.pes => Some(Refusal::TooLarge { pes: self.naive.pes }.into()),
            () if self.open() == self.entries => {
                Some(Refusal::Full { entries: self.entries as u32 }.into())
            }
            () => None,
        }
    }

    fn job(&self, pes: u32, requested: u64) -> Job {
        Job::new(self.tickets.len() as u32, pes).within(Duration::from_ticks(requested))
    }

    fn push(&mut self, pes: u32, requested: u64, key: u64) -> Result<(), String> {
        let fault = self.fault(pes, requested);
        let (now, job) = (self.told(fault), self.job(pes, requested).keyed(key));
        let real = self.real.queue_mut().push(now, job);
        if let Some(error) = fault {
            return equal("ticket", real, Err(error));
        }
        self.naive.push(pes, requested, key);
        self.tickets.push(real.map_err(|error| format!("push: {error}"))?);
        Ok(())
    }

    /// What is wrong with a job that is said to run.
    fn fault_of_adopted(&self, pes: u32, requested: u64, started: u64) -> Option<Error> {
        let idle = self.naive.idle();
        match self.fault(pes, requested) {
            Some(Error::Misused(misuse)) => Some(misuse.into()),
            _ if started > self.naive.now => Some(Misuse::Future.into()),
            Some(Error::Refused(Refusal::TooLarge { pes })) => {
                Some(Refusal::TooLarge { pes }.into())
            }
            _ if pes > idle => Some(Refusal::TooFewFree { needed: pes, free: idle }.into()),
            // It may run on what is out of service.
            full => full,
        }
    }

    /// Since two units after the present at the latest.
    fn adopt(&mut self, pes: u32, requested: u64, key: u64, since: u64) -> Result<(), String> {
        let started = (self.naive.now + 2).saturating_sub(since);
        let fault = self.fault_of_adopted(pes, requested, started);
        let in_future = fault == Some(Misuse::Future.into());
        let now = if in_future { self.now() } else { self.told(fault) };
        let job = self.job(pes, requested).keyed(key);
        let real = self.real.queue_mut().adopt(now, job, at(started));
        if let Some(error) = fault {
            return equal("ticket of one that runs", real, Err(error));
        }
        self.naive.adopt(pes, requested, key, started);
        self.tickets.push(real.map_err(|error| format!("adopt: {error}"))?);
        Ok(())
    }

    /// Nothing under EASY, beside which there are no jobs with deadlines.
    fn reserve(&mut self, pes: u32, requested: u64, ready: u64, slack: u64) -> Result<(), String> {
        let ready = self.naive.now + ready;
        let deadline = ready + requested + slack;
        let job = self.job(pes, requested);
        let request = Request::new(at(ready), job.requested, pes).by(at(deadline));
        let (serving, all) = (self.naive.serving(), self.naive.pes);
        let fault = match self.fault(pes, requested) {
            Some(Error::Misused(misuse)) => Some(misuse.into()),
            _ if pes > serving && pes <= all => Some(Refusal::Faulty { serving }.into()),
            other => other,
        };
        let now = self.told(fault);
        let Real::Conservative(real) = &mut self.real else { return Ok(()) };
        let real = real.reserve(now, job.id, &request);
        if let Some(error) = fault {
            return equal("promise", real, Err(error));
        }
        match self.naive.reserve(pes, requested, ready, deadline) {
            Err(finish) => equal("promise", real, Err(Refusal::Late { finish: at(finish) }.into())),
            Ok(planned) => {
                let (ticket, placed) = real.map_err(|error| format!("reserve: {error}"))?;
                self.tickets.push(ticket);
                equal("promise", placed, interval(planned))
            }
        }
    }

    /// Ends a job or cancels it, rightly or not.
    fn leave(&mut self, pick: usize, ends: bool) -> Result<(), String> {
        let Some(job) = pick.checked_rem(self.tickets.len()) else { return Ok(()) };
        let (ticket, now) = (self.tickets[job], self.now());
        let queue = self.real.queue_mut();
        let real = if ends { queue.finished(now, ticket) } else { queue.cancel(now, ticket) };
        let state = self.naive.jobs[job].state;
        let expected = match state {
            State::Gone => Err(STALE),
            State::Runs if !ends => Err(Misuse::Runs),
            State::InLine | State::Reserved | State::Held if ends => Err(Misuse::Waits),
            _ => Ok(job as u32),
        };
        equal("job that leaves", real.map(|job| job.id), expected)?;
        if expected.is_ok() {
            self.naive.leave(&[job]);
        }
        Ok(())
    }

    /// Ends jobs at the same time: those of the picks that run, or also one that does not, or one of them twice.
    fn finish_together(&mut self, picks: [usize; 3]) -> Result<(), String> {
        if self.tickets.is_empty() {
            return Ok(());
        }
        let [first, ..] = picks;
        let mut jobs: Vec<usize> = picks.iter().map(|pick| pick % self.tickets.len()).collect();
        let runs = |job: &usize| self.naive.jobs[*job].state == State::Runs;
        // Most calls are right.
        if first % 8 > 1 {
            jobs.sort_unstable();
            jobs.dedup();
            jobs.retain(runs);
        }
        let tickets: Vec<Ticket> = jobs.iter().map(|&job| self.tickets[job]).collect();
        let fault =
            jobs.iter().enumerate().find_map(|(at, job)| match self.naive.jobs[*job].state {
                State::Gone => Some(STALE),
                State::Runs => jobs[..at].contains(job).then_some(STALE),
                State::InLine | State::Reserved | State::Held => Some(Misuse::Waits),
            });
        let now = self.told(fault.map(Error::from));
        let real = match &mut self.real {
            Real::Easy(it) => it.finished_together(now, &tickets),
            Real::Conservative(it) => it.finished_together(now, &tickets),
        };
        equal("jobs that end together", real, fault.map_or(Ok(()), Err))?;
        if fault.is_none() {
            self.naive.leave(&jobs);
        }
        Ok(())
    }

    /// Gives a job another key, rightly or not.
    fn rekey(&mut self, pick: usize, key: u64) -> Result<(), String> {
        let Some(job) = pick.checked_rem(self.tickets.len()) else { return Ok(()) };
        let expected = match self.naive.jobs[job].state {
            State::Gone => Err(STALE),
            State::Runs => Err(Misuse::Runs),
            State::Reserved => Err(Misuse::Reserved),
            State::InLine | State::Held => Ok(()),
        };
        let (now, ticket) = (self.now(), self.tickets[job]);
        equal("new key", self.real.queue_mut().rekey(now, ticket, key), expected)?;
        if expected.is_ok() {
            self.naive.rekey(job, key);
        }
        Ok(())
    }

    /// Lets a job wait again, rightly or not.
    fn requeue(&mut self, pick: usize) -> Result<(), String> {
        let Some(job) = pick.checked_rem(self.tickets.len()) else { return Ok(()) };
        let expected = match self.naive.jobs[job].state {
            State::Gone => Err(STALE),
            State::InLine | State::Reserved | State::Held => Err(Misuse::Waits),
            State::Runs => Ok(()),
        };
        let (now, ticket) = (self.now(), self.tickets[job]);
        equal("job that waits again", self.real.queue_mut().requeue(now, ticket), expected)?;
        if expected.is_ok() {
            self.naive.requeue(job);
        }
        Ok(())
    }

    /// Holds a job or releases it, rightly or not.
    fn hold(&mut self, pick: usize, hold: bool) -> Result<(), String> {
        let Some(job) = pick.checked_rem(self.tickets.len()) else { return Ok(()) };
        let state = self.naive.jobs[job].state;
        let expected = match state {
            State::Gone => Err(STALE),
            State::Runs => Err(Misuse::Runs),
            State::Reserved if hold => Err(Misuse::Reserved),
            State::InLine | State::Reserved | State::Held => Ok(()),
        };
        let (now, ticket) = (self.now(), self.tickets[job]);
        let queue = self.real.queue_mut();
        let real = if hold { queue.hold(now, ticket) } else { queue.release(now, ticket) };
        equal("held or released", real, expected)?;
        match state {
            State::InLine if hold => self.naive.hold(job),
            State::Held if !hold => self.naive.release(job),
            _ if expected.is_ok() => _ = self.naive.settle(),
            _ => {}
        }
        Ok(())
    }

    /// Takes so many PEs out of service, or back into it.
    fn set_out(&mut self, pes: u32, withdraw: bool) -> Result<(), String> {
        let now = self.now();
        let real = match (&mut self.real, withdraw) {
            (Real::Easy(it), true) => it.withdraw(now, pes),
            (Real::Easy(it), false) => it.repair(now, pes),
            (Real::Conservative(it), true) => it.withdraw(now, pes),
            (Real::Conservative(it), false) => it.repair(now, pes),
        };
        let out = self.naive.out;
        let after = if withdraw { out.checked_add(pes) } else { out.checked_sub(pes) };
        let after = after.filter(|&out| out <= self.naive.pes);
        equal("outage", real, after.map(|_| ()).ok_or(Misuse::Outage))?;
        if let Some(out) = after {
            self.naive.set_out(out);
        }
        Ok(())
    }

    /// Asks when a job will start; a call of EASY.
    fn estimate(&mut self, pick: usize) -> Result<(), String> {
        let Some(job) = pick.checked_rem(self.tickets.len()) else { return Ok(()) };
        let Real::Easy(real) = &mut self.real else { return Ok(()) };
        // The time of the answer is the last one told.
        if self.naive.jobs[job].state == State::InLine {
            real.withdraw(at(self.naive.now), 0).unwrap();
        }
        let limits = Limits { pes: self.naive.pes, reservations: self.entries.max(1) as u32 };
        let mut scratch =
            Profile::new(PoolId(9), limits, vec![!0; Profile::words(limits)]).unwrap();
        let answer = real.estimate(self.tickets[job], &mut scratch);
        let expected = match self.naive.jobs[job].state {
            State::Gone => Err(STALE),
            State::Runs => Ok(self.naive.jobs[job].planned),
            State::Held => Ok(None),
            _ => Ok(self.naive.estimate(job)),
        };
        equal("estimate", answer, expected.map(|it| it.map(interval)))
    }

    fn restart(&mut self, how: Restart) -> Result<(), String> {
        self.heard = None;
        let epoch = &mut self.epoch;
        match &mut self.real {
            Real::Easy(it) => {
                let fresh = || Box::new(easy(self.naive.pes, self.entries).with_depth(self.depth));
                restart(it, fresh, how, epoch)?;
            }
            Real::Conservative(it) => {
                let fresh = || conservative(self.naive.pes, self.entries);
                let (depth, step) = (self.depth, NonZeroU32::new(self.depth));
                let fresh = || match step.filter(|_| self.naive.in_steps) {
                    Some(step) => Box::new(fresh().in_steps_of(step)),
                    None => Box::new(fresh().with_depth(depth)),
                };
                restart(it, fresh, how, epoch)?;
            }
        }
        for (ticket, job) in self.tickets.iter_mut().zip(&self.naive.jobs) {
            let known = self.real.queue().planned(*ticket).map(|_| ());
            let gone = job.state == State::Gone;
            equal("old name", known, if gone { Err(STALE) } else { Ok(()) })?;
            if !gone {
                *ticket = renamed(*ticket, self.epoch);
            }
        }
        Ok(())
    }

    /// Lets all jobs start that may.
    ///
    /// # Errors
    ///
    /// Says which jobs should.
    pub fn start(&mut self) -> Result<(), String> {
        loop {
            let mut offered = vec![];
            let now = self.now();
            let refused = self.refused;
            let takes = |job: usize| refused >> (job % 8) & 1 == 0;
            let started = self.real.queue_mut().next(now, &mut |job| {
                offered.push(job.id as usize);
                takes(job.id as usize)
            });
            self.heard = Some(self.naive.now);
            let (expected_offers, expected) = self.naive.start_next(takes);
            equal("jobs offered", offered, expected_offers)?;
            let Some(job) = expected else { return Ok(()) };
            equal("ticket", started.map(|(ticket, _)| ticket), Some(self.tickets[job]))?;
        }
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        match *command {
            Command::Adopt(pes, requested, key, since) => self.adopt(pes, requested, key, since)?,
            Command::Push(pes, requested, key) => self.push(pes, requested, key)?,
            Command::Reserve(pes, requested, ready, slack) => {
                self.reserve(pes, requested, ready, slack)?;
            }
            Command::Finish(pick) => self.leave(pick, true)?,
            Command::FinishTogether(picks) => self.finish_together(picks)?,
            Command::Cancel(pick) => self.leave(pick, false)?,
            Command::Rekey(pick, key) => self.rekey(pick, key)?,
            Command::Requeue(pick) => self.requeue(pick)?,
            Command::Hold(pick, hold) => self.hold(pick, hold)?,
            Command::Withdraw(pes) => self.set_out(pes, true)?,
            Command::Repair(pes) => self.set_out(pes, false)?,
            Command::Estimate(pick) => self.estimate(pick)?,
            Command::Restart(how) => self.restart(how)?,
            Command::Refuse(jobs) => self.refused = jobs,
            Command::Advance(by) => {
                self.start()?;
                self.naive.now += by;
            }
        }
        if self.each_event {
            self.start()?;
        }
        Ok(())
    }

    /// What each job that is there does, and that it came as the how manieth.
    fn compare_visits(&self) -> Result<(), String> {
        let mut visited = vec![];
        self.real.queue().visit(&mut |ticket, job, standing, number| {
            visited.push((number, job.id, ticket, job.pes, job.key, standing));
        });
        visited.sort_by_key(|&(number, ..)| number);
        let standing = |state| match state {
            State::InLine => Some(Standing::Waits),
            State::Reserved => Some(Standing::Reserved),
            State::Held => Some(Standing::Held),
            State::Runs => Some(Standing::Runs),
            State::Gone => None,
        };
        let jobs = (0u32..).zip(self.naive.jobs.iter().zip(&self.tickets));
        let present = jobs.filter_map(|(id, (job, &ticket))| {
            Some((u64::from(id), id, ticket, job.pes, job.key, standing(job.state)?))
        });
        equal("jobs that are there", visited, present.collect())
    }

    fn compare(&self) -> Result<(), String> {
        let real = self.real.queue();
        equal("invariants", real.check_invariants(), Ok(()))?;
        let waits = |state| self.naive.each(state).len();
        let waiting = waits(State::InLine) + waits(State::Reserved) + waits(State::Held);
        equal("length", (real.len(), real.is_empty()), (waiting, waiting == 0))?;
        self.compare_visits()?;
        for (job, &ticket) in self.naive.jobs.iter().zip(&self.tickets) {
            let planned = real.planned(ticket);
            match job.state {
                State::Gone => equal("plan", planned, Err(STALE))?,
                State::InLine if !self.naive.conservative => {}
                _ => equal("plan", planned, Ok(job.planned.map(interval)))?,
            }
        }
        if !self.each_event {
            return Ok(());
        }
        if let Some((head, start, end)) = self.naive.promise() {
            let promised = real.planned(self.tickets[head]);
            equal("promise of the first", promised, Ok(Some(interval((start, end)))))?;
        }
        let later = |job: &super::Job| {
            let waits = matches!(job.state, State::InLine | State::Reserved);
            job.planned.map(|(start, _)| start).filter(|&start| waits && start > self.naive.now)
        };
        let at_once = self.naive.left.filter(|_| self.naive.in_steps).map(|_| self.naive.now);
        let wake = at_once.or_else(|| self.naive.jobs.iter().filter_map(later).min());
        // The time of the profile moves when the planner is told it.
        if !self.naive.jobs.is_empty() {
            equal("time to wake", real.wake_at(), wake.map(at))?;
        }
        Ok(())
    }
}
