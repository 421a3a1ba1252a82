//! What all runs have in common.

use locox::time::Duration;
use locox_agent::config::{Config, Mode, Ranking};
use locox_agent::cube::Cube;
use locox_agent::simulated::{self, Simulated, Trouble, World};
use locox_coordinators::manager::Preemption;

/// The clock of a host whose time is never behind that of the simulated manager.
pub(crate) const HOST: u64 = 1 << 40;

/// Stops after a short time, where the notice is so many seconds before.
pub(crate) fn stops(notice: u64) -> Preemption {
    let [patience, least_run, protection, notice] = [5, 5, 60, notice].map(Duration::from_ticks);
    Preemption { patience, least_run, protection, notice }
}

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
    simulated::check_end(manager, world).unwrap_or_else(|why| panic!("{what}: {why}"));
}
