//! Stack, by painting it.

use crate::machine::stack_pointer;
use core::hint::black_box;
use core::ptr::{read_volatile, write_volatile};

const PAINT: u32 = 0xA5A5_5A5A;

/// Bytes of stack that `work` reaches down to from here, `painted` at most: behind a pointer, so
/// that none of it is part of this function. No interrupt may be on that could add its own.
///
/// As much RAM below the stack as is painted must be nobody's.
#[inline(never)]
pub fn stack_of(painted: usize, work: &mut dyn FnMut()) -> usize {
    let top = stack_pointer();
    let words = || (top - painted..top).step_by(size_of::<u32>());
    for address in words() {
        // SAFETY: RAM below the stack pointer is nobody's.
        unsafe { write_volatile(address as *mut u32, PAINT) };
    }
    black_box(work)();
    // SAFETY: as above; what was there is over.
    let is_used = |&address: &usize| unsafe { read_volatile(address as *const u32) } != PAINT;
    words().find(is_used).map_or(0, |lowest| top - lowest)
}
