//! Counts instructions with the timer of the simulated board.

use core::hint::black_box;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;

/// Under `-icount shift=10` an instruction takes 2^10 ns of simulated time.
const NS_PER_INSTRUCTION: u64 = 1 << 10;
/// SysTick of the board MPS2 runs at 25 MHz.
const NS_PER_TICK: u64 = 40;
const TIMER_BITS: u32 = 24;

/// How often the timer has run out since the measurement began.
static WRAPS: AtomicU32 = AtomicU32::new(0);

/// Its own few instructions, each 655,360, are counted too.
#[exception]
fn SysTick() {
    WRAPS.store(WRAPS.load(Relaxed).wrapping_add(1), Relaxed);
}

pub(crate) struct Counter {
    timer: SYST,
    /// What a measurement of nothing counts.
    overhead: u64,
}

impl Counter {
    pub(crate) fn new(mut timer: SYST) -> Self {
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload((1 << TIMER_BITS) - 1);
        timer.enable_interrupt();
        timer.enable_counter();
        let mut counter = Self { timer, overhead: 0 };
        counter.overhead = counter.count(&mut || ());
        counter
    }

    /// Instructions that `work` takes. Not inlined, so that what is around it is always the same.
    #[inline(never)]
    pub(crate) fn count(&mut self, work: &mut dyn FnMut()) -> u64 {
        self.timer.clear_current();
        while SYST::get_current() == 0 {}
        WRAPS.store(0, Relaxed);
        let start = ticks();
        black_box(work)();
        let ticks = ticks() - start;
        let instructions = (ticks * NS_PER_TICK + NS_PER_INSTRUCTION / 2) / NS_PER_INSTRUCTION;
        instructions.saturating_sub(self.overhead)
    }
}

/// Ticks since [`WRAPS`] was zero, from an origin of no interest. The timer counts down.
fn ticks() -> u64 {
    loop {
        let wraps = WRAPS.load(Relaxed);
        let left = SYST::get_current();
        if WRAPS.load(Relaxed) == wraps {
            return (u64::from(wraps + 1) << TIMER_BITS) - u64::from(left);
        }
    }
}
