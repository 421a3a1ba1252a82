//! How much stack it takes to start what stands in a `static`, found by painting the stack.
//!
//! `ci/statics` runs it and compares.

#![no_std]
#![no_main]

#[path = "smoke/stations.rs"]
mod stations;

use core::hint::black_box;
use core::ptr::{read_volatile, write_volatile};
use cortex_m::register::msp;
use cortex_m_semihosting::{debug, hprintln};
use panic_semihosting as _;

/// How far down the stack is painted, in bytes. There is as much in any case.
const PAINTED: usize = 16 * 1024;
const PAINT: u32 = 0xA5A5_5A5A;
/// Something of which the size is known, to see that the measurement sees it.
const KNOWN: usize = 2000;

#[cortex_m_rt::entry]
fn main() -> ! {
    let known = stack_of(&mut || {
        black_box(&mut [0u8; KNOWN]);
    });
    hprintln!("known: {} of {} bytes are seen", known, KNOWN);
    let mut outcome = None;
    let used = stack_of(&mut || outcome = stations::start());
    hprintln!("station coordinator: {} bytes of stack", used);
    let sound = outcome.filter(|_| known >= KNOWN).and_then(stations::walk_through);
    debug::exit(if sound.is_some() { debug::EXIT_SUCCESS } else { debug::EXIT_FAILURE });
    loop {
        cortex_m::asm::wfi();
    }
}

/// Bytes of stack that `work` reaches down to from here: behind a pointer, so that none of it is
/// part of this function. No interrupt is on that could add its own.
#[inline(never)]
fn stack_of(work: &mut dyn FnMut()) -> usize {
    let top = msp::read() as usize;
    let words = || (top - PAINTED..top).step_by(size_of::<u32>());
    for address in words() {
        // SAFETY: RAM below the stack pointer is nobody's.
        unsafe { write_volatile(address as *mut u32, PAINT) };
    }
    black_box(work)();
    // SAFETY: as above; what was there is over.
    let is_used = |&address: &usize| unsafe { read_volatile(address as *const u32) } != PAINT;
    words().find(is_used).map_or(0, |lowest| top - lowest)
}
