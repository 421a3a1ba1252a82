//! Any commands at all, on any small site.

use crate::runner::{follows, runner};
use locox_oracles::site::follow;
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn whatever_is_said_the_coordinator_does_as_the_model() {
    runner("site", 4000).run(&vec(any::<u64>(), 2..120), |it| follows(follow(&it))).unwrap();
}
