//! A queue and its model, driven side by side.

use super::{Command, Model, Rule};
use crate::Mismatch;
use crate::dispatch::restart::{Restartable, renamed};
use crate::mismatch::{Steps, equal};
use crate::reserve::Restart;
use locox::dispatch::{
    Discipline, Fcfs, Job, Lazy, Misuse, Ordered, Patience, Refusal, Scan, Slot, Standing, Ticket,
    Window,
};
use locox::handle::{self, PoolId};
use locox::time::Instant;

/// What a slot held before does not matter.
const SOILED: Slot = Slot::EMPTY;

const STALE: Misuse = Misuse::Handle(handle::Misuse::Stale);

/// None of these queues looks at the time.
const NOW: Instant = Instant::ZERO;

/// Drives a queue and its model in step. Jobs are numbered by their arrival, and keep their
/// tickets.
pub struct Lockstep {
    real: Box<dyn Restartable>,
    model: Model,
    rule: Rule,
    patience: Patience,
    epoch: u16,
    tickets: Vec<Ticket>,
    slots: usize,
    steps: Steps,
}

fn queue(rule: Rule, patience: Patience, slots: Vec<Slot>) -> Box<dyn Restartable> {
    fn over<D: Discipline + 'static>(
        discipline: D,
        patience: Patience,
        slots: Vec<Slot>,
    ) -> Box<dyn Restartable> {
        Box::new(Ordered::new(PoolId(0), slots, discipline, patience))
    }
    match rule {
        Rule::Fcfs => over(Fcfs, patience, slots),
        Rule::Window(width) => over(Window::of(width), patience, slots),
        Rule::ScanUp => over(Scan::up(), patience, slots),
        Rule::ScanDown => over(Scan::down(), patience, slots),
        Rule::Lazy(backlog) => over(Lazy::beyond(backlog), patience, slots),
    }
}

impl Lockstep {
    /// From an empty queue with so many slots on; a job may be overtaken `patience` times.
    pub fn new(rule: Rule, patience: Option<u32>, slots: usize) -> Self {
        Self::beside(rule, rule, patience, slots)
    }

    /// The same beside a model under another rule.
    pub fn beside(rule: Rule, other: Rule, patience: Option<u32>, slots: usize) -> Self {
        let model = Model::new(other, patience);
        let patience = patience.map_or(Patience::ENDLESS, Patience::of);
        let real = queue(rule, patience, vec![Slot::EMPTY; slots]);
        let (tickets, steps) = (vec![], Steps::default());
        Self { real, model, rule, patience, epoch: 0, tickets, slots, steps }
    }

