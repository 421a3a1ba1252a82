//! A coordinator and its hosts over a network that loses, doubles and delays: whatever was sent stays on the way, and
//! arrives as often and as late as it is said.

use super::lockstep::{Any, Rows, Size};
use crate::Mismatch;
use crate::dispatch::order;
use crate::mismatch::{Steps, equal};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{FirstLevel, HostId, Load, Speed, UserId};
use locox_coordinators::cluster::{
    self, Batch, Config, Effect, HostCommand, HostConfig, HostEffect, HostPart, JobId, Status,
    Terms,
};
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
    /// A host is said to be lost, and is alive.
    Lost(usize),
    /// The coordinator goes on from its image.
    Restore,
    /// An image is kept.
    Keep,
    /// The coordinator goes on from the image that was kept, once.
    Stale,
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
    /// Jobs that were here when it was said to be lost: it may start them until it has heard that it has nothing.
    lost: BTreeSet<u32>,
}

/// All of it. Jobs go by their numbers as they were submitted.
pub struct World<'a> {
    cluster: Any<'a, FirstLevel>,
    told: Told,
    machines: Vec<Machine>,
    sent: Vec<Message>,
    jobs: Vec<JobId>,
    ended: BTreeSet<u32>,
    kept: Option<Vec<u32>>,
    /// Of the jobs before this one the coordinator may have forgotten some, or that they have ended.
    forgotten: u32,
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

impl Machine {
    fn started(boot: u32) -> Self {
        Self { part: part(boot), boot, processes: BTreeSet::new(), lost: BTreeSet::new() }
    }
}

impl<'a> World<'a> {
    /// All hosts have reported, and heard that they have nothing.
    pub fn new(rows: &'a mut Rows, hosts: usize, told: Told) -> Self {
        let placement = FirstLevel::new(LEVELS);
        let cluster = rows.coordinator(Config::new(PoolId(5)), placement, LEVELS);
        let machine = |_| Machine::started(1);
        let mut world = Self {
            cluster: cluster.expect("all fits"),
            told,
            machines: (0..hosts).map(machine).collect(),
            sent: vec![],
            jobs: vec![],
            ended: BTreeSet::new(),
            kept: None,
            forgotten: 0,
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
        let parts = self.machines.iter().map(|it| (&it.part, &it.processes, &it.lost));
        let parts: Vec<_> = parts.collect();
        let mut image = vec![];
        self.cluster.export(|word| image.push(word));
        let Self { sent, jobs, ended, kept, forgotten, .. } = self;
        format!("{image:?} {parts:?} {sent:?} {jobs:?} {ended:?} {kept:?} {forgotten}")
    }

    /// Messages arrive again: three reports of each host later all of them run what the coordinator says, which knows
    /// that they heard it, and further reports tell nothing.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if not.
    pub fn flow_again(&mut self) -> Result<(), Mismatch> {
        let settled = self.settle().and_then(|()| self.check());
        self.steps.check(&"messages arrive again", settled)
    }

    fn settle(&mut self) -> Result<(), String> {
        for _ in 0..3 {
            self.report_all()?;
            while let Some(effect) = self.cluster.take_effect() {
                let (host, command) = command_of(effect);
                self.tell(host, command)?;
            }
        }
        self.report_all()?;
        equal("told without need", self.cluster.take_effect(), None)?;
        for (job, _) in self.cluster.running() {
            let unheard = match self.cluster.status(job) {
                Ok(Status::Running { unheard, .. } | Status::Ending { unheard }) => Some(unheard),
                _ => None,
            };
            equal("hosts that have not heard", (job, unheard), (job, Some(0)))?;
        }
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
                if let Ok(Some(job)) = self.cluster.apply(NOW, submit) {
                    equal("an earlier job of this name", self.number(job), None)?;
                    self.jobs.push(job);
                }
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
                self.machines[host] = Machine::started(boot);
            }
            Event::Lost(host) => {
                let id = HostId(host as u32);
                let jobs =
                    self.cluster.table().column(id).filter_map(|(_, job, _)| self.cluster.job(job));
                let jobs: Vec<_> = jobs.filter_map(|job| self.number(job)).collect();
                self.machines[host].lost.extend(jobs);
                let lost = self.cluster.apply(NOW, cluster::Command::HostLost { host: id });
                equal("answer to a loss", lost, Ok(None))?;
                self.send_effects();
            }
            Event::Restore => {
                // Whoever goes on from an image stores another first, so that none is older than a restart.
                self.kept = None;
                let image = self.image();
                equal("answer to an image", self.cluster.restore(image), Ok(()))?;
                self.send_effects();
            }
            Event::Keep => self.kept = Some(self.image()),
            Event::Stale => {
                if let Some(image) = self.kept.take() {
                    equal("answer to an image", self.cluster.restore(image), Ok(()))?;
                    self.ended.retain(|job| self.cluster.status(self.jobs[*job as usize]).is_err());
                    self.forgotten = self.jobs.len() as u32;
                    self.send_effects();
                }
            }
            Event::Arrives(at) => match latest(self.sent.len(), at).map(|at| self.sent[at]) {
                Some(Message::ToHost(host, command)) => self.tell(host, command)?,
                Some(Message::Report(host, heard)) => {
                    // One from before the latest start is refused.
                    if heard.boot >= self.cluster.batch(HostId(host as u32)).boot {
                        self.hear(host, heard)?;
                    }
                    self.send_effects();
                }
                None => {}
            },
        }
        Ok(())
    }

    /// It ends when all hosts have heard of it, or that it is to be killed.
    fn end(&mut self, at: usize) -> Result<(), String> {
        let (job, number) = (self.jobs[at], at as u32);
        let has_it = |it: &Machine| it.processes.contains(&number);
        let may_end = match self.cluster.status(job) {
            Ok(Status::Running { unheard: 0, .. }) => true,
            Ok(Status::Ending { unheard: 0 }) => {
                let is_left = |it: &&Machine| has_it(it) && !it.lost.contains(&number);
                let left = self.machines.iter().filter(is_left).count();
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

    /// A host that was lost comes back when it has nothing of what it had.
    fn hear(&mut self, at: usize, heard: Batch) -> Result<(), String> {
        let (host, load, speed) = (HostId(at as u32), Load::IDLE, Speed::NOMINAL);
        let report = cluster::Command::HostReport { host, load, speed, heard };
        let is_there = |it: &Self| it.cluster.table().read_at(host).is_some();
        let was_there = is_there(self);
        let answer = self.cluster.apply(NOW, report);
        if !was_there && is_there(self) {
            let machine = &mut self.machines[at];
            equal("of what was here", machine.processes.intersection(&machine.lost).count(), 0)?;
            machine.lost.clear();
        }
        answer.map(|_| ()).map_err(|why| why.to_string())
    }

    fn image(&self) -> Vec<u32> {
        let mut image = vec![];
        self.cluster.export(|word| image.push(word));
        image
    }

    fn number(&self, job: JobId) -> Option<u32> {
        self.jobs.iter().position(|it| *it == job).map(|at| at as u32)
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
                    let is_over = number >= self.forgotten && self.ended.contains(&number);
                    if is_over && !machine.lost.contains(&number) {
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
