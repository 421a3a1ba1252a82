//! Time in a world: milliseconds of its true clock, and clocks that are not quite true.

use std::fmt;

/// A second.
pub(crate) const SECOND: u64 = 1000;
/// A minute.
pub(crate) const MINUTE: u64 = 60 * SECOND;
/// An hour.
pub(crate) const HOUR: u64 = 60 * MINUTE;
/// A day.
pub(crate) const DAY: u64 = 24 * HOUR;
/// A year.
pub(crate) const YEAR: u64 = 365 * DAY;

/// A time as people read it: days, hours, minutes, seconds.
pub(crate) struct Clock(pub(crate) u64);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, rest) = (self.0 / DAY, self.0 % DAY);
        let (hours, minutes) = (rest / HOUR, rest % HOUR / MINUTE);
        write!(f, "day {days} {hours:02}:{minutes:02}:{:02}", rest % MINUTE / SECOND)
    }
}

/// A clock that is fast or slow and steps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Timer {
    /// By so many parts in a million it is fast.
    pub(crate) fast: i64,
    /// By so much it was set.
    pub(crate) set: i64,
}

impl Timer {
    /// What it shows.
    pub(crate) const fn shows(&self, now: u64) -> u64 {
        let drift =
            now as i64 / 1_000_000 * self.fast + now as i64 % 1_000_000 * self.fast / 1_000_000;
        let shown = now as i64 + drift + self.set;
        if shown > 0 { shown as u64 } else { 0 }
    }

    /// The first true time from `now` on at which it shows at least `shown`, or a little later.
    pub(crate) const fn when(&self, now: u64, shown: u64) -> u64 {
        let left = shown.saturating_sub(self.shows(now));
        if left == 0 {
            return now;
        }
        let slow = left / 1_000_000 * self.fast.unsigned_abs() + self.fast.unsigned_abs();
        now + left + if self.fast < 0 { slow } else { 0 } + 1
    }

    /// Shows this from `now` on.
    pub(crate) const fn set_to(&mut self, now: u64, shown: u64) {
        self.set += shown as i64 - self.shows(now) as i64;
    }
}
