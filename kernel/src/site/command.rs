//! What the coordinator is told.

use super::{JobClass, MachineId, Policy, QueueId, UserId};
use crate::coordinate::{Run, variants};
use crate::time::Duration;

variants! {
    /// What happened.
    pub enum Command {
        /// A user wants a job to run. The answer is its name.
        Submit {
            /// Whose job it is.
            user: UserId,
            /// One more than at the user's submission before, and 1 at the first. The same once more,
            /// if the answer did not arrive, is answered with the same name.
            serial: u32,
            /// Which queue it joins.
            queue: QueueId,
            /// What it is like.
            class: JobClass,
        } = 0,
        /// The run has done its job.
        Finished {
            /// The run.
            run: Run,
            /// How long it ran there.
            took: Duration,
        } = 1,
        /// The run is no longer on its machines, preempted, failed or not started. Its job begins anew.
        Vacated {
            /// The run.
            run: Run,
        } = 2,
        /// A machine is gone, and with it what ran there.
        MachineLost {
            /// The machine.
            machine: MachineId,
            /// Its start that is over.
            boot: u32,
        } = 3,
        /// A machine is there, and has nothing of what ran there at an earlier start.
        MachineBack {
            /// The machine.
            machine: MachineId,
            /// Counts its starts, from 1 on; not all numbers need occur.
            boot: u32,
        } = 4,
        /// An interconnect is down: the clusters that it serves get no job. Those that run go on.
        LinkDown {
            /// Its number.
            link: u32,
        } = 5,
        /// An interconnect is up again.
        LinkUp {
            /// Its number.
            link: u32,
        } = 6,
        /// A queue has another policy from the next mapping on.
        SetPolicy {
            /// The queue.
            queue: QueueId,
            /// The policy.
            policy: Policy,
        } = 7,
        /// A user may have so many jobs that wait or run; 0 for any number. Those that he has stay.
        SetLimit {
            /// The user.
            user: UserId,
            /// How many.
            jobs: u32,
        } = 8,
        /// Nothing but time passed.
        Tick = 9,
    }
}
