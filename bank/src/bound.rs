//! How long a command may take.
//!
//! Each figure is one for each thing that a command may have to look at, and how many of those there
//! are follows from [`size`](crate::size).

use crate::Command;
use crate::size::{CUBE, DIMS, HOSTS, IMAGE, JOBS, NODES, RESERVATIONS, SHARED_JOBS, STATIONS};

/// Instructions that its record in the journal takes.
const RECORD: u32 = 6_000;
/// For each subcube that there is.
const SUBCUBE: u32 = 100;
/// For each node of the cube.
const NODE: u32 = 200;
/// For each instant at which a reservation begins or ends, and the present one.
const SLOT: u32 = 400;
/// For each row of workstations, shared hosts and reservations.
const ROW: u32 = 300;
/// For each word of an image, its part of erasing the flash included.
const WORD: u32 = 350;

const ROWS: u32 = (STATIONS + NODES + JOBS + HOSTS + SHARED_JOBS) as u32 + RESERVATIONS;

impl Command {
    /// Instructions that it takes at the most on a Cortex-M4 in the sizes of
    /// [`size`](crate::size), its record in the journal included. If the journal is full it has to wait for
    /// [`IMAGE`](Self::IMAGE) too. The firmware asserts both over the runs of `ci/bank`.
    pub const fn bound(&self) -> u32 {
        RECORD
            + match self {
                // Any subcube may be the one that is missed least.
                Self::Lease { .. } => SUBCUBE * 3u32.pow(DIMS as u32),
                Self::Free { .. } | Self::Withdraw { .. } | Self::Repair { .. } => NODE * CUBE,
                Self::Reserve { .. }
                | Self::Cancel { .. }
                | Self::FailPe { .. }
                | Self::RepairPe { .. } => SLOT * (2 * RESERVATIONS + 1),
                // All stations, all jobs; for a tick, all reservations too.
                Self::Tick | Self::Station(_) | Self::Shared(_) | Self::Run { .. } => ROW * ROWS,
            }
    }

    /// Instructions that an image takes at the most, in flash that is memory.
    pub const IMAGE: u32 = WORD * IMAGE;
}
