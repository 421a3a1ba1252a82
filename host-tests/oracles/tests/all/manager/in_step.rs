//! Any commands at all, sensible or not.

use crate::runner::{follows, runner};
use locox_oracles::manager::follow;
use proptest::collection::vec;
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

#[test]
fn whatever_is_said_it_decides_as_the_model() {
    runner("manager", 3000).run(&vec(any::<u64>(), 2..120), |it| follows(follow(&it))).unwrap();
}

#[test]
fn in_long_histories_as_well() {
    let (mut started, mut stopped) = (0, 0);
    for seed in 0..150 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let numbers: Vec<u64> = (0..500).map(|_| random.next_u64()).collect();
        let told = follow(&numbers).unwrap_or_else(|why| panic!("history {seed}: {why}"));
        (started, stopped) = (started + told.0, stopped + told.1);
    }
    // The histories met what they are there for.
    assert!(started > 1000 && stopped > 100, "{started} starts, {stopped} stops");
}
