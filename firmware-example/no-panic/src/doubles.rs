//! What stands for the world around the crates: nothing is known of what it answers.

use core::hash::Hasher;
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{Error, ErrorKind, ErrorType, InputPin, OutputPin};
use locox::reserve::{Candidate, Policy};

/// What goes wrong with a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "all", derive(defmt::Format, serde::Serialize, serde::Deserialize))]
pub(crate) struct Fault;

impl Error for Fault {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

/// A pin that reads any level, and can fail.
pub(crate) struct Pin(fn(bool) -> Result<bool, Fault>);

impl ErrorType for Pin {
    type Error = Fault;
}

impl InputPin for Pin {
    fn is_high(&mut self) -> Result<bool, Fault> {
        (self.0)(true)
    }

    fn is_low(&mut self) -> Result<bool, Fault> {
        (self.0)(false)
    }
}

impl OutputPin for Pin {
    fn set_high(&mut self) -> Result<(), Fault> {
        (self.0)(true).map(drop)
    }

    fn set_low(&mut self) -> Result<(), Fault> {
        (self.0)(false).map(drop)
    }
}

pub(crate) struct Delay(fn(u32));

impl DelayNs for Delay {
    fn delay_ns(&mut self, ns: u32) {
        (self.0)(ns);
    }
}

/// A policy that leaves out what it may.
pub(crate) struct Always;

impl Policy for Always {
    fn prefers(&self, _: &Candidate, _: &Candidate) -> bool {
        true
    }
}

/// A hash without arithmetic of its own.
pub(crate) struct Sink(fn(&[u8]));

impl Hasher for Sink {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        (self.0)(bytes);
    }
}
