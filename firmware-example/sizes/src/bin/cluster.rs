//! The coordinator of 64 hosts with four levels, and 32 jobs.

#![no_std]
#![no_main]

use locox_coordinators::cluster::{Arrays, words};

type Rows = Arrays<{ 64 * 4 }, 64, 32, { words(64, 4) }>;

sizes::program! { Rows = Rows::EMPTY, |it: &'static mut Rows| sizes::cluster(it.columns()) }
