//! In advisory mode the agent can be killed at any time: the manager goes on alone.

use super::run::{HOST, check_end, config, world};
use locox_agent::agent::{Agent, Storage};
use locox_agent::config::{Mode, Ranking};
use locox_agent::copied::Copied;
use locox_agent::simulated::{Simulated, Trouble};

#[test]
fn without_its_agent_the_manager_runs_all_jobs() {
    for seed in 0..300 {
        let world = world(seed, false, Trouble::HOSTILE);
        let config = config(&world, Mode::Advisory, Ranking::Users);
        let mut manager = Simulated::new(world.clone());
        let mut storage = Storage::default();
        let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
        let (mut agent, _) = opened.unwrap();
        for _ in 0..seed % 30 {
            _ = agent.cycle(&mut manager, HOST);
        }
        drop(agent);
        manager.calm();
        manager.pass(100_000);
        check_end(&manager, &world, &format!("seed {seed}"));
    }
}

/// With nothing that goes wrong the manager starts jobs in the order of the line: of two that wait and are as large,
/// the one that the kernel decides first starts first.
#[test]
fn the_manager_follows_the_line() {
    for seed in 0..100 {
        let world = locox_agent::simulated::World {
            jobs: 30,
            span: 20,
            ..world(seed, false, Trouble::NONE)
        };
        let mut config = config(&world, Mode::Advisory, Ranking::Priority);
        config.advised = 100;
        let mut manager = Simulated::new(world.clone());
        let mut storage = Storage::default();
        let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
        let (mut agent, _) = opened.unwrap();
        for _ in 0..1000 {
            agent.cycle(&mut manager, HOST).unwrap();
            let line: Vec<u64> = agent.manager().line().map(|key| key.id).collect();
            let truth = manager.truth();
            let rank = |id: &u64| truth.jobs.iter().find(|job| job.id == *id).map(|job| job.rank);
            let ranks: Vec<u32> = line.iter().filter_map(rank).collect();
            assert!(ranks.is_sorted_by(|one, next| one > next), "seed {seed}: {line:?} {ranks:?}");
            if manager.is_done() {
                break;
            }
        }
        check_end(&manager, &world, &format!("seed {seed}"));
    }
}
