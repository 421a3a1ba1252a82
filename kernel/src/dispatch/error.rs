//! Why a queue says no, and what a caller did wrong.

use crate::display::Count;
use crate::handle;
use crate::time::Instant;

crate::display::errors! {
    /// Why a job is not accepted. Reasons are tried in this order: the first that holds is given. Before
    /// them it is asked whether the job makes sense.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Refusal {
        /// Never: the machine has `pes` PEs.
        TooLarge { pes: u32 } => "the machine has {} only" (Count(*pes, "PE")),
        /// It has a deadline, and no end is known until some PEs are repaired: `serving` are in service.
        Faulty { serving: u32 }
            => "the machine has {} in service only, until some are repaired" (Count(*serving, "PE")),
        /// A job that is said to run cannot: all but `free` PEs, in service or not, have jobs that run.
        TooFewFree { needed: u32, free: u32 }
            => "{} cannot run where other jobs leave {free}" (Count(*needed, "PE")),
        /// All entries hold jobs that wait or run; the queue has so many.
        Full { entries: u32 } => "there is room for {} only" (Count(*entries, "job")),
        /// It asks for what the machine does not have, even if nothing runs.
        NoPlace => "the machine has no such place, even if nothing runs",
        /// It is said to run where another job does.
        Occupied => "another job runs on these nodes",
        /// Places are held in as many rows as there are.
        NoRow => "there is no row left for what is held",
        /// Not before the end of time.
        Overflow => "not before the end of time",
        /// Not before its deadline: this is the earliest finish that would be possible.
        Late { finish: Instant } => "not before the deadline; the earliest finish is {finish}",
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
        /// More PEs are withdrawn than are in service, or repaired than are out of it.
        Outage => "more PEs than are in service, or than are out of it",
        /// The profile has another number of PEs than the machine, or fewer reservations than the queue
        /// has jobs.
        WrongProfile => "the profile is for another machine, or for fewer jobs",
        /// The job is said to run, and to have started after the present.
        Future => "the job is said to have started after the present",
    }
}

/// A [`Refusal`] or a [`Misuse`]; the queue is as before.
pub type Error = crate::error::Error<Refusal, Misuse>;

crate::error_from! { Refusal, Misuse::Handle }
