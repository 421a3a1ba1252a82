//! A pool of a 10-cube: free list of the literature; with all its `stats`.

#![no_std]
#![no_main]

use locox::subcube::{FreeListPlain, words};

sizes::program! { [usize; words::<FreeListPlain>(10)] = [0; words::<FreeListPlain>(10)], sizes::pool_with_stats::<FreeListPlain> }
