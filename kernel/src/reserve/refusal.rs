//! Why a timeline says no, and what a caller did wrong. It is then as it was before the call.

use crate::time::Instant;
use crate::{denied, handle};

use core::fmt;

/// Why a request or a change has no place as things are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// Never: the machine does not have so many PEs.
    TooLarge,
    /// Not even after all reservations have ended, until PEs are repaired.
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
}

/// What the caller did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
    /// The reservation does not exist.
    Handle(handle::Misuse),
}

/// A refusal, or a misuse.
pub type Denied = denied::Denied<Refusal, Misuse>;

impl From<handle::Misuse> for Misuse {
    fn from(misuse: handle::Misuse) -> Self {
        Self::Handle(misuse)
    }
}

impl From<Refusal> for Denied {
    fn from(refusal: Refusal) -> Self {
        Self::No(refusal)
    }
}

impl From<Misuse> for Denied {
    fn from(misuse: Misuse) -> Self {
        Self::Wrong(misuse)
    }
}

impl From<handle::Misuse> for Denied {
    fn from(misuse: handle::Misuse) -> Self {
        Self::Wrong(misuse.into())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => f.write_str("the machine does not have so many PEs"),
            Self::Faulty => f.write_str("too few PEs are in service, until some are repaired"),
            Self::Late { finish } => {
                write!(f, "not before the deadline; the earliest finish is {finish}")
            }
            Self::Overflow => f.write_str("not before the end of time"),
            Self::Busy { from } => write!(f, "the PEs are not free from {from} on"),
            Self::Full => f.write_str("no room for another reservation"),
        }
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoPes => "the request asks for no PE",
            Self::NoTime => "the request asks for no time",
            Self::Overflow => "the end lies beyond the end of time",
            Self::DeadlineTooEarly => "the deadline comes before ready time plus duration",
            Self::Past => "the past cannot be asked about or changed",
            Self::NoSuchPe => "the machine does not have these PEs",
            Self::WrongSet => "the set of PEs ranges over another machine",
            Self::Handle(misuse) => return misuse.fmt(f),
        })
    }
}

impl core::error::Error for Refusal {}
impl core::error::Error for Misuse {}
