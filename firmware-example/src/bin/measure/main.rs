//! Instructions that kernel operations take on a Cortex-M4, as a table.
//!
//! Needs QEMU with `-icount shift=10`; `ci/measure` runs it. Numbers are exact and the same in
//! every run. They count instructions, not cycles: wait states and pipelines are not modelled.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

mod allocators;
mod counter;
mod hosts;
mod sets;
mod sites;
mod worst;

use cortex_m_semihosting::debug;
use panic_semihosting as _;

#[cortex_m_rt::entry]
fn main() -> ! {
    let mut counter = cortex_m::Peripherals::take().map(|board| counter::Counter::new(board.SYST));
    let measured = counter.as_mut().and_then(|counter| {
        allocators::print(counter)?;
        worst::print(counter)?;
        sets::print(counter)?;
        hosts::print(counter)?;
        sites::print(counter)
    });
    debug::exit(if measured.is_some() { debug::EXIT_SUCCESS } else { debug::EXIT_FAILURE });
    loop {
        cortex_m::asm::wfi();
    }
}
