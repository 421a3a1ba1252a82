//! A coordinator and its hosts over a network that loses, doubles and delays: whatever was sent stays on the way, and
//! arrives as often and as late as it is said.

use super::lockstep::{Any, Rows, Size};
use crate::Mismatch;
use crate::dispatch::order;
use crate::mismatch::{Steps, equal};
use locox::cluster::{
    self, Batch, Config, Effect, HostCommand, HostConfig, HostEffect, HostPart, JobId, Status,
    Terms,
};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{FirstLevel, HostId, JobNumber, Load, Speed, UserId};
use std::collections::BTreeSet;

/// Levels of a host.
const LEVELS: u8 = 2;
const NOW: Instant = Instant::ZERO;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A job of so many hosts is submitted.
    Submit(u32),
    /// One of the latest jobs is to be killed.
    Kill(usize),
    /// One of the latest jobs ends if it can, and that is reported.
    End(usize),
    /// A host reports.
    Report(usize),
    /// A host restarts.
    Reboot(usize),
    /// The coordinator goes on from its image.
    Restore,
    /// Of the messages that were ever sent one of the latest arrives, perhaps once more.
    Arrives(usize),
}

/// How hosts tell one batch from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// By what it says.
    ByBatch,
    /// Not at all: a wrong method, which must be found.
    ByCount,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Message {
    ToHost(usize, HostCommand),
    Report(usize, Batch),
}

/// A host, and of which jobs processes are there.
struct Machine {
    part: HostPart,
    boot: u32,
    processes: BTreeSet<u32>,
}

/// All of it. Jobs go by their numbers as they were submitted.
pub struct World<'a> {
    cluster: Any<'a, FirstLevel>,
    told: Told,
    machines: Vec<Machine>,
    sent: Vec<Message>,
    jobs: Vec<JobId>,
    ended: BTreeSet<u32>,
    steps: Steps,
    /// Starts so far.
    pub starts: u32,
}

fn part(boot: u32) -> HostPart {
    let config = HostConfig { report: Duration::from_ticks(1), boot, pool: PoolId(9) };
    HostPart::new(config, NOW).expect("it reports now and then")
}

/// Rows for so many hosts and jobs.
pub fn rows(hosts: usize, jobs: usize) -> Rows {
    let size = Size { levels: LEVELS, hosts, rows: jobs };
    Rows::new(size, &Config::new(PoolId(5)), order::Rule::Fcfs)
}

impl<'a> World<'a> {
    /// All hosts have reported, and heard that they have nothing.
    pub fn new(rows: &'a mut Rows, hosts: usize, told: Told) -> Self {
        let placement = FirstLevel::new(LEVELS);
        let cluster = rows.coordinator(Config::new(PoolId(5)), placement, LEVELS);
        let machine = |_| Machine { part: part(1), boot: 1, processes: BTreeSet::new() };
        let mut world = Self {
            cluster: cluster.expect("all fits"),
            told,
            machines: (0..hosts).map(machine).collect(),
            sent: vec![],
            jobs: vec![],
            ended: BTreeSet::new(),
            steps: Steps::default(),
            starts: 0,
        };
        world.settle().expect("nothing runs");
        world
    }

    /// Does this.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if a job starts that has ended, or an invariant is broken.
    pub fn step(&mut self, event: Event) -> Result<(), Mismatch> {
        let done = self.carry_out(event).and_then(|()| self.check());
        self.steps.check(&event, done)
    }

    /// All that later events depend on.
    pub fn key(&self) -> String {
        let parts = self.machines.iter().map(|it| (&it.part, &it.processes));
        let parts: Vec<_> = parts.collect();
        let mut image = vec![];
        self.cluster.export(|word| image.push(word));
        format!("{image:?} {parts:?} {:?} {:?} {:?}", self.sent, self.jobs, self.ended)
    }

    /// Messages arrive again: two reports of each host later all of them run what the coordinator says, and further
    /// reports tell nothing.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if not.
    pub fn flow_again(&mut self) -> Result<(), Mismatch> {
        let settled = self.settle().and_then(|()| self.check());
        self.steps.check(&"messages arrive again", settled)
    }

    fn settle(&mut self) -> Result<(), String> {
        for _ in 0..2 {
            self.report_all()?;
            while let Some(effect) = self.cluster.take_effect() {
                let (host, command) = command_of(effect);
                self.tell(host, command)?;
            }
        }
        self.report_all()?;
        equal("told without need", self.cluster.take_effect(), None)?;
        (0..self.machines.len()).try_for_each(|host| self.compare(host))
    }

    fn report_all(&mut self) -> Result<(), String> {
        (0..self.machines.len()).try_for_each(|host| {
            let heard = self.machines[host].part.heard();
            self.hear(host, heard).map_err(|why| format!("host {host}: {why}"))
        })
    }

    fn compare(&self, host: usize) -> Result<(), String> {
        let table = self.cluster.table();
        let wanted = table.column(HostId(host as u32)).filter_map(|(level, job, _)| {
            let is_wanted = table.is_terminating(job) == Ok(false);
            is_wanted.then(|| (self.cluster.job(job), level))
        });
        let wanted: Vec<_> = wanted.collect();
        let part = &self.machines[host].part;
        let there = part.running().as_slice().iter().filter(|it| !it.terminating);
        let mut there: Vec<_> = there.map(|it| (Some(it.job), it.level)).collect();
        there.sort_by_key(|(_, level)| level.number());
        equal("jobs of a host", (host, there), (host, wanted))
    }

