//! Any calls at all, under each placement.

use crate::runner::{follows, runner};
use locox_oracles::timeshare::follow;
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn whatever_is_called_the_table_does_as_the_model_and_under_non_interfering_nobody_is_passed() {
    runner("timeshare", 6000).run(&vec(any::<u64>(), 2..120), |it| follows(follow(&it))).unwrap();
}
