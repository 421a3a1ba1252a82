//! Jobs on hosts, event by event.

use super::cpu::{Cpu, Kernel, Process};
use super::program::{Daemon, Network, Priority, Program};
use crate::events::EventQueue;
use crate::streams::{Stream, stream};
use locox::time::Instant;
use rand::RngExt;
use std::collections::VecDeque;

/// A job, and where it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// What it does.
    pub program: Program,
    /// Its hosts, that of its first process first.
    pub hosts: Vec<usize>,
    /// 0 is the most urgent.
    pub level: u8,
    /// Names its stream of random numbers: a job of the same number has the same work wherever it
    /// runs, and whatever runs beside it.
    pub number: u64,
}

/// Jobs that are submitted together, and what they run on.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// The kernel of every host.
    pub kernel: Kernel,
    /// How long messages take.
    pub network: Network,
    /// The jobs.
    pub jobs: Vec<Job>,
    /// Whether to keep who had which processor when.
    pub record: bool,
}

/// A time for which a job had a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spell {
    /// The host.
    pub host: usize,
    /// The number of the job.
    pub job: usize,
    /// Its level by request.
    pub level: u8,
    /// From when on.
    pub from: u64,
    /// To when.
    pub to: u64,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// When each job ended, in seconds.
    pub ends: Vec<f64>,
    /// For how long each process of each job had a processor, in seconds.
    pub worked: Vec<Vec<f64>>,
    /// Who had which processor when, if that was to be recorded.
    pub spells: Vec<Spell>,
}

/// By how much the work of a process in a phase differs from the mean, at most.
const JITTER: f64 = 0.005;
/// By how much that of a run does.
const SPREAD: f64 = 0.01;

#[derive(Clone, Copy, Debug)]
enum Event {
    /// The processor of a host is to be looked at, if no newer plan was made.
    Look { host: usize, plan: u64 },
    /// A message is at the host of the first process of a job.
    Arrive { job: usize },
    /// The first process of a job is to handle a message.
    Handle { job: usize },
    /// A process begins to compute.
    Begin { process: usize },
    /// A job balances itself.
    Balance { job: usize },
}

/// What the first process of a barrier does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Computes,
    WaitsForMessage,
    Handles,
}

struct Running<'a> {
    world: &'a World,
    events: EventQueue<Event>,
    cpus: Vec<Cpu>,
    processes: Vec<Process>,
    /// Job and rank of each process.
    of: Vec<(usize, usize)>,
    jobs: Vec<State>,
    helpers: Vec<Helper>,
    spells: Vec<Spell>,
}

/// A daemon.
struct Helper {
    process: usize,
    /// Whose messages it hands on.
    jobs: Vec<usize>,
    /// The jobs of the messages that it has to hand on, as they came.
    messages: VecDeque<usize>,
}

struct State {
    /// Its first process; the others follow.
    first: usize,
    /// Its daemon.
    helper: Option<usize>,
    random: Stream,
    scale: f64,
    /// By what the work of each process in this phase is multiplied.
    jitter: Vec<f64>,
    root: Root,
    phase: u32,
    inbox: usize,
    handled: usize,
    /// What each process of EP is to do; all of it until it is shared out.
    shares: Vec<f64>,
    /// Processes of EP that have ended.
    ended: usize,
    end: Option<u64>,
}

fn draw_phase(random: &mut Stream, processes: usize) -> Vec<f64> {
    let one = |_| 1.0 + JITTER * (2.0 * random.random::<f64>() - 1.0);
    (0..processes).map(one).collect()
}

impl World {
    /// Runs it. The work of each job follows from the seed, the job's number and the replication.
    ///
    /// # Panics
    ///
    /// If a job has no host.
    pub fn run(&self, seed: u64, replication: u64) -> Outcome {
        let hosts = self.jobs.iter().flat_map(|job| &job.hosts).max().map_or(0, |last| last + 1);
        let mut running = Running {
            world: self,
            events: EventQueue::new(),
            cpus: vec![Cpu::default(); hosts],
            processes: vec![],
            of: vec![],
            jobs: vec![],
            helpers: vec![],
            spells: vec![],
        };
        for (number, job) in self.jobs.iter().enumerate() {
            assert!(!job.hosts.is_empty(), "a job has a host");
            running.start(number, job, stream(seed, &format!("job {}", job.number), replication));
        }
        while let Some((at, event)) = running.events.take() {
            running.happen(at.ticks(), event);
        }
        running.outcome()
    }
}

