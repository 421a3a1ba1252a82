//! A site of unlike machines and two clusters of them, its coordinator, and what runs there.

use crate::carrier::{Carrier, Receiver, Stamp};
use crate::claims::Claim;
use crate::context::Context;
use crate::kept::{Applied, Kept};
use crate::network::Packet;
use crate::owned_site::{CLASSES, JOBS, MACHINES, Model, OwnedSite, RESOURCES, USERS};
use crate::parts::{Part, Service};
use crate::planted::Planted;
use crate::time::{HOUR, MINUTE};
use locox::error::Error;
use locox::time::Duration;
use locox_coordinators::site::{
    Command, Effect, JobClass, JobId, MachineId, Misuse, QueueId, Refusal, Run, UserId,
};
use std::collections::{BTreeSet, HashMap, VecDeque};

const WHOSE: &str = "site";
/// How long a machine waits before it says something again.
const AGAIN: u64 = 2 * MINUTE;
/// The most jobs of a user that wait to be submitted.
const MOST_WAITING: usize = 6;

/// A job that somebody wants.
#[derive(Debug, Default)]
struct Job {
    user: usize,
    class: u32,
    work: u64,
    name: Option<JobId>,
    ended: bool,
    finished: bool,
    /// The run that began last, and the machines on which it has processes.
    run: Option<Run>,
    on: BTreeSet<usize>,
}

/// A run, at the machine that answers for it.
#[derive(Clone, Debug)]
struct Here {
    run: Run,
    job: usize,
    began: u64,
    ends_at: u64,
    machines: BTreeSet<usize>,
}

/// A machine, and what the coordinator's side of the network has for it.
#[derive(Debug)]
struct Machine {
    up: bool,
    receiver: Receiver,
    carrier: Carrier<(Effect, u64)>,
    here: Option<Here>,
    fates: HashMap<Run, Command>,
    outbox: VecDeque<Command>,
    /// The number of the first in it.
    number: u64,
    said_at: Option<u64>,
}

/// The site.
pub(crate) struct Sited {
    pub(crate) kept: Kept<OwnedSite>,
    model: Model,
    machines: Vec<Machine>,
    jobs: Vec<Job>,
    names: HashMap<JobId, usize>,
    waiting: [VecDeque<usize>; USERS],
    serials: [u32; USERS],
    went_back: bool,
}

impl Sited {
    pub(crate) fn new(context: &mut Context) -> Self {
        let numbers = &mut context.numbers;
        let times = (0..CLASSES * RESOURCES)
            .map(|_| Duration::from_ticks(numbers.between(10 * MINUTE, 6 * HOUR)))
            .collect();
        let model = Model { times, learns: numbers.chance(500), new_only: numbers.chance(300) };
        let kept = Kept::new(OwnedSite::new(&model), Service::Site, WHOSE);
        kept.wake(context);
        let machine = |_| Machine {
            up: true,
            receiver: Receiver::default(),
            carrier: Carrier::new(),
            here: None,
            fates: HashMap::new(),
            outbox: VecDeque::new(),
            number: 1,
            said_at: None,
        };
        let mut site = Self {
            kept,
            model,
            machines: (0..MACHINES).map(machine).collect(),
            jobs: vec![],
            names: HashMap::new(),
            waiting: Default::default(),
            serials: [0; USERS],
            went_back: false,
        };
        (0..MACHINES).for_each(|at| site.boot(context, at));
        site
    }

    pub(crate) fn submit(&mut self, context: &mut Context, number: u64, work: u64) {
        let user = number as usize % USERS;
        if self.waiting[user].len() < MOST_WAITING {
            context.figures.jobs += 1;
            let class = (number >> 8) as u32 % CLASSES as u32;
            self.waiting[user].push_back(self.jobs.len());
            self.jobs.push(Job { user, class, work, ..Job::default() });
            context.wake(Part::SiteUser(user), context.now);
        }
    }

    // Machines.