    fn check(&self) -> Result<(), String> {
        equal("invariants", self.cluster.check_invariants(), Ok(()))?;
        self.machines.iter().try_for_each(|it| {
            equal("invariants of a host", it.part.check_invariants(), Ok(()))?;
            let most = usize::from(LEVELS);
            if it.processes.len() > most {
                return Err(format!("jobs {:?} on {most} levels", it.processes));
            }
            Ok(())
        })
    }

    fn carry_out(&mut self, event: Event) -> Result<(), String> {
        let latest = |of: usize, at: usize| of.checked_sub(at + 1);
        match event {
            Event::Submit(hosts) => {
                let (user, terms) = (UserId(1), Terms::default());
                let submit = cluster::Command::Submit { user, hosts, synchronising: false, terms };
                self.jobs.extend(self.cluster.apply(NOW, submit).ok().flatten());
                self.send_effects();
            }
            Event::Kill(at) => {
                if let Some(at) = latest(self.jobs.len(), at) {
                    _ = self.cluster.apply(NOW, cluster::Command::Kill { job: self.jobs[at] });
                    self.send_effects();
                }
            }
            Event::End(at) => {
                if let Some(at) = latest(self.jobs.len(), at) {
                    self.end(at)?;
                }
            }
            Event::Report(host) => {
                self.send(Message::Report(host, self.machines[host].part.heard()));
            }
            Event::Reboot(host) => {
                let boot = self.machines[host].boot + 1;
                self.machines[host] =
                    Machine { part: part(boot), boot, processes: BTreeSet::new() };
            }
            Event::Restore => {
                let mut image = vec![];
                self.cluster.export(|word| image.push(word));
                equal("answer to an image", self.cluster.restore(image), Ok(()))?;
                self.send_effects();
            }
            Event::Arrives(at) => match latest(self.sent.len(), at).map(|at| self.sent[at]) {
                Some(Message::ToHost(host, command)) => self.tell(host, command)?,
                Some(Message::Report(host, heard)) => {
                    // One from before the latest start is refused.
                    _ = self.hear(host, heard);
                    self.send_effects();
                }
                None => {}
            },
        }
        Ok(())
    }

    /// By itself it ends when it is on all its hosts; one that is killed has ended when all hosts have heard that.
    fn end(&mut self, at: usize) -> Result<(), String> {
        let (job, number) = (self.jobs[at], at as u32);
        let has_it = |it: &Machine| it.processes.contains(&number);
        let may_end = match self.cluster.status(job) {
            Ok(Status::Running { .. }) => {
                let row = JobNumber(job.handle().index());
                let mut hosts = self.cluster.table().places(row);
                hosts.all(|(host, _)| has_it(&self.machines[host.0 as usize]))
            }
            Ok(Status::Ending { unheard: 0 }) => {
                let left = self.machines.iter().filter(|it| has_it(it)).count();
                equal("processes of a job whose end all hosts have heard", left, 0)?;
                true
            }
            _ => false,
        };
        if may_end {
            self.machines.iter_mut().for_each(|it| _ = it.processes.remove(&number));
            self.ended.insert(number);
            let ended = self.cluster.apply(NOW, cluster::Command::Ended { job });
            equal("answer to an end", ended, Ok(None))?;
            self.send_effects();
        }
        Ok(())
    }

    fn hear(&mut self, host: usize, heard: Batch) -> Result<(), cluster::Error> {
        let (host, load, speed) = (HostId(host as u32), Load::IDLE, Speed::NOMINAL);
        let report = cluster::Command::HostReport { host, load, speed, heard };
        self.cluster.apply(NOW, report).map(|_| ())
    }

    fn send_effects(&mut self) {
        while let Some(effect) = self.cluster.take_effect() {
            let (host, command) = command_of(effect);
            self.send(Message::ToHost(host, command));
        }
    }

    /// Whatever was sent may arrive again, so that nothing is sent twice.
    fn send(&mut self, message: Message) {
        if !self.sent.contains(&message) {
            self.sent.push(message);
        }
    }

    fn tell(&mut self, host: usize, command: HostCommand) -> Result<(), String> {
        let machine = &mut self.machines[host];
        let batch = match self.told {
            Told::ByBatch => None,
            Told::ByCount => {
                let heard = machine.part.heard();
                Some(Batch { number: heard.number + 1, ..heard })
            }
        };
        let command = match command {
            HostCommand::Assign { batch: of, number, assignment } => {
                HostCommand::Assign { batch: batch.unwrap_or(of), number, assignment }
            }
            HostCommand::AssignmentsEnd { batch: of, jobs } => {
                HostCommand::AssignmentsEnd { batch: batch.unwrap_or(of), jobs }
            }
            other => other,
        };
        // Out of turn it is refused.
        _ = machine.part.apply(NOW, command);
        while let Some(effect) = machine.part.take_effect() {
            let number =
                |job: JobId| self.jobs.iter().position(|it| *it == job).map(|at| at as u32);
            match effect {
                HostEffect::Start { job, .. } => {
                    let number = number(job).ok_or("a job starts that nobody submitted")?;
                    self.starts += 1;
                    if self.ended.contains(&number) {
                        return Err(format!("host {host} starts job {job}, which has ended"));
                    }
                    machine.processes.insert(number);
                }
                HostEffect::Kill { job } => {
                    let number = number(job).ok_or("a job is killed that nobody submitted")?;
                    machine.processes.remove(&number);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn command_of(effect: Effect) -> (usize, HostCommand) {
    match effect {
        Effect::Assign { host, batch, number, assignment } => {
            (host.0 as usize, HostCommand::Assign { batch, number, assignment })
        }
        Effect::AssignmentsEnd { host, batch, jobs } => {
            (host.0 as usize, HostCommand::AssignmentsEnd { batch, jobs })
        }
    }
}
