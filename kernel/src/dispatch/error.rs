//! Why a queue says no, and what a caller did wrong.

use crate::handle;
use crate::time::Instant;

crate::display::errors! {
    /// Why a job is not accepted.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Refusal {
        /// Never: the machine does not have so many PEs.
        TooLarge => "the machine does not have so many PEs",
        /// Not before its deadline: this is the earliest finish that would be possible.
        Late { finish: Instant } => "not before the deadline; the earliest finish is {finish}",
        /// Not before the end of time.
        Overflow => "not before the end of time",
        /// All entries hold jobs that wait or run.
        Full => "no entry is left for another job",
    }

    /// What the caller did wrong.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Misuse {
        /// The job has ended or was cancelled, or is another queue's.
        Handle(misuse: handle::Misuse) => "{misuse}",
        /// The job waits: it cannot end, only be cancelled.
        Waits => "the job has not started",
        /// The job runs: it cannot be cancelled, only end.
        Runs => "the job has started already",
        /// The job has an interval of its own, and no place in line.
        Reserved => "the job has an interval of its own and no place in line",
        /// The job asks for no PE.
        NoPes => "the job asks for no PE",
        /// The job asks for no time.
        NoTime => "the job asks for no time",
        /// The job would end at or after [`Instant::MAX`], even if it started at once.
        Overflow => "the job would end beyond the end of time",
        /// The deadline comes before ready time plus duration.
        DeadlineTooEarly => "the deadline comes before ready time plus duration",
        /// The time lies before the last one told.
        Past => "the time lies before the last one told",
    }
}

/// A [`Refusal`] or a [`Misuse`]; the queue is as before.
pub type Error = crate::error::Error<Refusal, Misuse>;

crate::error::error_from! { Refusal, Misuse::Handle }
