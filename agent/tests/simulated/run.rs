//! What all runs have in common.

use locox_agent::config::{Config, Mode, Ranking};
use locox_agent::cube::Cube;
use locox_agent::simulated::{Simulated, Trouble, World};
use std::collections::HashMap;

/// The clock of a host whose time is never behind that of the simulated manager.
pub(crate) const HOST: u64 = 1 << 40;

/// Few nodes, few jobs.
pub(crate) fn world(seed: u64, gate: bool, trouble: Trouble) -> World {
    World { seed, nodes: 4, jobs: 10, span: 100, longest: 60, gate, trouble, ..World::default() }
}

pub(crate) fn config(world: &World, mode: Mode, ranking: Ranking) -> Config {
    Config {
        nodes: world.nodes + 1,
        jobs: world.jobs + 6,
        users: world.users + 1,
        ranking,
        advised: 5,
        shares: vec![(1000, 2)],
        ..Config::of_simulated(world, mode)
    }
}

/// The nodes of a world in a cube, neighbours by number beside each other: node i at the i-th Gray code.
pub(crate) fn cube_of(world: &World) -> Cube {
    Cube::new((0..world.nodes).map(|node| (format!("n{node:05}"), node ^ node >> 1)))
}

/// At the end: whoever was not cancelled, and whom the manager itself did not forget, ran once, to its end.
pub(crate) fn check_end(manager: &Simulated, world: &World, what: &str) {
    assert!(manager.is_done(), "{what}: not all jobs have run: {:?}", manager.truth());
    let count = |list: &[u64]| {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        list.iter().for_each(|serial| *counts.entry(*serial).or_default() += 1);
        counts
    };
    let (started, ended) = (count(manager.started()), count(manager.ended()));
    let waits: Vec<_> = manager.truth().jobs.iter().map(|job| job.nodes).collect();
    assert!(waits.iter().all(|nodes| *nodes > world.nodes), "{what}: {waits:?}");
    let mut too_large = waits.len();
    for serial in 1..=u64::from(world.jobs) {
        if manager.forgotten().contains(&serial) {
            continue;
        }
        let [started, ended] = [&started, &ended].map(|it| it.get(&serial).copied().unwrap_or(0));
        assert!(started <= 1, "{what}: {serial} was started {started} times");
        if ended == 0 && !manager.cancelled().contains(&serial) {
            assert!(too_large > 0, "{what}: {serial} is lost");
            too_large -= 1;
        }
    }
}
