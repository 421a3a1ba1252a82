//! What is said on the line.

use crate::{Command, Name};
use serde::{Deserialize, Serialize};

/// What is said on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// The bank is told something.
    Do(Command),
    /// Somebody wants to know something.
    Ask(Question),
    /// Something for whoever owns the registers.
    Board(Board),
}

/// What can be asked without any consequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// What can be said.
    Help,
    /// How much is in use.
    Figures,
    /// The [digest](crate::Bank::digest) of the state.
    Digest,
    /// Where a job of the workstations is.
    Job(Name),
    /// Which leases there are.
    Leases,
    /// Which reservations have not ended.
    Reservations,
    /// Which jobs of the workstations are not finished.
    Jobs,
    /// Which jobs wait for shared hosts or run there.
    Runs,
}

/// What a board does for a test, or for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Board {
    /// From now on the time goes on by this alone, and is this tick.
    Clock(u64),
    /// The sensor of a station shows whether its owner is active.
    Sense {
        /// The station.
        station: u32,
        /// Whether he is.
        active: bool,
    },
    /// Which pins enable a guest.
    Pins,
    /// The processor is reset.
    Reset,
    /// The processor is reset within a write of the flash, after so many others.
    Cut(u32),
}
