//! Hosts that a bank shares in time, their parts of the coordinator, and parallel jobs on them.

use crate::bank::{Answered, Line, is_gone, name_of};
use crate::carrier::{Carrier, Receiver, Stamp};
use crate::claims::Claim;
use crate::context::Context;
use crate::network::Packet;
use crate::parts::Part;
use crate::planted::Planted;
use crate::time::{HOUR, MINUTE};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{HostId, Load, Speed, UserId};
use locox_bank::size::{HOSTS, LEVELS};
use locox_bank::{Answer, Command, Name};
use locox_coordinators::cluster::{
    self, Batch, Effect, HostCommand, HostConfig, HostEffect, HostPart, Terms,
};
use std::collections::{BTreeMap, BTreeSet};

const WHOSE: &str = "shared hosts";
/// The first machine that is a shared host.
const FIRST: usize = 8;
/// The most jobs that wait to be submitted.
const MOST_WAITING: usize = 12;

/// A job that somebody wants to have run once.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    hosts: u32,
    work: u64,
    user: u32,
    done: bool,
    /// By its present name, if it has been submitted and has not ended.
    name: Option<Name>,
}

/// A job as it is on hosts.
#[derive(Clone, Debug, Default)]
struct OnHosts {
    /// Which one; `None` of a job that nobody knows of.
    of: Option<usize>,
    /// Where it was told to be.
    placed: BTreeSet<usize>,
    /// Where it has processes.
    processes: BTreeSet<usize>,
    /// When it is done.
    done_at: Option<u64>,
    /// It is being killed, or has ended: to be reported when no process is left.
    ends: bool,
}

/// A host: what it forgets when it loses power, and what the bank's side of the network has for it.
struct Host {
    part: Option<HostPart>,
    receiver: Receiver,
    /// Jobs that have ended here: a part that does everything once more starts nothing of them.
    over: BTreeSet<(u32, u32)>,
    carrier: Carrier<Effect>,
    /// The start that the bank has been told of; 0: that it is lost.
    known: u32,
    /// The report that is to be said.
    report: Option<(Load, Batch)>,
}

/// All of them.
pub(crate) struct Shared {
    hosts: Vec<Host>,
    wanted: Vec<Wanted>,
    /// By the index of their names, and the generation.
    jobs: BTreeMap<(u32, u32), OnHosts>,
    users: u32,
    /// Whose end the bank has been told.
    ended: BTreeSet<(u32, u32)>,
}

impl Shared {
    pub(crate) fn new(context: &mut Context) -> Self {
        let host = |_| Host {
            part: None,
            receiver: Receiver::default(),
            over: BTreeSet::new(),
            carrier: Carrier::new(),
            known: 0,
            report: None,
        };
        let hosts = (0..HOSTS).map(host).collect();
        let mut all =
            Self { hosts, wanted: vec![], jobs: BTreeMap::new(), users: 0, ended: BTreeSet::new() };
        (0..HOSTS).for_each(|at| all.boot(context, at));
        all
    }

    pub(crate) fn submit(&mut self, context: &mut Context, hosts: u64, work: u64) {
        let waiting = self.wanted.iter().filter(|it| !it.done).count();
        if waiting < MOST_WAITING {
            context.figures.jobs += 1;
            self.users += 1;
            let (hosts, user) = (1 + hosts as u32 % 3, self.users % 4);
            self.wanted.push(Wanted { hosts, work, user, done: false, name: None });
            context.wake(Part::SharedUsers, context.now);
        }
    }

    // Hosts.

    fn boot(&mut self, context: &mut Context, at: usize) {
        let host = &mut self.hosts[at];
        host.receiver.start();
        let (report, boot) = (Duration::from_ticks(2 * HOUR), host.receiver.boot);
        let config = HostConfig { report, boot, pool: PoolId(7) };
        host.part = HostPart::new(config, Instant::from_ticks(context.now)).ok();
        host.over.clear();
        context.wake(Part::Shared(at), context.now);
    }

