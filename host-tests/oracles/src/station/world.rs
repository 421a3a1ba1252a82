//! A small world for the coordinator: hosts with owners that come and go, losses, messages that
//! take their time, and a coordinator that crashes and is restored.
//!
//! Hosts keep to the rules in the documentation of `locox_coordinators::station`. Every step checks that no
//! job is on two hosts, that a job resumes from the checkpoint that was reported last, and that
//! the coordinator's invariants hold.

use locox::draw::Draw;
use locox::error::Error;
use locox::fair::{Contender, Demand, Fairness, StationId};
use locox::handle::{self, PoolId};
use locox::node::{Action, Input, LocalRule, LocalScheduler, OnReturn, Owner, Phase, Writing};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    Checkpoint, Columns, Command, Config, Coordinator, Effect, HomeRow, JobId, JobRow, Message,
    Misuse, NodeId, NodeRow, Refusal, Run, Trigger,
};
use std::collections::{HashMap, VecDeque};

/// The rows of a coordinator.
pub type Table = Columns<Vec<Demand>, Vec<HomeRow>, Vec<NodeRow>, Vec<JobRow>, Vec<Contender>>;

/// How large a world is and what may happen in it.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Workstations.
    pub stations: usize,
    /// Processors without one.
    pub bank: usize,
    /// Jobs that the coordinator has room for.
    pub job_rows: usize,
    /// Steps in which something may happen.
    pub steps: usize,
    /// Whether guests send their homes messages.
    pub messages: bool,
}

/// Empty rows, with room for so many contenders.
pub fn fresh_table(size: Size, room: usize) -> Table {
    Columns {
        demand: vec![Demand::default(); size.stations],
        homes: vec![HomeRow::EMPTY; size.stations],
        nodes: vec![NodeRow::EMPTY; size.stations + size.bank],
        jobs: vec![JobRow::EMPTY; size.job_rows],
        scratch: vec![Contender::EMPTY; room],
    }
}

/// What happened between a coordinator and its world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entry {
    /// A command, its time and the draw that it came with.
    Command(Instant, Message, u32),
    /// An effect was taken.
    Effect(Effect),
    /// The coordinator was restored from what it was after the last command.
    Restart,
}

/// What a run leaves behind.
pub struct Record {
    /// How large it was.
    pub size: Size,
    /// How the coordinator was configured.
    pub config: Config,
    /// All that was said, in its order.
    pub log: Vec<Entry>,
    /// What it met.
    pub met: Met,
}

/// How often a world met what it is there for.
#[derive(Default, Debug, PartialEq)]
pub struct Met {
    /// Jobs that were done.
    pub finished: u32,
    /// Runs that began from a checkpoint.
    pub resumed: u32,
    /// Runs that were told to leave.
    pub preempted: u32,
    /// Runs whose grace was over before their checkpoint was safe.
    pub killed: u32,
    /// Runs that went on after their owner had left again.
    pub continued: u32,
    /// Checkpoints that were put off, and begun when the guest's message was answered.
    pub put_off: u32,
    /// Processors that were lost with a run on them.
    pub losses_with_a_guest: u32,
    /// Restarts after some effects of a command had been taken.
    pub restarts_amid_effects: u32,
    /// Reports of runs that were over.
    pub late_reports: u32,
    /// Submissions for which there was no room.
    pub full_tables: u32,
}

impl Met {
    /// Adds what another world met.
    pub fn add(&mut self, other: Self) {
        self.finished += other.finished;
        self.resumed += other.resumed;
        self.preempted += other.preempted;
        self.killed += other.killed;
        self.continued += other.continued;
        self.put_off += other.put_off;
        self.losses_with_a_guest += other.losses_with_a_guest;
        self.restarts_amid_effects += other.restarts_amid_effects;
        self.late_reports += other.late_reports;
        self.full_tables += other.full_tables;
    }
}

