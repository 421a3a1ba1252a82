//! Each command is done within its bound, as the clock's interrupt sees it.
//!
//! Under `-icount shift=10` a tick of a millisecond is 976 instructions, so that the bound is one of
//! instructions. On a real board it would be one of time at a megahertz.

use crate::clock::PERIOD;
use portable_atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Nanoseconds that an instruction takes.
const INSTRUCTION: u64 = 1 << 10;

/// Ticks until the command that runs has taken too long; zero while none runs.
static LEFT: AtomicU32 = AtomicU32::new(0);
/// Ticks that the command has taken so far.
static TAKEN: AtomicU32 = AtomicU32::new(0);
/// Whether it is done, and nobody has asked.
static DONE: AtomicBool = AtomicBool::new(false);
/// Commands that took too long.
static LATE: AtomicU32 = AtomicU32::new(0);

/// A command begins that may take so many instructions, or it is done.
pub(crate) fn watch(bound: Option<u32>) {
    let ticks = |bound: u32| (u64::from(bound) * INSTRUCTION).div_ceil(1000 * u64::from(PERIOD));
    // The tick under way counts as one.
    let left = bound.map_or(0, |bound| ticks(bound) as u32 + 1);
    if left != 0 {
        TAKEN.store(0, Relaxed);
    }
    LEFT.store(left, Relaxed);
    DONE.store(left == 0, Relaxed);
}

/// Called by the clock's interrupt.
pub(crate) fn tick() {
    let left = LEFT.load(Relaxed);
    if left == 0 {
        return;
    }
    TAKEN.store(TAKEN.load(Relaxed) + 1, Relaxed);
    LEFT.store(left - 1, Relaxed);
    if left == 1 {
        LATE.store(LATE.load(Relaxed) + 1, Relaxed);
    }
}

/// Ticks that the last command took, once.
pub(crate) fn take_done() -> Option<u32> {
    DONE.swap(false, Relaxed).then(|| TAKEN.load(Relaxed))
}

/// Commands that took too long since the last call.
pub(crate) fn take_late() -> u32 {
    LATE.swap(0, Relaxed)
}
