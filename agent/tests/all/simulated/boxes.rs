//! Jobs on boxes: what starts gets a box of a torus, with nothing and with all that goes wrong.

use super::run::{HOST, check_end, config, world};
use super::watched::Watched;
use locox::cube::Node;
use locox::grid::Grid;
use locox_agent::agent::{Agent, Storage};
use locox_agent::boxes::Boxes;
use locox_agent::config::{Config, Mode, Ranking};
use locox_agent::copied::Copied;
use locox_agent::places::Places;
use locox_agent::simulated::{Simulated, Trouble, World};

/// A run of this seed. How many jobs were started.
fn run(seed: u64, trouble: Trouble) -> usize {
    let machines = ["torus:4x4", "mesh:8x2", "torus:4x2x2", "mesh:16r"];
    let grid: Grid = machines[seed as usize % machines.len()].parse().unwrap();
    let world = World { nodes: 16, jobs: 25, deadlines: 300, ..world(seed, true, trouble) };
    let nodes = (0..world.nodes).map(|node| (format!("n{node:05}"), Node(node)));
    let config = Config {
        nodes: grid.nodes(),
        places: Places::Boxes(Boxes::new(grid, nodes)),
        ..config(&world, Mode::Authoritative, Ranking::Users)
    };
    let mut watched = Watched::new(Simulated::new(world.clone()));
    watched.places.clone_from(&config.places);
    let mut storage = Storage::default();
    let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
    let (mut agent, _) = opened.unwrap();
    for poll in 0..400 {
        if poll == 100 {
            watched.manager.calm();
        }
        // A manager that does not answer, or contradicts itself, is asked again.
        let cycle = agent.cycle(&mut watched, HOST);
        assert!(cycle.is_ok() || trouble != Trouble::NONE, "seed {seed}");
        agent.manager().check_invariants().unwrap();
    }
    check_end(&watched.manager, &world, &format!("seed {seed}"));
    watched.manager.started().len()
}

#[test]
fn what_starts_gets_a_box() {
    let started: usize = (0..20).map(|seed| run(seed, Trouble::NONE)).sum();
    assert!(started > 450, "{started}");
}

#[test]
fn with_all_that_can_go_wrong_jobs_get_boxes() {
    assert!((0..20).map(|seed| run(seed, Trouble::HOSTILE)).sum::<usize>() > 300);
}
