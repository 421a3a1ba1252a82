//! Why a timeline says no, and what a caller did wrong. It is then as it was before the call.

use crate::time::Instant;
use crate::{error, handle};

/// Why a request or a change has no place as things are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Refusal {
    /// Never: the machine does not have so many PEs.
    TooLarge,
    /// Not even after all reservations have ended, until PEs are repaired; or never, if the choice
    /// finds no such PEs on the whole machine.
    Faulty,
    /// Not before the deadline.
    Late {
        /// The earliest finish that would be possible.
        finish: Instant,
    },
    /// Not before the end of time.
    Overflow,
    /// Too few PEs are free in the interval, or not those.
    Busy {
        /// From when on.
        from: Instant,
    },
    /// All reservations that there is room for are in use.
    Full,
    /// Never: a [`Mask`](super::Mask) allows fewer PEs.
    Masked,
    /// An [`Attempt`](super::Attempt) has no room to note another step.
    NoStep,
}

/// What the caller did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Misuse {
    /// No PE is asked for.
    NoPes,
    /// No time is asked for, or the interval ends before it starts.
    NoTime,
    /// The end that is asked for lies at or after [`Instant::MAX`].
    Overflow,
    /// The deadline comes before ready time plus duration.
    DeadlineTooEarly,
    /// The instant, or the beginning of the interval, lies in the past.
    Past,
    /// The machine does not have this PE, or so many that could be out of service.
    NoSuchPe,
    /// The set of PEs does not range over the machine's.
    WrongSet,
    /// A [`Mask`](super::Mask) requires a PE that it does not allow, or more than are asked for.
    WrongMask,
    /// No alternative is named.
    NoRequest,
    /// No time is named at which a series is to take place, or the next one begins before the one
    /// before it has ended.
    WrongSeries,
    /// The reservation does not exist.
    Handle(handle::Misuse),
}

/// A refusal, or a misuse. What the caller did wrong is named first: whether arguments make sense comes
/// before whether there is room or a place.
pub type Error = error::Error<Refusal, Misuse>;

crate::display::error! { Refusal:
    Self::TooLarge => "the machine does not have so many PEs",
    Self::Faulty => "too few PEs are in service, until some are repaired",
    Self::Late { finish } => "not before the deadline; the earliest finish is {finish}",
    Self::Overflow => "not before the end of time",
    Self::Busy { from } => "the PEs are not free from {from} on",
    Self::Full => "no room for another reservation",
    Self::Masked => "fewer PEs are allowed",
    Self::NoStep => "no room to note another step of the attempt",
}

crate::display::error! { Misuse:
    Self::NoPes => "the request asks for no PE",
    Self::NoTime => "the request asks for no time",
    Self::Overflow => "the end lies beyond the end of time",
    Self::DeadlineTooEarly => "the deadline comes before ready time plus duration",
    Self::Past => "the past cannot be asked about or changed",
    Self::NoSuchPe => "the machine does not have these PEs",
    Self::WrongSet => "the set of PEs ranges over another machine",
    Self::WrongMask => "a PE is required that is not allowed, or more than are asked for",
    Self::NoRequest => "no alternative is named",
    Self::WrongSeries => "a series has no times, or one begins before the last has ended",
    Self::Handle(misuse) => "{misuse}",
}

crate::error::error_from! { Refusal, Misuse::Handle }
