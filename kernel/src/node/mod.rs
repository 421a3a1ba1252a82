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
mod error;
mod local;
mod owner;

#[cfg(feature = "embedded-hal")]
pub use driver::{DriverError, NodeDriver, Polled, Probe};
pub use error::{Error, Misuse, Refusal};
pub use local::{Action, Input, Lease, LocalRule, LocalScheduler, OnReturn, Phase, Writing};
pub use owner::{Owner, OwnerActivity, OwnerLoad, OwnerRule};
