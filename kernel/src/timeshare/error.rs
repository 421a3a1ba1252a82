//! Why a job gets no hosts, and what callers do wrong.

use super::{HostId, JobNumber};

/// Why not. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// Never: the cluster has fewer hosts.
    TooLarge {
        /// Hosts that there are.
        hosts: u32,
    },
    /// Not before hosts come back: so many are there.
    Lost {
        /// Hosts that are there.
        there: u32,
    },
    /// Not now: so many hosts would take the job, at the level or among all levels where there are
    /// the most.
    TooFew {
        /// Hosts that would take it.
        free: u32,
    },
}

crate::display::error! { Refusal:
    Self::TooLarge { hosts } => "the cluster has only {hosts} hosts",
    Self::Lost { there } => "only {there} hosts are there: wait until others are back",
    Self::TooFew { free } => "only {free} hosts would take it now: wait until a job ends",
}

/// What a caller did wrong. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Misuse {
    /// There is no such host.
    NoSuchHost(HostId),
    /// There is no row for this job.
    NoSuchJob(JobNumber),
    /// The job has hosts already.
    Placed(JobNumber),
    /// The job has no hosts.
    NotPlaced(JobNumber),
    /// A job needs at least one host.
    NoHosts,
    /// A threshold is above 0 and below 1000 thousandths.
    Threshold {
        /// What was given.
        thousandths: u16,
    },
    /// A table has 1 to 8 levels, and a placement uses 1 to as many.
    Levels {
        /// What was given.
        levels: u8,
    },
    /// A column of the storage is of another length.
    Column {
        /// Its name.
        column: &'static str,
        /// Rows or words that it needs.
        needs: u32,
        /// Rows or words that it has.
        has: u32,
    },
    /// A placement picked too many or too few hosts, or some that are not free at the level.
    Placement,
}

crate::display::error! { Misuse:
    Self::NoSuchHost(host) => "there is no host {host}",
    Self::NoSuchJob(job) => "there is no row for job {job}",
    Self::Placed(job) => "job {job} has hosts already",
    Self::NotPlaced(job) => "job {job} has no hosts",
    Self::NoHosts => "a job needs at least one host",
    Self::Threshold { thousandths } =>
        "a threshold of {thousandths} thousandths is not above 0 and below 1000",
    Self::Levels { levels } => "{levels} levels are none, or too many",
    Self::Column { column, needs, has } => "{column} has {has} rows and needs {needs}",
    Self::Placement => "the placement picked hosts that do not fit",
}

crate::error::error_from! { Refusal, Misuse }
