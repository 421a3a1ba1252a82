//! Worlds that mean harm: messages are lost, doubled, late and swapped, hosts crash,
//! fall silent or give up every run, clocks drift, users cancel and hold, and the coordinator is
//! restored from its journal with a clock that starts anew.
//!
//! Hosts keep to the rules in the documentation of `locox_coordinators::station`. No job is lost, none runs on
//! two hosts at a time, and none is stuck: where all that is free may be given away at one time, no
//! processor is free for longer than an interval while a job waits and nothing is left to decide, and
//! when the harm ends, every job that is wanted finishes, and every processor is free.
//!
//! In other worlds hosts go on in the same boot when their lease has ended. Two of them may have one
//! job then, but nothing is stuck there either.
//!
//! There are a thousand of each; `LOCOX_WORLDS=10000` in the environment makes them ten thousand.

use locox::error::Error;
use locox::fair::{
    Condor, Contender, DecayParams, Demand, Fairness, RoundRobin, ScheduleIndex, StationId,
    TimedRow, TimedUpDown, UpDown,
};
use locox::handle::PoolId;
use locox::node::Lease;
use locox::time::{Duration, Instant};
use locox_coordinators::coordinate::{Durable, EffectRecord, Record};
use locox_coordinators::station::{
    Checkpoint, Columns, Command, Config, Coordinator, Effect, HomeRow, JobId, JobRow, Message,
    Misuse, NodeId, NodeRow, Nodes, PreemptReason, Refusal, Run, Sender, Status, Trigger,
};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use std::collections::{HashMap, HashSet, VecDeque};
use std::num::NonZeroU32;

fn worlds() -> u64 {
    let told = std::env::var("LOCOX_WORLDS");
    told.map_or(1000, |count| count.parse().expect("LOCOX_WORLDS is a number"))
}

type Table = Columns<Vec<Demand>, Vec<HomeRow>, Vec<NodeRow>, Vec<JobRow>, Vec<Contender>>;

/// Ticks of the world in a tick of a true clock; others are one off.
const RATE: u64 = 32;

fn ticks(count: u64) -> Duration {
    Duration::from_ticks(count)
}

