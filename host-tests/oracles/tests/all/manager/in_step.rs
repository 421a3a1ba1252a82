//! Any commands at all, sensible or not.

use crate::runner::{follows, runner};
use locox_oracles::manager::{Met, follow};
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
