//! More users than the configuration has rows for: each gets one when nothing is left of what another has had.

use super::run::{HOST, check_end, config, world};
use locox_agent::agent::{Agent, Storage};
use locox_agent::config::{Config, Mode, Ranking};
use locox_agent::copied::Copied;
use locox_agent::simulated::{Simulated, Trouble};

#[test]
fn a_user_who_finds_no_row_gets_one_when_nothing_is_left_of_another() {
    let (mut waited, mut ended) = (0, 0);
    for seed in 0..40 {
        let world = world(seed, true, Trouble::NONE);
        let shares = if seed % 4 == 0 { vec![(1000, 1)] } else { vec![] };
        let ranking = if seed % 2 == 0 { Ranking::Users } else { Ranking::Priority };
        let usual = config(&world, Mode::Authoritative, ranking);
        let config = Config { users: 1 + seed as u32 % 2, half_life: 1, shares, ..usual };
        let mut manager = Simulated::new(world.clone());
        let mut storage = Storage::default();
        let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
        let (mut agent, _) = opened.unwrap();
        let mut polls = 0;
        while !manager.is_done() && polls < 5000 {
            let cycle = agent.cycle(&mut manager, HOST).unwrap();
            let refused = cycle.notes.iter().find(|note| note.contains("not taken"));
            assert_eq!(refused, None, "seed {seed}: what is said to be known there is room for");
            waited += usize::from(cycle.notes.iter().any(|note| note.contains("not governed")));
            polls += 1;
        }
        // Nothing is told again and again of those who are in nobody's way.
        assert_eq!(agent.cycle(&mut manager, HOST).unwrap().told, 0, "seed {seed}");
        // Who has a job that never fits keeps his row.
        if manager.truth().jobs.iter().all(|job| job.nodes <= world.nodes) {
            check_end(&manager, &world, &format!("seed {seed}"));
            ended += 1;
        }
    }
    assert!(waited > 1000 && ended > 20, "{waited} {ended}");
}
