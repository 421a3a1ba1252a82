//! A pool of a 10-cube: free list, with a search behind it; with all its `stats`.

#![no_std]
#![no_main]

use locox::subcube::{FreeList, words};

sizes::program! { [usize; words::<FreeList>(10)] = [0; words::<FreeList>(10)], sizes::pool_with_stats::<FreeList> }
