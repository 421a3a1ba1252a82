//! A pool of a 10-cube: complete recognition.

#![no_std]
#![no_main]

use locox::subcube::{Complete, words};

sizes::program! { [usize; words::<Complete>(10)] = [0; words::<Complete>(10)], sizes::pool::<Complete> }
