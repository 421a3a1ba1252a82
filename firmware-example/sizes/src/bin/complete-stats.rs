//! A pool of a 10-cube: complete recognition; with all its `stats`.

#![no_std]
#![no_main]

use locox::subcube::{Complete, words};

sizes::program! { [usize; words::<Complete>(10)] = [0; words::<Complete>(10)], sizes::pool_with_stats::<Complete> }
