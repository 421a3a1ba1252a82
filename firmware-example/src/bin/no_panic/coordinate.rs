//! Entries of `locox::coordinate`.

use core::fmt::Display;
use locox::coordinate::{BadImage, Coordinate, Draw};

pub(crate) fn entries() {
    crate::keep![<BadImage as Display>::fmt, from_source];
}

/// What every coordinator is.
pub(crate) fn coordinator<C: Coordinate>() {
    crate::keep![
        C::apply_drawn,
        C::peek_effect,
        C::take_effect,
        C::now,
        C::wake_at,
        C::export,
        C::restore,
        C::check_invariants,
    ];
}

fn from_source(source: &mut dyn FnMut() -> u32) -> u32 {
    u32::from_source(source)
}