    fn boot(&mut self, context: &mut Context, at: usize) {
        let machine = &mut self.machines[at];
        machine.up = true;
        machine.receiver.start();
        machine.fates.clear();
        machine.outbox.clear();
        // The answer to what it said before may be under way.
        machine.number += 1;
        machine.said_at = None;
        let boot = machine.receiver.boot;
        self.say(context, at, Command::MachineBack { machine: MachineId(at as u32), boot });
    }

    pub(crate) fn crash(&mut self, context: &mut Context, at: usize) {
        let Some(machine) = self.machines.get_mut(at) else { return };
        machine.up = false;
        machine.outbox.clear();
        // What it answered for on others stays there until these are told to drop it.
        machine.here = None;
        for job in &mut self.jobs {
            job.on.remove(&at);
        }
        // A job that lost a machine does not come to its end.
        for machine in &mut self.machines {
            if let Some(here) = machine.here.as_mut().filter(|here| here.machines.contains(&at)) {
                here.ends_at = u64::MAX;
            }
        }
        context.wake(Part::SiteOperator(at), context.now + 20 * MINUTE);
    }

    pub(crate) fn power(&mut self, context: &mut Context, at: usize) {
        if self.machines.get(at).is_some_and(|machine| !machine.up) {
            self.boot(context, at);
        }
    }

    /// The operator says of a machine that is down that it is lost.
    pub(crate) fn report_lost(&mut self, context: &mut Context, at: usize) {
        if self.machines[at].up {
            return;
        }
        let boot = self.machines[at].receiver.boot;
        let lost = Command::MachineLost { machine: MachineId(at as u32), boot };
        if matches!(self.apply(context, lost), Applied::Nothing) {
            context.wake(Part::SiteOperator(at), context.now + 20 * MINUTE);
        }
        self.tell(context);
    }

    fn say(&mut self, context: &mut Context, at: usize, command: Command) {
        self.machines[at].outbox.push_back(command);
        context.wake(Part::Site(at), context.now);
    }

    /// A machine looks at what runs, and says what it has to say; the coordinator's side sends what is due.
    pub(crate) fn look(&mut self, context: &mut Context, at: usize) {
        let now = context.now;
        if self.machines[at].up {
            self.end_run(context, at);
            let machine = &mut self.machines[at];
            let is_due = machine.said_at.is_none_or(|said| now >= said + AGAIN);
            if let Some(command) = machine.outbox.front().copied().filter(|_| is_due) {
                machine.said_at = Some(now);
                let number = machine.number;
                context.send(at, true, Packet::SiteSays { machine: at, number, command });
            }
        }
        let machine = &mut self.machines[at];
        if let Some((stamp, (effect, machines))) = machine.carrier.due(now) {
            context.send(at, false, Packet::SiteTold { machine: at, stamp, effect, machines });
        }
        let machine = &self.machines[at];
        let ends = machine.here.as_ref().map(|here| here.ends_at).filter(|ends| *ends < u64::MAX);
        let again = machine.said_at.filter(|_| !machine.outbox.is_empty()).map(|said| said + AGAIN);
        if let Some(next) = [ends, again, machine.carrier.next_look()].into_iter().flatten().min() {
            context.wake(Part::Site(at), next.max(now + 1));
        }
    }

    fn end_run(&mut self, context: &mut Context, at: usize) {
        let now = context.now;
        let Some(here) = self.machines[at].here.take_if(|here| here.ends_at <= now) else { return };
        let Here { run, job, began, .. } = here;
        let took = Duration::from_ticks(now - began);
        self.jobs[job].on.clear();
        self.jobs[job].ended = true;
        if context.is_planted(Planted::SiteForgetsToReport) {
            return;
        }
        let finished = Command::Finished { run, took };
        self.machines[at].fates.insert(run, finished);
        self.say(context, at, finished);
    }

    // The network.