/// Something under way.
#[derive(Clone, Copy)]
enum Packet {
    /// To the coordinator.
    Report(Message),
    Submission {
        home: usize,
        serial: u32,
    },
    /// To a host: that a message of it was taken, and up to which number effects were told then.
    Answer {
        to: Sender,
        effects: u64,
    },
    /// To a host: that it was taken for lost.
    BootOver(Sender),
    Effect(usize, EffectRecord<Effect>),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fate {
    Gone,
    Finished,
}

struct Guest {
    run: Run,
    job: usize,
    progress: u64,
    /// It leaves when this is over.
    leaves_in: Option<u64>,
    suspended: bool,
}

/// What a host has to report, and what its clock showed when it did so first.
struct Said {
    command: Command,
    sent: Option<u64>,
}

struct Host {
    up: bool,
    owner: bool,
    /// Nothing reaches it.
    is_deaf: bool,
    /// Nothing that it says is heard.
    is_mute: bool,
    /// It gives up every run.
    is_black_hole: bool,
    /// It does not restart when its lease ends, but drops its run and takes up another lease.
    goes_on: bool,
    boot: u32,
    /// Messages of this boot that were answered.
    answered: u32,
    outbox: VecDeque<Said>,
    /// Nothing told up to this is done any more; nothing at all before the first answer.
    told: Option<u64>,
    guest: Option<Guest>,
    fates: HashMap<Run, Fate>,
    /// Its clock, in parts of a tick, and how fast that runs.
    clock: u64,
    rate: u64,
    lease_ends: u64,
    last_sent: u64,
}

#[derive(Default)]
struct Job {
    work: u64,
    saved: Vec<u64>,
    /// The checkpoint that the coordinator was told last.
    reported: Option<Checkpoint>,
    cancelled: bool,
    finished: bool,
}

#[derive(Default, Debug)]
struct Met {
    finished: u64,
    cancelled: u64,
    old: u64,
    early: u64,
    restarts: u64,
    lost_commands: u64,
    leases: u64,
    boots_over: u64,
    doubled: u64,
    set_aside: u64,
    resumed: u64,
    continued: u64,
}

struct World<F> {
    random: ChaCha8Rng,
    config: Config,
    fair: F,
    stations: usize,
    rows: usize,
    pool: Durable<Coordinator<F, Table>>,
    journal: Vec<Record>,
    image: Vec<u32>,
    /// The coordinator's clock, in parts of a tick.
    clock: u64,
    rate: u64,
    /// Since when a processor is free while a job waits.
    spare_since: Option<Instant>,
    hosts: Vec<Host>,
    jobs: Vec<Job>,
    names: HashMap<JobId, usize>,
    named: HashMap<usize, JobId>,
    submitted: Vec<VecDeque<usize>>,
    serials: Vec<u32>,
    packets: Vec<Packet>,
    harm: bool,
    met: Met,
}

fn table(stations: usize, nodes: usize, rows: usize) -> Table {
    Columns {
        demand: vec![Demand::NONE; stations],
        homes: vec![HomeRow::EMPTY; stations],
        nodes: vec![NodeRow::EMPTY; nodes],
        jobs: vec![JobRow::EMPTY; rows],
        scratch: vec![Contender::EMPTY; 8],
    }
}

impl<F: Fairness<Draw = ()> + Clone> World<F> {
    fn new(
        mut random: ChaCha8Rng,
        (stations, bank): (usize, usize),
        goes_on: bool,
        fair: F,
    ) -> Self {
        let mut pick = |count: u32| u64::from(random.next_u32() % count);
        let interval = ticks(4 + pick(10));
        let config = Config {
            interval,
            poll: None,
            checkpoint: (pick(2) == 0).then_some(ticks(11)),
            transfer: ticks(0),
            trigger: [Trigger::IntervalOnly, Trigger::Capacity, Trigger::Demand][pick(3) as usize],
            rounds: [1, u32::MAX][pick(2) as usize],
            recall: pick(2) == 0,
            lease: Some(ticks(48 + 16 * pick(3))),
            back_off: ticks(pick(4)),
            retries: [0, 3][pick(2) as usize],
            faults: [0, 3][pick(2) as usize],
            pool: PoolId(3),
            decisions: NonZeroU32::new(pick(4) as u32),
        };
        let rows = 3 + pick(12) as usize;
        let nodes = stations + bank;
        let rate = RATE - 1 + pick(3);
        let start = Instant::ZERO;
        let pool = Coordinator::new(config, table(stations, nodes, rows), fair.clone(), start);
        let pool = Durable::new(pool.unwrap());
        let host = |_| Host { goes_on, ..Host::new(RATE - 1 + pick(3), pick(8) == 0) };
        let hosts = (0..nodes).map(host).collect();
        let mut image = vec![];
        pool.export(&mut |word| image.push(word));
        Self {
            random,
            config,
            fair,
            stations,
            rows,
            pool,
            journal: vec![],
            image,
            clock: 0,
            rate,
            spare_since: None,
            hosts,
            jobs: vec![],
            names: HashMap::new(),
            named: HashMap::new(),
            submitted: vec![VecDeque::new(); stations],
            serials: vec![0; stations],
            packets: vec![],
            harm: true,
            met: Met::default(),
        }
    }

    fn pick(&mut self, count: usize) -> usize {
        self.random.next_u32() as usize % count
    }

    fn run(mut self, steps: usize) -> Met {
        for host in 0..self.hosts.len() {
            self.boot(host);
        }
        for _ in 0..steps {
            self.happen();
            self.pass();
        }
        self.make_peace();
        let mut quiet = 0;
        while !self.all_is_done() {
            if quiet % 8 == 0 {
                self.release_all();
            }
            self.pass();
            quiet += 1;
            assert!(quiet < 6000, "jobs are stuck: {}", self.picture());
        }
        self.met
    }

