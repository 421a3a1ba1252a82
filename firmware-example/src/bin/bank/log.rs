//! Logs of `defmt` on the second serial line, if the board has one.

use board::Serial;
use core::cell::UnsafeCell;
use critical_section::RestoreState;
use portable_atomic::{AtomicBool, Ordering::Relaxed};

#[defmt::global_logger]
struct Logger;

struct State {
    encoder: defmt::Encoder,
    restore: RestoreState,
}

struct Guarded(UnsafeCell<State>);

// SAFETY: touched only between `acquire` and `release`, with interrupts off.
unsafe impl Sync for Guarded {}

static STATE: Guarded = Guarded(UnsafeCell::new(State {
    encoder: defmt::Encoder::new(),
    restore: RestoreState::invalid(),
}));
static TAKEN: AtomicBool = AtomicBool::new(false);

fn write(bytes: &[u8]) {
    if let Some(mut line) = Serial::open(1) {
        line.write(bytes);
    }
}

// SAFETY: `acquire` turns interrupts off until `release`, on a single core; a log within a log,
// which could only come from a fault, panics.
unsafe impl defmt::Logger for Logger {
    fn acquire() {
        // SAFETY: `release` gives it back.
        let restore = unsafe { critical_section::acquire() };
        assert!(!TAKEN.swap(true, Relaxed), "a log within a log");
        // SAFETY: nobody else has it.
        let state = unsafe { &mut *STATE.0.get() };
        state.restore = restore;
        state.encoder.start_frame(write);
    }

    unsafe fn flush() {}

    unsafe fn release() {
        // SAFETY: acquired.
        let state = unsafe { &mut *STATE.0.get() };
        state.encoder.end_frame(write);
        TAKEN.store(false, Relaxed);
        // SAFETY: of the matching `acquire`.
        unsafe { critical_section::release(state.restore) };
    }

    unsafe fn write(bytes: &[u8]) {
        // SAFETY: acquired.
        let state = unsafe { &mut *STATE.0.get() };
        state.encoder.write(bytes, write);
    }
}
