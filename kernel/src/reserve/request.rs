//! What is asked of a timeline, and the reasons for a refusal.

use crate::handle::Misuse;
use crate::time::{Duration, Instant};
use core::fmt;

/// A rigid request: `pes` PEs at once for `duration`, not before `ready`, done by `deadline`.
///
/// The deadline is *immediate* if it is `ready + duration`, else *general*; without one the
/// request can wait for ever. Source: Li et al., section 3.
///
/// ```
/// use locox::reserve::Request;
/// use locox::time::{Duration, Instant};
/// let (ready, duration) = (Instant::from_ticks(20), Duration::from_ticks(10));
/// let request = Request::new(ready, duration, 4).by(Instant::from_ticks(90));
/// assert_eq!(request.deadline, Some(Instant::from_ticks(90)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Request {
    /// The earliest start. An instant in the past means the present.
    pub ready: Instant,
    /// How long the PEs are needed.
    pub duration: Duration,
    /// The latest finish.
    pub deadline: Option<Instant>,
    /// How many PEs.
    pub pes: u32,
}

impl Request {
    /// A request without a deadline.
    pub const fn new(ready: Instant, duration: Duration, pes: u32) -> Self {
        Self { ready, duration, deadline: None, pes }
    }

    /// The same with a deadline.
    pub const fn by(self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self }
    }
}

/// From when to when a request is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Placement {
    /// The first instant.
    pub start: Instant,
    /// The first instant after it.
    pub end: Instant,
}

impl Placement {
    /// All of time.
    pub(super) const ALWAYS: Self = Self { start: Instant::ZERO, end: Instant::MAX };
}

/// Why a timeline says no. It is as it was before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// No PE is asked for.
    NoPes,
    /// No time is asked for, or the interval ends before it starts.
    NoTime,
    /// The end would come at or after [`Instant::MAX`].
    Overflow,
    /// The deadline comes before ready time plus duration.
    DeadlineTooEarly,
    /// Never: the machine does not have so many PEs, or not those.
    TooLarge,
    /// Not even after all reservations have ended, until PEs are repaired.
    Faulty,
    /// Not before the deadline.
    Late {
        /// The earliest finish that would be possible.
        finish: Instant,
    },
    /// The instant, or the beginning of the interval, lies in the past.
    Past,
    /// The set of PEs does not range over the machine's.
    WrongSet,
    /// Too few PEs are free in the interval, or not those.
    Busy {
        /// From when on.
        from: Instant,
    },
    /// All reservations that there is room for are in use.
    Full,
    /// The reservation does not exist.
    Misuse(Misuse),
}

impl From<Misuse> for Refusal {
    fn from(misuse: Misuse) -> Self {
        Self::Misuse(misuse)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoPes => "the request asks for no PE",
            Self::NoTime => "the request asks for no time",
            Self::Overflow => "the end lies beyond the end of time",
            Self::DeadlineTooEarly => "the deadline comes before ready time plus duration",
            Self::TooLarge => "the machine does not have these PEs",
            Self::Faulty => "too few PEs are in service, until some are repaired",
            Self::Past => "the past cannot be asked about or changed",
            Self::WrongSet => "the set of PEs ranges over another machine",
            Self::Full => "no room for another reservation",
            Self::Late { finish } => {
                return write!(
                    f,
                    "not before the deadline; the earliest finish is {}",
                    finish.ticks()
                );
            }
            Self::Busy { from } => {
                return write!(f, "the PEs are not free from {} on", from.ticks());
            }
            Self::Misuse(misuse) => return misuse.fmt(f),
        })
    }
}

impl core::error::Error for Refusal {}