    fn picture(&self) -> String {
        let of = |job: usize| {
            let name = self.named.get(&job);
            format!("{job}: {:?}; ", name.map(|name| self.pool.coordinator().status(*name)))
        };
        let left = (0..self.jobs.len()).filter(|job| !self.jobs[*job].finished);
        let jobs: String = left.map(of).collect();
        let host = |host: &Host| {
            let guest =
                host.guest.as_ref().map(|guest| (guest.run, guest.suspended, guest.leaves_in));
            let outbox: Vec<_> = host.outbox.iter().map(|said| said.command).collect();
            format!("{} {:?} {:?} {:?}; ", host.owner, guest, outbox, host.told)
        };
        jobs + &self.hosts.iter().map(host).collect::<String>()
    }

    fn all_is_done(&self) -> bool {
        let over = |job: &Job| job.finished || job.cancelled;
        let pool = self.pool.coordinator();
        let is_idle = pool.demand().iter().all(|demand| *demand == Demand::NONE);
        self.jobs.iter().all(over) && is_idle && pool.free() as usize == self.hosts.len()
    }

    // Harm.

    fn happen(&mut self) {
        let (host, station) = (self.pick(self.hosts.len()), self.pick(self.stations));
        match self.pick(26) {
            0..5 => self.submit(station),
            5..9 => self.owner(station, true),
            9..14 => self.owner(station, false),
            14 => self.crash(host),
            15 | 16 if !self.hosts[host].up => self.boot(host),
            17 => self.restart(),
            18 => self.tell_job(|job| Command::Cancel { job }),
            19 => self.tell_job(|job| Command::Hold { job }),
            20 => self.tell_job(|job| Command::Release { job }),
            21 => self.tell_job(|job| Command::Limit { job, limit: ticks(30) }),
            22 => {
                let nodes = self.some_nodes(host);
                let command = match self.pick(3) {
                    0 => Command::Drain { nodes },
                    _ => Command::Restore { nodes },
                };
                self.command(command);
            }
            23 => {
                let kind = self.pick(3);
                self.hosts[host].is_deaf ^= kind > 0;
                self.hosts[host].is_mute ^= kind < 2;
            }
            _ => {}
        }
    }

    fn some_nodes(&mut self, host: usize) -> Nodes {
        let bank = self.pick(4) == 0;
        if bank { Nodes::Bank } else { Nodes::One { node: NodeId(host as u32) } }
    }

    fn submit(&mut self, home: usize) {
        if self.jobs.len() < 25 {
            let work = 1 + self.pick(60) as u64;
            self.submitted[home].push_back(self.jobs.len());
            self.jobs.push(Job { work, ..Job::default() });
        }
    }

    fn tell_job(&mut self, command: impl FnOnce(JobId) -> Command) {
        if self.names.is_empty() {
            return;
        }
        let mut names: Vec<_> = self.named.iter().collect();
        names.sort_by_key(|(job, _)| **job);
        let (job, name) = names[self.random.next_u32() as usize % names.len()];
        let (job, command) = (*job, command(*name));
        if self.command(command) && matches!(command, Command::Cancel { .. }) {
            self.jobs[job].cancelled = true;
            self.met.cancelled += 1;
        }
    }

    fn crash(&mut self, host: usize) {
        let host = &mut self.hosts[host];
        host.up = false;
        host.guest = None;
        host.outbox.clear();
        host.fates.clear();
    }

    fn make_peace(&mut self) {
        self.harm = false;
        for host in 0..self.hosts.len() {
            self.hosts[host].is_black_hole = false;
            self.hosts[host].is_deaf = false;
            self.hosts[host].is_mute = false;
            if !self.hosts[host].up {
                self.boot(host);
            }
            if host < self.stations {
                self.owner(host, false);
            }
        }
    }

