//! Beside the plain model: the same jobs are decided at the same polls.

use super::naive::Naive;
use super::run::{HOST, check_end, config, world};
use super::watched::Watched;
use locox_agent::agent::{Agent, Storage};
use locox_agent::config::{Mode, Ranking};
use locox_agent::copied::Copied;
use locox_agent::simulated::{Simulated, Trouble, World};
use locox_coordinators::manager::Status;
use std::collections::HashSet;

/// A run of this seed beside the model; how many were decided.
fn run(seed: u64) -> usize {
    // The model knows nothing of nodes by number: none may go out under a job that was decided.
    let Trouble { cancel, hold, change, .. } = Trouble::HOSTILE;
    let trouble = Trouble { cancel, hold, change, ..Trouble::NONE };
    let world = World { nodes: 9, jobs: 25, ..world(seed, true, trouble) };
    let mut config = config(&world, Mode::Authoritative, Ranking::Priority);
    config.shares.clear();
    let mut watched = Watched::new(Simulated::new(world.clone()));
    let (mut storage, mut naive) = (Storage::default(), Naive::default());
    let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
    let (mut agent, _) = opened.unwrap();
    let mut count = 0;
    for poll in 0..400 {
        if poll == 100 {
            watched.manager.calm();
        }
        agent.cycle(&mut watched, HOST).unwrap();
        let starts = agent.manager().jobs().filter(|job| job.status == Status::Starting);
        let decided: HashSet<u64> = starts.map(|job| job.key.id).collect();
        let expected = naive.decide(&watched.told);
        assert_eq!(decided, expected, "seed {seed}, poll {poll}: {:?}", watched.told);
        count += decided.len();
        if watched.manager.is_done() {
            break;
        }
    }
    check_end(&watched.manager, &world, &format!("seed {seed}"));
    count
}

#[test]
fn the_decisions_are_those_of_a_plain_model() {
    let decided: usize = (0..500).map(run).sum();
    assert!(decided > 5_000, "{decided}");
}
