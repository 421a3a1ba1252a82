//! Time, in ticks of the caller's, and counters too narrow to tell it.

use crate::interface::*;
use crate::status::locox_status::LOCOX_BAD_ARGUMENT;
use crate::values::*;
use locox::time::WideCounter;

/// No deadline, no limit: the end of time.
pub const LOCOX_NEVER: u64 = u64::MAX;

opaque! {
    /// A clock of 64 bits out of a counter of the hardware that wraps. Opaque, small, and may be moved.
    locox_wide_counter: [u64; LOCOX_WIDE_COUNTER_LENGTH], locox_size_of_wide_counter, as WideCounter, b"WIDE";
}

methods! { counter: locox_wide_counter |it| it =>
    /// Starts a clock at zero out of a counter of `bits` bits, 1 to 64, that shows zero.
    start fn locox_wide_counter_start(bits: u32) { WideCounter::new(bits).ok_or(LOCOX_BAD_ARGUMENT)? }

    /// Goes on from the instant `now`, at which the hardware shows `raw`. After a reset start the clock, and
    /// pass the last instant that was stored. How long the reset took no counter can tell: add it to `now` if
    /// you know it.
    act fn locox_wide_counter_resume(now: u64, raw: u64) {
        *it = it.clone().resumed(at(now), raw);
    }

    /// The instant at which the hardware showed `raw`, of which bits above the counter's width are ignored.
    /// Readings are passed in the order in which they were made, at least one in each period of the
    /// counter: one that is less than the last counts as a wrap. Stops at the end of time.
    act fn locox_wide_counter_extend(raw: u64) -> (now: u64) { it.extend(raw) }

    /// The instant nearest to the one that the clock showed last, at which the hardware shows `raw`: for a time stamp that
    /// another made by the same counter. Of two equally near it is the earlier. The clock itself stays.
    look fn locox_wide_counter_nearest(raw: u64) -> (stamp: u64) { it.nearest(raw) }

    /// The instant that the clock showed last.
    look fn locox_wide_counter_last() -> (last: u64) { it.last() }
}