    fn release_all(&mut self) {
        for node in 0..self.hosts.len() as u32 {
            self.command(Command::Restore { nodes: Nodes::One { node: NodeId(node) } });
        }
        let names: Vec<_> = (0..self.jobs.len()).filter_map(|job| self.named.get(&job)).collect();
        for job in names.into_iter().copied().collect::<Vec<_>>() {
            self.command(Command::Limit { job, limit: ticks(0) });
            self.command(Command::Release { job });
        }
    }

    // The coordinator.

    fn now(&self) -> Instant {
        Instant::from_ticks(self.clock / RATE)
    }

    /// What users and operators say; whether it was taken.
    fn command(&mut self, command: Command) -> bool {
        self.apply(command.into()).is_ok()
    }

    fn apply(&mut self, message: Message) -> Result<Option<JobId>, Error<Refusal, Misuse>> {
        let now = self.now().max(self.pool.now());
        let (answer, record) = self.pool.apply_drawn(now, message, ())?;
        self.pool.coordinator().check_invariants().unwrap();
        self.journal.push(record);
        self.note(message.command);
        self.note_spare(now);
        Ok(answer)
    }

    fn note_spare(&mut self, now: Instant) {
        let pool = self.pool.coordinator();
        if pool.free() == 0 || pool.demand().iter().all(|demand| demand.wants == 0) {
            self.spare_since = None;
            return;
        }
        let since = *self.spare_since.get_or_insert(now);
        let is_short = now.since(since) <= Some(self.config.interval);
        // One that decides little at a time may have more to decide, and says so.
        let is_all = self.config.rounds > 1 && pool.wake_at() > Some(pool.now());
        assert!(is_short || !is_all, "a job waits beside a free processor");
    }

    /// A host's, in parts of a tick. No clock is more than one part off, and a host looks at its
    /// own whenever a tick of the world has passed.
    fn lease(&self) -> Lease {
        let length = self.config.lease.unwrap().ticks() * RATE;
        let drift = 1_000_000 / RATE as u32;
        Lease { length: ticks(length), drift, kill: ticks(RATE + 1) }
    }

    fn note(&mut self, command: Command) {
        match command {
            Command::Checkpointed { run, checkpoint } => {
                // A report of a run that is over is answered and changes nothing.
                let job = self.names[&run.job];
                let is_on = |status| match status {
                    Ok(Status::Running { node } | Status::Leaving { node, .. }) => Some(node),
                    _ => None,
                };
                if let Some(node) = is_on(self.pool.coordinator().status(run.job)) {
                    let guest = self.hosts[node.0 as usize].guest.as_ref();
                    if guest.is_some_and(|guest| guest.run == run) {
                        self.jobs[job].reported = Some(checkpoint);
                    }
                }
            }
            Command::Finished { run } => {
                let job = self.names[&run.job];
                if self.pool.coordinator().status(run.job).is_err() && !self.jobs[job].finished {
                    self.jobs[job].finished = true;
                    self.met.finished += 1;
                }
            }
            Command::Continued { .. } => self.met.continued += 1,
            _ => {}
        }
    }

    /// It goes down and is restored from an image and the journal; its clock starts anew.
    fn restart(&mut self) {
        self.met.restarts += 1;
        let table = table(self.stations, self.hosts.len(), self.rows);
        let fresh = Coordinator::new(self.config, table, self.fair.clone(), Instant::ZERO);
        let mut pool = Durable::new(fresh.unwrap());
        pool.load(&mut self.image.iter().copied()).unwrap();
        for record in &self.journal {
            pool.replay(record, |_| {}).unwrap();
        }
        pool.coordinator().check_invariants().unwrap();
        assert_eq!(pool.place().commands, self.pool.place().commands);
        let record = pool.resync();
        self.journal.push(record);
        self.clock = pool.now().ticks() * RATE;
        self.pool = pool;
        if self.pick(3) == 0 {
            self.image.clear();
            self.pool.export(&mut |word| self.image.push(word));
            self.journal.clear();
        }
    }

