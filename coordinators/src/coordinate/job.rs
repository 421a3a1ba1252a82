//! The names of jobs and of their attempts, which all coordinators give alike.

use locox::ground::{stored, stored_as};
use locox::handle::Handle;

locox::ground::data! {
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

// As all handles: the row of the job and, after a point, its generation there.
locox::ground::named! { JobId: "" }

/// The job and, after a slash, the attempt: `3.5/2`; in the alternate form `3.5/2 (pool 7)`.
impl core::fmt::Display for Run {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}/{}", self.job, self.attempt)?;
        if f.alternate() { write!(f, " (pool {})", self.job.0.pool()) } else { Ok(()) }
    }
}

stored_as! { JobId: JobId::handle, JobId; }

stored!(Run { job, attempt });
