//! What the coordinator hears: names, commands, and why it refuses one.

use crate::fair::StationId;
use crate::handle::{Handle, Misuse};
use core::fmt;

/// A processor. The first ones are the stations', under their numbers; the rest is the bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NodeId(pub u32);

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
    /// A job waits at a station. The answer is its name.
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

/// Why a command is refused. Nothing has changed, not even the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum CommandError {
    /// The time given is before one given earlier.
    TimeWentBack,
    /// There is no such station.
    NoSuchStation(StationId),
    /// There is no such processor.
    NoSuchNode(NodeId),
    /// The rows for jobs are all in use: not now.
    JobsFull,
    /// One station has 65,535 jobs: not now.
    StationFull(StationId),
    /// The submission is neither the station's next nor its last one again.
    Serial {
        /// The number of the next one.
        next: u32,
    },
    /// The job's name is of another pool, or the job is finished.
    Job(Misuse),
    /// The job lives, but this run of it is over: another has taken its place, or its processor
    /// was lost.
    RunOver,
}

impl CommandError {
    /// The name of the parameter at fault.
    pub const fn parameter(&self) -> &'static str {
        match self {
            Self::TimeWentBack => "now",
            Self::NoSuchStation(_) => "station",
            Self::NoSuchNode(_) => "node",
            Self::JobsFull => "jobs",
            Self::StationFull(_) => "home",
            Self::Serial { .. } => "serial",
            Self::Job(_) => "job",
            Self::RunOver => "run",
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeWentBack => f.write_str("now is before a time given earlier"),
            Self::NoSuchStation(station) => write!(f, "there is no station {}", station.0),
            Self::NoSuchNode(node) => write!(f, "there is no node {}", node.0),
            Self::JobsFull => f.write_str("all rows for jobs are in use: wait until one finishes"),
            Self::StationFull(station) => {
                write!(f, "station {} has 65535 jobs: wait until one finishes", station.0)
            }
            Self::Serial { next } => write!(f, "serial is out of turn: the next one is {next}"),
            Self::Job(misuse) => misuse.fmt(f),
            Self::RunOver => f.write_str("this run of the job is over"),
        }
    }
}

impl core::error::Error for CommandError {}
