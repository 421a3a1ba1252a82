//! The time, in milliseconds.

use core::cell::Cell;
use critical_section::Mutex;
use locox::time::Instant;

/// Microseconds from one tick to the next.
pub(crate) const PERIOD: u32 = 1000;

/// The time, and whether it goes on by itself.
static NOW: Mutex<Cell<(u64, bool)>> = Mutex::new(Cell::new((0, true)));

/// Called by the clock's interrupt.
pub(crate) fn tick() {
    critical_section::with(|cs| {
        let cell = NOW.borrow(cs);
        let (now, goes_on) = cell.get();
        cell.set((now + u64::from(goes_on), goes_on));
    });
}

pub(crate) fn now() -> Instant {
    Instant::from_ticks(critical_section::with(|cs| NOW.borrow(cs).get()).0)
}

/// Goes on from here: after a restart from where the journal ends.
pub(crate) fn go_on_from(now: Instant) {
    critical_section::with(|cs| NOW.borrow(cs).set((now.ticks(), true)));
}

/// Stays at a time, which makes a run repeatable.
pub(crate) fn stay_at(tick: u64) {
    critical_section::with(|cs| NOW.borrow(cs).set((tick, false)));
}