impl Running<'_> {
    fn start(&mut self, number: usize, job: &Job, mut random: Stream) {
        let scale = 1.0 + SPREAD * (2.0 * random.random::<f64>() - 1.0);
        let first = self.processes.len();
        for rank in 0..job.hosts.len() {
            self.processes.push(Process::new(job.level));
            self.of.push((number, rank));
        }
        let helper = self.world.network.daemon.map(|daemon| self.join_helper(number, job, daemon));
        let jitter = draw_phase(&mut random, job.hosts.len());
        self.jobs.push(State {
            first,
            helper,
            random,
            scale,
            jitter,
            root: Root::Computes,
            phase: 0,
            inbox: 0,
            handled: 0,
            shares: vec![job.program.work() * scale; job.hosts.len()],
            ended: 0,
            end: None,
        });
        if let (Program::Ep { work, balance, .. }, true) = (job.program, job.hosts.len() > 1) {
            // Before all is done.
            let alone = (work * scale / job.hosts.len() as f64) as u64;
            self.schedule(balance.min(alone), Event::Balance { job: number });
        }
        let setup = if let Program::Barrier { setup, .. } = job.program { setup } else { 0 };
        for process in first..first + job.hosts.len() {
            self.schedule(setup, Event::Begin { process });
        }
    }

    /// The daemon of a job.
    fn join_helper(&mut self, number: usize, job: &Job, daemon: Daemon) -> usize {
        let is_there = |helper: &Helper| self.host_of(helper.process) == job.hosts[0];
        let shared = self.helpers.iter().position(is_there).filter(|_| daemon.shared);
        let at = shared.unwrap_or_else(|| {
            self.helpers.push(Helper {
                process: self.processes.len(),
                jobs: vec![],
                messages: VecDeque::new(),
            });
            self.processes.push(Process::new(job.level));
            self.of.push((number, job.hosts.len()));
            self.helpers.len() - 1
        });
        self.helpers[at].jobs.push(number);
        self.set_priority(at, daemon.priority);
        at
    }

    /// Sets a daemon to the level that its jobs give it. When the last one has ended it stays.
    fn set_priority(&mut self, at: usize, priority: Priority) {
        let Helper { process, jobs, .. } = &self.helpers[at];
        let runs = |number: &&usize| self.jobs.get(**number).is_none_or(|it| it.end.is_none());
        let levels = jobs.iter().filter(runs).map(|&number| self.job(number).level);
        if let Some(most_urgent) = levels.min() {
            self.processes[*process].set_base(priority.level(most_urgent));
        }
    }

    fn end(&mut self, now: u64, job: usize) {
        self.jobs[job].end = Some(now);
        if let (Some(helper), Some(daemon)) = (self.jobs[job].helper, self.world.network.daemon) {
            self.set_priority(helper, daemon.priority);
        }
    }

    fn schedule(&mut self, at: u64, event: Event) {
        self.events.schedule(Instant::from_ticks(at), event);
    }

    fn job(&self, number: usize) -> &Job {
        &self.world.jobs[number]
    }

    fn host_of(&self, process: usize) -> usize {
        let (job, rank) = self.of[process];
        let hosts = &self.job(job).hosts;
        // A daemon runs where the first process does.
        hosts[rank % hosts.len()]
    }

    fn happen(&mut self, now: u64, event: Event) {
        match event {
            Event::Look { host, plan } => {
                if self.cpus[host].plan == plan {
                    self.look(now, host);
                }
            }
            Event::Begin { process } => {
                let (job, rank) = self.of[process];
                let work = self.share(job, rank);
                self.compute(now, process, work);
            }
            Event::Arrive { job } => match (self.jobs[job].helper, self.world.network.daemon) {
                (Some(at), Some(Daemon { work, .. })) => {
                    self.helpers[at].messages.push_back(job);
                    if self.helpers[at].messages.len() == 1 {
                        self.compute(now, self.helpers[at].process, work);
                    }
                }
                _ => self.deliver(now, job),
            },
            Event::Handle { job } => {
                let work = self.world.network.handling_of(self.job(job).hosts.len());
                self.compute(now, self.jobs[job].first, work);
            }
            Event::Balance { job } => self.balance(now, job),
        }
    }

    /// The first process of a job gets a message.
    fn deliver(&mut self, now: u64, job: usize) {
        self.jobs[job].inbox += 1;
        if self.jobs[job].root == Root::WaitsForMessage {
            self.jobs[job].root = Root::Handles;
            self.schedule(now + self.world.network.wait, Event::Handle { job });
        }
    }

    /// The daemon of a job has handed on a message; what it computes with the next one, if there is one.
    fn hand_on(&mut self, now: u64, job: usize) -> Option<f64> {
        let helper = self.jobs[job].helper?;
        let of = self.helpers[helper].messages.pop_front()?;
        self.deliver(now, of);
        let waits = !self.helpers[helper].messages.is_empty();
        self.world.network.daemon.filter(|_| waits).map(|daemon| daemon.work)
    }

    /// What a process computes before it sends or balances.
    fn share(&self, number: usize, rank: usize) -> f64 {
        let processes = self.job(number).hosts.len() as f64;
        let State { jitter, scale, shares, .. } = &self.jobs[number];
        match self.job(number).program {
            Program::Barrier { work, .. } => work / processes * scale * jitter[rank],
            Program::Ep { .. } => shares[rank],
        }
    }

    fn compute(&mut self, now: u64, process: usize, work: f64) {
        let host = self.host_of(process);
        self.account(now, host);
        self.processes[process].left = work.max(1.0);
        self.cpus[host].want(process, &mut self.processes);
        self.look(now, host);
    }

    fn account(&mut self, now: u64, host: usize) {
        let spell = self.cpus[host].account(now, &self.world.kernel, &mut self.processes);
        if let (Some((process, from, to)), true) = (spell, self.world.record) {
            let job = self.of[process].0;
            let level = self.job(job).level;
            match self.spells.iter_mut().rev().find(|spell| spell.host == host) {
                Some(last) if last.job == job && last.to == from => last.to = to,
                _ => self.spells.push(Spell { host, job, level, from, to }),
            }
        }
    }

    fn look(&mut self, now: u64, host: usize) {
        self.account(now, host);
        while let Some(current) = self.cpus[host].current {
            if self.processes[current].left > 0.0 {
                break;
            }
            match self.next_work(now, current) {
                Some(work) => self.processes[current].left = work.max(1.0),
                None => self.cpus[host].block(&mut self.processes),
            }
        }
        let next = self.cpus[host].decide(now, &self.world.kernel, &mut self.processes);
        if let Some(at) = next {
            self.schedule(at.max(now), Event::Look { host, plan: self.cpus[host].plan });
        }
    }

    /// What a process computes next without waiting, having computed all it had to.
    fn next_work(&mut self, now: u64, process: usize) -> Option<f64> {
        let (job, rank) = self.of[process];
        if rank == self.job(job).hosts.len() {
            return self.hand_on(now, job);
        }
        if let Program::Ep { .. } = self.job(job).program {
            self.jobs[job].ended += 1;
            if self.jobs[job].ended == self.job(job).hosts.len() {
                self.end(now, job);
            }
            return None;
        }
        if rank > 0 {
            let at = now + self.flight(job);
            self.schedule(at, Event::Arrive { job });
            return None;
        }
        if self.jobs[job].root == Root::Handles {
            self.jobs[job].handled += 1;
        }
        self.next_of_root(now, job)
    }

    /// How long a message takes.
    fn flight(&mut self, job: usize) -> u64 {
        let Network { latency, loss, .. } = self.world.network;
        let Some((share, after)) = loss else { return latency };
        let is_lost = self.jobs[job].random.random::<f64>() < share;
        if is_lost { latency + after } else { latency }
    }

    fn next_of_root(&mut self, now: u64, job: usize) -> Option<f64> {
        let others = self.job(job).hosts.len() - 1;
        let Program::Barrier { phases, .. } = self.job(job).program else { return None };
        let state = &mut self.jobs[job];
        if state.handled < others {
            if state.inbox > state.handled {
                state.root = Root::Handles;
                self.schedule(now + self.world.network.wait, Event::Handle { job });
            } else {
                state.root = Root::WaitsForMessage;
            }
            return None;
        }
        (state.inbox, state.handled, state.root) = (0, 0, Root::Computes);
        state.phase += 1;
        if state.phase == phases {
            self.end(now, job);
            return None;
        }
        state.jitter = draw_phase(&mut state.random, others + 1);
        let first = state.first;
        for process in first + 1..=first + others {
            let at = now + self.world.network.latency;
            self.schedule(at, Event::Begin { process });
        }
        Some(self.share(job, 0))
    }

    /// Takes the processes of EP off their processors, and shares out what is left.
    fn balance(&mut self, now: u64, job: usize) {
        let first = self.jobs[job].first;
        let processes = first..first + self.job(job).hosts.len();
        let hosts: Vec<usize> = processes.clone().map(|process| self.host_of(process)).collect();
        for (process, &host) in processes.clone().zip(&hosts) {
            self.account(now, host);
            self.cpus[host].withdraw(process, &mut self.processes);
        }
        // Nobody is given nothing.
        let least = 1000.0;
        let weight = |process: usize| self.processes[process].done + least;
        let done: f64 = processes.clone().map(|process| self.processes[process].done).sum();
        let weights: f64 = processes.clone().map(weight).sum();
        let left = (self.job(job).program.work() * self.jobs[job].scale - done).max(0.0);
        let share = |process| left * weight(process) / weights;
        self.jobs[job].shares = processes.clone().map(share).collect();
        let Program::Ep { sharing, .. } = self.job(job).program else { return };
        for process in processes {
            self.schedule(now + sharing, Event::Begin { process });
        }
        hosts.into_iter().for_each(|host| self.look(now, host));
    }

    fn outcome(self) -> Outcome {
        let ends: Vec<u64> = self.jobs.iter().map(|it| it.end.expect("every job ends")).collect();
        let worked = |job: &State| {
            let processes = self.processes[job.first..].iter().take(job.jitter.len());
            processes.map(|process| process.done / super::SECOND).collect()
        };
        Outcome {
            worked: self.jobs.iter().map(worked).collect(),
            ends: ends.iter().map(|&end| end as f64 / super::SECOND).collect(),
            spells: self.spells,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::calibration::{
        PRINTED, barrier, ep, network, non_preemptive, preemptive, relayed,
    };
    use super::super::equations::Barrier;
    use super::*;

    fn kernel(is_preemptive: bool) -> Kernel {
        if is_preemptive { preemptive() } else { non_preemptive() }
    }

    fn alone(kernel: Kernel, program: Program, hosts: usize) -> f64 {
        let job = Job { program, hosts: (0..hosts).collect(), level: 0, number: 0 };
        let world = World { kernel, network: network(&kernel), jobs: vec![job], record: false };
        (0..4).map(|replication| world.run(1, replication).ends[0]).sum::<f64>() / 4.0
    }

    fn program(name: &str, kernel: &Kernel) -> Program {
        match name {
            "v1" => barrier(1),
            "v2" => barrier(2),
            "v3" => barrier(3),
            _ => ep(kernel),
        }
    }

    #[test]
    fn the_printed_times_alone_come_out() {
        for (name, is_preemptive, hosts, printed) in PRINTED {
            let kernel = kernel(is_preemptive);
            let found = alone(kernel, program(name, &kernel), hosts);
            assert!((found / printed - 1.0).abs() < 0.01, "{name} on {hosts}: {found} s");
        }
        for is_preemptive in [false, true] {
            let [five, six] = [5, 6].map(|hosts| alone(kernel(is_preemptive), barrier(3), hosts));
            assert!(six > five, "{five} s, {six} s");
        }
    }

    #[test]
    fn alone_it_takes_as_long_as_the_equation_says() {
        let kernel = preemptive();
        for hosts in [1, 2, 4, 6] {
            let Program::Barrier { work, phases, .. } = barrier(2) else { unreachable!() };
            let equation = Barrier {
                start: 0.0,
                phases: phases.into(),
                compute: work / hosts as f64 / 1e6,
                delay: network(&kernel).delay(hosts) / 1e6,
            };
            let found = alone(kernel, barrier(2), hosts);
            assert!((found / equation.alone() - 1.0).abs() < 0.02, "{hosts} hosts: {found} s");
        }
    }

    fn pair(kernel: Kernel, low: Program, hosts: [Vec<usize>; 2]) -> Outcome {
        let [first, second] = hosts;
        let high = Job { program: barrier(2), hosts: first, level: 0, number: 0 };
        let jobs = vec![high, Job { program: low, hosts: second, level: 1, number: 1 }];
        World { kernel, network: network(&kernel), jobs, record: true }.run(3, 0)
    }

    #[test]
    fn under_preemption_the_urgent_job_runs_as_if_alone_and_the_other_uses_the_gaps() {
        let kernel = preemptive();
        let job = Job { program: barrier(2), hosts: (0..6).collect(), level: 0, number: 0 };
        let network = network(&kernel);
        let alone = World { kernel, network, jobs: vec![job], record: false }.run(3, 0).ends[0];
        for low in [ep(&kernel), barrier(3)] {
            let both = pair(kernel, low, [(0..6).collect(), (0..6).collect()]);
            assert!((both.ends[0] / alone - 1.0).abs() < 0.005, "{alone} s, {:?}", both.ends);
            assert!(both.ends[1] > both.ends[0]);
        }
    }

    #[test]
    fn a_program_that_is_set_up_first_ends_that_much_later() {
        let Program::Barrier { work, phases, .. } = barrier(1) else { unreachable!() };
        let later = Program::Barrier { work, phases, setup: 1_500_000 };
        let [at_once, later] = [barrier(1), later].map(|it| alone(preemptive(), it, 3));
        assert!((later - at_once - 1.5).abs() < 1e-3, "{at_once} s, {later} s");
    }

    /// Below all jobs a daemon waits for EP, which never does; above them it costs what it computes.
    #[test]
    fn a_daemon_delays_each_message_by_its_work_and_by_who_is_above_it() {
        let kernel = preemptive();
        let [high, low] = [(barrier(2), 1), (ep(&kernel), 2)].map(|(program, level)| Job {
            program,
            hosts: vec![0, 1],
            level,
            number: level.into(),
        });
        let jobs = vec![high, low];
        let time = |network| {
            World { kernel, network, jobs: jobs.clone(), record: false }.run(3, 0).ends[0]
        };
        let [direct, above, below] =
            [network(&kernel), by(&kernel, Priority::Level(0)), by(&kernel, Priority::Level(3))]
                .map(time);
        let relayed = 1250.0 * super::super::calibration::RELAY / 1e6;
        assert!((above - direct - relayed).abs() < 0.1, "{direct} s, {above} s");
        assert!(below > 1.5 * above, "{above} s, {below} s");
        // Just above its job it is above all who could disturb it.
        assert_eq!(time(by(&kernel, Priority::AboveJob)), above);
        let beside = time(by(&kernel, Priority::BesideJob));
        assert!((beside / above - 1.0).abs() < 0.05, "{above} s, {beside} s");
    }

    fn by(kernel: &Kernel, priority: Priority) -> Network {
        relayed(kernel, priority, false)
    }

    /// One daemon for two jobs handles the messages of the lower one above the upper one.
    #[test]
    fn a_daemon_that_jobs_share_lets_the_lower_one_disturb_the_upper_one() {
        let kernel = preemptive();
        let job = |level: u8| Job {
            program: barrier(2),
            hosts: (0..6).collect(),
            level,
            number: level.into(),
        };
        let time = |jobs: &[Job], shared| {
            let network = relayed(&kernel, Priority::AboveJob, shared);
            World { kernel, network, jobs: jobs.to_vec(), record: false }.run(3, 0).ends
        };
        let alone = time(&[job(2)], true)[0];
        assert_eq!(time(&[job(2)], false)[0], alone);
        let jobs = [job(2), job(4)];
        let (own, shared) = (time(&jobs, false), time(&jobs, true));
        assert!((own[0] / alone - 1.0).abs() < 0.005, "{alone} s, {own:?}");
        assert!(shared[0] > 1.002 * own[0], "{own:?}, {shared:?}");
    }

    #[test]
    fn ep_is_balanced_once_and_gives_the_host_of_a_barrier_less() {
        let kernel = preemptive();
        let job = Job { program: ep(&kernel), hosts: (0..4).collect(), level: 0, number: 1 };
        let network = network(&kernel);
        let alone = World { kernel, network, jobs: vec![job], record: false }.run(3, 0);
        let [most, least] =
            [f64::max, f64::min].map(|pick| alone.worked[0].iter().copied().reduce(pick).unwrap());
        assert!(most - least < 0.01, "{:?}", alone.worked);
        let both = pair(kernel, ep(&kernel), [(0..4).collect(), (0..4).collect()]);
        let total = |worked: &[f64]| worked.iter().sum::<f64>();
        assert!((total(&both.worked[1]) - total(&alone.worked[0])).abs() < 0.01);
        let [of_barrier, others @ ..] = &both.worked[1][..] else { unreachable!() };
        assert!(others.iter().all(|other| *of_barrier < 0.5 * other), "{:?}", both.worked[1]);
    }

    #[test]
    fn no_two_jobs_have_a_processor_at_once() {
        let kernel = non_preemptive();
        let both = pair(kernel, barrier(3), [(0..3).collect(), vec![2, 0, 1]]);
        for host in 0..3 {
            let mut of_host: Vec<_> = both.spells.iter().filter(|it| it.host == host).collect();
            of_host.sort_by_key(|spell| spell.from);
            assert!(of_host.windows(2).all(|pair| pair[0].to <= pair[1].from));
        }
    }
}