#[derive(Default)]
struct Job {
    home: usize,
    work: u64,
    /// Progress in each saved state; its place is the checkpoint's name.
    saved: Vec<u64>,
    /// What the coordinator was told last.
    reported: Option<Checkpoint>,
    finished: bool,
}

struct Guest {
    run: Run,
    job: usize,
    progress: u64,
    begins: Instant,
    /// When the checkpoint that is being written is safe.
    safe_at: Option<(Writing, Instant)>,
    /// When the message to its home that is outstanding is answered.
    answered_at: Option<Instant>,
}

#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Here,
    Finished,
    Gone,
}

struct Host {
    up: bool,
    owner: Owner,
    local: LocalScheduler,
    guest: Option<Guest>,
    fates: HashMap<Run, Fate>,
    inbox: VecDeque<Effect>,
    outbox: VecDeque<Command>,
    /// Its restart is not acknowledged: it does nothing that it is told.
    deaf: bool,
}

/// Random numbers, and zeros once it is spent.
pub type Source = Box<dyn FnMut() -> u32>;

/// Hosts, jobs and a coordinator with the ranking `F`.
pub struct World<F> {
    source: Source,
    size: Size,
    config: Config,
    rule: LocalRule,
    now: Instant,
    hosts: Vec<Host>,
    jobs: Vec<Job>,
    names: HashMap<JobId, usize>,
    pool: Coordinator<F, Table>,
    fair: F,
    image: Vec<u32>,
    record: Record,
}

fn ticks(count: u64) -> Duration {
    Duration::from_ticks(count)
}

impl<F: Fairness + Clone> World<F> {
    /// `recall` as the coordinator's configuration has it; all else comes out of `source`.
    pub fn new(recall: bool, size: Size, fair: F, mut source: Source) -> Self {
        let mut pick = |count: u32| source() % count;
        let triggers = [Trigger::IntervalOnly, Trigger::Capacity, Trigger::Demand];
        let config = Config {
            interval: ticks(5 + u64::from(pick(20))),
            poll: (pick(2) == 0).then_some(ticks(7)),
            checkpoint: (pick(2) == 0).then_some(ticks(11)),
            transfer: ticks(pick(3).into()),
            trigger: triggers[pick(3) as usize],
            recall,
            rounds: 1,
            decisions: None,
            lease: None,
            back_off: ticks(pick(5).into()),
            retries: 0,
            faults: 0,
            pool: PoolId(9),
        };
        let wait = ticks(pick(15).into());
        let suspend = pick(2) == 0;
        let on_return = if suspend { OnReturn::Suspend { wait } } else { OnReturn::Checkpoint };
        let rule =
            LocalRule { on_return, grace: ticks(1 + u64::from(pick(6))), kill_again: ticks(1) };
        let room = 4 + pick(12) as usize;
        let now = Instant::ZERO;
        let pool = Coordinator::new(config, fresh_table(size, room), fair.clone(), now).unwrap();
        let hosts = (0..size.stations + size.bank).map(|host| Host::rebooted(rule, host));
        let hosts = hosts.collect();
        let mut world = Self {
            source,
            size,
            config,
            rule,
            now,
            hosts,
            jobs: Vec::new(),
            names: HashMap::new(),
            pool,
            fair,
            image: Vec::new(),
            record: Record { size, config, log: Vec::new(), met: Met::default() },
        };
        world.save();
        world
    }

    /// Random steps, then quiet ones until every job is finished.
    pub fn run(mut self) -> Record {
        for _ in 0..self.size.steps {
            self.happen();
            let ticks = (self.source)() % 4;
            self.pass(ticks);
            self.talk(3);
        }
        for host in 0..self.hosts.len() {
            if !self.hosts[host].up {
                self.reboot(host);
            }
            self.owner_leaves(host);
        }
        let mut quiet = 0;
        while self.jobs.iter().any(|job| !job.finished) {
            self.pass(3);
            self.talk(0);
            quiet += 1;
            assert!(quiet < 20_000, "jobs never finish");
        }
        assert!(self.pool.demand().iter().all(|demand| *demand == Demand::default()));
        self.record
    }

