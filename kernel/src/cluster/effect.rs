//! What the coordinator says.

use super::JobId;
use crate::coordinate::{stored, variants};
use crate::timeshare::{HostId, Level, UserId};

variants! {
    /// What is to be done: a host is told, one by one, all that it is to run, from the most urgent on.
    #[must_use = "the coordinator counts on it that this is done"]
    pub enum Effect {
        /// The host is to run this. `number` counts the jobs that it has been told of, from 0 on; with
        /// 0 it begins anew.
        Assign { host: HostId, number: u32, assignment: Assignment } = 0,
        /// That was all, so many jobs: what else the host has is over.
        AssignmentsEnd { host: HostId, jobs: u32 } = 1,
    }
}

crate::data::data! {
    /// A job on a host, as the host is told of it.
    pub struct Assignment {
        /// The job.
        pub job: JobId,
        /// Whose it is.
        pub user: UserId,
        /// How urgent it is there.
        pub level: Level,
        /// Whether its first process is there, which starts the others.
        pub first: bool,
        /// Whether it is to be killed.
        pub terminating: bool,
    }
}

crate::data::cases! {
    /// Where a job is.
    pub enum Status {
        /// In the queue, with so many jobs before it.
        Waiting { ahead: u32 },
        /// On its hosts, of which the first has its first process.
        Running { first: HostId },
        /// To be killed, or killed and not yet reported to have ended.
        Ending,
    }
}

crate::display::display! { Effect:
    Self::Assign { host, assignment, .. } => "host {host}: {assignment}",
    Self::AssignmentsEnd { host, jobs } => "host {host}: these {jobs} alone",
}

crate::display::display! { Assignment:
    Self { job, level, terminating: false, .. } => "job {job} at level {level}",
    Self { job, level, .. } => "job {job} at level {level}, to be killed",
}

stored!(Assignment { job, user, level, first, terminating });
