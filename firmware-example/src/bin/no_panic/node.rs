//! Entries of `locox::node`.

use core::fmt::Display;
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorKind, ErrorType, InputPin, OutputPin};
use locox::node::{
    DriverError, Lease, Load, LocalScheduler, Misuse, NodeDriver, OwnerActivity, OwnerRule, Refusal,
};

/// A pin of which nothing is known here: it reads any level, and it can fail.
struct Pin(fn(bool) -> Result<bool, ErrorKind>);

impl ErrorType for Pin {
    type Error = ErrorKind;
}

impl InputPin for Pin {
    fn is_high(&mut self) -> Result<bool, ErrorKind> {
        (self.0)(true)
    }

    fn is_low(&mut self) -> Result<bool, ErrorKind> {
        (self.0)(false)
    }
}

impl OutputPin for Pin {
    fn set_high(&mut self) -> Result<(), ErrorKind> {
        (self.0)(true).map(drop)
    }

    fn set_low(&mut self) -> Result<(), ErrorKind> {
        (self.0)(false).map(drop)
    }
}

struct Delay(fn(u32));

impl DelayNs for Delay {
    fn delay_ns(&mut self, ns: u32) {
        (self.0)(ns);
    }
}

type Driver = NodeDriver<Pin, Pin, Delay>;

pub(crate) fn entries() {
    crate::keep![
        Load::from_hundredths,
        Load::hundredths,
        OwnerRule::study,
        OwnerActivity::new,
        OwnerActivity::owner,
        OwnerActivity::next_sample,
        OwnerActivity::sample,
        OwnerActivity::clock_went_back,
        LocalScheduler::new,
        LocalScheduler::phase,
        LocalScheduler::owner,
        LocalScheduler::is_busy,
        LocalScheduler::wake_at,
        LocalScheduler::step,
        LocalScheduler::clock_went_back,
        Lease::until,
        <Refusal as Display>::fmt,
        <Misuse as Display>::fmt,
    ];
    crate::keep![
        Driver::new,
        Driver::wake_at,
        Driver::phase,
        Driver::owner,
        Driver::poll,
        Driver::request,
        Driver::release,
        <DriverError<ErrorKind> as Display>::fmt,
    ];
}