    pub(crate) fn arrives(
        &mut self,
        context: &mut Context,
        at: usize,
        (stamp, effect, machines): (Stamp, Effect, u64),
    ) {
        if !self.machines[at].up {
            return;
        }
        let taken = self.machines[at].receiver.takes(stamp);
        let believes_all = context.is_planted(Planted::SiteHearsOldEffects);
        let Some(is_new) = taken.or(believes_all.then_some(true)) else { return };
        context.send(at, true, Packet::SiteHas { machine: at, stamp });
        if is_new {
            match effect {
                Effect::Dispatch { run, .. } => self.dispatch(context, at, run, machines),
                Effect::Preempt { run, .. } => self.preempt(context, at, run),
            }
        }
        self.look(context, at);
    }

    fn dispatch(&mut self, context: &mut Context, at: usize, run: Run, machines: u64) {
        if self.machines[at].here.as_ref().is_some_and(|here| here.run == run) {
            return;
        }
        if let Some(fate) = self.machines[at].fates.get(&run).copied() {
            return self.say(context, at, fate);
        }
        let machines: BTreeSet<usize> =
            (0..MACHINES).filter(|it| machines >> it & 1 == 1).collect();
        let all_up = machines.iter().all(|it| self.machines[*it].up);
        let Some(&job) = self.names.get(&run.job).filter(|_| all_up) else {
            return self.vacate(context, at, run);
        };
        context.figures.starts += 1;
        let is_elsewhere = !self.jobs[job].on.is_empty();
        context.claim(!is_elsewhere, Claim::NoneTwice, WHOSE, || {
            format!("{run} starts while its job is on {:?}", self.jobs[job].on)
        });
        let is_again = self.jobs[job].finished && !self.went_back;
        context.claim(!is_again, Claim::NoneTwice, WHOSE, || {
            format!("{run} starts although its job has ended")
        });
        let other = self.jobs.iter().position(|other| !other.on.is_disjoint(&machines));
        context.claim(other.is_none(), Claim::NoneTwice, WHOSE, || {
            format!("{run} starts on {machines:?}, where job {other:?} is")
        });
        self.jobs[job].on.clone_from(&machines);
        self.jobs[job].run = Some(run);
        let (began, ends_at) = (context.now, context.now + self.jobs[job].work);
        self.machines[at].here = Some(Here { run, job, began, ends_at, machines });
    }

    fn preempt(&mut self, context: &mut Context, at: usize, run: Run) {
        match self.machines[at].fates.get(&run).copied() {
            Some(fate) => self.say(context, at, fate),
            None => self.vacate(context, at, run),
        }
    }

    /// Nothing of a run is left.
    fn vacate(&mut self, context: &mut Context, at: usize, run: Run) {
        self.machines[at].here.take_if(|here| here.run == run);
        if let Some(&job) = self.names.get(&run.job)
            && self.jobs[job].run == Some(run)
        {
            self.jobs[job].on.clear();
        }
        let vacated = Command::Vacated { run };
        self.machines[at].fates.insert(run, vacated);
        self.say(context, at, vacated);
    }

    pub(crate) fn has(&mut self, context: &mut Context, at: usize, stamp: Stamp) {
        self.machines[at].carrier.arrived(stamp);
        context.wake(Part::Site(at), context.now);
    }

    pub(crate) fn heard(&mut self, context: &mut Context, at: usize, number: u64) {
        let machine = &mut self.machines[at];
        if machine.up && machine.number == number && machine.outbox.pop_front().is_some() {
            machine.number += 1;
            machine.said_at = None;
            context.wake(Part::Site(at), context.now);
        }
    }

    // At the coordinator.

    fn apply(
        &mut self,
        context: &mut Context,
        command: Command,
    ) -> Applied<Option<JobId>, locox_coordinators::site::Error> {
        let applied = self.kept.apply(context, command);
        self.kept.wake(context);
        applied
    }

