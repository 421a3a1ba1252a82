//! What the coordinator is told.

use super::{JobClass, MachineId, Policy, QueueId, UserId};
use crate::coordinate::{Run, variants};
use crate::time::Duration;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
    },
    /// The run has done its job.
    Finished {
        /// The run.
        run: Run,
        /// How long it ran there.
        took: Duration,
    },
    /// The run is no longer on its machines, preempted, failed or not started. Its job begins anew.
    Vacated {
        /// The run.
        run: Run,
    },
    /// A machine is gone, and with it what ran there.
    MachineLost {
        /// The machine.
        machine: MachineId,
        /// Its start that is over.
        boot: u32,
    },
    /// A machine is there, and has nothing of what ran there at an earlier start.
    MachineBack {
        /// The machine.
        machine: MachineId,
        /// Counts its starts, from 1 on; not all numbers need occur.
        boot: u32,
    },
    /// An interconnect is down: the clusters that it serves get no job. Those that run go on.
    LinkDown {
        /// Its number.
        link: u32,
    },
    /// An interconnect is up again.
    LinkUp {
        /// Its number.
        link: u32,
    },
    /// A queue has another policy from the next mapping on.
    SetPolicy {
        /// The queue.
        queue: QueueId,
        /// The policy.
        policy: Policy,
    },
    /// A user may have so many jobs that wait or run; 0 for any number. Those that he has stay.
    SetLimit {
        /// The user.
        user: UserId,
        /// How many.
        jobs: u32,
    },
    /// Nothing but time passed.
    Tick,
}

variants! { Command:
    0 => Submit { user, serial, queue, class },
    1 => Finished { run, took },
    2 => Vacated { run },
    3 => MachineLost { machine, boot },
    4 => MachineBack { machine, boot },
    5 => LinkDown { link },
    6 => LinkUp { link },
    7 => SetPolicy { queue, policy },
    8 => SetLimit { user, jobs },
    9 => Tick {},
}
