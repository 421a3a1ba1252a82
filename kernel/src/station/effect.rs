//! What the coordinator says: effects, and where a job is.

use super::{Checkpoint, NodeId, Run};
use crate::coordinate::variants;
use crate::fair::StationId;
use crate::time::Instant;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the coordinator counts on it that this is done"]
pub enum Effect {
    /// Ask every station whether its owner is there and which jobs wait.
    Poll,
    /// Start the job from its beginning.
    Place {
        /// Where.
        node: NodeId,
        /// As this run.
        run: Run,
        /// From which station; its own processor needs no transfer.
        home: StationId,
        /// When the transfer should be over.
        begins: Instant,
    },
    /// Start the job from its last checkpoint.
    Resume {
        /// Where.
        node: NodeId,
        /// As this run.
        run: Run,
        /// From which station; its own processor needs no transfer.
        home: StationId,
        /// The host's name for the saved state.
        checkpoint: Checkpoint,
        /// When the transfer should be over.
        begins: Instant,
    },
    /// Checkpoint the run and have it out.
    Preempt {
        /// Where it is.
        node: NodeId,
        /// The run.
        run: Run,
        /// Why.
        why: Why,
    },
    /// Checkpoint the run; it goes on.
    Checkpoint {
        /// Where it is.
        node: NodeId,
        /// The run.
        run: Run,
    },
}

/// Why a run has to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Why {
    /// The processor goes to another station.
    Fairness {
        /// That station.
        to: StationId,
    },
    /// The job has a new place: it was suspended here, or it is called home.
    Moved {
        /// The new place.
        to: NodeId,
    },
    /// The owner came back before it was certain that the run had started, or before the station
    /// that it was to yield to could have the processor.
    Withdrawn,
}

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Status {
    /// At home.
    Waiting,
    /// A processor is kept for it, on which another run is still leaving.
    Placed {
        /// The processor.
        node: NodeId,
    },
    /// On its way to a processor, or running there.
    Running {
        /// The processor.
        node: NodeId,
    },
    /// Suspended, or being checkpointed.
    Leaving {
        /// Where it is still.
        node: NodeId,
        /// The processor that is kept for it.
        next: Option<NodeId>,
    },
}

variants! { Effect:
    0 => Poll {},
    1 => Place { node, run, home, begins },
    2 => Resume { node, run, home, checkpoint, begins },
    3 => Preempt { node, run, why },
    4 => Checkpoint { node, run },
}

variants! { Why:
    0 => Fairness { to },
    1 => Moved { to },
    2 => Withdrawn {},
}
