//! What the coordinator hears.

use crate::coordinate::{JobId, variants};
use crate::timeshare::{HostId, Load, Speed, UserId};

variants! {
    /// What happened.
    pub enum Command {
        /// A user wants a job to run. The answer is its name.
        Submit {
            /// Whose job it is.
            user: UserId,
            /// How many hosts it needs.
            hosts: u32,
            /// Whether its first process synchronises the others.
            synchronising: bool,
        } = 0,
        /// A job that waits is wanted no more.
        Cancel {
            /// The job.
            job: JobId,
        } = 1,
        /// A job that runs is to be killed. It keeps its hosts until its end is reported.
        Kill {
            /// The job.
            job: JobId,
        } = 2,
        /// A job that ran has ended, by itself or as it was killed, on all its hosts.
        Ended {
            /// The job.
            job: JobId,
        } = 3,
        /// A host is there. A host that was lost has nothing of what it ran before.
        HostReport {
            /// The host.
            host: HostId,
            /// How much jobs use its processor.
            load: Load,
            /// How fast it is.
            speed: Speed,
        } = 4,
        /// A host is gone, and with it what ran there. Jobs that had a process there are killed.
        HostLost {
            /// The host.
            host: HostId,
        } = 5,
        /// Nothing but time passed.
        Tick = 6,
    }
}
