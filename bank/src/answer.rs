//! What a command is answered with.

use crate::Name;
use locox::cube::Subcube;
use serde::{Deserialize, Serialize};

/// What a command that was taken is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It is done.
    Done,
    /// A subcube was granted.
    Leased {
        /// What to call it.
        lease: Name,
        /// Its nodes.
        cube: Subcube,
    },
    /// PEs were reserved.
    Reserved {
        /// What to call it.
        reservation: Name,
        /// From this tick on.
        start: u64,
        /// Up to this tick.
        end: u64,
        /// Which PEs: a bit each.
        pes: u32,
    },
    /// A job waits.
    Job {
        /// What to call it.
        job: Name,
    },
}
