//! Owners and power of the stations' processors: a model of registers, and pins over it.
//!
//! The sensors' register is read by an interrupt alone, which leaves it in a cell; pins read that.

use core::cell::Cell;
use core::convert::Infallible;
use critical_section::Mutex;
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType, InputPin, OutputPin};

/// A word that an interrupt and the program share.
struct Word(Mutex<Cell<u32>>);

impl Word {
    const fn new(word: u32) -> Self {
        Self(Mutex::new(Cell::new(word)))
    }

    fn get(&self) -> u32 {
        critical_section::with(|cs| self.0.borrow(cs).get())
    }

    fn set(&self, bit: u32, to: bool) {
        critical_section::with(|cs| {
            let cell = self.0.borrow(cs);
            cell.set(if to { cell.get() | 1 << bit } else { cell.get() & !(1 << bit) });
        });
    }
}

/// The register of the sensors: a bit for each owner that is active. All are at first.
static SENSORS: Word = Word::new(u32::MAX);
/// What the interrupt saw there.
static SEEN: Word = Word::new(u32::MAX);
/// The register that enables processors.
static ENABLED: Word = Word::new(0);

/// Called by the interrupt of the sensors.
pub(crate) fn sample() {
    let sensors = SENSORS.get();
    critical_section::with(|cs| SEEN.0.borrow(cs).set(sensors));
}

/// The hardware's part: an owner comes or goes, and the sensor interrupts.
pub(crate) fn sense(station: u32, active: bool) {
    SENSORS.set(station % u32::BITS, active);
    board::raise();
}

/// A bit for each processor that is enabled.
pub(crate) fn enabled() -> u32 {
    ENABLED.get()
}

pub(crate) struct Sensor(pub(crate) u32);

impl ErrorType for Sensor {
    type Error = Infallible;
}

impl InputPin for Sensor {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(SEEN.get() >> self.0 & 1 == 1)
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        self.is_high().map(|high| !high)
    }
}

pub(crate) struct Enable(pub(crate) u32);

impl ErrorType for Enable {
    type Error = Infallible;
}

impl OutputPin for Enable {
    fn set_low(&mut self) -> Result<(), Infallible> {
        ENABLED.set(self.0, false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        ENABLED.set(self.0, true);
        Ok(())
    }
}

/// A sensor is read once, so there is nothing to wait for.
pub(crate) struct NoWait;

impl DelayNs for NoWait {
    fn delay_ns(&mut self, _: u32) {}
}
