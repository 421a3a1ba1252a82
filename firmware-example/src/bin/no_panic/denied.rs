//! Entries of `locox::denied`.

use core::fmt::Display;
use locox::denied::Denied;
use locox::{handle, subcube};

type Either = Denied<subcube::Refusal, handle::Misuse>;

pub(crate) fn entries() {
    crate::keep![Either::refusal, Either::misuse, <Either as Display>::fmt];
}