    fn tell(&mut self) {
        while let Some(told) = self.pool.take_effect() {
            let node = match told.effect {
                Effect::Poll => continue,
                Effect::SetAside { .. } => {
                    self.met.set_aside += 1;
                    continue;
                }
                Effect::Place { node, .. }
                | Effect::Resume { node, .. }
                | Effect::Preempt { node, .. }
                | Effect::Checkpoint { node, .. }
                | Effect::Ask { node, .. } => node,
            };
            self.packets.push(Packet::Effect(node.0 as usize, told));
        }
    }

    // The network.

    fn deliver_some(&mut self) {
        let mut left = self.packets.len() * if self.harm { 1 } else { 3 };
        while left > 0 && !self.packets.is_empty() {
            left -= 1;
            let at = if self.harm { self.pick(self.packets.len()) } else { 0 };
            if self.harm {
                match self.pick(8) {
                    0 => _ = self.packets.swap_remove(at),
                    1 => self.deliver(self.packets[at]),
                    2 | 3 => {}
                    _ => {
                        let packet = self.packets.swap_remove(at);
                        self.deliver(packet);
                    }
                }
            } else {
                let packet = self.packets.remove(at);
                self.deliver(packet);
            }
        }
    }

    fn deliver(&mut self, packet: Packet) {
        let is_stopped = match packet {
            Packet::Report(message) => {
                message.from.is_some_and(|from| self.hosts[from.node.0 as usize].is_mute)
            }
            Packet::Submission { .. } => false,
            Packet::Answer { to, .. } | Packet::BootOver(to) => {
                self.hosts[to.node.0 as usize].is_deaf
            }
            Packet::Effect(host, _) => self.hosts[host].is_deaf,
        };
        if is_stopped {
            return;
        }
        match packet {
            Packet::Report(message) => self.report(message),
            Packet::Submission { home, serial } => self.submission(home, serial),
            Packet::Answer { to, effects } => self.answer(to, effects),
            Packet::BootOver(to) => self.boot_over(to),
            Packet::Effect(host, told) => self.hear(host, told),
        }
        self.tell();
        self.check();
    }

    fn report(&mut self, message: Message) {
        let Some(to) = message.from else { return };
        if self.harm && self.pick(60) == 0 {
            // Cut before the record is durable: nothing was told, and the host says it again.
            self.met.lost_commands += 1;
            return self.restart();
        }
        match self.apply(message) {
            Ok(_) | Err(Error::Refused(Refusal::Old)) => {}
            Err(Error::Refused(Refusal::Early { .. })) => {
                self.met.early += 1;
                return;
            }
            Err(Error::Refused(Refusal::BootOver { .. })) => {
                return self.packets.push(Packet::BootOver(to));
            }
            Err(other) => panic!("{message:?}: {other}"),
        }
        let effects = self.pool.place().effects;
        self.packets.push(Packet::Answer { to, effects });
    }

    fn submission(&mut self, home: usize, serial: u32) {
        let submit = Command::Submit { home: StationId(home as u32), serial };
        match self.apply(submit.into()) {
            Ok(name) => {
                if serial != self.serials[home] + 1 {
                    return;
                }
                self.serials[home] = serial;
                let job = self.submitted[home].pop_front().unwrap();
                assert_eq!(self.names.insert(name.unwrap(), job), None, "two jobs of one name");
                self.named.insert(job, name.unwrap());
            }
            // Full, or said already.
            Err(Error::Refused(Refusal::JobsFull) | Error::Misused(Misuse::Serial { .. })) => {}
            Err(other) => panic!("{submit:?}: {other}"),
        }
    }

    // Hosts.

