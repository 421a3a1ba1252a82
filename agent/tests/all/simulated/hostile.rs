//! All that can go wrong at once: users, nodes, the controller, its answers, acts, the agent's disk, the agent.

use super::disk::Disk;
use super::run::{HOST, check_end, config, cube_of, stops, world};
use super::watched::Watched;
use locox_agent::agent::{Agent, Began, Storage};
use locox_agent::backend::{Act, Snapshot, State};
use locox_agent::config::{Config, Mode, Ranking};
use locox_agent::cycle::{Cycle, CycleError};
use locox_agent::names::Names;
use locox_agent::places::Places;
use locox_agent::simulated::{Simulated, Trouble};
use locox_coordinators::manager::{Key, NodeId, Status};
use std::thread;

/// Cycles in which things go wrong, and then at most so many in which nothing does.
const WILD: u64 = 40;
const CALM: u64 = 2000;

/// What a run has seen, so that a test can tell that it saw something.
#[derive(Clone, Copy, Debug, Default)]
struct Saw {
    kills: u64,
    failures: u64,
    lost: u64,
    starts: u64,
}

/// One life of an agent: it ends when the disk fails and the seed says so.
fn life(
    watched: &mut Watched,
    disk: &Disk,
    config: &Config,
    cycles: &mut u64,
    seed: u64,
    saw: &mut Saw,
    known: &mut Names,
) {
    let mut storage = Storage::default();
    let opened = Agent::open(&mut storage, config, "agent".into(), disk.clone());
    let Ok((mut agent, began)) = opened else {
        saw.failures += 1;
        // It may have begun anew all the same.
        *known = Names::default();
        return disk.fail_after(None);
    };
    match began {
        Began::Recovered(_) => assert_eq!(numbers_of(known, agent.names()), *known),
        Began::Lost { .. } => saw.lost += 1,
        Began::New => {}
    }
    known.clone_from(agent.names());
    let dies_at = *cycles + seed % 13;
    while *cycles < WILD {
        *cycles += 1;
        match agent.cycle(watched, HOST) {
            Ok(cycle) => {
                saw.starts += cycle.outcomes.len() as u64;
                check_gates(&agent, &watched.told, &cycle);
                known.clone_from(agent.names());
            }
            Err(CycleError::Store(_) | CycleError::Lists(_)) => {
                saw.failures += 1;
                if seed.is_multiple_of(2) {
                    return disk.fail_after(None);
                }
            }
            Err(CycleError::Backend(_)) => {}
            Err(error) => panic!("{error}"),
        }
        agent.manager().check_invariants().unwrap();
        if disk.has_failed() && cycles.is_multiple_of(3) {
            disk.fail_after(None);
        }
        if *cycles == dies_at {
            saw.kills += 1;
            return;
        }
    }
}

/// The first of these names, as many as others are.
fn numbers_of(others: &Names, names: &Names) -> Names {
    let first: Vec<String> =
        (0..others.len() as u32).map(|node| names.name(NodeId(node))).collect();
    let first = first.iter().map(String::as_str);
    Names::default().with(first, u32::MAX).unwrap_or_default()
}

/// Where the agent has the last word, it closes each open gate of a job that it has not decided to start.
fn check_gates(agent: &Agent<'_, Disk>, told: &Snapshot, cycle: &Cycle) {
    if agent.config().mode == Mode::Advisory {
        return;
    }
    let is_left = |name: &str| cycle.left.iter().any(|(left, _)| left == name);
    for job in told.jobs.iter().filter(|job| job.governed && !is_left(&job.name)) {
        let open = matches!(job.state, State::Waits { gated: false, .. });
        let known = agent.manager().job(Key { id: job.id, born: job.born });
        let starts = known.is_some_and(|known| known.status == Status::Starting);
        let gate = Act::Gate { job: job.name.clone() };
        let is_gated = cycle.planned.iter().any(|planned| planned.act == gate);
        assert_eq!(is_gated, open && !starts, "{job:?}");
    }
}

/// A run of this seed.
fn run(seed: u64, mode: Mode) -> Saw {
    let mut world = world(seed, mode == Mode::Authoritative, Trouble::HOSTILE);
    if seed.is_multiple_of(3) {
        (world.constraints, world.hidden, world.limit) = (200, 200, (seed % 4) as u32);
    }
    if seed.is_multiple_of(7) {
        (world.outage, world.lasts) = (60, 100);
    }
    let does_stop = mode == Mode::Authoritative && seed.is_multiple_of(2);
    if does_stop {
        world.firm = 200;
    }
    let ranking = if seed.is_multiple_of(3) { Ranking::Priority } else { Ranking::Users };
    let mut config = config(&world, mode, ranking);
    config.preempt = does_stop.then(|| stops(seed % 4 * 5));
    let mut watched = Watched::new(Simulated::new(world.clone()));
    if mode == Mode::Authoritative && seed.is_multiple_of(5) {
        config.places = Places::Subcubes(cube_of(&world));
        config.nodes = world.nodes;
        watched.places.clone_from(&config.places);
    }
    let (disk, mut saw, mut cycles) = (Disk::default(), Saw::default(), 0);
    let (mut numbers, mut known) = (seed, Names::default());
    while cycles < WILD {
        numbers =
            numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = numbers >> 33;
        match number % 20 {
            0 => disk.spoil(|files| _ = files.0.remove("history")),
            1 => disk.spoil(|files| _ = files.0.remove("nodes")),
            2 => disk.spoil(|files| {
                files.0.values_mut().for_each(|bytes| bytes.truncate(bytes.len() / 2))
            }),
            _ => {}
        }
        disk.fail_after((!number.is_multiple_of(3)).then_some(1 + number / 3 % 40));
        life(&mut watched, &disk, &config, &mut cycles, number, &mut saw, &mut known);
    }
    watched.manager.calm();
    disk.fail_after(None);
    let what = format!("seed {seed}, {mode:?}");
    finish(&mut watched, &disk, &config, &what);
    check_end(&watched.manager, &world, &what);
    saw
}

/// Nothing goes wrong any more: all that can run does.
fn finish(watched: &mut Watched, disk: &Disk, config: &Config, what: &str) {
    let mut storage = Storage::default();
    let opened = Agent::open(&mut storage, config, "agent".into(), disk.clone());
    let (mut agent, _) = opened.unwrap_or_else(|error| panic!("{what}: {error}"));
    for _ in 0..CALM {
        if watched.manager.is_done() {
            return;
        }
        agent.cycle(watched, HOST).unwrap_or_else(|error| panic!("{what}: {error}"));
    }
}

fn seeds(mode: Mode, from: u64, count: u64) {
    let count = std::env::var("LOCOX_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(count);
    let half = |part: u64| {
        let seeds = (from..from + count).filter(move |seed| seed % 2 == part);
        thread::spawn(move || seeds.map(|seed| run(seed, mode)).collect::<Vec<_>>())
    };
    let parts = [half(0), half(1)].map(|part| part.join().unwrap());
    let mut all = Saw::default();
    for saw in parts.iter().flatten() {
        all.kills += saw.kills;
        all.failures += saw.failures;
        all.lost += saw.lost;
        all.starts += saw.starts;
    }
    assert!(all.kills > count / 2 && all.failures > count / 4 && all.lost > count / 10, "{all:?}");
    assert!(all.starts > count, "{all:?}");
}

#[test]
fn nothing_is_started_twice_or_held_for_ever_or_lost() {
    seeds(Mode::Authoritative, 0, 5000);
}

#[test]
fn nor_where_the_manager_has_the_last_word() {
    seeds(Mode::Advisory, 1 << 32, 5000);
}
