//! A pool of a 10-cube: buddy; with all its `stats`.

#![no_std]
#![no_main]

use locox::subcube::{Buddy, words};

sizes::program! { [usize; words::<Buddy>(10)] = [0; words::<Buddy>(10)], sizes::pool_with_stats::<Buddy> }
