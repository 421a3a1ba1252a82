//! What the coordinator says.

use super::{JobClass, ResourceId, Run};
use crate::coordinate::variants;
use locox::time::{Duration, Instant};

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

locox::ground::display! { Effect:
    Self::Dispatch { run, class, resource } =>
        "resource {resource}: start {run} of class {class}",
    Self::Preempt { run, resource } => "resource {resource}: drop {run}",
}

locox::ground::data! {
    /// What is known of a user.
    pub struct UserStatus {
        /// His jobs that wait or run.
        pub jobs: u32,
        /// How many he may have; 0 for any number.
        pub limit: u32,
        /// His clearance, for queues that ask for one.
        pub clearance: u8,
        /// His jobs that have ended; counts from 0 again after 2^32 submissions.
        pub ended: u32,
        /// What they took: the time of the run that ended, for each machine that it had in the end.
        /// Saturates.
        pub machine_time: Duration,
    }
}

locox::ground::cases! {
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
