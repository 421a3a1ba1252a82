//! Workstations and processors of a bank, their owners and their jobs: they keep to the rules in the documentation of
//! `locox_coordinators::station`, and the network does with what they say what it likes.

use crate::claims::Claim;
use crate::context::Context;
use crate::host::{DRIFT, Fate, Guest, Host};
use crate::network::Packet;
use crate::parts::{Part, Pool};
use crate::planted::Planted;
use crate::server::{Said, Server};
use crate::time::MINUTE;
use locox::error::Error;
use locox::fair::StationId;
use locox::node::Lease;
use locox::time::{Duration, Instant};
use locox_coordinators::coordinate::{CommandRecord, EffectRecord, Record};
use locox_coordinators::station::{
    Checkpoint, Command, Effect, JobId, Message, Misuse, NodeId, Nodes, PreemptReason, Refusal,
    Run, Sender,
};
use std::collections::{HashMap, VecDeque};

/// How long a home waits before it submits again what was not answered.
const AGAIN: u64 = 3 * MINUTE;
/// The most jobs that wait to be submitted.
const MOST_WAITING: usize = 12;

/// A job, as its home has it.
#[derive(Debug, Default)]
struct Job {
    home: usize,
    /// How long it takes.
    work: u64,
    name: Option<JobId>,
    /// A host has come to its end.
    ended: bool,
    cancelled: bool,
    /// Somebody cancelled it, and was not answered.
    may_be_cancelled: bool,
    /// The coordinator has heard of that.
    finished: bool,
}

/// Where jobs are submitted.
#[derive(Debug, Default)]
struct Home {
    waiting: VecDeque<usize>,
    serial: u32,
}

/// All hosts of a coordinator.
pub(crate) struct Workstations {
    pool: Pool,
    whose: &'static str,
    lease: Option<Lease>,
    hosts: Vec<Host>,
    homes: Vec<Home>,
    jobs: Vec<Job>,
    names: HashMap<JobId, usize>,
    /// Of which job each saved state is, and how far that was.
    saved: Vec<(usize, u64)>,
    /// What somebody listened to, and says again much later.
    captured: Vec<Message>,
    /// The coordinator has gone back: what has ended may run again.
    went_back: bool,
}

