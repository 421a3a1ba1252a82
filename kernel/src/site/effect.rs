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

crate::display::display! { Effect:
    Self::Dispatch { run, class, resource } =>
        "resource {resource}: start {run} of class {class}",
    Self::Preempt { run, resource } => "resource {resource}: drop {run}",
}

crate::data::cases! {
    /// Where a job is.
    pub enum Status {
        /// It waits: its place, and when it was expected to start there as it was mapped; `None` if
        /// it has not been mapped, or nothing that could run it is there.
        Waiting { place: Option<(ResourceId, Instant)> },
        /// It runs, and is expected to end then.
        Running { resource: ResourceId, run: Run, until: Instant },
        /// It is to leave the resource.
        Leaving { resource: ResourceId, run: Run },
    }
}
