//! Nodes in racks: numbers follow the configuration, and a history goes on when these change.

use super::disk::Disk;
use super::run::{HOST, check_end, config, world};
use super::watched::Watched;
use locox_agent::agent::{Agent, Began, Storage};
use locox_agent::backend::State;
use locox_agent::config::{Config, Mode, Ranking};
use locox_agent::places::Places;
use locox_agent::simulated::{Simulated, Trouble, World};
use locox_agent::tree::Tree;
use locox_coordinators::manager::Key;

/// Racks with the nodes of these numbers, and room for ten nodes.
fn racks(world: &World, racks: &[(&str, &[u32])]) -> Config {
    let named = |nodes: &[u32]| nodes.iter().map(|node| format!("n{node:05}")).collect();
    let domains = racks.iter().map(|(path, nodes)| ((*path).to_string(), named(nodes)));
    let tree = Tree::new(domains.collect(), 10);
    let base = config(world, Mode::Authoritative, Ranking::Users);
    Config { nodes: tree.numbered().len() as u32, places: Places::Tree(tree), ..base }
}

#[test]
fn jobs_keep_their_nodes_when_nodes_come_move_and_go() {
    let mut moved = 0;
    for seed in 0..20 {
        let world = World { nodes: 8, jobs: 25, ..world(seed, true, Trouble::NONE) };
        let configs = [
            racks(&world, &[("a/r1", &[0, 1, 2]), ("a/r2", &[3, 4]), ("b/r3", &[5, 6, 7])]),
            racks(&world, &[("a/r1", &[6, 2, 4]), ("b/r0", &[1]), ("b/r3", &[5, 7, 3, 0])]),
            racks(&world, &[("b/r1", &[7, 6]), ("b/r2", &[5, 2, 1, 0, 4])]),
        ];
        let (mut watched, disk) = (Watched::new(Simulated::new(world.clone())), Disk::default());
        for life in 0..120 {
            // At the end with all nodes.
            let config = &configs[if life < 60 { life % 3 } else { 0 }];
            watched.places.clone_from(&config.places);
            let mut storage = Storage::default();
            let opened = Agent::open(&mut storage, config, "agent".into(), disk.clone());
            let (mut agent, began) = opened.unwrap();
            assert_eq!(began == Began::New, life == 0, "{began}");
            assert!(!began.has_lost(), "{began}");
            assert_eq!(Some(agent.names()), config.places.names().as_ref());
            for _ in 0..2 {
                agent.cycle(&mut watched, HOST).unwrap();
                agent.manager().check_invariants().unwrap();
                moved += check(&agent, &watched);
            }
        }
        check_end(&watched.manager, &world, &format!("seed {seed}"));
    }
    assert!(moved > 500, "{moved}");
}

/// The kernel knows each job that runs on nodes with names to be there. How many there are.
fn check(agent: &Agent<'_, Disk>, watched: &Watched) -> usize {
    let mut known = 0;
    for job in &watched.told.jobs {
        let State::Runs { nodes, .. } = &job.state else { continue };
        let mut nodes = nodes.clone();
        if nodes.iter().any(|node| agent.names().number(node).is_none()) {
            continue;
        }
        let ranges = agent.manager().nodes(Key { id: job.id, born: job.born });
        let mut theirs = agent.names().of_ranges(ranges);
        nodes.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(theirs, nodes, "{}", job.name);
        known += 1;
    }
    known
}

#[test]
fn with_room_for_more_nodes_the_history_cannot_be_read() {
    let world = World { nodes: 8, ..world(1, true, Trouble::NONE) };
    let ten = racks(&world, &[("a", &[0, 1, 2]), ("b", &[3, 4])]);
    let eleven: Vec<u32> = (0..11).collect();
    let more = racks(&world, &[("a", &eleven)]);
    let disk = Disk::default();
    for (config, is_lost) in [(&ten, false), (&more, true)] {
        let mut storage = Storage::default();
        let opened = Agent::open(&mut storage, config, "agent".into(), disk.clone());
        let (mut agent, began) = opened.unwrap();
        assert_eq!(began.has_lost(), is_lost, "{began}");
        agent.cycle(&mut Watched::new(Simulated::new(world.clone())), HOST).unwrap();
    }
}
