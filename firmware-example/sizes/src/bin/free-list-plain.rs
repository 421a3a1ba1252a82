//! A pool of a 10-cube: free list of the literature.

#![no_std]
#![no_main]

use locox::subcube::{FreeListPlain, words};

sizes::program! { [usize; words::<FreeListPlain>(10)] = [0; words::<FreeListPlain>(10)], sizes::pool::<FreeListPlain> }
