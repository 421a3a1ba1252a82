//! What the coordinator hears: names and commands.

use super::Policy;
use crate::coordinate::{stored, stored_as, variants};
use crate::handle::Handle;
use crate::time::Duration;

/// A user, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UserId(pub u32);

/// A queue, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct QueueId(pub u32);

/// A class of jobs: a row of the table of expected times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JobClass(pub u32);

/// A machine, by its number on the site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MachineId(pub u32);

/// A machine or a cluster: the machines first, then the clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ResourceId(pub u32);

crate::display::numbers! { UserId, QueueId, JobClass, MachineId, ResourceId }

/// Names a job from its submission until it finishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JobId(pub(super) Handle);

impl JobId {
    /// The name by its handle.
    pub const fn from_handle(handle: Handle) -> Self {
        Self(handle)
    }

    /// The handle that the job's row is checked against.
    pub const fn handle(self) -> Handle {
        self.0
    }
}

// The row of the job and, after a point, its generation there.
crate::display::display! { JobId: it => "{}.{}" (it.0.index(), it.0.generation().raw()) }

/// One attempt of a job on one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Run {
    /// The job.
    pub job: JobId,
    /// Counts the attempts of the job, from 1 on.
    pub attempt: u32,
}

// The job and, after a slash, the attempt.
crate::display::display! { Run: it => "{}/{}" (it.job, it.attempt) }

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

stored_as! {
    UserId: |it: UserId| it.0, UserId;
    QueueId: |it: QueueId| it.0, QueueId;
    JobClass: |it: JobClass| it.0, JobClass;
    MachineId: |it: MachineId| it.0, MachineId;
    ResourceId: |it: ResourceId| it.0, ResourceId;
    JobId: JobId::handle, JobId;
}

stored!(Run { job, attempt });

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
