//! What the coordinator is told.

use super::{JobClass, MachineId, Policy, QueueId, UserId};
use crate::coordinate::{Run, variants};
use locox::time::Duration;

variants! {
    /// What happened.
    pub enum Command {
        /// A user wants a job of this class to run, and it joins this queue. The answer is its name.
        /// `serial` is one more than at the user's submission before, and 1 at the first. The same once
        /// more, if the answer did not arrive, is answered with the same name.
        Submit { user: UserId, serial: u32, queue: QueueId, class: JobClass } = 0,
        /// The run has done its job, and `took` so long for it.
        Finished { run: Run, took: Duration } = 1,
        /// The run is no longer on its machines, preempted, failed or not started. Its job begins anew.
        Vacated { run: Run } = 2,
        /// A machine is gone, and with it what ran there; its start of the number `boot` is over.
        MachineLost { machine: MachineId, boot: u32 } = 3,
        /// A machine is there, and has nothing of what ran there at an earlier start. `boot` counts its
        /// starts, from 1 on; not all numbers need occur.
        MachineBack { machine: MachineId, boot: u32 } = 4,
        /// The interconnect of this number is down: the clusters that it serves get no job. Those that
        /// run go on.
        LinkDown { link: u32 } = 5,
        /// The interconnect of this number is up again.
        LinkUp { link: u32 } = 6,
        /// A queue has another policy from the next mapping on.
        SetPolicy { queue: QueueId, policy: Policy } = 7,
        /// A user may have so many jobs that wait or run; 0 for any number. Those that he has stay.
        SetLimit { user: UserId, jobs: u32 } = 8,
        /// Nothing but time passed.
        Tick = 9,
        /// A user has this clearance: 0, as at first, or more. Queues may ask for one
        /// ([`Policy::clearance`]). Jobs that are in a queue stay in it.
        SetClearance { user: UserId, clearance: u8 } = 10,
    }
}
