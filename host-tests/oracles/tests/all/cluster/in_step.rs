//! Any commands at all, sensible or not.

use crate::runner::{follows, runner};
use locox_oracles::cluster::follow;
use proptest::collection::vec;
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

#[test]
fn whatever_is_said_it_does_as_the_model_and_under_version_3_nobody_is_passed() {
    runner("cluster", 1000).run(&vec(any::<u64>(), 2..120), |it| follows(follow(&it))).unwrap();
}

#[test]
fn in_long_histories_as_well() {
    let mut shared = 0;
    for seed in 0..150 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let numbers: Vec<u64> = (0..500).map(|_| random.next_u64()).collect();
        shared += follow(&numbers).unwrap_or_else(|why| panic!("history {seed}: {why}"));
    }
    // The histories met what they are there for.
    assert!(shared > 2000, "{shared}");
}