    /// Starts anew: nothing that was told before counts.
    fn boot(&mut self, at: usize) {
        let is_bank = at >= self.stations;
        let host = &mut self.hosts[at];
        host.up = true;
        host.boot += 1;
        host.answered = 0;
        host.told = None;
        host.guest = None;
        host.fates.clear();
        host.outbox.clear();
        host.owner &= !is_bank;
        host.lease_ends = u64::MAX;
        host.say(Command::NodeLost { node: NodeId(at as u32) });
        host.report_owner(at);
    }

    fn owner(&mut self, at: usize, present: bool) {
        let suspends = self.pick(2) == 0;
        let patience = 1 + self.pick(20) as u64;
        let host = &mut self.hosts[at];
        if !host.up || host.owner == present {
            return;
        }
        host.owner = present;
        let Some(guest) = host.guest.as_mut() else { return host.report_owner(at) };
        if present {
            guest.suspended = true;
            guest.leaves_in = Some(if suspends { patience } else { 0 });
            host.report_owner(at);
        } else if guest.suspended && guest.leaves_in.is_some_and(|left| left > 0) {
            guest.suspended = false;
            guest.leaves_in = None;
            let run = guest.run;
            host.say(Command::Continued { run });
        } else {
            host.report_owner(at);
        }
    }

    fn answer(&mut self, to: Sender, effects: u64) {
        let lease = self.lease();
        let host = &mut self.hosts[to.node.0 as usize];
        if !host.up || to.boot != host.boot {
            return;
        }
        if to.number != host.answered + 1 {
            self.met.old += 1;
            return;
        }
        host.answered += 1;
        let sent = host.outbox.pop_front().and_then(|said| said.sent).expect("it was sent");
        if host.told.is_none() {
            host.told = Some(effects);
            host.lease_ends = 0;
        }
        host.lease_ends = host.lease_ends.max(lease.until(Instant::from_ticks(sent)).ticks());
    }

    fn boot_over(&mut self, to: Sender) {
        let host = &self.hosts[to.node.0 as usize];
        if host.up && to.boot == host.boot {
            self.met.boots_over += 1;
            self.boot(to.node.0 as usize);
        }
    }

    fn hear(&mut self, at: usize, told: EffectRecord<Effect>) {
        let host = &mut self.hosts[at];
        if !host.up || host.told.is_none_or(|last| told.number <= last) {
            return;
        }
        host.told = Some(told.number);
        match told.effect {
            Effect::Place { run, .. } => self.place(at, run, None),
            Effect::Resume { run, checkpoint, .. } => self.place(at, run, Some(checkpoint)),
            Effect::Preempt { run, why, .. } => {
                let delay = self.pick(8) as u64;
                match self.guest_of(at, run) {
                    Some(guest) => {
                        let delay = if why == PreemptReason::Cancelled { 0 } else { delay };
                        guest.leaves_in = Some(guest.leaves_in.unwrap_or(delay).min(delay));
                    }
                    None => self.hosts[at].repeat(run),
                }
            }
            Effect::Ask { run, .. } => {
                if self.guest_of(at, run).is_none() {
                    self.hosts[at].repeat(run);
                } else {
                    self.hosts[at].say(Command::Heard { run });
                }
            }
            Effect::Checkpoint { run, .. } => self.save(at, run),
            Effect::Poll | Effect::SetAside { .. } => {}
        }
    }

    fn guest_of(&mut self, at: usize, run: Run) -> Option<&mut Guest> {
        self.hosts[at].guest.as_mut().filter(|guest| guest.run == run)
    }

    fn place(&mut self, at: usize, run: Run, from: Option<Checkpoint>) {
        let host = &self.hosts[at];
        if host.guest.as_ref().is_some_and(|guest| guest.run == run) {
            return self.hosts[at].say(Command::Heard { run });
        }
        let job = self.names.get(&run.job).copied();
        let can_start = host.guest.is_none() && !host.owner && !host.is_black_hole;
        let (true, false, Some(job)) = (can_start, host.fates.contains_key(&run), job) else {
            return self.hosts[at].repeat(run);
        };
        self.met.resumed += u64::from(from.is_some());
        let progress = from.map_or(0, |name| self.jobs[job].saved[name.0 as usize]);
        let guest = Guest { run, job, progress, leaves_in: None, suspended: false };
        self.hosts[at].guest = Some(guest);
        self.hosts[at].say(Command::Heard { run });
    }

