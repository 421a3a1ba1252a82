//! The boards that the binaries run on, as far as they need one: where a program begins, prints and
//! ends, a clock, an interrupt, serial lines, memory that outlives a reset, how many instructions and how much stack something takes.
//!
//! | target | machine of QEMU |
//! |---|---|
//! | `thumbv6m-none-eabi` | `mps2-an385`, a Cortex-M3 that is given code of a Cortex-M0 |
//! | `thumbv7em-none-eabi` | `mps2-an386`, a Cortex-M4 |
//! | `riscv32imc-unknown-none-elf` | `virt` |
//!
//! ```ignore
//! #[board::entry]
//! fn main() -> ! {
//!     board::println!("hello");
//!     board::exit(Some(()))
//! }
//!
//! #[panic_handler]
//! fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
//!     board::panicked(info)
//! }
//! ```
//!
//! A binary has its own panic handler, because that of `no_panic` is another.

#![no_std]
#![warn(missing_docs)]

#[cfg(target_arch = "arm")]
mod arm;
mod end;
mod handler;
mod kept;
#[cfg(target_arch = "riscv32")]
mod riscv;
mod serial;
mod stack;

#[cfg(target_arch = "arm")]
use arm as machine;
#[cfg(target_arch = "riscv32")]
use riscv as machine;

pub use end::{exit, panicked};
pub use kept::kept;
pub use machine::{Counter, SPARE, entry, every, raise, reset, wait};
pub use semihosting::println;
pub use serial::Serial;
pub use stack::{entry_of, stack_of};

use handler::RAISED;

/// From now on [`raise`] interrupts whatever runs to call `handler`, once no critical section holds
/// it off.
pub fn on_raise(handler: fn()) {
    RAISED.set(handler);
    machine::enable_raise();
}