    pub(crate) fn report(
        &mut self,
        context: &mut Context,
        at: usize,
        number: u64,
        command: Command,
    ) {
        match self.apply(context, command) {
            Applied::Nothing => return,
            Applied::Taken(_) => {
                if let Command::MachineBack { boot, .. } = command {
                    self.connect(at, boot);
                }
            }
            Applied::Refused(Error::Refused(Refusal::Old)) => {}
            Applied::Refused(other) => context.claim(false, Claim::PromisesKept, WHOSE, || {
                format!("{command:?} is refused: {other}")
            }),
        }
        if let Command::Finished { run, .. } = command {
            self.note_end(run);
        }
        context.send(at, false, Packet::SiteHeard { machine: at, number });
        self.tell(context);
    }

    /// What is told from now on is for this start of a machine.
    fn connect(&mut self, at: usize, boot: u32) {
        if self.machines[at].carrier.boot() < boot {
            self.machines[at].carrier.connect(boot);
        }
    }

    fn note_end(&mut self, run: Run) {
        let is_gone = self.kept.coordinator().is_some_and(|site| site.status(run.job).is_none());
        if let Some(&job) = self.names.get(&run.job).filter(|_| is_gone) {
            self.jobs[job].finished |= self.jobs[job].ended;
        }
    }

    pub(crate) fn tell(&mut self, context: &mut Context) {
        let mut count = 0;
        while let Some(told) = self.kept.take_effect() {
            count += 1;
            context.figures.effects += 1;
            let (Effect::Dispatch { run, .. } | Effect::Preempt { run, .. }) = told.effect;
            let machines =
                self.kept.coordinator().map_or_else(Vec::new, |it| it.machines_of(run.job));
            let Some(&first) = machines.first() else { continue };
            let set = machines.iter().fold(0, |set, at| set | 1 << at);
            // Who answers for a run hears of it; if he is lost, whoever is left.
            let answers = (0..MACHINES)
                .find(|at| self.machines[*at].here.as_ref().is_some_and(|here| here.run == run));
            let at = answers.filter(|at| machines.contains(at)).unwrap_or(first);
            self.machines[at].carrier.put((told.effect, set));
            context.wake(Part::Site(at), context.now);
        }
        context
            .claim(count <= JOBS, Claim::EffectsBounded, WHOSE, || format!("{count} for {JOBS}"));
    }

    /// Time passes, if that is due.
    pub(crate) fn wakes(&mut self, context: &mut Context) {
        if self.kept.look(context) {
            _ = self.apply(context, Command::Tick);
        }
        self.tell(context);
        self.kept.wake(context);
    }

    /// A user submits his first job, again until he is answered.
    pub(crate) fn submit_next(&mut self, context: &mut Context, user: usize) {
        let Some(&job) = self.waiting[user].front() else { return };
        let (serial, class) = (self.serials[user] + 1, JobClass(self.jobs[job].class));
        let queue = QueueId(job as u32 % 2);
        let submit = Command::Submit { user: UserId(user as u32), serial, queue, class };
        let applied = self.apply(context, submit);
        context.wake(Part::SiteUser(user), context.now + 20 * MINUTE);
        match applied {
            Applied::Taken(Some(name)) => {
                let known = self.names.insert(name, job);
                context.claim(known.is_none_or(|it| it == job), Claim::NoJobLost, WHOSE, || {
                    format!("two jobs are called {name}")
                });
                self.jobs[job].name = Some(name);
                // The answer may be lost.
                if context.is_calm || context.numbers.chance(700) {
                    self.serials[user] = serial;
                    self.waiting[user].pop_front();
                }
            }
            Applied::Refused(Error::Refused(Refusal::JobsFull)) | Applied::Nothing => {}
            Applied::Taken(None) => {}
            Applied::Refused(other) => context.claim(false, Claim::PromisesKept, WHOSE, || {
                format!("{submit:?} is refused: {other}")
            }),
        }
        self.tell(context);
    }