    pub(crate) fn crash(&mut self, machine: usize) {
        let Some(at) = machine.checked_sub(FIRST) else { return };
        self.hosts[at].part = None;
        self.hosts[at].report = None;
        for job in self.jobs.values_mut() {
            if job.processes.remove(&at) {
                job.done_at = None;
            }
        }
    }

    pub(crate) fn power(&mut self, context: &mut Context, machine: usize) {
        if let Some(at) = machine.checked_sub(FIRST)
            && self.hosts[at].part.is_none()
        {
            self.boot(context, at);
        }
    }

    /// The part of a host goes on from its image, and does everything once more.
    pub(crate) fn restart_part(&mut self, context: &mut Context, machine: usize) {
        let at = machine % HOSTS;
        let Some(part) = &mut self.hosts[at].part else { return };
        let mut words = vec![];
        part.export(|word| words.push(word));
        let restored = part.restore(words);
        context.claim(restored.is_ok(), Claim::AnswersLast, WHOSE, || format!("{restored:?}"));
        self.carry_out(context, at);
    }

    /// A host looks at its clock; the bank's side says what is due for it.
    pub(crate) fn look(&mut self, context: &mut Context, line: &mut Line, at: usize) {
        let now = context.now;
        self.tell_host(context, at, HostCommand::Tick);
        self.report(context, line, at);
        let host = &mut self.hosts[at];
        if let Some((stamp, effect)) = host.carrier.due(now) {
            context.send(at + FIRST, false, Packet::SharedTold { host: at, stamp, effect });
        }
        let tick = host.part.as_ref().and_then(HostPart::wake_at).map(Instant::ticks);
        let again = host.report.map(|_| now + 5 * MINUTE);
        let next = [host.carrier.next_look(), tick, again].into_iter().flatten().min();
        if let Some(next) = next {
            context.wake(Part::Shared(at), next.max(now + 1));
        }
    }

    fn tell_host(&mut self, context: &mut Context, at: usize, command: HostCommand) {
        let Some(part) = &mut self.hosts[at].part else { return };
        let now = Instant::from_ticks(context.now);
        let told = part.apply(now, command);
        context
            .claim(told.is_ok(), Claim::PromisesKept, WHOSE, || format!("{command:?}: {told:?}"));
        let checked = part.check_invariants();
        context.claim(checked.is_ok(), Claim::Invariants, WHOSE, || format!("{checked:?}"));
        self.carry_out(context, at);
    }

    fn carry_out(&mut self, context: &mut Context, at: usize) {
        let mut count = 0;
        while let Some(effect) = self.hosts[at].part.as_mut().and_then(HostPart::take_effect) {
            count += 1;
            context.figures.effects += 1;
            match effect {
                HostEffect::Start { job, .. } => self.start(context, at, name_of(job)),
                HostEffect::Kill { job } => self.kill(context, at, name_of(job)),
                HostEffect::Report { load, heard } => {
                    self.hosts[at].report = Some((load, heard));
                }
                HostEffect::SetPriority { .. }
                | HostEffect::RaiseHelper { .. }
                | HostEffect::RestoreHelper { .. } => {}
            }
        }
        // Of each level something is killed, started or moved, and two helpers change.
        let most = 5 * usize::from(LEVELS) + 1;
        context
            .claim(count <= most, Claim::EffectsBounded, WHOSE, || format!("{count} for {most}"));
    }

    fn start(&mut self, context: &mut Context, at: usize, name: Name) {
        if self.hosts[at].over.contains(&key(name)) {
            return;
        }
        context.claim(!self.ended.contains(&key(name)), Claim::NoneTwice, WHOSE, || {
            format!("job {name} starts although its end was reported")
        });
        let job = self.jobs.entry(key(name)).or_default();
        job.placed.insert(at);
        job.processes.insert(at);
        context.figures.starts += 1;
        let Some(wanted) = job.of.map(|of| self.wanted[of]) else { return };
        let count = job.processes.len() as u32;
        context.claim(count <= wanted.hosts, Claim::NoneTwice, WHOSE, || {
            format!("job {name} is on {count} hosts, and asked for {}", wanted.hosts)
        });
        if count == wanted.hosts {
            let done_at = context.now + wanted.work;
            job.done_at = Some(*job.done_at.get_or_insert(done_at));
            context.wake(Part::SharedUsers, done_at);
        }
        let here = self.jobs.values().filter(|job| job.processes.contains(&at)).count();
        context.claim(here <= usize::from(LEVELS), Claim::NoneTwice, WHOSE, || {
            format!("{here} jobs are on host {at} of {LEVELS} levels")
        });
    }