    fn pick(&mut self, count: usize) -> usize {
        (self.source)() as usize % count
    }

    fn happen(&mut self) {
        let station = self.pick(self.size.stations);
        let host = self.pick(self.hosts.len());
        match self.pick(20) {
            0..5 => self.submit(station),
            5..9 => self.owner_returns(station),
            9..14 => self.owner_leaves(station),
            14 if self.hosts[host].up => self.lose(host),
            14..17 if !self.hosts[host].up => self.reboot(host),
            17 => self.restart(),
            18 if self.fair.weight(StationId(0)).is_some() => self.weigh(station),
            _ => {}
        }
    }

    // Homes and owners.

    fn submit(&mut self, home: usize) {
        if self.hosts[home].up && self.jobs.len() < 40 {
            let work = 1 + self.pick(60) as u64;
            self.jobs.push(Job { home, work, ..Job::default() });
            let serial = self.jobs.iter().filter(|job| job.home == home).count() as u32;
            let home_id = StationId(home as u32);
            self.hosts[home].outbox.push_back(Command::Submit { home: home_id, serial });
        }
    }

    fn owner_returns(&mut self, station: usize) {
        let host = &mut self.hosts[station];
        if host.up && host.owner == Owner::Away {
            host.owner = Owner::Present;
            host.report_owner(station);
            self.step(station, Input::OwnerReturned);
        }
    }

    fn owner_leaves(&mut self, station: usize) {
        let host = &mut self.hosts[station];
        if host.up && host.owner == Owner::Present {
            host.owner = Owner::Away;
            if !matches!(host.local.phase(), Phase::Suspended { .. }) {
                host.report_owner(station);
            }
            self.step(station, Input::OwnerLeft);
        }
    }

    fn weigh(&mut self, station: usize) {
        let (station, weight) = (StationId(station as u32), 1 + self.pick(4) as u16);
        self.apply(Command::SetWeight { station, weight }).unwrap();
    }

    // Losses.

    fn lose(&mut self, host: usize) {
        let lost = &mut self.hosts[host];
        self.record.met.losses_with_a_guest += u32::from(lost.guest.is_some());
        // What a home has submitted is on its disk; all other reports die with it.
        lost.outbox.retain(|command| matches!(command, Command::Submit { .. }));
        lost.inbox.clear();
        lost.guest = None;
        lost.up = false;
        if self.pick(2) == 0 {
            // Somebody else notices.
            let node = NodeId(host as u32);
            self.apply(Command::NodeLost { node }).unwrap();
        }
    }

    fn reboot(&mut self, host: usize) {
        let mut fresh = Host::rebooted(self.rule, host);
        fresh.deaf = true;
        fresh.outbox.push_front(Command::NodeLost { node: NodeId(host as u32) });
        fresh.outbox.append(&mut self.hosts[host].outbox);
        self.hosts[host] = fresh;
        if host < self.size.stations && self.pick(2) == 0 {
            self.owner_returns(host);
        }
    }

    // The coordinator.

    fn save(&mut self) {
        let mut words = Vec::new();
        self.pool.export(|word| words.push(word));
        self.image = words;
    }

    /// The coordinator dies with some effects taken and others not, and is restored.
    fn restart(&mut self) {
        let taken = self.pick(3);
        let amid = (0..taken).filter(|_| self.carry_effect()).count() > 0;
        self.record.log.push(Entry::Restart);
        self.record.met.restarts_amid_effects += u32::from(amid);
        let table = fresh_table(self.size, 4 + self.pick(12));
        let start = Instant::ZERO;
        self.pool = Coordinator::new(self.config, table, self.fair.clone(), start).unwrap();
        self.pool.restore(self.image.iter().copied()).unwrap();
        self.pool.check_invariants().unwrap();
    }

