//! The UART of Arm's Cortex-M System Design Kit.

use core::ptr::{read_volatile, write_volatile};

pub(crate) type Registers = *mut u32;

/// The first two lines of the board.
pub(crate) const LINES: [Registers; 2] = [0x4000_4000 as _, 0x4000_5000 as _];

/// Registers, in words.
const DATA: usize = 0;
const STATE: usize = 1;
const CONTROL: usize = 2;
const DIVIDER: usize = 4;
/// Bits of the state.
const TRANSMITTER_FULL: u32 = 1;
const RECEIVER_FULL: u32 = 2;

pub(crate) fn start(registers: Registers) {
    // SAFETY: registers of the board.
    unsafe {
        // 115,200 baud at 25 MHz; receiver and transmitter on, no interrupts.
        write_volatile(registers.add(DIVIDER), 217);
        write_volatile(registers.add(CONTROL), 3);
    }
}

pub(crate) fn read(registers: Registers) -> Option<u8> {
    // SAFETY: as above.
    unsafe {
        let is_full = read_volatile(registers.add(STATE)) & RECEIVER_FULL != 0;
        is_full.then(|| read_volatile(registers.add(DATA)) as u8)
    }
}

/// Whether there was room.
pub(crate) fn write(registers: Registers, byte: u8) -> bool {
    // SAFETY: as above.
    unsafe {
        let has_room = read_volatile(registers.add(STATE)) & TRANSMITTER_FULL == 0;
        if has_room {
            write_volatile(registers.add(DATA), byte.into());
        }
        has_room
    }
}