    fn kill(&mut self, context: &mut Context, at: usize, name: Name) {
        if let Some(job) = self.jobs.get_mut(&key(name)) {
            job.processes.remove(&at);
            job.ends = true;
            self.hosts[at].over.insert(key(name));
            context.wake(Part::SharedUsers, context.now);
        }
    }

    // The network.

    pub(crate) fn arrives(
        &mut self,
        context: &mut Context,
        at: usize,
        stamp: Stamp,
        effect: Effect,
    ) {
        if self.hosts[at].part.is_none() {
            return;
        }
        let Some(is_new) = self.hosts[at].receiver.takes(stamp) else { return };
        context.send(at + FIRST, true, Packet::SharedHas { host: at, stamp });
        if !is_new {
            return;
        }
        self.tell_host(
            context,
            at,
            match effect {
                Effect::Assign { batch, number, assignment, .. } => {
                    HostCommand::Assign { batch, number, assignment }
                }
                Effect::AssignmentsEnd { batch, jobs, .. } => {
                    HostCommand::AssignmentsEnd { batch, jobs }
                }
            },
        );
        context.wake(Part::Shared(at), context.now);
    }

    pub(crate) fn has(&mut self, context: &mut Context, at: usize, stamp: Stamp) {
        self.hosts[at].carrier.arrived(stamp);
        context.wake(Part::Shared(at), context.now);
    }

    /// The bank says what a host is to run.
    pub(crate) fn told(&mut self, context: &mut Context, effect: Effect) {
        let (Effect::Assign { host, .. } | Effect::AssignmentsEnd { host, .. }) = effect;
        let at = host.0 as usize;
        if let Effect::Assign { assignment, .. } = effect {
            let job = self.jobs.entry(key(name_of(assignment.job))).or_default();
            job.placed.insert(at);
            job.ends |= assignment.terminating;
            context.wake(Part::SharedUsers, context.now);
        }
        if self.hosts[at].known > 0 {
            self.hosts[at].carrier.put(effect);
            context.wake(Part::Shared(at), context.now);
        }
    }

    /// The board was reset: everybody is told again.
    pub(crate) fn was_reset(&mut self) {
        for host in &mut self.hosts {
            host.carrier.connect(host.known);
        }
    }

    // At the bank.

    /// That a host was lost, if it has restarted or is down, and what it reports.
    pub(crate) fn report(&mut self, context: &mut Context, line: &mut Line, at: usize) {
        let host = &self.hosts[at];
        let boot = host.receiver.boot;
        let is_up = context.machines.is_up(at + FIRST);
        if is_up && !context.network.hears(at + FIRST, context.now) {
            return;
        }
        let id = HostId(at as u32);
        if host.known > 0 && (!is_up || host.known != boot) {
            let lost = Command::Shared(cluster::Command::HostLost { host: id });
            if !matches!(line.say(context, lost), Answered::Taken(_)) {
                return context.wake(Part::Shared(at), context.now + 5 * MINUTE);
            }
            self.hosts[at].known = 0;
            self.hosts[at].carrier.connect(0);
            for job in self.jobs.values_mut() {
                job.ends |= job.placed.remove(&at);
            }
            context.wake(Part::SharedUsers, context.now);
        }
        let Some((load, heard)) = self.hosts[at].report else { return };
        let (host, speed) = (id, Speed::NOMINAL);
        if self.hosts[at].known == 0 {
            // What comes of the report is for this start.
            self.hosts[at].known = boot;
            self.hosts[at].carrier.connect(boot);
        }
        let report = Command::Shared(cluster::Command::HostReport { host, load, speed, heard });
        match line.say(context, report) {
            Answered::Taken(_) => self.hosts[at].report = None,
            _ => context.wake(Part::Shared(at), context.now + 5 * MINUTE),
        }
    }