    fn apply(&mut self, command: Command) -> Result<Option<JobId>, Error<Refusal, Misuse>> {
        let draw = (self.source)();
        let of_ranking = F::Draw::from_source(|| draw);
        let answer = self.pool.apply_drawn(self.now, command, of_ranking);
        self.pool.check_invariants().unwrap_or_else(|broken| panic!("{broken} by {command:?}"));
        self.record.log.push(Entry::Command(self.now, command.into(), draw));
        if answer.is_ok() {
            self.note(command);
        }
        self.save();
        answer
    }

    fn note(&mut self, command: Command) {
        match command {
            Command::Checkpointed { run, checkpoint } => {
                self.jobs[self.names[&run.job]].reported = Some(checkpoint);
            }
            Command::Finished { run } => {
                let job = &mut self.jobs[self.names[&run.job]];
                assert!(!job.finished, "a job finished twice");
                job.finished = true;
                self.record.met.finished += 1;
            }
            Command::Continued { .. } => self.record.met.continued += 1,
            Command::NodeLost { node } => self.hosts[node.0 as usize].inbox.clear(),
            _ => {}
        }
    }

    /// Takes one effect to the host that it concerns; false if there was none.
    fn carry_effect(&mut self) -> bool {
        let Some(effect) = self.pool.take_effect() else { return false };
        self.record.log.push(Entry::Effect(effect));
        let node = match effect {
            Effect::Poll => return true,
            Effect::Place { node, .. }
            | Effect::Resume { node, .. }
            | Effect::Preempt { node, .. }
            | Effect::Checkpoint { node, .. }
            | Effect::Ask { node, .. }
            | Effect::SetAside { node } => node.0 as usize,
        };
        if self.hosts[node].up && !self.hosts[node].deaf {
            self.hosts[node].inbox.push_back(effect);
        }
        true
    }

    /// Some messages arrive; `reluctance` makes each wait now and then.
    fn talk(&mut self, reluctance: usize) {
        for host in 0..self.hosts.len() {
            while self.pick(reluctance + 1) == 0 && self.carry_effect() {}
            if self.pick(reluctance + 1) == 0 {
                self.read(host);
            }
            if self.pick(reluctance + 1) == 0 {
                self.send(host, reluctance);
            }
        }
        if self.pool.wake_at() <= Some(self.now) {
            self.apply(Command::Tick).unwrap();
        }
    }

    fn send(&mut self, host: usize, reluctance: usize) {
        while self.hosts[host].up {
            let Some(&command) = self.hosts[host].outbox.front() else { return };
            let answer = self.apply(command);
            if reluctance > 0 && self.pick(10) == 0 {
                // The answer is lost, perhaps with the coordinator: the host will say it again.
                if self.pick(2) == 0 {
                    self.restart();
                }
                return;
            }
            match answer {
                Ok(Some(name)) => {
                    let Command::Submit { serial, .. } = command else { unreachable!() };
                    let of_home = |(_, job): &(usize, &Job)| job.home == host;
                    let mut jobs = self.jobs.iter().enumerate().filter(of_home);
                    let (at, _) = jobs.nth(serial as usize - 1).unwrap();
                    assert_eq!(self.names.insert(name, at), None, "two jobs of one name");
                }
                Ok(None) => {}
                Err(Error::Misused(Misuse::RunOver | Misuse::Job(handle::Misuse::Stale))) => {
                    self.record.met.late_reports += 1;
                }
                Err(Error::Refused(Refusal::JobsFull)) => {
                    self.record.met.full_tables += 1;
                    return self.hosts[host].postpone_submissions();
                }
                Err(error) => panic!("{command:?}: {error}"),
            }
            self.hosts[host].deaf &= !matches!(command, Command::NodeLost { .. });
            self.hosts[host].outbox.pop_front();
        }
    }

    // Hosts.

