//! What the coordinator says.

use super::{Batch, JobId};
use crate::coordinate::variants;
use locox::image::{BadImage, Stored};
use locox::timeshare::{HostId, Level, UserId};

variants! {
    /// What is to be done: a host is told, one by one, all that it is to run, from the most urgent on.
    #[must_use = "the coordinator counts on it that this is done"]
    pub enum Effect {
        /// The host is to run this. `number` counts the jobs of this batch, from 0 on.
        Assign { host: HostId, batch: Batch, number: u32, assignment: Assignment } = 0,
        /// That was all of this batch, so many jobs: what else the host has is over.
        AssignmentsEnd { host: HostId, batch: Batch, jobs: u32 } = 1,
    }
}

locox::ground::data! {
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

locox::ground::cases! {
    /// Where a job is.
    pub enum Status {
        /// In the queue, with so many jobs before it.
        Waiting { ahead: u32 },
        /// On its hosts, of which `first` has its first process. So many of them are `unheard`: they have not
        /// reported that they heard of it, and may start it at any later time.
        Running { first: HostId, unheard: u32 },
        /// To be killed, or killed and not yet reported to have ended. So many of its hosts are `unheard`: they
        /// have not reported that they heard that, and may still start it. Lost hosts are not counted.
        Ending { unheard: u32 },
    }
}

locox::ground::display! { Effect:
    Self::Assign { host, batch, assignment, .. } => "host {host}, batch {batch}: {assignment}",
    Self::AssignmentsEnd { host, batch, jobs } => "host {host}, batch {batch}: these {jobs} alone",
}

locox::ground::display! { Assignment:
    Self { job, level, terminating: false, .. } => "job {job} at level {level}",
    Self { job, level, .. } => "job {job} at level {level}, to be killed",
}

/// Five words: a record of a command has room for eight behind the variant, and a host is told an assignment with
/// batch and number.
impl Stored for Assignment {
    fn store(&self, put: &mut impl FnMut(u32)) {
        self.job.store(put);
        self.user.store(put);
        let flags = u32::from(self.first) << 8 | u32::from(self.terminating) << 9;
        self.level.store(&mut |level| put(level | flags));
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let (job, user, word) = (Stored::load(take)?, Stored::load(take)?, take()?);
        if word > 0x3FF {
            return Err(BadImage::Contradiction("no such variant"));
        }
        let level = Stored::load(&mut || Ok(word & 0xFF))?;
        Ok(Self { job, user, level, first: word & 0x100 != 0, terminating: word & 0x200 != 0 })
    }
}
