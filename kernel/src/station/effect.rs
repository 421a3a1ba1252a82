//! What the coordinator says: effects, and where a job is.

use super::{Checkpoint, NodeId, Run};
use crate::coordinate::variants;
use crate::fair::StationId;
use crate::time::Instant;

variants! {
    /// What is to be done.
    #[must_use = "the coordinator counts on it that this is done"]
    pub enum Effect {
        /// Ask every station whether its owner is there and which jobs wait.
        Poll = 0,
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
        } = 1,
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
        } = 2,
        /// Checkpoint the run and have it out.
        Preempt {
            /// Where it is.
            node: NodeId,
            /// The run.
            run: Run,
            /// Why.
            why: PreemptReason,
        } = 3,
        /// Checkpoint the run; it goes on.
        Checkpoint {
            /// Where it is.
            node: NodeId,
            /// The run.
            run: Run,
        } = 4,
        /// Say what became of the run: [`Heard`](super::Command::Heard) if it is still there.
        Ask {
            /// Where it is.
            node: NodeId,
            /// The run.
            run: Run,
        } = 5,
        /// So many runs of different jobs failed there in a row that it is given to nobody any more.
        SetAside {
            /// The processor.
            node: NodeId,
        } = 6,
    }
}

variants! {
    /// Why a run has to leave.
    pub enum PreemptReason {
        /// The processor goes to another station.
        Fairness {
            /// That station.
            to: StationId,
        } = 0,
        /// The job has a new place: it was suspended here, or it is called home.
        Moved {
            /// The new place.
            to: NodeId,
        } = 1,
        /// The owner came back before it was certain that the run had started, or before the station
        /// that it was to yield to could have the processor.
        Withdrawn = 2,
        /// The job was cancelled: no checkpoint is needed.
        Cancelled = 3,
        /// The job is held.
        Held = 4,
        /// The job ran for longer than it may.
        Limit = 5,
        /// The processor is drained.
        Drained = 6,
    }
}

/// Why a job that is on no processor may have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum StopReason {
    /// Its last run failed. It waits again from the first interval on that ends then.
    BackingOff {
        /// When.
        until: Instant,
    },
    /// It is held.
    Held,
    /// Too many of its runs failed.
    Failed,
    /// It ran for longer than it may.
    Limit,
}

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Status {
    /// At home.
    Waiting,
    /// At home, and may have no processor.
    Stopped {
        /// Why.
        why: StopReason,
    },
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