    fn read(&mut self, host: usize) {
        while let Some(effect) = self.hosts[host].inbox.pop_front() {
            match effect {
                Effect::Place { run, begins, .. } => self.place(host, run, None, begins),
                Effect::Resume { run, checkpoint, begins, .. } => {
                    self.place(host, run, Some(checkpoint), begins);
                }
                Effect::Preempt { run, .. } => {
                    self.record.met.preempted += 1;
                    self.order(host, run, Input::Preempt);
                }
                Effect::Checkpoint { run, .. } => self.order(host, run, Input::Checkpoint),
                Effect::Ask { run, .. } => self.ask(host, run),
                Effect::Poll | Effect::SetAside { .. } => unreachable!("carried to nobody"),
            }
        }
    }

    fn place(&mut self, host: usize, run: Run, from: Option<Checkpoint>, begins: Instant) {
        if self.hosts[host].fates.contains_key(&run) {
            return self.hosts[host].repeat(run);
        }
        // Its home may not have heard its name yet, or be down; the owner may be there.
        let named = self.names.get(&run.job).copied();
        let startable = named.is_some_and(|job| self.can_start(host, self.jobs[job].home));
        let (true, Some(job)) = (startable, named) else {
            self.hosts[host].fates.insert(run, Fate::Gone);
            return self.hosts[host].repeat(run);
        };
        assert!(!self.jobs[job].finished, "a finished job is started");
        let elsewhere = self.hosts.iter().filter_map(|host| host.guest.as_ref());
        assert!(elsewhere.clone().all(|guest| guest.job != job), "a job is on two hosts");
        assert_eq!(from, self.jobs[job].reported, "not the last checkpoint");
        self.record.met.resumed += u32::from(from.is_some());
        let progress = from.map_or(0, |checkpoint| self.jobs[job].saved[checkpoint.0 as usize]);
        let guest = Guest { run, job, progress, begins, safe_at: None, answered_at: None };
        self.hosts[host].guest = Some(guest);
        self.hosts[host].fates.insert(run, Fate::Here);
    }

    fn can_start(&mut self, host: usize, home: usize) -> bool {
        self.hosts[home].up && self.hosts[host].local.step(self.now, Input::Place).is_ok()
    }

    fn order(&mut self, host: usize, run: Run, input: Input) {
        if self.hosts[host].guest.as_ref().is_some_and(|guest| guest.run == run) {
            self.step(host, input);
        } else {
            self.hosts[host].fates.entry(run).or_insert(Fate::Gone);
            self.hosts[host].repeat(run);
        }
    }

    fn ask(&mut self, host: usize, run: Run) {
        self.hosts[host].fates.entry(run).or_insert(Fate::Gone);
        self.hosts[host].repeat(run);
    }

    /// The local scheduler decides, the host obeys.
    fn step(&mut self, at: usize, input: Input) {
        let safe_in = 1 + self.pick(8) as u64;
        let now = self.now;
        let host = &mut self.hosts[at];
        let Some(action) = host.local.step(now, input).unwrap() else { return };
        match action {
            Action::Start => unreachable!("placed elsewhere"),
            Action::Suspend => {}
            Action::Continue => {
                let run = host.guest.as_ref().unwrap().run;
                host.outbox.push_back(Command::Continued { run });
            }
            Action::Checkpoint(writing) => {
                self.record.met.put_off += u32::from(input == Input::MessageAnswered);
                let guest = host.guest.as_mut().unwrap();
                assert_eq!(guest.answered_at, None, "a message is outstanding");
                // One on its way will do: the host sees to the last one asked for.
                let safe_at = guest.safe_at.map(|(_, safe_at)| safe_at);
                let safe_at = safe_at.unwrap_or(now.saturating_add(ticks(safe_in)));
                guest.safe_at = Some((writing, safe_at));
            }
            Action::Vacate => host.drop_guest(Fate::Gone),
            Action::Kill => {
                self.record.met.killed += 1;
                host.local.step(now, Input::Gone).unwrap();
                host.drop_guest(Fate::Gone);
            }
        }
    }

