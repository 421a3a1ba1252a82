//! The UART of `virt`, a 16550.

use core::ptr::{read_volatile, write_volatile};

pub(crate) type Registers = *mut u8;

/// There is one line.
pub(crate) const LINES: [Registers; 1] = [0x1000_0000 as _];

/// Registers, in bytes.
const DATA: usize = 0;
const STATE: usize = 5;
/// Bits of the state.
const RECEIVED: u8 = 1;
const TRANSMITTER_EMPTY: u8 = 0x20;

/// It is on after a reset.
pub(crate) const fn start(_: Registers) {}

pub(crate) fn read(registers: Registers) -> Option<u8> {
    // SAFETY: registers of the machine.
    unsafe {
        let is_full = read_volatile(registers.add(STATE)) & RECEIVED != 0;
        is_full.then(|| read_volatile(registers.add(DATA)))
    }
}

/// Whether there was room.
pub(crate) fn write(registers: Registers, byte: u8) -> bool {
    // SAFETY: as above.
    unsafe {
        let has_room = read_volatile(registers.add(STATE)) & TRANSMITTER_EMPTY != 0;
        if has_room {
            write_volatile(registers.add(DATA), byte);
        }
        has_room
    }
}
