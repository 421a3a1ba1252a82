//! A timeline of 64 PEs and 15 reservations.

#![no_std]
#![no_main]

use locox::reserve::{Limits, Timeline};

const WORDS: usize = Timeline::words(Limits { pes: 64, reservations: 15 });

sizes::program! { [usize; WORDS] = [0; WORDS], sizes::timeline }
