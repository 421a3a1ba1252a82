//! Mechanisms of the kernel, each in a `static` of its own.
//!
//! Walks through what they do, prints each answer through semihosting and exits 0 if every step
//! went as it must. `ci/firmware` compares the transcript with `expected/smoke.txt`.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

mod hosts;
mod meshes;
mod reservations;
mod shares;
mod sites;
mod stations;
mod subcubes;

use cortex_m_rt::entry;
use cortex_m_semihosting::debug;
use panic_semihosting as _;

#[entry]
fn main() -> ! {
    let outcome = if walk_through().is_some() { debug::EXIT_SUCCESS } else { debug::EXIT_FAILURE };
    debug::exit(outcome);
    loop {
        cortex_m::asm::wfi();
    }
}

/// `None` as soon as a step goes otherwise than it must; the transcript ends with that step.
fn walk_through() -> Option<()> {
    subcubes::walk_through()?;
    meshes::walk_through()?;
    reservations::walk_through()?;
    shares::walk_through()?;
    stations::walk_through(stations::start()?)?;
    hosts::walk_through()?;
    sites::walk_through()
}
