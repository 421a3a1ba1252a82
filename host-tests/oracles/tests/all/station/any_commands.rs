//! Any commands at all, sensible or not.

use crate::runner::{follows, runner};
use locox_oracles::station::follow;
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn whatever_is_said_the_coordinator_stays_whole_and_an_error_changes_nothing() {
    runner("station", 1000).run(&vec(any::<u64>(), 2..120), |it| follows(follow(&it))).unwrap();
}