    /// Time passes: guests run, checkpoints become safe, grace ends.
    fn pass(&mut self, count: u32) {
        for _ in 0..count {
            self.now = self.now.saturating_add(ticks(1));
            for host in 0..self.hosts.len() {
                if self.hosts[host].up {
                    self.save_guest(host);
                    self.answer_guest(host);
                    self.run_guest(host);
                    self.step(host, Input::Time);
                }
            }
        }
    }

    fn save_guest(&mut self, at: usize) {
        let Some(guest) = self.hosts[at].guest.as_mut() else { return };
        let (job, run) = (guest.job, guest.run);
        let home = self.jobs[job].home;
        let Some((writing, safe_at)) = guest.safe_at else { return };
        if self.now < safe_at || !self.hosts[home].up {
            return;
        }
        let guest = self.hosts[at].guest.as_mut().unwrap();
        guest.safe_at = None;
        let checkpoint = Checkpoint(self.jobs[job].saved.len() as u32);
        self.jobs[job].saved.push(guest.progress);
        self.hosts[at].outbox.push_back(Command::Checkpointed { run, checkpoint });
        self.step(at, Input::CheckpointDone(writing));
    }

    fn answer_guest(&mut self, at: usize) {
        let Some(guest) = self.hosts[at].guest.as_mut() else { return };
        if guest.answered_at.take_if(|answered| *answered <= self.now).is_some() {
            self.step(at, Input::MessageAnswered);
        }
    }

    /// A guest that runs may send its home a message, and goes on while that is outstanding.
    fn run_guest(&mut self, at: usize) {
        let answered_in = if self.size.messages { self.pick(40) as u64 } else { u64::MAX };
        let host = &mut self.hosts[at];
        let Some(guest) = host.guest.as_mut() else { return };
        if host.local.phase() != Phase::Running || self.now < guest.begins {
            return;
        }
        guest.progress += 1;
        if answered_in < 10 && guest.answered_at.is_none() {
            guest.answered_at = Some(self.now.saturating_add(ticks(answered_in)));
            assert_eq!(host.local.step(self.now, Input::MessageSent), Ok(None));
        }
        if guest.progress >= self.jobs[guest.job].work {
            host.local.step(self.now, Input::Finished).unwrap();
            host.drop_guest(Fate::Finished);
        }
    }
}

impl Host {
    /// A host whose owner is away, and which says so.
    fn rebooted(rule: LocalRule, number: usize) -> Self {
        let mut local = LocalScheduler::new(rule);
        local.step(Instant::ZERO, Input::OwnerLeft).unwrap();
        let mut host = Self {
            up: true,
            owner: Owner::Away,
            local,
            guest: None,
            fates: HashMap::new(),
            inbox: VecDeque::new(),
            outbox: VecDeque::new(),
            deaf: false,
        };
        host.report_owner(number);
        host
    }

    fn report_owner(&mut self, number: usize) {
        let number = number as u32;
        self.outbox.push_back(match self.owner {
            Owner::Away => Command::NodeIdle { node: NodeId(number) },
            Owner::Present => Command::OwnerBack { station: StationId(number) },
        });
    }

    /// Its other reports go first: one of them may make room.
    fn postpone_submissions(&mut self) {
        let queue = std::mem::take(&mut self.outbox);
        let (later, first): (Vec<_>, Vec<_>) =
            queue.into_iter().partition(|one| matches!(one, Command::Submit { .. }));
        self.outbox.extend(first.into_iter().chain(later));
    }

    fn drop_guest(&mut self, fate: Fate) {
        let run = self.guest.take().unwrap().run;
        self.fates.insert(run, fate);
        self.repeat(run);
    }

    fn repeat(&mut self, run: Run) {
        match self.fates[&run] {
            Fate::Here => {}
            Fate::Finished => self.outbox.push_back(Command::Finished { run }),
            Fate::Gone => self.outbox.push_back(Command::Vacated { run }),
        }
    }
}
