//! Entries of `locox::time`.

use core::fmt::Display;
use locox::time::{Duration, Instant, WideCounter};

pub(crate) fn entries() {
    crate::keep![
        <Instant as Display>::fmt,
        <Duration as Display>::fmt,
        Instant::from_ticks,
        Instant::ticks,
        Instant::checked_add,
        Instant::saturating_add,
        Instant::checked_sub,
        Instant::since,
        Duration::from_ticks,
        Duration::ticks,
        Duration::checked_add,
        Duration::checked_mul,
        WideCounter::new,
        WideCounter::extend,
        WideCounter::last,
    ];
}
