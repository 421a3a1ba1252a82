//! Stack, by painting it.

use crate::machine::stack_pointer;
use core::hint::black_box;
use core::ptr::{read_volatile, write_volatile};

const PAINT: u32 = 0xA5A5_5A5A;

/// Bytes of stack that `work` reaches down to from here, `painted` at most. Interrupts wait
/// meanwhile, as they would add their own.
///
/// As much RAM below the stack as is painted must be nobody's.
pub fn stack_of<F: FnMut()>(painted: usize, work: &mut F) -> usize {
    critical_section::with(|_| depth(painted, enter::<F>, (&raw mut *work).cast()))
}

/// The address of the function that [`stack_of`] calls for `work`.
pub fn entry_of<F: FnMut()>(_: &F) -> usize {
    enter::<F> as *const () as usize
}

fn enter<F: FnMut()>(work: *mut ()) {
    // SAFETY: `stack_of` has the only reference.
    unsafe { (*work.cast::<F>())() }
}

/// Behind a pointer, so that none of what is called is part of this function.
#[inline(never)]
fn depth(painted: usize, function: fn(*mut ()), work: *mut ()) -> usize {
    let top = stack_pointer();
    let words = || (top - painted..top).step_by(size_of::<u32>());
    for address in words() {
        // SAFETY: RAM below the stack pointer is nobody's.
        unsafe { write_volatile(address as *mut u32, PAINT) };
    }
    black_box(function)(work);
    // SAFETY: as above; what was there is over.
    let is_used = |&address: &usize| unsafe { read_volatile(address as *const u32) } != PAINT;
    words().find(is_used).map_or(0, |lowest| top - lowest)
}
