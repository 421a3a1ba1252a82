//! Any commands at all, sensible or not.

use crate::runner::{follows, runner};
use locox::fair::DecayParams;
use locox::handle::PoolId;
use locox::manager::{Command, Config, Key, NodeId, Places, Ranking, UserId};
use locox::time::Duration;
use locox_oracles::manager::{EVEN, Lockstep, Met, Rows, Size, Step, follow};
use proptest::collection::vec;
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

#[test]
fn whatever_is_said_it_decides_as_the_model() {
    runner("manager", 3000).run(&vec(any::<u64>(), 2..120), |it| follows(follow(&it))).unwrap();
}

#[test]
fn in_long_histories_as_well() {
    let mut met = Met::default();
    for seed in 0..200 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let numbers: Vec<u64> = (0..500).map(|_| random.next_u64()).collect();
        let told = follow(&numbers).unwrap_or_else(|why| panic!("history {seed}: {why}"));
        met.started += told.started;
        met.stopped += told.stopped;
        met.late += told.late;
        met.fragmented += told.fragmented;
        met.divided += told.divided;
        met.lent += told.lent;
    }
    // The histories met what they are there for.
    assert!(met.started > 1000 && met.stopped > 80 && met.late > 300, "{met:?}");
    assert!(met.fragmented > 300 && met.divided > 300, "{met:?}");
    assert!(met.lent > 25, "{met:?}");
}

#[test]
fn on_sixteen_nodes_that_are_a_cube_as_well() {
    let decay =
        DecayParams { half_life: Duration::from_ticks(9), quantum: Duration::from_ticks(1) };
    let size = Size { jobs: 12, users: 4, nodes: 16 };
    for seed in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let places = if seed % 2 == 0 { Places::Subcubes } else { Places::Meshes };
        let ranking = if seed % 4 < 2 { Ranking::Users } else { Ranking::Priority };
        let config = Config { ranking, places, decay, preempt: seed % 8 < 4, pool: PoolId(5) };
        let mut rows = [Rows::new(size), Rows::new(size)];
        let mut run = Lockstep::new(size, config, &mut rows);
        for _ in 0..200 {
            let step = Step::decode(16, random.next_u64(), &EVEN);
            run.step(&step).unwrap_or_else(|why| panic!("history {seed}: {why}"));
        }
    }
}

/// Some jobs run, some nodes go out, a large job comes that is to be the first, and small ones of which most are long.
fn crowd(random: &mut ChaCha8Rng) -> Vec<Command> {
    let seen = |id, nodes, limit, priority| {
        let (key, limit) = (Key { id, born: 0 }, Duration::from_ticks(limit));
        Command::Seen { key, user: UserId(1), nodes, limit, priority }
    };
    let mut facts = vec![];
    for id in 0..random.random_range(1..4) {
        facts.push(seen(id, 1 << random.random_range(0..3), random.random_range(5..15), 0));
    }
    facts.push(Command::Decide);
    for _ in 0..random.random_range(0..8) {
        facts.push(Command::NodeOut { first: NodeId(random.random_range(0..16)), nodes: 1 });
    }
    facts.push(seen(10, 4 << random.random_range(0..2), 50, 9));
    for id in 11..15 {
        let limit = if random.random_range(0..4) == 0 { 3 } else { 1000 };
        facts.push(seen(id, random.random_range(1..3), limit, 5));
    }
    facts.push(Command::Decide);
    facts
}

#[test]
fn where_long_jobs_pass_the_first_in_line_as_well() {
    let decay =
        DecayParams { half_life: Duration::from_ticks(9), quantum: Duration::from_ticks(1) };
    let size = Size { jobs: 12, users: 4, nodes: 16 };
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for number in 0..1500 {
        let (ranking, pool) = (Ranking::Priority, PoolId(5));
        let places = if number % 3 == 0 { Places::Meshes } else { Places::Subcubes };
        let config = Config { ranking, places, decay, preempt: false, pool };
        let mut rows = [Rows::new(size), Rows::new(size)];
        let mut run = Lockstep::new(size, config, &mut rows);
        for fact in crowd(&mut random) {
            run.step(&Step::Say(0, fact)).unwrap_or_else(|why| panic!("crowd {number}: {why}"));
        }
    }
}
