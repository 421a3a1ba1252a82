//! Why a job gets no hosts, and what callers do wrong.

use super::{HostId, JobNumber};
use crate::display::Count;

crate::display::errors! {
    /// Why not. Nothing has changed.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Refusal {
        /// Never: so many hosts are all that the cluster has.
        TooLarge { hosts: u32 } => "the cluster has {} only" (Count(*hosts, "host")),
        /// Not before hosts come back: so many are there.
        Lost { there: u32 } => "the cluster has {} there only: wait until others are back" (Count(*there, "host")),
        /// Not now: so many hosts would take the job, at the level or among all levels where there
        /// are the most.
        TooFew { free: u32 } => "now the job can have {} only: wait until a job ends" (Count(*free, "host")),
    }

    /// What a caller did wrong. Nothing has changed.
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub enum Misuse {
        /// There is no such host.
        NoSuchHost(host: HostId) => "there is no host {host}",
        /// There is no row for this job.
        NoSuchJob(job: JobNumber) => "there is no row for job {job}",
        /// The job has hosts already.
        Placed(job: JobNumber) => "job {job} has hosts already",
        /// The job has no hosts.
        NotPlaced(job: JobNumber) => "job {job} has no hosts",
        /// A job needs at least one host.
        NoHosts => "a job needs at least one host",
        /// A threshold is above 0 and below 1000 thousandths; this one is not.
        Threshold { thousandths: u16 }
            => "a threshold of {thousandths} thousandths is not above 0 and below 1000",
        /// A table has 1 to 8 levels, and a placement uses 1 to as many; so many are neither.
        Levels { levels: u8 } => "{levels} levels are none, or too many",
        /// A column of the storage is of another length: its name, the rows or words that it needs,
        /// and those that it has.
        StorageTooSmall { column: &'static str, needs: u32, has: u32 }
            => "{column} has {} and needs {needs}" (Count(*has, "row")),
        /// A placement picked too many or too few hosts, or some that are not free at the level.
        Placement => "the placement picked hosts that do not fit",
    }
}

/// A [`Refusal`] or a [`Misuse`]; nothing has changed.
pub type Error = crate::error::Error<Refusal, Misuse>;

crate::error_from! { Refusal, Misuse }
