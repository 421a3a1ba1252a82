//! A pool of a 10-cube: Gray code; with all its `stats`.

#![no_std]
#![no_main]

use locox::subcube::{GrayCode, words};

sizes::program! { [usize; words::<GrayCode>(10)] = [0; words::<GrayCode>(10)], sizes::pool_with_stats::<GrayCode> }
