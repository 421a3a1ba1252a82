//! What runs on each workstation: is the owner there, and what becomes of a guest job.
//!
//! [`OwnerActivity`] decides from samples of the owner's load whether the station is available;
//! [`LocalScheduler`] gets a guest job out of the owner's way, with a checkpoint if there is time
//! for one. With the feature `embedded-hal` there is `NodeDriver`, which puts both behind pins, so that a
//! firmware and a model run the same code. All three are driven by the caller's time and say when they want to be called next.
//!
//! Source: Mutka and Livny (1987), section 2, and the slides on the same work and on Condor: the
//! local scheduler looks every half minute whether the owner is back, and preempts at once.

#[cfg(feature = "embedded-hal")]
mod driver;
mod local;
mod owner;

#[cfg(feature = "embedded-hal")]
pub use driver::{DriverError, NodeDriver, Polled, Probe};
pub use local::{
    Action, Input, Lease, LocalRule, LocalScheduler, OnReturn, Phase, Refusal, Writing,
};
pub use owner::{Load, Owner, OwnerActivity, OwnerRule};

crate::display::errors! {
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
    }
}

/// A [`Refusal`] or a [`Misuse`]; nothing has changed.
pub type Error = crate::error::Error<Refusal, Misuse>;
