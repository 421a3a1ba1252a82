//! What the coordinator hears.

use crate::coordinate::{JobId, variants};
use crate::timeshare::{HostId, Load, Speed, UserId};

variants! {
    /// What happened.
    pub enum Command {
        /// A user wants a job to run on so many hosts. `synchronising` says whether its first process
        /// synchronises the others. The answer is its name.
        Submit { user: UserId, hosts: u32, synchronising: bool } = 0,
        /// A job that waits is wanted no more.
        Cancel { job: JobId } = 1,
        /// A job that runs is to be killed. It keeps its hosts until its end is reported.
        Kill { job: JobId } = 2,
        /// A job that ran has ended, by itself or as it was killed, on all its hosts.
        Ended { job: JobId } = 3,
        /// A host is there. `load` is how much jobs use its processor, `speed` how fast that is. A host
        /// that was lost has nothing of what it ran before.
        HostReport { host: HostId, load: Load, speed: Speed } = 4,
        /// A host is gone, and with it what ran there. Jobs that had a process there are killed.
        HostLost { host: HostId } = 5,
        /// Nothing but time passed.
        Tick = 6,
    }
}