    pub(crate) fn forge(&mut self, context: &mut Context, number: u64) {
        let Some(job) = self.jobs.iter().find_map(|job| job.name) else { return };
        let run = Run { job, attempt: u32::MAX - (number >> 16) as u32 % 1000 };
        let machine = MachineId(number as u32 % MACHINES as u32);
        let forged = match number >> 2 & 3 {
            0 => Command::Vacated { run },
            1 => Command::Finished { run, took: Duration::from_ticks(number) },
            2 => Command::MachineBack { machine, boot: 0 },
            _ => Command::MachineLost { machine: MachineId(MACHINES as u32 + 1), boot: 1 },
        };
        context.figures.forged += 1;
        let is_believed = matches!(self.apply(context, forged), Applied::Taken(_));
        context.claim(!is_believed, Claim::ForgeriesRefused, WHOSE, || format!("{forged:?}"));
        self.tell(context);
    }

    // Restarts and the end.

    pub(crate) fn start(&mut self, context: &mut Context) {
        let model = self.model.clone();
        let Some(went_back) = self.kept.start(context, || OwnedSite::new(&model)) else { return };
        for machine in &mut self.machines {
            machine.carrier.connect(machine.carrier.boot());
        }
        if went_back {
            self.went_back = true;
            context.drop_packets(Service::Site);
            for at in 0..MACHINES {
                if self.machines[at].up {
                    self.crash(context, at);
                    self.boot(context, at);
                }
            }
            self.submit_again(context);
        }
        self.tell(context);
    }

    /// The coordinator has forgotten what it answered: users ask where they are, and submit again.
    fn submit_again(&mut self, context: &mut Context) {
        let Some(site) = self.kept.coordinator() else { return };
        self.names.retain(|name, _| site.status(*name).is_some());
        let is_known = |jobs: &[Job], names: &HashMap<JobId, usize>, at: usize| {
            jobs[at].name.is_some_and(|name| names.get(&name) == Some(&at))
        };
        for user in 0..USERS {
            let (queue, class) = (QueueId(0), JobClass(0));
            let probe =
                Command::Submit { user: UserId(user as u32), serial: u32::MAX, queue, class };
            if let Applied::Refused(Error::Misused(Misuse::Serial { next })) =
                self.apply(context, probe)
            {
                self.serials[user] = next - 1;
            }
            let (jobs, names) = (&self.jobs, &self.names);
            self.waiting[user].retain(|at| !is_known(jobs, names, *at));
            for at in 0..self.jobs.len() {
                let is_lost =
                    self.jobs[at].name.is_some() && !is_known(&self.jobs, &self.names, at);
                if self.jobs[at].user == user && is_lost && !self.jobs[at].finished {
                    self.jobs[at].name = None;
                    if !self.waiting[user].contains(&at) {
                        self.waiting[user].push_back(at);
                    }
                }
            }
            context.wake(Part::SiteUser(user), context.now);
        }
    }

    /// What was heard and could not be stored at once was not answered, and its machine may have restarted since.
    pub(crate) fn settle(&mut self) {
        let Some(site) = self.kept.coordinator() else { return };
        for job in self.jobs.iter_mut().filter(|job| job.ended) {
            job.finished |= job.name.is_some_and(|name| site.status(name).is_none());
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        let left = self.kept.coordinator().map_or(1, OwnedSite::jobs);
        self.jobs.iter().all(|job| job.finished) && left == 0
    }

    pub(crate) fn check_end(&self, context: &mut Context) {
        let left = self.jobs.iter().find(|job| !job.finished);
        context.claim(left.is_none(), Claim::NoJobLost, WHOSE, || {
            let status = left.and_then(|job| self.kept.coordinator()?.status(job.name?));
            format!("{left:?}, {status:?}")
        });
        let count = self.kept.coordinator().map_or(1, OwnedSite::jobs);
        context.claim(count == 0, Claim::NoNodeLeaked, WHOSE, || format!("{count} jobs are left"));
    }
}
