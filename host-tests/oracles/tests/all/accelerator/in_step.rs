//! Any calls at all, of published tables and of made-up ones.

use crate::runner::{follows, runner};
use locox_oracles::accelerator::follow;
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn whatever_is_called_the_pool_does_as_the_model() {
    runner("accelerator", 1000).run(&vec(any::<u64>(), 2..120), |it| follows(follow(&it))).unwrap();
}