    fn save(&mut self, at: usize, run: Run) {
        let Some(guest) = self.guest_of(at, run) else { return self.hosts[at].repeat(run) };
        let (job, progress) = (guest.job, guest.progress);
        let checkpoint = Checkpoint(self.jobs[job].saved.len() as u32);
        self.jobs[job].saved.push(progress);
        self.hosts[at].say(Command::Checkpointed { run, checkpoint });
    }

    /// A tick of the world.
    fn pass(&mut self) {
        self.clock += self.rate;
        for at in 0..self.hosts.len() {
            self.hosts[at].clock += self.hosts[at].rate;
            if self.hosts[at].up {
                self.live(at);
                self.send(at);
            }
        }
        for home in 0..self.stations {
            if !self.submitted[home].is_empty() && (!self.harm || self.pick(4) == 0) {
                let serial = self.serials[home] + 1;
                self.packets.push(Packet::Submission { home, serial });
            }
        }
        self.deliver_some();
        if self.pool.coordinator().wake_at() <= Some(self.now()) {
            self.command(Command::Tick);
        }
        self.tell();
        self.check();
    }

    fn end_lease(&mut self, at: usize) {
        if !self.hosts[at].goes_on {
            return self.boot(at);
        }
        self.hosts[at].drop_guest(Fate::Gone);
        self.hosts[at].lease_ends = u64::MAX;
    }

    fn live(&mut self, at: usize) {
        if self.hosts[at].clock >= self.hosts[at].lease_ends {
            self.met.leases += 1;
            return self.end_lease(at);
        }
        let Some(guest) = self.hosts[at].guest.as_mut() else { return };
        let run = guest.run;
        match guest.leaves_in {
            Some(0) => {
                if self.pick(3) > 0 {
                    self.save(at, run);
                }
                return self.hosts[at].drop_guest(Fate::Gone);
            }
            Some(left) => guest.leaves_in = Some(left - 1),
            None => {}
        }
        let Some(guest) = self.hosts[at].guest.as_mut().filter(|guest| !guest.suspended) else {
            return;
        };
        guest.progress += 1;
        if guest.progress >= self.jobs[guest.job].work {
            self.hosts[at].drop_guest(Fate::Finished);
        }
    }

    /// Its first messages, again and again until they are answered; a sign of life if there is
    /// none.
    fn send(&mut self, at: usize) {
        let quarter = self.lease().until(Instant::ZERO).ticks() / 4;
        let host = &mut self.hosts[at];
        if host.outbox.is_empty() && host.clock > host.last_sent + quarter {
            host.say(Command::Tick);
        }
        if self.harm && self.pick(2) == 0 {
            return;
        }
        let ahead = if self.harm { 1 + self.pick(3) } else { 1 };
        let host = &mut self.hosts[at];
        for (number, said) in (host.answered + 1..).zip(host.outbox.iter_mut().take(ahead)) {
            let from = Some(Sender { node: NodeId(at as u32), boot: host.boot, number });
            self.packets.push(Packet::Report(Message { from, command: said.command }));
            said.sent.get_or_insert(host.clock);
            host.last_sent = host.clock;
        }
    }

    fn check(&mut self) {
        let mut running = HashSet::new();
        for host in &self.hosts {
            if let Some(guest) = &host.guest {
                let is_first = running.insert(guest.job);
                assert!(is_first || host.goes_on, "a job is on two hosts");
                self.met.doubled += u64::from(!is_first);
            }
        }
    }
}

impl Host {
    fn new(rate: u64, is_black_hole: bool) -> Self {
        Self {
            up: false,
            owner: false,
            is_deaf: false,
            is_mute: false,
            is_black_hole,
            goes_on: false,
            boot: 0,
            answered: 0,
            outbox: VecDeque::new(),
            told: None,
            guest: None,
            fates: HashMap::new(),
            clock: 0,
            rate,
            lease_ends: u64::MAX,
            last_sent: 0,
        }
    }

