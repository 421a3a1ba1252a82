//! Entries of `locox::handle`.

use core::fmt::Display;
use locox::handle::{Generation, Handle, Misuse};

pub(crate) fn entries() {
    crate::keep![
        Generation::from_raw,
        Generation::raw,
        Generation::is_live,
        Generation::next,
        Handle::from_parts,
        Handle::index,
        Handle::generation,
        Handle::pool,
        Handle::epoch,
        Handle::check,
        <Misuse as Display>::fmt,
    ];
}