impl Workstations {
    pub(crate) fn new(
        context: &mut Context,
        (pool, whose): (Pool, &'static str),
        (stations, nodes): (usize, usize),
        lease: Option<Duration>,
    ) -> Self {
        let lease =
            lease.map(|length| Lease { length, drift: DRIFT, kill: Duration::from_ticks(MINUTE) });
        let hosts = (0..nodes).map(|_| Host::new(context)).collect();
        let homes = (0..stations).map(|_| Home::default()).collect();
        let (jobs, names) = (vec![], HashMap::new());
        let (saved, captured, went_back) = (vec![], vec![], false);
        let mut all =
            Self { pool, whose, lease, hosts, homes, jobs, names, saved, captured, went_back };
        (0..nodes).for_each(|at| all.boot(context, at));
        all
    }

    // What users and owners do.

    pub(crate) fn submit(&mut self, context: &mut Context, home: usize, work: u64) {
        let at = home % self.homes.len();
        if self.homes[at].waiting.len() < MOST_WAITING {
            context.figures.jobs += 1;
            self.homes[at].waiting.push_back(self.jobs.len());
            self.jobs.push(Job { home: at, work, ..Job::default() });
            context.wake(Part::Home(self.pool, at), context.now);
        }
    }

    /// Says something of a job that is known; which one, by any number.
    pub(crate) fn of_job(
        &mut self,
        context: &mut Context,
        server: &mut dyn Server,
        number: u64,
        command: impl FnOnce(JobId) -> Command,
    ) {
        let is_live = |job: &Job| job.name.is_some() && !job.finished && !job.cancelled;
        let live: Vec<usize> = (0..self.jobs.len()).filter(|at| is_live(&self.jobs[*at])).collect();
        let Some(pick) = number.checked_rem(live.len() as u64) else { return };
        let at = live[pick as usize];
        let Some(name) = self.jobs[at].name else { return };
        let command = command(name);
        let said = server.say(context, command.into());
        if matches!(command, Command::Cancel { .. }) {
            self.jobs[at].cancelled = matches!(said, Said::Taken(_));
            self.jobs[at].may_be_cancelled |= matches!(said, Said::Nothing);
        }
        self.tell(context, server);
    }

    pub(crate) fn operate(
        &mut self,
        context: &mut Context,
        server: &mut dyn Server,
        at: usize,
        drain: bool,
    ) {
        let nodes = Nodes::One { node: NodeId((at % self.hosts.len()) as u32) };
        let command = if drain { Command::Drain { nodes } } else { Command::Restore { nodes } };
        _ = server.say(context, command.into());
        self.tell(context, server);
    }

    pub(crate) fn set_black_hole(&mut self, at: usize, is_one: bool) {
        let count = self.hosts.len();
        self.hosts[at % count].is_black_hole = is_one;
    }

    /// Somebody steps the clock of a host: forward, as a lease counts on it.
    pub(crate) fn step(&mut self, context: &mut Context, at: usize, by: u64) {
        let count = self.hosts.len();
        self.hosts[at % count].timer.set += by as i64;
        self.look(context, at % count);
    }

    pub(crate) fn owner(&mut self, context: &mut Context, at: usize, present: bool, number: u64) {
        if at >= self.homes.len() || self.hosts[at].owner == present {
            return;
        }
        self.hosts[at].owner = present;
        if !self.hosts[at].up {
            return;
        }
        let now = context.now;
        let run = self.hosts[at].guest.as_mut().and_then(|guest| {
            let goes_on =
                !present && guest.is_suspended() && guest.leaves_at.is_some_and(|it| it > now);
            if present {
                guest.suspend(now);
                guest.leaves_at =
                    Some(now + if number.is_multiple_of(2) { number % (20 * MINUTE) } else { 0 });
            } else if goes_on {
                guest.go_on(now);
            }
            goes_on.then_some(guest.run)
        });
        match run {
            Some(run) => self.hosts[at].say(Command::Continued { run }),
            None => self.report_owner(at),
        }
        self.look(context, at);
    }

    fn report_owner(&mut self, at: usize) {
        let node = at as u32;
        let command = match self.hosts[at].owner {
            true => Command::OwnerBack { station: StationId(node) },
            false => Command::NodeIdle { node: NodeId(node) },
        };
        self.hosts[at].say(command);
    }

    // Machines.

    pub(crate) fn crash(&mut self, at: usize) {
        if let Some(host) = self.hosts.get_mut(at) {
            host.crash();
        }
    }

    pub(crate) fn power(&mut self, context: &mut Context, at: usize) {
        if at < self.hosts.len() && !self.hosts[at].up {
            self.boot(context, at);
        }
        if at < self.homes.len() {
            context.wake(Part::Home(self.pool, at), context.now);
        }
    }

    fn boot(&mut self, context: &mut Context, at: usize) {
        self.hosts[at].boot();
        self.hosts[at].say(Command::NodeLost { node: NodeId(at as u32) });
        self.report_owner(at);
        self.look(context, at);
    }

    // What is due.

    /// A host looks at its clock and its guest, and says what it has to say.
    pub(crate) fn look(&mut self, context: &mut Context, at: usize) {
        if !self.hosts[at].up {
            return;
        }
        let now = context.now;
        if self.hosts[at].lease_is_over(now) {
            context.figures.leases += 1;
            if !context.is_planted(Planted::HostOutlivesLease) {
                return self.boot(context, at);
            }
            self.hosts[at].forget_lease();
        }
        self.live(context, at);
        let quarter = self.lease.map(|lease| lease.until(Instant::ZERO).ticks() / 4);
        let host = &mut self.hosts[at];
        if host.is_silent_for(quarter, now) {
            host.say(Command::Tick);
        }
        for (number, command) in host.due(now) {
            let from = Some(Sender { node: NodeId(at as u32), boot: host.boot, number });
            let message = Message { from, command };
            if context.numbers.chance(20) && self.captured.len() < 40 {
                self.captured.push(message);
            }
            context.send(at, true, Packet::Report { pool: self.pool, message });
        }
        let work = self.hosts[at].guest.as_ref().map(|guest| self.jobs[guest.job].work);
        if let Some(next) = self.hosts[at].next_look(now, work, quarter) {
            context.wake(Part::Host(self.pool, at), next);
        }
    }

    /// The guest leaves, or has done its job.
    fn live(&mut self, context: &mut Context, at: usize) {
        let now = context.now;
        let Some(guest) = &self.hosts[at].guest else { return };
        let (run, work) = (guest.run, self.jobs[guest.job].work);
        if guest.leaves_at.is_some_and(|it| it <= now) {
            if context.numbers.chance(700) {
                self.save(now, at, run);
            }
            self.hosts[at].drop_guest(Fate::Gone);
        } else if guest.progress(now) >= work {
            if context.is_planted(Planted::HostForgetsToReport) {
                self.hosts[at].guest = None;
                return;
            }
            if let Some(guest) = &self.hosts[at].guest {
                self.jobs[guest.job].ended = true;
            }
            self.hosts[at].drop_guest(Fate::Finished);
        }
    }

    fn save(&mut self, now: u64, at: usize, run: Run) {
        match self.hosts[at].guest_of(run) {
            Some(guest) => {
                let (job, progress) = (guest.job, guest.progress(now));
                let checkpoint = Checkpoint(self.saved.len() as u32);
                self.saved.push((job, progress));
                self.hosts[at].say(Command::Checkpointed { run, checkpoint });
            }
            None => self.hosts[at].repeat(run),
        }
    }

    /// A home submits its first job, again until it is answered.
    pub(crate) fn submit_next(&mut self, context: &mut Context, home: usize) {
        let Home { waiting, serial } = &self.homes[home];
        if waiting.is_empty() || !context.machines.is_up(home) {
            return;
        }
        let serial = serial + 1;
        context.send(home, true, Packet::Submission { pool: self.pool, home, serial });
        context.wake(Part::Home(self.pool, home), context.now + AGAIN);
    }

    // At the coordinator.

    pub(crate) fn tick(&mut self, context: &mut Context, server: &mut dyn Server) {
        _ = server.say(context, Command::Tick.into());
        self.tell(context, server);
    }

    /// Sends out what is to be done.
    pub(crate) fn tell(&mut self, context: &mut Context, server: &mut dyn Server) {
        let mut count = 0;
        while let Some(told) = server.take_effect(context) {
            let times = if context.is_planted(Planted::StationsBabble) { 20 } else { 1 };
            count += times;
            (0..times).for_each(|_| self.send_out(context, told));
        }
        // A host is told one thing at a time.
        let most = self.hosts.len() + 1;
        context.claim(count <= most, Claim::EffectsBounded, self.whose, || {
            format!("{count} effects for {most}")
        });
    }

    pub(crate) fn send_out(&mut self, context: &mut Context, told: EffectRecord<Effect>) {
        context.figures.effects += 1;
        let node = match told.effect {
            Effect::Poll | Effect::SetAside { .. } => return,
            Effect::Place { node, .. }
            | Effect::Resume { node, .. }
            | Effect::Preempt { node, .. }
            | Effect::Checkpoint { node, .. }
            | Effect::Ask { node, .. } => node,
        };
        let host = node.0 as usize;
        context.send(host, false, Packet::Told { pool: self.pool, host, told });
    }

    pub(crate) fn report(
        &mut self,
        context: &mut Context,
        server: &mut dyn Server,
        message: Message,
    ) {
        let Some(to) = message.from else { return };
        let pool = self.pool;
        let message = match context.is_planted(Planted::NoNumbers) {
            true => message.command.into(),
            false => message,
        };
        match server.say(context, message) {
            Said::Nothing => return,
            Said::Taken(_) => self.note(server, message.command),
            Said::Refused(Error::Refused(Refusal::Old)) => {}
            Said::Refused(Error::Refused(Refusal::Early { .. })) => {
                return self.tell(context, server);
            }
            Said::Refused(Error::Refused(Refusal::BootOver { .. })) => {
                context.send(to.node.0 as usize, false, Packet::BootOver { pool, to });
                return self.tell(context, server);
            }
            Said::Refused(_) if context.is_planted(Planted::NoNumbers) => {}
            Said::Refused(other) => {
                context.claim(false, Claim::PromisesKept, self.whose, || {
                    format!("{message:?} is refused: {other}")
                });
            }
        }
        let answer = Packet::Answer { pool, to, effects: server.told() };
        context.send(to.node.0 as usize, false, answer);
        self.tell(context, server);
    }

    /// What follows from a report that was taken.
    fn note(&mut self, server: &dyn Server, command: Command) {
        if let Command::Finished { run } = command
            && let Some(&job) = self.names.get(&run.job)
            && server.status(run.job).is_none()
        {
            self.jobs[job].finished = true;
        }
    }

    pub(crate) fn submission(
        &mut self,
        context: &mut Context,
        server: &mut dyn Server,
        home: usize,
        serial: u32,
    ) {
        let submit = Command::Submit { home: StationId(home as u32), serial };
        match server.say(context, submit.into()) {
            Said::Taken(Some(name)) => {
                self.name(context, home, serial, name);
                context.send(home, false, Packet::Named { pool: self.pool, home, serial });
            }
            // Said already, or no room: he says it again.
            Said::Nothing
            | Said::Refused(
                Error::Refused(Refusal::JobsFull) | Error::Misused(Misuse::Serial { .. }),
            ) => {}
            other => context.claim(false, Claim::PromisesKept, self.whose, || {
                format!("{submit:?} is answered by {other:?}")
            }),
        }
        self.tell(context, server);
    }

    /// The answer to a submission says what the job is called; each time the same.
    fn name(&mut self, context: &mut Context, home: usize, serial: u32, name: JobId) {
        if serial != self.homes[home].serial + 1 {
            return;
        }
        let Some(&job) = self.homes[home].waiting.front() else { return };
        let known = self.names.insert(name, job);
        context.claim(known.is_none_or(|it| it == job), Claim::NoJobLost, self.whose, || {
            format!("two jobs are called {name}")
        });
        self.jobs[job].name = Some(name);
    }

    // At a host.

    pub(crate) fn named(&mut self, context: &mut Context, home: usize, serial: u32) {
        if context.machines.is_up(home) && serial == self.homes[home].serial + 1 {
            self.homes[home].serial = serial;
            self.homes[home].waiting.pop_front();
            context.wake(Part::Home(self.pool, home), context.now);
        }
    }

    pub(crate) fn answer(&mut self, context: &mut Context, to: Sender, effects: u64) {
        let at = to.node.0 as usize;
        if self.hosts[at].is_answered(to, effects, self.lease) {
            self.look(context, at);
        }
    }

    pub(crate) fn boot_over(&mut self, context: &mut Context, to: Sender) {
        let at = to.node.0 as usize;
        if self.hosts[at].up && to.boot == self.hosts[at].boot {
            self.boot(context, at);
        }
    }

    pub(crate) fn hear(&mut self, context: &mut Context, at: usize, told: EffectRecord<Effect>) {
        let believes_all = context.is_planted(Planted::HostHearsOldEffects);
        let host = &mut self.hosts[at];
        let is_new = host.told.is_some_and(|last| told.number > last);
        if !host.up || !(is_new || believes_all) {
            return;
        }
        host.told = Some(told.number);
        match told.effect {
            Effect::Place { run, .. } => self.place(context, at, run, None),
            Effect::Resume { run, checkpoint, .. } => {
                self.place(context, at, run, Some(checkpoint))
            }
            Effect::Preempt { run, why, .. } => {
                let takes = context.numbers.below(5 * MINUTE);
                let takes = if why == PreemptReason::Cancelled { 0 } else { takes };
                let by = context.now + takes;
                match self.hosts[at].guest_of(run) {
                    Some(guest) => guest.leaves_at = Some(guest.leaves_at.unwrap_or(by).min(by)),
                    None => self.hosts[at].repeat(run),
                }
            }
            Effect::Ask { run, .. } => match self.hosts[at].guest_of(run) {
                Some(_) => self.hosts[at].say(Command::Heard { run }),
                None => self.hosts[at].repeat(run),
            },
            Effect::Checkpoint { run, .. } => self.save(context.now, at, run),
            Effect::Poll | Effect::SetAside { .. } => {}
        }
        self.look(context, at);
    }

    fn place(&mut self, context: &mut Context, at: usize, run: Run, from: Option<Checkpoint>) {
        if self.hosts[at].guest_of(run).is_some() {
            return self.hosts[at].say(Command::Heard { run });
        }
        let believes_all = context.is_planted(Planted::HostHearsOldEffects);
        let host = &self.hosts[at];
        let is_new = believes_all || !host.fates.contains_key(&run);
        let can_start = host.guest.is_none() && !host.owner && !host.is_black_hole && is_new;
        let (true, Some(&job)) = (can_start, self.names.get(&run.job)) else {
            return self.hosts[at].repeat(run);
        };
        let from = from.map(|name| self.saved.get(name.0 as usize).copied());
        let is_own = from.is_none_or(|saved| saved.is_some_and(|(of, _)| of == job));
        context.claim(is_own, Claim::NoJobLost, self.whose, || {
            format!("{run} goes on from a state of another job")
        });
        let progress = from.flatten().map_or(0, |(_, progress)| progress);
        self.hosts[at].guest = Some(Guest::new(run, job, progress, context.now));
        self.hosts[at].say(Command::Heard { run });
        context.figures.starts += 1;
        let is_on = |host: &&Host| host.guest.as_ref().is_some_and(|guest| guest.job == job);
        let places = self.hosts.iter().filter(is_on).count();
        context.claim(places == 1, Claim::NoneTwice, self.whose, || {
            format!("{run} is on {places} hosts")
        });
        let is_again = self.jobs[job].finished && !self.went_back;
        context.claim(!is_again, Claim::NoneTwice, self.whose, || {
            format!("{run} starts although its job has ended")
        });
    }

    // Forgeries and damage.

    /// Somebody says what he listened to, or what he makes up.
    pub(crate) fn forge(&mut self, context: &mut Context, server: &mut dyn Server, number: u64) {
        if number.is_multiple_of(2)
            && let Some(message) =
                self.captured.get(number as usize / 2 % self.captured.len().max(1))
        {
            let message = *message;
            context.figures.replayed += 1;
            return self.report(context, server, message);
        }
        let Some(job) = self.jobs.iter().find_map(|job| job.name) else { return };
        let node = NodeId(self.hosts.len() as u32 + (number >> 8) as u32 % 8);
        let run = Run { job, attempt: u32::MAX - (number >> 16) as u32 % 1000 };
        let (boot, sequence) = ((number >> 24) as u32, (number >> 32) as u32);
        let forged = match number / 2 % 4 {
            0 => Message {
                from: Some(Sender { node, boot, number: sequence }),
                command: Command::Tick,
            },
            1 => {
                let from = Some(Sender { node: NodeId(0), boot: 0, number: sequence });
                Message { from, command: Command::NodeLost { node: NodeId(0) } }
            }
            _ if context.is_planted(Planted::ForgersBelieved) => Command::Tick.into(),
            2 => Command::Finished { run }.into(),
            _ => Command::Vacated { run }.into(),
        };
        context.figures.forged += 1;
        let said = server.say(context, forged);
        let is_believed = matches!(said, Said::Taken(_));
        context.claim(!is_believed, Claim::ForgeriesRefused, self.whose, || format!("{forged:?}"));
        self.tell(context, server);
    }

    /// What arrives is not what was sent: whoever reads it finds that out.
    pub(crate) fn damaged_report(
        &self,
        context: &mut Context,
        server: &dyn Server,
        message: Message,
    ) {
        let identity = server.identity();
        let said = CommandRecord {
            number: 1,
            now: Instant::from_ticks(context.now),
            effects: 0,
            draw: (),
            command: Some(message),
        };
        let record = turned(Record::of_command(&identity, &said), context);
        let read = record.command::<Message, ()>(&identity);
        context.claim(read.is_err(), Claim::DamageFound, self.whose, || format!("{read:?}"));
    }

    pub(crate) fn damaged_effect(
        &self,
        context: &mut Context,
        server: &dyn Server,
        told: EffectRecord<Effect>,
    ) {
        let identity = server.identity();
        let record = turned(Record::of_effect(&identity, &told), context);
        let read = record.effect::<Effect>(&identity);
        context.claim(read.is_err(), Claim::DamageFound, self.whose, || format!("{read:?}"));
    }

    // Restarts and the end.

    /// The coordinator is there again. If it has forgotten what it answered, everything is begun anew by hand: hosts
    /// restart, and homes submit again what is not known.
    pub(crate) fn service_is_back(
        &mut self,
        context: &mut Context,
        server: &mut dyn Server,
        went_back: bool,
    ) {
        if went_back {
            self.went_back = true;
            for at in 0..self.hosts.len() {
                self.hosts[at].crash();
                if context.machines.is_up(at) {
                    self.boot(context, at);
                }
            }
            self.captured.clear();
            self.submit_again(context, server);
        }
        self.tell(context, server);
    }

    fn submit_again(&mut self, context: &mut Context, server: &mut dyn Server) {
        self.names.retain(|name, _| server.status(*name).is_some());
        for home in 0..self.homes.len() {
            let probe = Command::Submit { home: StationId(home as u32), serial: u32::MAX };
            if let Said::Refused(Error::Misused(Misuse::Serial { next })) =
                server.say(context, probe.into())
            {
                self.homes[home].serial = next - 1;
            }
        }
        for home in &mut self.homes {
            let is_known = |job: &usize| {
                let name = self.jobs[*job].name;
                name.is_some_and(|name| self.names.get(&name) == Some(job))
            };
            home.waiting.retain(|job| !is_known(job));
        }
        for at in 0..self.jobs.len() {
            let job = &mut self.jobs[at];
            let is_known = job.name.is_some_and(|name| self.names.get(&name) == Some(&at));
            if job.name.is_some() && !is_known && !job.finished && !job.cancelled {
                job.name = None;
                let home = job.home;
                if !self.homes[home].waiting.contains(&at) {
                    self.homes[home].waiting.push_back(at);
                }
                context.wake(Part::Home(self.pool, home), context.now);
            }
        }
    }

    /// Nothing goes wrong any more: owners leave.
    pub(crate) fn calm(&mut self, context: &mut Context) {
        for at in 0..self.hosts.len() {
            self.hosts[at].is_black_hole = false;
            self.owner(context, at, false, 0);
        }
    }

    /// Operators restore all processors, users let all jobs go.
    pub(crate) fn release_all(&mut self, context: &mut Context, server: &mut dyn Server) {
        for node in (0..self.hosts.len() as u32).map(NodeId) {
            _ = server.say(context, Command::Restore { nodes: Nodes::One { node } }.into());
        }
        let live = |job: &Job| job.name.filter(|_| !job.finished && !job.cancelled);
        for job in self.jobs.iter().filter_map(live).collect::<Vec<_>>() {
            let limit = Duration::ZERO;
            _ = server.say(context, Command::Limit { job, limit }.into());
            _ = server.say(context, Command::Release { job }.into());
        }
        // What was heard and could not be stored at once was not answered, and its host may have restarted since.
        for job in self.jobs.iter_mut().filter(|_| server.is_up()) {
            let is_gone = job.name.is_some_and(|name| server.status(name).is_none());
            job.finished |= job.ended && is_gone;
            job.cancelled |= job.may_be_cancelled && is_gone;
        }
        // Many commands, of which each may have told every host something.
        while let Some(told) = server.take_effect(context) {
            self.send_out(context, told);
        }
    }

    pub(crate) fn is_done(&self, server: &dyn Server) -> bool {
        self.jobs.iter().all(|job| job.finished || job.cancelled) && server.is_idle()
    }

    /// At the end all that was wanted is done, and everything is free.
    pub(crate) fn check_end(&self, context: &mut Context, server: &dyn Server) {
        let left = self.jobs.iter().position(|job| !job.finished && !job.cancelled);
        context.claim(left.is_none(), Claim::NoJobLost, self.whose, || {
            let left = left.unwrap_or(0);
            let job = &self.jobs[left];
            let status = job.name.map(|name| server.status(name));
            format!("job {left}, {job:?}, {status:?}")
        });
        context.claim(server.is_idle(), Claim::NoNodeLeaked, self.whose, || {
            "all jobs have ended, and not all processors are free".into()
        });
    }
}

/// A record of which one bit turned.
fn turned(mut record: Record, context: &mut Context) -> Record {
    if context.is_planted(Planted::SealsNotChecked) {
        return record;
    }
    let bit = context.numbers.below(32 * Record::WORDS as u64);
    record.0[bit as usize / 32] ^= 1 << (bit % 32);
    record
}