    /// Users submit, and report what has ended.
    pub(crate) fn look_at_jobs(&mut self, context: &mut Context, line: &mut Line) {
        let now = context.now;
        for (index, generation) in self.jobs.keys().copied().collect::<Vec<_>>() {
            self.look_at_job(context, line, Name { index, generation });
        }
        for of in 0..self.wanted.len() {
            let Wanted { hosts, user, done, name, .. } = self.wanted[of];
            if done || name.is_some() {
                continue;
            }
            let (user, synchronising, terms) = (UserId(user), false, Terms::default());
            let submit = Command::Run { serial: 0, user, hosts, synchronising, terms };
            // If nobody answers, it may start and belong to nobody: it is killed then.
            if let Answered::Taken(Answer::Job { job }) = line.say(context, submit) {
                self.wanted[of].name = Some(job);
                self.jobs.entry(key(job)).or_default().of = Some(of);
            }
        }
        let is_waiting = |it: &Wanted| !it.done && it.name.is_none();
        let is_open = self.wanted.iter().any(is_waiting) || self.jobs.values().any(|job| job.ends);
        let next = self.jobs.values().filter_map(|job| job.done_at).filter(|at| *at > now).min();
        let again = is_open.then_some(now + 20 * MINUTE);
        if let Some(next) = [next, again].into_iter().flatten().min() {
            context.wake(Part::SharedUsers, next);
        }
    }

    fn look_at_job(&mut self, context: &mut Context, line: &mut Line, name: Name) {
        let Some(job) = self.jobs.get_mut(&key(name)) else { return };
        let id = locox_bank::Bank::shared_job(name);
        if job.of.is_none() && !job.ends {
            // Nobody knows of it: somebody was not answered.
            let kill = Command::Shared(cluster::Command::Kill { job: id });
            _ = line.say(context, kill);
            return;
        }
        if job.done_at.is_some_and(|at| at <= context.now) && !job.ends {
            job.ends = true;
            for at in std::mem::take(&mut job.processes) {
                self.hosts[at].over.insert(key(name));
            }
            if let Some(of) = job.of {
                self.wanted[of].done = true;
            }
        }
        // One that is killed may have been told to hosts that have not begun with it.
        let is_done = job.done_at.is_some_and(|at| at <= context.now);
        let mut placed = job.placed.iter();
        let may_begin = !is_done && placed.any(|at| self.hosts[*at].carrier.next_look().is_some());
        if !job.ends || !job.processes.is_empty() || may_begin {
            return;
        }
        if context.is_planted(Planted::SharedForgetsEnds) {
            return;
        }
        let ended = Command::Shared(cluster::Command::Ended { job: id });
        if is_gone(&line.say(context, ended)) {
            self.ended.insert(key(name));
            if let Some(of) = self.jobs.remove(&key(name)).and_then(|job| job.of) {
                // Killed with a host, it is submitted anew.
                self.wanted[of].name = None;
            }
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.wanted.iter().all(|it| it.done) && self.jobs.is_empty()
    }

    pub(crate) fn check_end(&self, context: &mut Context, line: &mut Line) {
        let left = self.wanted.iter().find(|it| !it.done);
        context.claim(left.is_none(), Claim::NoJobLost, WHOSE, || {
            format!("{left:?}, {:?}", self.jobs)
        });
        let figures = line.figures(context);
        let is_free = figures.is_some_and(|it| it.waiting == 0 && it.running == 0);
        context.claim(is_free, Claim::NoNodeLeaked, WHOSE, || format!("{figures:?}"));
    }
}

const fn key(name: Name) -> (u32, u32) {
    (name.index, name.generation)
}
