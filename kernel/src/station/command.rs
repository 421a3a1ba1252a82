//! What the coordinator hears: names and commands.

use crate::coordinate::{stored, stored_as, variants};
use crate::fair::StationId;
use crate::handle::Handle;

/// A processor. The first ones are the stations', under their numbers; the rest is the bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NodeId(pub u32);

crate::shown::numbers! { NodeId }

impl From<StationId> for NodeId {
    /// The station's own processor.
    fn from(station: StationId) -> Self {
        Self(station.0)
    }
}

/// Names a job from its submission until it finishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JobId(pub(super) Handle);

impl JobId {
    /// The handle that the job's row is checked against.
    pub const fn handle(self) -> Handle {
        self.0
    }
}

// The row of the job and, after a point, its generation there.
crate::shown::shown! { JobId: it => "{}.{}" (it.0.index(), it.0.generation().raw()) }

/// One attempt of a job on one processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Run {
    /// The job.
    pub job: JobId,
    /// Counts the attempts of the job; not all numbers need occur.
    pub attempt: u32,
}

// The job and, after a slash, the attempt.
crate::shown::shown! { Run: it => "{}/{}" (it.job, it.attempt) }

/// The host's name for a saved state of a job; the coordinator only hands it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Checkpoint(pub u32);

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Command {
    /// A job waits at a station. The answer is its name. It is a sign of life: a station of which
    /// nothing was known is there from now on, its owner present until it says otherwise.
    Submit {
        /// The station.
        home: StationId,
        /// One more than at the station's submission before, and 1 at its first. The same once
        /// more, if the answer did not arrive, is answered with the same name.
        serial: u32,
    },
    /// A processor is available: the station's owner is away, or the processor of the bank works.
    /// Says nothing of a run that is still on it.
    NodeIdle {
        /// The processor.
        node: NodeId,
    },
    /// The owner is at the station. Its local scheduler suspends or preempts what runs there.
    OwnerBack {
        /// The station.
        station: StationId,
    },
    /// The owner left while the run was still suspended in memory, and it goes on.
    Continued {
        /// The run.
        run: Run,
    },
    /// A checkpoint is safe at the job's home.
    Checkpointed {
        /// The run.
        run: Run,
        /// The host's name for the saved state.
        checkpoint: Checkpoint,
    },
    /// The run is no longer where it was, finished or not started; what counts is its job's last
    /// checkpoint.
    Vacated {
        /// The run.
        run: Run,
    },
    /// The job is done.
    Finished {
        /// The run that finished it.
        run: Run,
    },
    /// A processor is gone, and with it what ran there; also to be said after it restarted. Jobs
    /// of a station that is gone wait until it is back; those that run elsewhere go on.
    NodeLost {
        /// The processor.
        node: NodeId,
    },
    /// Nothing but time passed.
    Tick,
}

stored_as! {
    NodeId: |it: NodeId| it.0, NodeId;
    JobId: JobId::handle, JobId;
    Checkpoint: |it: Checkpoint| it.0, Checkpoint;
}

stored!(Run { job, attempt });

variants! { Command:
    0 => Submit { home, serial },
    1 => NodeIdle { node },
    2 => OwnerBack { station },
    3 => Continued { run },
    4 => Checkpointed { run, checkpoint },
    5 => Vacated { run },
    6 => Finished { run },
    7 => NodeLost { node },
    8 => Tick {},
}
