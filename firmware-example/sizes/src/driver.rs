use crate::{now, read, tell, time, write};
use core::convert::Infallible;
use core::hint::black_box;
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use locox::node::{Input, LocalRule, NodeDriver, OnReturn, OwnerRule, Probe};
use locox::time::Duration;

/// Bits of a register.
pub struct Pin;

/// The driver of a station.
pub type Driver = NodeDriver<Pin, Pin, Pin>;

impl ErrorType for Pin {
    type Error = Infallible;
}

impl InputPin for Pin {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(read() != 0)
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(read() == 0)
    }
}

impl OutputPin for Pin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        write(0);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        write(1);
        Ok(())
    }
}

impl DelayNs for Pin {
    fn delay_ns(&mut self, ns: u32) {
        write(ns);
    }
}

/// Owner and guest of a station behind pins.
pub fn node_driver(driver: &'static mut Option<Driver>) -> Option<()> {
    let probe = Probe { reads: 1, gap_ns: 0, patience: time() };
    let guests = LocalRule { on_return: OnReturn::Checkpoint, grace: time(), kill_again: time() };
    let owners = OwnerRule::study(Duration::from_ticks(60));
    let new = NodeDriver::new((Pin, Pin, Pin), probe, owners, guests, now()).ok()?;
    let driver = black_box(driver.insert(new));
    loop {
        match read() {
            0 => tell(&driver.request(now(), Input::Place).is_ok()),
            1 => tell(&driver.request(now(), Input::Preempt).is_ok()),
            2 => tell(&driver.request(now(), Input::Finished).is_ok()),
            3 => tell(&driver.request(now(), Input::Gone).is_ok()),
            _ => tell(&driver.poll(now())),
        }
        tell(&driver.wake_at());
    }
}