    /// Makes one call and compares the answer, what can be seen, and the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command);
        self.steps.check(command, compared)
    }

    /// All that later answers depend on. Two states of one key are the same state.
    pub fn key(&self) -> String {
        let Self { real, model, epoch, tickets, .. } = self;
        format!("{:?} {model:?} {epoch} {tickets:?}", real.image())
    }

    fn push(&mut self, pes: u32, key: u64, runs: bool) -> Result<(), String> {
        let job = Job::new(self.tickets.len() as u32, pes).keyed(key);
        let real = if runs { self.real.adopt(NOW, job, NOW) } else { self.real.push(NOW, job) };
        if pes == 0 {
            equal("ticket", real, Err(Misuse::NoPes.into()))?;
        } else if self.model.waiting.len() + self.model.running.len() == self.slots {
            let entries = self.slots as u32;
            equal("ticket", real, Err(Refusal::Full { entries }.into()))?;
        } else {
            self.tickets.push(real.map_err(|error| format!("push: {error}"))?);
            self.model.push(job);
            if runs {
                self.model.start(job.id);
            }
        }
        Ok(())
    }

    /// Takes the job offered after so many others.
    fn next(&mut self, refused: usize) -> Result<(), String> {
        let mut expected = self.model.offers();
        expected.truncate(refused + 1);
        let mut offered = vec![];
        let taken = self.real.next(NOW, &mut |job| {
            offered.push(job);
            offered.len() > refused
        });
        equal("jobs offered", &offered, &expected)?;
        let job = expected.get(refused);
        equal("job taken", taken, job.map(|job| (self.tickets[job.id as usize], *job)))?;
        if let Some(job) = job {
            self.model.start(job.id);
        }
        Ok(())
    }

    /// Ends a job or cancels it, rightly or not.
    fn leave(&mut self, id: u32, ends: bool) -> Result<(), String> {
        let Some(&ticket) = self.tickets.get(id as usize) else { return Ok(()) };
        let real =
            if ends { self.real.finished(NOW, ticket) } else { self.real.cancel(NOW, ticket) };
        let waits = self.model.waiting.iter().any(|(_, job)| job.id == id);
        let runs = self.model.running.iter().position(|(_, job)| job.id == id);
        let expected = match runs {
            Some(at) if ends => Ok(self.model.running.swap_remove(at).1),
            Some(_) => Err(Misuse::Runs),
            None if waits && ends => Err(Misuse::Waits),
            None => self.model.leave(id).ok_or(Misuse::Handle(handle::Misuse::Stale)),
        };
        equal("job that leaves", real, expected)?;
        Ok(())
    }

    /// Gives a job another key, rightly or not.
    fn rekey(&mut self, id: u32, key: u64) -> Result<(), String> {
        let Some(&ticket) = self.tickets.get(id as usize) else { return Ok(()) };
        let runs = self.model.running.iter().any(|(_, job)| job.id == id);
        let expected = match self.model.rekey(id, key) {
            true => Ok(()),
            false if runs => Err(Misuse::Runs),
            false => Err(Misuse::Handle(handle::Misuse::Stale)),
        };
        equal("new key", self.real.rekey(NOW, ticket, key), expected)
    }

    /// Lets a job wait again, rightly or not.
    fn requeue(&mut self, id: u32) -> Result<(), String> {
        let Some(&ticket) = self.tickets.get(id as usize) else { return Ok(()) };
        let waits = self.model.waiting.iter().any(|(_, job)| job.id == id);
        let runs = self.model.running.iter().position(|(_, job)| job.id == id);
        let expected = match runs {
            Some(_) => Ok(()),
            None if waits => Err(Misuse::Waits),
            None => Err(Misuse::Handle(handle::Misuse::Stale)),
        };
        equal("job that waits again", self.real.requeue(NOW, ticket), expected)?;
        if let Some(at) = runs {
            self.model.requeue(at);
        }
        Ok(())
    }

    /// Holds a job or releases it, rightly or not.
    fn hold(&mut self, id: u32, hold: bool) -> Result<(), String> {
        let Some(&ticket) = self.tickets.get(id as usize) else { return Ok(()) };
        let waits = self.model.waiting.iter().any(|(_, job)| job.id == id);
        let runs = self.model.running.iter().any(|(_, job)| job.id == id);
        let expected = match (waits, runs) {
            (true, _) => Ok(()),
            (_, true) => Err(Misuse::Runs),
            _ => Err(STALE),
        };
        let real = if hold { self.real.hold(NOW, ticket) } else { self.real.release(NOW, ticket) };
        equal("held or released", real, expected)?;
        self.model.held.retain(|&held| held != id);
        if hold && waits {
            self.model.held.push(id);
        }
        Ok(())
    }

    fn restart(&mut self, how: Restart) -> Result<(), String> {
        let fresh = || queue(self.rule, self.patience, vec![SOILED; self.slots]);
        crate::dispatch::restart::restart(&mut self.real, fresh, how, &mut self.epoch)?;
        for (id, ticket) in self.tickets.iter_mut().enumerate() {
            let is_id = |(_, job): &(u64, Job)| job.id == id as u32;
            let open = self.model.waiting.iter().chain(&self.model.running).any(is_id);
            let known = self.real.planned(*ticket).map(|_| ());
            equal("old name", known, if open { Ok(()) } else { Err(STALE) })?;
            if open {
                *ticket = renamed(*ticket, self.epoch);
            }
        }
        Ok(())
    }

    /// What each job that is there does, and that it came as the how manieth.
    fn compare_visits(&self) -> Result<(), String> {
        let mut visited = vec![];
        self.real.visit(&mut |ticket, job, standing, number| {
            visited.push((number, ticket, job, standing));
        });
        visited.sort_by_key(|&(number, ..)| number);
        let Model { waiting, running, held, .. } = &self.model;
        let in_line = |id| if held.contains(&id) { Standing::Held } else { Standing::Waits };
        let waiting = waiting.iter().map(|&(number, job)| (number, job, in_line(job.id)));
        let running = running.iter().map(|&(number, job)| (number, job, Standing::Runs));
        let named = |(number, job, standing): (u64, Job, Standing)| {
            (number, self.tickets[job.id as usize], job, standing)
        };
        let mut present: Vec<_> = waiting.chain(running).map(named).collect();
        present.sort_by_key(|&(number, ..)| number);
        equal("jobs that are there", visited, present)
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        let any = |pick: usize| pick.checked_rem(self.tickets.len()).unwrap_or(0) as u32;
        match *command {
            Command::Push(pes, key) => self.push(pes, key, false)?,
            Command::Adopt(pes, key) => self.push(pes, key, true)?,
            Command::Next(refused) => self.next(refused)?,
            Command::Finish(pick) => {
                let running = &self.model.running;
                let job = pick.checked_rem(running.len()).map_or(any(pick), |at| running[at].1.id);
                self.leave(job, true)?;
            }
            Command::FinishAny(pick) => self.leave(any(pick), true)?,
            Command::Cancel(pick) => self.leave(any(pick), false)?,
            Command::Rekey(pick, key) => self.rekey(any(pick), key)?,
            Command::Requeue(pick) => self.requeue(any(pick))?,
            Command::Hold(pick, hold) => self.hold(any(pick), hold)?,
            Command::Restart(how) => self.restart(how)?,
        }
        equal("length", self.real.len(), self.model.waiting.len())?;
        equal("emptiness", self.real.is_empty(), self.model.waiting.is_empty())?;
        equal("time to wake", self.real.wake_at(), None)?;
        self.compare_visits()?;
        equal("invariants", self.real.check_invariants(), Ok(()))
    }
}
