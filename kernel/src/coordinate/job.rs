//! The names of jobs and of their attempts, which all coordinators give alike.

use super::{stored, stored_as};
use crate::handle::Handle;

crate::data::data! {
    /// Names a job of a coordinator from its submission until it ends.
    pub struct JobId(pub(crate) Handle);

    /// One attempt of a job.
    pub struct Run {
        /// The job.
        pub job: JobId,
        /// Counts the attempts of the job, from 1 on; not all numbers need occur.
        pub attempt: u32,
    }
}

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

// The job and, after a slash, the attempt.
crate::display::display! { Run: it => "{}/{}" (it.job, it.attempt) }

stored_as! { JobId: JobId::handle, JobId; }

stored!(Run { job, attempt });
