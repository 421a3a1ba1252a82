//! Any commands at all, sensible or not.

use super::rules::AT_ONCE;
use crate::runner::{follows, runner};
use locox::fair::DecayParams;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{Command, Config, Key, NodeId, Places, Ranking, UserId};
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
    for seed in 0..250 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let numbers: Vec<u64> = (0..500).map(|_| random.next_u64()).collect();
        let told = follow(&numbers).unwrap_or_else(|why| panic!("history {seed}: {why}"));
        met.started += told.started;
        met.stopped += told.stopped;
        met.late += told.late;
        met.fragmented += told.fragmented;
        met.divided += told.divided;
        met.apart += told.apart;
        met.planned += told.planned;
        met.reserved += told.reserved;
        met.lent += told.lent;
        met.replaced += told.replaced;
    }
    // The histories met what they are there for.
    assert!(met.started > 1000 && met.stopped > 5 && met.late > 300, "{met:?}");
    assert!(
        met.fragmented > 300 && met.divided > 300 && met.apart > 100 && met.planned > 25,
        "{met:?}"
    );
    assert!(met.reserved > 1000, "{met:?}");
    assert!(met.lent > 25 && met.replaced > 5, "{met:?}");
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
        let config = Config {
            ranking,
            places,
            decay,
            preempt: (seed % 8 < 4).then_some(AT_ONCE),
            pool: PoolId(5),
        };
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
        let config = Config { ranking, places, decay, preempt: None, pool };
        let mut rows = [Rows::new(size), Rows::new(size)];
        let mut run = Lockstep::new(size, config, &mut rows);
        for fact in crowd(&mut random) {
            run.step(&Step::Say(0, fact)).unwrap_or_else(|why| panic!("crowd {number}: {why}"));
        }
    }
}

/// What is said on a machine where nodes go out below jobs that run, and large jobs wait for them.
fn of_outages(random: &mut ChaCha8Rng, nodes: u32) -> Step {
    let key = Key { id: random.random_range(0..10), born: 0 };
    let first = random.random_range(0..nodes);
    let few = random.random_range(1..=3).min(nodes - first);
    let command = match random.random_range(0..14) {
        0..=3 => Command::Seen {
            key,
            user: UserId(random.random_range(0..3)),
            nodes: random.random_range(1..=nodes),
            limit: Duration::from_ticks(random.random_range(1..60)),
            priority: random.random_range(0..2),
        },
        4 | 5 => Command::NodeOut { first: NodeId(first), nodes: few },
        6 => Command::NodeBack { first: NodeId(first), nodes: few },
        7 => Command::Left { key },
        8 => Command::Deadline { key, by: Instant::from_ticks(random.random_range(0..100)) },
        9 => return Step::Confirm(random.random_range(0..4)),
        10 => return Step::TakeEffects(4),
        _ => Command::Decide,
    };
    Step::Say(random.random_range(0..4), command)
}

#[test]
fn while_nodes_are_out_below_jobs_that_run_as_well() {
    let decay =
        DecayParams { half_life: Duration::from_ticks(9), quantum: Duration::from_ticks(1) };
    let mut random = ChaCha8Rng::seed_from_u64(8);
    for number in 0..2000 {
        let nodes = random.random_range(3..12);
        let size = Size { jobs: 10, users: 4, nodes: nodes as usize };
        let ranking = if number % 2 == 0 { Ranking::Priority } else { Ranking::Users };
        let (places, preempt, pool) =
            (Places::Any, (number % 4 == 1).then_some(AT_ONCE), PoolId(5));
        let mut rows = [Rows::new(size), Rows::new(size)];
        let config = Config { ranking, places, decay, preempt, pool };
        let mut run = Lockstep::new(size, config, &mut rows);
        for _ in 0..40 {
            let step = of_outages(&mut random, nodes);
            run.step(&step).unwrap_or_else(|why| panic!("history {number}: {why}"));
        }
    }
}

/// What is said where there are more users than rows, and nobody stays for long.
fn of_guests(random: &mut ChaCha8Rng) -> Step {
    let key = Key { id: random.random_range(0..6), born: 0 };
    let user = UserId(random.random_range(0..9));
    let command = match random.random_range(0..12) {
        0..=2 => Command::Seen {
            key,
            user,
            nodes: random.random_range(1..5),
            limit: Duration::from_ticks(random.random_range(1..9)),
            priority: 0,
        },
        3..=6 => Command::Left { key },
        7 => Command::Weight { user, weight: random.random_range(1..3) },
        8 if random.random_range(0..4) == 0 => Command::UserGone { user },
        9 if random.random_range(0..4) == 0 => return Step::Restart,
        _ => Command::Decide,
    };
    Step::Say([0, 0, 0, 1, 7, 45][random.random_range(0..6)], command)
}

#[test]
fn where_users_take_the_rows_of_those_whom_nothing_remembers_as_well() {
    let decay =
        DecayParams { half_life: Duration::from_ticks(1), quantum: Duration::from_ticks(1) };
    let (mut random, mut replaced) = (ChaCha8Rng::seed_from_u64(5), 0);
    for number in 0..1000 {
        let size = Size { jobs: 5, users: 1 + number % 3, nodes: 4 };
        let ranking = if number % 4 == 0 { Ranking::Priority } else { Ranking::Users };
        let (places, preempt, pool) =
            (Places::Any, (number % 8 == 1).then_some(AT_ONCE), PoolId(5));
        let config = Config { ranking, places, decay, preempt, pool };
        let mut rows = [Rows::new(size), Rows::new(size)];
        let mut run = Lockstep::new(size, config, &mut rows);
        for _ in 0..60 {
            let step = of_guests(&mut random);
            run.step(&step).unwrap_or_else(|why| panic!("history {number}: {why}"));
        }
        replaced += run.met.replaced;
    }
    assert!(replaced > 1500, "{replaced}");
}
