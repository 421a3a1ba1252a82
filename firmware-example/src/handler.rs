//! What interrupts call.

use core::cell::Cell;
use critical_section::Mutex;

/// What an interrupt calls.
pub(crate) struct Handler(Mutex<Cell<fn()>>);

impl Handler {
    const fn new() -> Self {
        Self(Mutex::new(Cell::new(|| ())))
    }

    pub(crate) fn set(&self, handler: fn()) {
        critical_section::with(|cs| self.0.borrow(cs).set(handler));
    }

    pub(crate) fn call(&self) {
        critical_section::with(|cs| self.0.borrow(cs).get())();
    }
}

/// Of the interrupt that a program raises itself.
pub(crate) static RAISED: Handler = Handler::new();

/// Of the clock.
pub(crate) static CLOCK: Handler = Handler::new();
