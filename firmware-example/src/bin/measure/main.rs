//! Instructions that kernel operations take on a Cortex-M4, as a table.
//!
//! Needs QEMU with `-icount shift=10`; `ci/measure` runs it. Numbers are exact and the same in
//! every run. They count instructions, not cycles: wait states and pipelines are not modelled.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

mod allocators;
mod hosts;
mod sets;
mod sites;
mod worst;

use board::Counter;

#[board::entry]
fn main() -> ! {
    let counter = Counter::new();
    board::exit(counter.and_then(|mut counter| print(&mut counter)))
}

fn print(counter: &mut Counter) -> Option<()> {
    allocators::print(counter)?;
    worst::print(counter)?;
    sets::print(counter)?;
    hosts::print(counter)?;
    sites::print(counter)
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    board::panicked(info)
}
