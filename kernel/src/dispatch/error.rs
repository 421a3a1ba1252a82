//! Why a queue says no, and what a caller did wrong.

use crate::handle;
use crate::time::Instant;

/// Why a job is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// Never: the machine does not have so many PEs.
    TooLarge,
    /// Not before its deadline.
    Late {
        /// The earliest finish that would be possible.
        finish: Instant,
    },
    /// Not before the end of time.
    Overflow,
    /// All entries hold jobs that wait or run.
    Full,
}

/// What the caller did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Misuse {
    /// The job has ended or was cancelled, or is another queue's.
    Handle(handle::Misuse),
    /// The job waits: it cannot end, only be cancelled.
    Waits,
    /// The job runs: it cannot be cancelled, only end.
    Runs,
    /// The job has an interval of its own, and no place in line.
    Reserved,
    /// The job asks for no PE.
    NoPes,
    /// The job asks for no time.
    NoTime,
    /// The job would end at or after [`Instant::MAX`], even if it started at once.
    Overflow,
    /// The deadline comes before ready time plus duration.
    DeadlineTooEarly,
    /// The time lies before the last one told.
    Past,
}

/// A [`Refusal`] or a [`Misuse`]; the queue is as before.
pub type Error = crate::error::Error<Refusal, Misuse>;

crate::display::error! { Refusal:
    Self::TooLarge => "the machine does not have so many PEs",
    Self::Late { finish } => "not before the deadline; the earliest finish is {}" (finish.ticks()),
    Self::Overflow => "not before the end of time",
    Self::Full => "no entry is left for another job",
}

crate::display::error! { Misuse:
    Self::Handle(misuse) => "{misuse}",
    Self::Waits => "the job has not started",
    Self::Runs => "the job has started already",
    Self::Reserved => "the job has an interval of its own and no place in line",
    Self::NoPes => "the job asks for no PE",
    Self::NoTime => "the job asks for no time",
    Self::Overflow => "the job would end beyond the end of time",
    Self::DeadlineTooEarly => "the deadline comes before ready time plus duration",
    Self::Past => "the time lies before the last one told",
}

crate::error::error_from! { Refusal, Misuse::Handle }
