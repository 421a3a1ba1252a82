//! What the coordinator hears.

use crate::coordinate::{JobId, variants};
use crate::timeshare::{HostId, Load, Speed, UserId};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Command {
    /// A user wants a job to run. The answer is its name.
    Submit {
        /// Whose job it is.
        user: UserId,
        /// How many hosts it needs.
        hosts: u32,
        /// Whether its first process synchronises the others.
        synchronising: bool,
    },
    /// A job that waits is wanted no more.
    Cancel {
        /// The job.
        job: JobId,
    },
    /// A job that runs is to be killed. It keeps its hosts until its end is reported.
    Kill {
        /// The job.
        job: JobId,
    },
    /// A job that ran has ended, by itself or as it was killed, on all its hosts.
    Ended {
        /// The job.
        job: JobId,
    },
    /// A host is there. A host that was lost has nothing of what it ran before.
    HostReport {
        /// The host.
        host: HostId,
        /// How much jobs use its processor.
        load: Load,
        /// How fast it is.
        speed: Speed,
    },
    /// A host is gone, and with it what ran there. Jobs that had a process there are killed.
    HostLost {
        /// The host.
        host: HostId,
    },
    /// Nothing but time passed.
    Tick,
}

variants! { Command:
    0 => Submit { user, hosts, synchronising },
    1 => Cancel { job },
    2 => Kill { job },
    3 => Ended { job },
    4 => HostReport { host, load, speed },
    5 => HostLost { host },
    6 => Tick {},
}
