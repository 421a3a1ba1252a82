//! RV32IMC on QEMU's `virt`.

pub(crate) mod uart;

use core::arch::asm;
use core::hint::black_box;
use core::ops::Range;
use core::ptr::{read_volatile, write_volatile};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use riscv::interrupt::Interrupt;
use riscv::register::{mie, minstret};
use riscv_rt::{TrapFrame, core_interrupt};

pub use riscv_rt::entry;

/// Under `-icount shift=10` the counter of instructions counts 2^10 for each.
const PER_INSTRUCTION: u64 = 1 << 10;
/// The clock of the machine runs at 10 MHz.
const TICKS_PER_MICROSECOND: u32 = 10;

/// Memory of the machine that no program takes up.
pub const SPARE: Range<usize> = 0x8100_0000..0x8200_0000;

/// Registers of the core-local interruptor, hart 0.
const MSIP: *mut u32 = 0x0200_0000 as _;
const TIME_LOW: *const u32 = 0x0200_bff8 as _;
const TIME_HIGH: *const u32 = 0x0200_bffc as _;
const COMPARE_LOW: *mut u32 = 0x0200_4000 as _;
const COMPARE_HIGH: *mut u32 = 0x0200_4004 as _;

/// Of the device that ends a test, and what resets the machine there.
const TEST: *mut u32 = 0x0010_0000 as _;
const RESET: u32 = 0x7777;

/// Ticks from one interrupt of the clock to the next; zero, there are none.
static PERIOD: AtomicU32 = AtomicU32::new(0);

/// Waits for an interrupt.
pub fn wait() {
    riscv::asm::wfi();
}

/// Resets the machine.
pub fn reset() -> ! {
    // SAFETY: a register of the machine.
    unsafe { write_volatile(TEST, RESET) };
    loop {
        wait();
    }
}

pub(crate) fn stack_pointer() -> usize {
    let pointer;
    // SAFETY: reads a register.
    unsafe { asm!("mv {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}

/// Raises the interrupt of [`on_raise`](crate::on_raise).
pub fn raise() {
    // SAFETY: a register of the machine.
    unsafe { write_volatile(MSIP, 1) };
    // The write is seen before the next instruction of the program.
    riscv::asm::fence();
    riscv::asm::nop();
}

pub(crate) fn enable_raise() {
    // SAFETY: no critical section rests on an interrupt that is off.
    unsafe {
        mie::set_msoft();
        riscv::interrupt::enable();
    }
}

#[core_interrupt(Interrupt::MachineSoft)]
fn machine_soft() {
    // SAFETY: a register of the machine.
    unsafe { write_volatile(MSIP, 0) };
    crate::handler::RAISED.call();
}

/// Calls `handler` from an interrupt every so many microseconds. `None` if the clock is taken, or the
/// time too long.
pub fn every(microseconds: u32, handler: fn()) -> Option<()> {
    let period = microseconds.checked_mul(TICKS_PER_MICROSECOND).filter(|it| *it > 0)?;
    if PERIOD.load(Relaxed) != 0 {
        return None;
    }
    PERIOD.store(period, Relaxed);
    crate::handler::CLOCK.set(handler);
    compare_at(time() + u64::from(period));
    // SAFETY: as in `enable_raise`.
    unsafe {
        mie::set_mtimer();
        riscv::interrupt::enable();
    }
    Some(())
}

#[core_interrupt(Interrupt::MachineTimer)]
fn machine_timer() {
    // SAFETY: registers of the machine, which only this writes once the clock runs.
    let due = unsafe { both(read_volatile(COMPARE_HIGH), read_volatile(COMPARE_LOW)) };
    compare_at(due + u64::from(PERIOD.load(Relaxed)));
    crate::handler::CLOCK.call();
}

fn time() -> u64 {
    loop {
        // SAFETY: registers of the machine.
        let (before, low, after) = unsafe {
            (read_volatile(TIME_HIGH), read_volatile(TIME_LOW), read_volatile(TIME_HIGH))
        };
        if before == after {
            return both(after, low);
        }
    }
}

/// By way of a time that is never reached, so that no half of a time interrupts.
fn compare_at(due: u64) {
    // SAFETY: registers of the machine.
    unsafe {
        write_volatile(COMPARE_HIGH, u32::MAX);
        write_volatile(COMPARE_LOW, due as u32);
        write_volatile(COMPARE_HIGH, (due >> 32) as u32);
    }
}

const fn both(high: u32, low: u32) -> u64 {
    ((high as u64) << 32) | low as u64
}

#[unsafe(no_mangle)]
extern "C" fn ExceptionHandler(_: &TrapFrame) -> ! {
    crate::end::fault()
}

/// Counts instructions with the counter of the core, under QEMU's `-icount shift=10`.
pub struct Counter {
    /// What a measurement of nothing counts.
    overhead: u64,
}

impl Counter {
    /// Always some: the counter can be read by many.
    pub fn new() -> Option<Self> {
        let mut counter = Self { overhead: 0 };
        counter.overhead = counter.count(&mut || ());
        Some(counter)
    }

    /// Instructions that `work` takes. Not inlined, so that what is around it is always the same.
    #[inline(never)]
    pub fn count(&mut self, work: &mut dyn FnMut()) -> u64 {
        let start = minstret::read64();
        black_box(work)();
        let instructions = (minstret::read64() - start) / PER_INSTRUCTION;
        instructions.saturating_sub(self.overhead)
    }
}
