//! How long a cycle takes in front of a simulated manager with 10,000 nodes and 100,000 jobs, how much memory that is,
//! and how long a recovery from a million records takes: `cargo bench -p locox-agent`.
//!
//! Processor time and memory are Linux's. Memory is that of the whole program, the simulated manager included.

use locox::time::{Duration, Instant};
use locox_agent::agent::{Agent, Storage};
use locox_agent::backend::{Abilities, Act, Backend, BackendError, Outcome, Snapshot};
use locox_agent::config::{Config, Mode};
use locox_agent::rows::Rows;
use locox_agent::simulated::{Simulated, World};
use locox_coordinators::manager::{Command, Coordinator, Effect, Key, UserId};
use locox_storage::{Directory, Log, replay_history};
use std::collections::VecDeque;
use std::fs;

const CYCLES: usize = 50;
const RECORDS: u64 = 1_000_000;

fn main() {
    for mode in [Mode::Authoritative, Mode::Advisory] {
        cycles(mode);
    }
    recovery();
}

/// Processor time of this thread so far, in seconds.
fn processor() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|it| it.parse::<u64>().ok());
    nanoseconds.unwrap_or(0) as f64 / 1e9
}

/// The most memory that this process ever had, in megabytes.
fn memory() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1000
}

/// The simulated manager, and the time that it takes itself.
struct Timed {
    manager: Simulated,
    took: f64,
}

impl Timed {
    fn time<T>(&mut self, call: impl FnOnce(&mut Simulated) -> T) -> T {
        let from = processor();
        let done = call(&mut self.manager);
        self.took += processor() - from;
        done
    }
}

impl Backend for Timed {
    fn abilities(&self) -> Abilities {
        self.manager.abilities()
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        self.time(Simulated::snapshot)
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        self.time(|manager| manager.act(acts))
    }
}

fn cycles(mode: Mode) {
    let gate = mode == Mode::Authoritative;
    let world = World {
        nodes: 10_000,
        jobs: 100_000,
        users: 500,
        span: 0,
        longest: 3600,
        gate,
        ..World::default()
    };
    let config = Config::of_simulated(&world, mode);
    let folder = tempfile::tempdir().expect("a folder");
    let mut backend = Timed { manager: Simulated::new(world), took: 0.0 };
    let mut storage = Storage::default();
    let directory = Directory::open(folder.path()).expect("a folder");
    let (mut agent, _) =
        Agent::open(&mut storage, &config, "bench".into(), directory).expect("an agent");
    let (mut times, mut acts, mut told) = (vec![], 0, 0);
    for _ in 0..CYCLES {
        let (from, manager) = (processor(), backend.took);
        let cycle = agent.cycle(&mut backend, u64::MAX >> 2).expect("a cycle");
        let manager = backend.took - manager;
        times.push((processor() - from - manager, manager));
        acts += cycle.planned.len();
        told += cycle.told;
    }
    let (first, others) = times.split_first().expect("cycles");
    let mean =
        |part: fn(&(f64, f64)) -> f64| others.iter().map(part).sum::<f64>() / others.len() as f64;
    let most = others.iter().map(|it| it.0).fold(0.0, f64::max);
    println!(
        "{mode:?}: the first cycle {:.3} s, the others {:.3} s, at most {most:.3} s; the simulated manager {:.3} s; \
         {told} facts, {acts} acts, {} jobs, {} MB",
        first.0,
        mean(|it| it.0),
        mean(|it| it.1),
        agent.manager().len(),
        memory(),
    );
}

/// Jobs come, start and end; what is decided is recorded as by an agent.
fn history(manager: &mut Coordinator<'_>) -> Vec<u8> {
    let mut log = Log::begin(manager);
    let mut running = VecDeque::new();
    let mut id = 0;
    while log.commands() < RECORDS {
        id += 1;
        let now = Instant::from_ticks(id);
        let (key, user) = (Key { id, born: 0 }, UserId((id % 100) as u32));
        let (nodes, limit) = (1 + (id % 40) as u32, Duration::from_ticks(600));
        let mut told =
            vec![Command::Seen { key, user, nodes, limit, priority: 0 }, Command::Decide];
        if running.len() > 400 {
            told.extend(running.pop_front().map(|key| Command::Left { key }));
        }
        let mut started = vec![];
        for command in told {
            manager.apply(now, command).expect("a fact");
            log.command(now, command, ());
            while let Some(effect) = manager.take_effect() {
                log.effect();
                if let Effect::Start { key, .. } = effect {
                    started.push(key);
                }
            }
        }
        for key in started {
            let ranges: Vec<_> = manager.nodes(key).collect();
            for (at, range) in ranges.into_iter().enumerate() {
                let (first, nodes) = (range.first, range.nodes);
                let fact = match at {
                    0 => Command::Runs { key, since: now, first, nodes },
                    _ => Command::RunsAlso { key, first, nodes },
                };
                manager.apply(now, fact).expect("a fact");
                log.command(now, fact, ());
            }
            running.push_back(key);
        }
    }
    log.into_bytes()
}

fn recovery() {
    let world = World { nodes: 10_000, jobs: 10_000, users: 500, ..World::default() };
    let config = Config::of_simulated(&world, Mode::Authoritative);
    let mut rows = Rows::default();
    let bytes = history(&mut rows.fresh(&config).expect("a coordinator"));
    let fresh = rows.fresh(&config).expect("a coordinator");
    let from = processor();
    let found = replay_history(&bytes, fresh);
    let took = processor() - from;
    let replayed = found.expect("a history").recovered.replayed;
    println!("recovery: {replayed} records in {took:.3} s");
}
