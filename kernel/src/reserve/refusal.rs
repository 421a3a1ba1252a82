//! Why a timeline says no, and what a caller did wrong. It is then as it was before the call.

use crate::display::Count;
use crate::time::Instant;
use crate::{error, handle};

crate::display::errors! {
    /// Why a request or a change has no place as things are.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Refusal {
        /// Never: the machine has `pes` PEs.
        TooLarge { pes: u32 } => "the machine has {} only" (Count(*pes, "PE")),
        /// Not even after all reservations have ended, until PEs are repaired: `serving` are in service. Or
        /// never, if the choice finds no such PEs on the whole machine.
        Faulty { serving: u32 }
            => "the machine has {} in service only, until some are repaired" (Count(*serving, "PE")),
        /// Not before the deadline: `finish` is the earliest that would be possible.
        Late { finish: Instant } => "not before the deadline; the earliest finish is {finish}",
        /// Not before the end of time.
        Overflow => "not before the end of time",
        /// Too few PEs are free in the interval, or not those, from the instant `from` on.
        Busy { from: Instant } => "the PEs are not free from {from} on",
        /// All reservations that there is room for are in use: so many.
        Full { reservations: u32 } => "there is room for {} only" (Count(*reservations, "reservation")),
        /// Never: the [`Mask`](super::Mask) of the choice allows `allowed` PEs.
        Masked { allowed: u32 } => "the mask allows {} only" (Count(*allowed, "PE")),
        /// An [`Attempt`](super::Attempt) has noted as many steps as it has room for.
        NoStep { steps: u32 } => "the attempt has room for {} only" (Count(*steps, "step")),
    }

    /// What the caller did wrong.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Misuse {
        /// No PE is asked for.
        NoPes => "the request asks for no PE",
        /// No time is asked for, or the interval ends before it starts.
        NoTime => "the request asks for no time",
        /// The end that is asked for lies at or after [`Instant::MAX`].
        Overflow => "the end lies beyond the end of time",
        /// The deadline comes before ready time plus duration.
        DeadlineTooEarly => "the deadline comes before ready time plus duration",
        /// The instant, or the beginning of the interval, lies in the past.
        Past => "the past cannot be asked about or changed",
        /// The machine does not have this PE, or so many that could be out of service.
        NoSuchPe => "the machine does not have these PEs",
        /// The set of PEs does not range over the machine's.
        WrongSet => "the set of PEs ranges over another machine",
        /// A [`Mask`](super::Mask) requires a PE that it does not allow, or more than are asked for;
        /// or it allows only some where [`Speeds`](super::Speeds) say which.
        WrongMask => "the mask requires a PE that it does not allow, or more than are asked for",
        /// No alternative is named.
        NoRequest => "no alternative is named",
        /// No time is named at which a series is to take place, or the next one begins before the one
        /// before it has ended.
        WrongSeries => "a series has no times, or one begins before the last has ended",
        /// The reservation does not exist.
        Handle(misuse: handle::Misuse) => "{misuse}",
        /// Of [`Speeds`](super::Speeds): there is no class, a speed is 0 or not below the one before it, or a
        /// class lacks a PE of the one before it.
        WrongSpeeds => "the speeds do not fall from class to class, or a class lacks PEs of the one before it",
    }
}

/// A refusal, or a misuse. What the caller did wrong is named first: whether arguments make sense comes
/// before whether there is room or a place.
pub type Error = error::Error<Refusal, Misuse>;

crate::error_from! { Refusal, Misuse::Handle }
