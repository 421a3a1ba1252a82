//! Memory that a reset leaves as it is.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use portable_atomic::{AtomicBool, Ordering::Relaxed};

/// Bytes that are kept.
const KEPT: usize = 32 * 1024;

struct Cells(UnsafeCell<MaybeUninit<[u8; KEPT]>>);

// SAFETY: `kept` gives them away once.
unsafe impl Sync for Cells {}

/// Start-up clears `.bss` and loads `.data`, and leaves this section alone.
#[unsafe(link_section = ".uninit.KEPT")]
static CELLS: Cells = Cells(UnsafeCell::new(MaybeUninit::uninit()));
static TAKEN: AtomicBool = AtomicBool::new(false);

/// 32 KB that a reset leaves as they are; at power-up they hold anything. The second call gives
/// `None`.
pub fn kept() -> Option<&'static mut [u8]> {
    if TAKEN.swap(true, Relaxed) {
        return None;
    }
    // SAFETY: the first to come is the only one. Memory of the board always holds some byte, though
    // the compiler does not know which.
    let cells = unsafe { &mut *CELLS.0.get().cast::<[u8; KEPT]>() };
    Some(core::hint::black_box(cells))
}
