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

#[board::entry]
fn main() -> ! {
    board::exit(walk_through())
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    board::panicked(info)
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
