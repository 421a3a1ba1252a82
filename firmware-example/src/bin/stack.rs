//! How much stack it takes to start what stands in a `static`, found by painting the stack.
//!
//! `ci/statics` runs it and compares.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

#[path = "smoke/stations.rs"]
mod stations;

use board::{println, stack_of};
use core::hint::black_box;

/// How far down the stack is painted, in bytes. There is as much in any case.
const PAINTED: usize = 16 * 1024;
/// Something of which the size is known, to see that the measurement sees it.
const KNOWN: usize = 2000;

#[board::entry]
fn main() -> ! {
    board::exit(measure())
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    board::panicked(info)
}

fn measure() -> Option<()> {
    let known = stack_of(PAINTED, &mut || {
        black_box(&mut [0u8; KNOWN]);
    });
    println!("known: {known} of {KNOWN} bytes are seen");
    let mut outcome = None;
    let used = stack_of(PAINTED, &mut || outcome = stations::start());
    println!("station coordinator: {used} bytes of stack");
    outcome.filter(|_| known >= KNOWN).and_then(stations::walk_through)
}
