//! What the coordinator hears.

use super::{Batch, Terms};
use crate::coordinate::{JobId, variants};
use locox::timeshare::{HostId, Load, Speed, UserId};

variants! {
    /// What happened.
    pub enum Command {
        /// A user wants a job to run on so many hosts, on these terms. `synchronising` says whether its
        /// first process synchronises the others. The answer is its name.
        Submit { user: UserId, hosts: u32, synchronising: bool, terms: Terms } = 0,
        /// A job that waits is wanted no more.
        Cancel { job: JobId } = 1,
        /// A job that runs is to be killed. It keeps its hosts until its end is reported.
        Kill { job: JobId } = 2,
        /// A job that ran has ended, by itself or as it was killed, on all its hosts, all of which have heard of it
        /// or of that: see [`Status`](super::Status).
        Ended { job: JobId } = 3,
        /// A host is there. `load` is how much jobs use its processor, `speed` how fast that is, `heard` which
        /// batch it has heard. If it has started anew it was lost. A host that was lost has nothing of what it
        /// ran before, and is there again when it has started anew, or has heard its newest batch.
        HostReport { host: HostId, load: Load, speed: Speed, heard: Batch } = 4,
        /// A host is gone, and with it what ran there. Jobs that had a process there are killed. If it is alive,
        /// see what is [not promised](super#what-is-not-promised).
        HostLost { host: HostId } = 5,
        /// Nothing but time passed.
        Tick = 6,
        /// A host has so much memory for jobs, in any unit; without this none. It keeps it while it is
        /// lost. Jobs that have more than that go on.
        HostMemory { host: HostId, memory: u32 } = 7,
        /// So many `hosts` from `first` on are in a set from now on, or are not. Jobs that run stay where
        /// they are.
        NameHosts { set: u16, first: HostId, hosts: u32, named: bool } = 8,
        /// A set is to hold so many hosts, whichever: those with the fewest jobs, lost ones last; among
        /// equal ones the first.
        ChooseHosts { set: u16, hosts: u32 } = 9,
    }
}
