//! Time, in ticks of the caller's.

use locox::time::{Duration, Instant};

/// No deadline, no limit: the end of time.
pub const LOCOX_NEVER: u64 = u64::MAX;

pub(crate) const fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

pub(crate) const fn ticks(ticks: u64) -> Duration {
    Duration::from_ticks(ticks)
}

/// A period, or never.
pub(crate) fn period(number: u64) -> Option<Duration> {
    (number != LOCOX_NEVER).then_some(ticks(number))
}

pub(crate) fn number_of(period: Option<Duration>) -> u64 {
    period.map_or(LOCOX_NEVER, Duration::ticks)
}
