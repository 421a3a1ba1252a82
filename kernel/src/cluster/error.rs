//! Why the coordinator does not take a command.

use crate::handle;
use crate::timeshare::{self, HostId};

/// Why not. Nothing has changed, not even the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// The rows for jobs are all in use.
    JobsFull,
    /// Never: the cluster has fewer hosts.
    TooLarge {
        /// Hosts that there are, lost ones included.
        hosts: u32,
    },
}

crate::display::error! { Refusal:
    Self::JobsFull => "all rows for jobs are in use: wait until one ends",
    Self::TooLarge { hosts } => "the cluster has only {hosts} hosts",
}

/// What a caller did wrong. Nothing has changed, not even the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Misuse {
    /// The time given is before one given earlier.
    TimeWentBack,
    /// The job's name is of another pool, or the job has ended or was cancelled.
    Job(handle::Misuse),
    /// The job waits: it can be cancelled, and neither ends nor is killed.
    Waits,
    /// The job runs: it can be killed, and not be cancelled.
    Runs,
    /// A job needs at least one host.
    NoHosts,
    /// There is no such host.
    NoSuchHost(HostId),
    /// The parameter of a configuration must not be zero.
    Zero {
        /// Its name.
        parameter: &'static str,
    },
    /// A column of the storage is too short.
    Column {
        /// Its name.
        column: &'static str,
        /// Rows or words that it needs.
        needs: u32,
        /// Rows or words that it has.
        has: u32,
    },
    /// The placement or the table's columns do not fit.
    Table(timeshare::Misuse),
}

crate::error::error_from! { Refusal, Misuse::Job }

crate::display::error! { Misuse:
    Self::TimeWentBack => "now is before a time given earlier",
    Self::Job(misuse) => "job: {misuse}",
    Self::Waits => "the job waits: cancel it",
    Self::Runs => "the job runs: kill it",
    Self::NoHosts => "a job needs at least one host",
    Self::NoSuchHost(host) => "there is no host {host}",
    Self::Zero { parameter } => "{parameter} must not be zero",
    Self::Column { column, needs, has } => "{column} has {has} rows and needs {needs}",
    Self::Table(misuse) => "{misuse}",
}
