//! Why a station does not take a guest, and what callers do wrong.

crate::display::errors! {
    /// Why a guest cannot be placed now. Nothing has changed.
    #[derive(Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Refusal {
        /// The owner has the station.
        OwnerPresent => "the owner is at the station: place the job elsewhere",
        /// There is a guest already.
        Occupied => "the station has a guest job: preempt that first",
    }

    /// What a caller did wrong. The call that returns it has changed nothing.
    pub enum Misuse {
        /// The parameter of this name must not be zero.
        Zero { parameter: &'static str } => "{parameter} must not be zero",
        /// The time given is before one given earlier.
        TimeWentBack => "now is before a time given earlier",
        /// There is no guest of which something could be asked or said.
        NoGuest => "the station has no guest job",
        /// A suspended guest cannot end by itself.
        GuestSuspended => "the guest job is suspended and cannot have ended",
        /// A guest that nobody killed cannot be gone: it finished or vacates.
        NotKilled => "the guest job was not killed: report that it finished",
        /// An answer to a message that is not outstanding.
        NoMessage => "no message of the guest job is outstanding",
        /// More messages are outstanding than can be counted (65,535).
        TooManyMessages => "the guest job has 65535 messages outstanding, and cannot have more",
    }
}

/// A [`Refusal`] or a [`Misuse`]; nothing has changed.
pub type Error = crate::error::Error<Refusal, Misuse>;
