//! Cortex-M on Arm MPS2.

pub(crate) mod uart;

use core::hint::black_box;
use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use cortex_m::Peripherals;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::peripheral::{SCB, SYST};
use cortex_m_rt::{ExceptionFrame, exception};

pub use cortex_m_rt::entry;

/// Under `-icount shift=10` an instruction takes 2^10 ns of simulated time.
const NS_PER_INSTRUCTION: u64 = 1 << 10;
/// SysTick of the board runs at 25 MHz.
const TICKS_PER_MICROSECOND: u32 = 25;
const NS_PER_TICK: u64 = 1000 / TICKS_PER_MICROSECOND as u64;
const TIMER_BITS: u32 = 24;

/// Memory of the board that no program takes up (PSRAM).
pub const SPARE: Range<usize> = 0x2100_0000..0x2200_0000;

/// How often the timer has run out since a measurement began.
static WRAPS: AtomicU32 = AtomicU32::new(0);

/// Waits for an interrupt.
pub fn wait() {
    cortex_m::asm::wfi();
}

/// Resets the processor.
pub fn reset() -> ! {
    SCB::sys_reset()
}

pub(crate) fn stack_pointer() -> usize {
    cortex_m::register::msp::read() as usize
}

/// Raises the interrupt of [`on_raise`](crate::on_raise).
pub fn raise() {
    SCB::set_pendsv();
    cortex_m::asm::isb();
}

/// It is always on.
pub(crate) const fn enable_raise() {}

#[exception]
fn PendSV() {
    crate::handler::RAISED.call();
}

/// Calls `handler` from an interrupt every so many microseconds, up to 671,088. `None` if the clock
/// is taken, by this or by a [`Counter`].
pub fn every(microseconds: u32, handler: fn()) -> Option<()> {
    let reload = microseconds.checked_mul(TICKS_PER_MICROSECOND)?.checked_sub(1)?;
    if reload >= 1 << TIMER_BITS {
        return None;
    }
    let timer = Peripherals::take()?.SYST;
    crate::handler::CLOCK.set(handler);
    start(timer, reload);
    Some(())
}

fn start(mut timer: SYST, reload: u32) -> SYST {
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(reload);
    timer.clear_current();
    timer.enable_interrupt();
    timer.enable_counter();
    timer
}

/// Of the instructions that this takes, each 655,360, a [`Counter`] sees some too.
#[exception]
fn SysTick() {
    WRAPS.store(WRAPS.load(Relaxed).wrapping_add(1), Relaxed);
    crate::handler::CLOCK.call();
}

#[exception]
unsafe fn HardFault(_: &ExceptionFrame) -> ! {
    crate::end::fault()
}

/// Counts instructions with the timer of the board, under QEMU's `-icount shift=10`.
pub struct Counter {
    timer: SYST,
    /// What a measurement of nothing counts.
    overhead: u64,
}

impl Counter {
    /// `None` if the timer is taken.
    pub fn new() -> Option<Self> {
        let timer = start(Peripherals::take()?.SYST, (1 << TIMER_BITS) - 1);
        let mut counter = Self { timer, overhead: 0 };
        counter.overhead = counter.count(&mut || ());
        Some(counter)
    }

    /// Instructions that `work` takes. Not inlined, so that what is around it is always the same.
    #[inline(never)]
    pub fn count(&mut self, work: &mut dyn FnMut()) -> u64 {
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
