//! What the coordinator says.

use super::{JobClass, ResourceId, Run};
use crate::coordinate::variants;
use crate::time::Instant;

variants! {
    /// What is to be done.
    #[must_use = "the coordinator counts on it that this is done"]
    pub enum Effect {
        /// The run, whose job is of this class, is to be on this resource; of a cluster on those
        /// [machines](super::Coordinator::machines_of) that were present when it got it.
        Dispatch { run: Run, class: JobClass, resource: ResourceId } = 0,
        /// The run is to leave the machines that it has of this resource. Its end is reported by
        /// `Vacated`, or by `Finished` if it was done before.
        Preempt { run: Run, resource: ResourceId } = 1,
    }
}

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Status {
    /// It waits.
    Waiting {
        /// Its place, and when it was expected to start there as it was mapped; `None` if it has
        /// not been mapped, or nothing that could run it is there.
        place: Option<(ResourceId, Instant)>,
    },
    /// It runs.
    Running {
        /// Where.
        resource: ResourceId,
        /// The run.
        run: Run,
        /// When it is expected to end.
        until: Instant,
    },
    /// It is to leave.
    Leaving {
        /// Where it still is.
        resource: ResourceId,
        /// The run.
        run: Run,
    },
}
