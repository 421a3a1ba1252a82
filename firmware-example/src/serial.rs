//! Serial lines of the boards, polled.

use crate::machine::uart;

/// A serial line.
pub struct Serial(uart::Registers);

impl Serial {
    /// The line of this number, the first is 0; `None` if the board has no such line. One that is
    /// opened twice is used by both.
    pub fn open(number: usize) -> Option<Self> {
        let registers = *uart::LINES.get(number)?;
        uart::start(registers);
        Some(Self(registers))
    }

    /// The next byte, if there is one.
    pub fn read(&mut self) -> Option<u8> {
        uart::read(self.0)
    }

    /// Waits until all bytes are on their way.
    pub fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            while !uart::write(self.0, *byte) {}
        }
    }
}
