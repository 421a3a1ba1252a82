//! Time, in ticks of the caller's, and counters too narrow to tell it.

use crate::interface::{interface, opaque};
use crate::memory::*;
use crate::status::locox_status::LOCOX_BAD_ARGUMENT;
use locox::time::{Duration, Instant, WideCounter};

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

opaque! {
    /// A clock of 64 bits out of a counter of the hardware that wraps. Opaque, small, and may be moved.
    locox_wide_counter: [u64; LOCOX_WIDE_COUNTER_LENGTH], locox_size_of_wide_counter,
        as WideCounter, b"WIDE";
}

interface! {
    /// Starts a clock at zero out of a counter of `bits` bits, 1 to 64, that shows zero.
    fn locox_wide_counter_start(counter: *mut locox_wide_counter, bits: u32) {
        place(counter)?.start(WideCounter::new(bits).ok_or(LOCOX_BAD_ARGUMENT)?)
    }

    /// Goes on from the instant `now`, at which the hardware shows `raw`. After a reset start the clock, and
    /// pass the last instant that was stored. How long the reset took no counter can tell: add it to `now` if
    /// you know it.
    fn locox_wide_counter_resume(counter: *mut locox_wide_counter, now: u64, raw: u64) {
        on(counter, |it| {
            *it = it.clone().resumed(at(now), raw);
            Ok(())
        })
    }

    /// The instant at which the hardware showed `raw`, of which bits above the counter's width are ignored.
    /// Readings are passed in the order in which they were made, at least one in each period of the
    /// counter: one that is less than the last counts as a wrap. Stops at the end of time.
    fn locox_wide_counter_extend(counter: *mut locox_wide_counter, raw: u64, now: *mut u64) {
        obtain(counter, now, |it| Ok(it.extend(raw).ticks()))
    }

    /// The instant nearest to the one that the clock showed last, at which the hardware shows `raw`: for a time stamp that
    /// another made by the same counter. Of two equally near it is the earlier. The clock itself stays.
    fn locox_wide_counter_nearest(counter: *const locox_wide_counter, raw: u64, stamp: *mut u64) {
        get(counter, stamp, |it| Ok(it.nearest(raw).ticks()))
    }

    /// The instant that the clock showed last.
    fn locox_wide_counter_last(counter: *const locox_wide_counter, last: *mut u64) {
        get(counter, last, |it| Ok(it.last().ticks()))
    }
}
