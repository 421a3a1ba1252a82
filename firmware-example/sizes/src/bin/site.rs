//! The coordinator of 16 machines in four clusters, and 32 jobs of one class.

#![no_std]
#![no_main]

use locox_coordinators::site::Arrays;

type Rows = Arrays<32, 16, 20, 1, 1, 1, 4, 0>;

sizes::program! { Rows = Rows::EMPTY, |it: &'static mut Rows| sizes::site(it.columns()) }
