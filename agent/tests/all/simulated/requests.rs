//! Jobs that may have certain nodes only, limits of the manager and planned outages: no job waits for ever, and none is
//! started where it may not be.

use super::run::{HOST, check_end, config, world};
use locox_agent::agent::{Agent, Storage};
use locox_agent::backend::{Abilities, Act, Backend, BackendError, Outcome, Snapshot, State};
use locox_agent::config::{Mode, Ranking};
use locox_agent::copied::Copied;
use locox_agent::simulated::{Simulated, Trouble, World, check_acts};
use std::collections::HashMap;

/// The simulated manager, and how often each job was asked to start.
struct Counted {
    manager: Simulated,
    told: Snapshot,
    /// At which look each job was asked to start, by name.
    asked: HashMap<String, Vec<u64>>,
    looks: u64,
}

impl Backend for Counted {
    fn abilities(&self) -> Abilities {
        self.manager.abilities()
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        self.looks += 1;
        self.told = self.manager.snapshot()?;
        Ok(self.told.clone())
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        check_acts(&self.told, acts).unwrap();
        for act in acts {
            let Act::Start { job, .. } = act else { continue };
            let seen = self.told.jobs.iter().find(|seen| seen.name == *job).unwrap();
            assert!(seen.left.is_none(), "{job} is left to the manager, and was started");
            self.asked.entry(job.clone()).or_default().push(self.looks);
        }
        self.manager.act(acts)
    }
}

/// What jobs ask for and sites allow, by the seed.
fn site(seed: u64, mode: Mode) -> World {
    let world = world(seed, mode == Mode::Authoritative, Trouble::NONE);
    World {
        constraints: 300,
        hidden: if seed.is_multiple_of(2) { 300 } else { 0 },
        limit: (seed % 3) as u32,
        outage: if seed.is_multiple_of(5) { 60 } else { 0 },
        lasts: 100,
        ..world
    }
}

/// A run of this seed: how many jobs were left to the manager, and how often one was asked to start in vain.
fn run(seed: u64, mode: Mode) -> (usize, usize) {
    let world = site(seed, mode);
    let config = config(&world, mode, Ranking::Users);
    let manager = Simulated::new(world.clone());
    let told = Snapshot::default();
    let mut backend = Counted { manager, told, asked: HashMap::new(), looks: 0 };
    let mut storage = Storage::default();
    let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
    let (mut agent, _) = opened.unwrap();
    let mut left = 0;
    while !backend.manager.is_done() && backend.looks < 1000 {
        let cycle = agent.cycle(&mut backend, HOST).unwrap();
        left = left.max(cycle.left.len());
    }
    check_end(&backend.manager, &world, &format!("seed {seed}, {mode}"));
    for (job, looks) in &backend.asked {
        let hasty = looks.windows(4).filter(|four| four[3] - four[0] < 12);
        assert_eq!(hasty.count(), 0, "seed {seed}: {job} was asked to start at {looks:?}");
    }
    (left, backend.asked.values().map(|looks| looks.len() - 1).sum())
}

#[test]
fn no_job_waits_for_ever_whatever_it_asks_for() {
    for mode in [Mode::Authoritative, Mode::Advisory] {
        let runs: Vec<_> = (0..200).map(|seed| run(seed, mode)).collect();
        let left: usize = runs.iter().map(|(left, _)| left).sum();
        let again: usize = runs.iter().map(|(_, again)| again).sum();
        println!(
            "{mode}: {left} jobs were left to the manager, {again} starts were asked for again"
        );
        assert!(left > 200, "{left}");
        assert!(mode == Mode::Advisory || again > 20, "{again}");
    }
}

/// With one job of each user at a time, the agent loses little beside the manager alone.
#[test]
fn a_limit_of_the_manager_leaves_no_nodes_idle() {
    let ends = |mode: Option<Mode>, seed: u64| {
        let gate = mode == Some(Mode::Authoritative);
        let world = World {
            nodes: 16,
            jobs: 60,
            users: 4,
            span: 0,
            limit: 1,
            longest: 60,
            poll: 1,
            ..world(seed, gate, Trouble::NONE)
        };
        let mut manager = Simulated::new(world.clone());
        if let Some(mode) = mode {
            let config = config(&world, mode, Ranking::Users);
            let mut storage = Storage::default();
            let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
            let (mut agent, _) = opened.unwrap();
            while !manager.is_done() && manager.now() < world.begin + 10_000 {
                agent.cycle(&mut manager, HOST).unwrap();
            }
        }
        while !manager.is_done() {
            manager.pass(1);
        }
        manager.now() - world.begin
    };
    for seed in 1..=5 {
        let [alone, with] = [None, Some(Mode::Authoritative)].map(|mode| ends(mode, seed));
        println!("seed {seed}: {alone} s alone, {with} s with the agent");
        assert!(with <= alone * 13 / 10 + 20, "seed {seed}: {with} s, and {alone} s alone");
    }
}

/// What a job had is given back, wherever the agent stops.
#[test]
fn a_job_that_waits_has_what_it_asked_for_when_all_is_given_back() {
    for seed in 0..100 {
        let world = World { span: 0, ..site(seed, Mode::Authoritative) };
        let config = config(&world, Mode::Authoritative, Ranking::Users);
        let mut manager = Simulated::new(world.clone());
        let mut storage = Storage::default();
        let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
        let (mut agent, _) = opened.unwrap();
        for _ in 0..=seed % 30 {
            agent.cycle(&mut manager, HOST).unwrap();
        }
        let acts = locox_agent::release::given_back(&manager.truth());
        manager.act(&acts).unwrap();
        let truth = manager.truth();
        assert_eq!(locox_agent::release::given_back(&truth), [], "seed {seed}");
        for job in &truth.jobs {
            let State::Waits { gated, .. } = job.state else { continue };
            assert!(
                !gated
                    && !job.changed
                    && job.refused != Some(locox_agent::backend::Refused::Request),
                "seed {seed}: {job:?}"
            );
        }
        while !manager.is_done() {
            manager.pass(5);
            assert!(manager.now() < world.begin + 100_000, "seed {seed}: {:?}", manager.truth());
        }
    }
}