    fn say(&mut self, command: Command) {
        self.outbox.push_back(Said { command, sent: None });
    }

    fn report_owner(&mut self, at: usize) {
        let at = at as u32;
        self.say(match self.owner {
            true => Command::OwnerBack { station: StationId(at) },
            false => Command::NodeIdle { node: NodeId(at) },
        });
    }

    fn drop_guest(&mut self, fate: Fate) {
        let Some(guest) = self.guest.take() else { return };
        self.fates.insert(guest.run, fate);
        self.repeat(guest.run);
    }

    fn repeat(&mut self, run: Run) {
        let fate = *self.fates.entry(run).or_insert(Fate::Gone);
        self.say(match fate {
            Fate::Gone => Command::Vacated { run },
            Fate::Finished => Command::Finished { run },
        });
    }
}

fn run(seed: u64, goes_on: bool) -> Met {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let stations = 1 + random.next_u32() as usize % 4;
    let size = (stations, random.next_u32() as usize % 4);
    let steps = 80 + random.next_u32() as usize % 120;
    match seed % 3 {
        0 => World::new(random, size, goes_on, RoundRobin::default()).run(steps),
        1 => {
            let fair = UpDown::new(vec![ScheduleIndex::ZERO; stations], Condor::default());
            World::new(random, size, goes_on, fair).run(steps)
        }
        _ => {
            let pace = DecayParams { half_life: ticks(60), quantum: ticks(5) };
            let fair = TimedUpDown::new(vec![TimedRow::EMPTY; stations], pace).unwrap();
            World::new(random, size, goes_on, fair).run(steps)
        }
    }
}

/// So many worlds, one after the other.
fn run_all(worlds: u64, goes_on: bool) -> Met {
    let mut all = Met::default();
    for seed in 0..worlds {
        match std::panic::catch_unwind(|| run(seed, goes_on)) {
            Ok(met) => all.add(&met),
            Err(why) => {
                eprintln!("world {seed} failed");
                std::panic::resume_unwind(why)
            }
        }
    }
    all
}

impl Met {
    fn add(&mut self, met: &Self) {
        self.finished += met.finished;
        self.cancelled += met.cancelled;
        self.old += met.old;
        self.early += met.early;
        self.restarts += met.restarts;
        self.lost_commands += met.lost_commands;
        self.leases += met.leases;
        self.boots_over += met.boots_over;
        self.doubled += met.doubled;
        self.set_aside += met.set_aside;
        self.resumed += met.resumed;
        self.continued += met.continued;
    }
}

#[test]
fn no_job_is_lost_doubled_or_stuck_in_hostile_worlds() {
    let worlds = worlds();
    let all = run_all(worlds, false);
    // The worlds met what they are there for, each many times.
    let Met { finished, cancelled, old, early, restarts, lost_commands, .. } = all;
    assert!(finished > 10 * worlds && cancelled > worlds, "{all:?}");
    assert!(old.min(early) > 10 * worlds && restarts.min(lost_commands) > worlds, "{all:?}");
    let Met { leases, set_aside, resumed, continued, .. } = all;
    assert!(leases.min(set_aside) > worlds / 20 && resumed.min(continued) > worlds / 4, "{all:?}");
}

/// They break a rule, and are told so as soon as they say anything.
#[test]
fn hosts_that_take_up_another_lease_in_the_same_boot_keep_no_processor_and_no_job_from_its_end() {
    let worlds = worlds();
    let all = run_all(worlds, true);
    assert!(all.leases.min(all.boots_over) > worlds / 20, "{all:?}");
}
