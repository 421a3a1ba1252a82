//! A profile of 64 PEs and 15 reservations.

#![no_std]
#![no_main]

use locox::reserve::{Limits, Profile};

const WORDS: usize = Profile::words(Limits { pes: 64, reservations: 15 });

sizes::program! { [usize; WORDS] = [0; WORDS], sizes::profile }
