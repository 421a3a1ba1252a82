//! Why the coordinator does not take a command.

use locox::ground::Count;
use locox::handle;
use locox::timeshare::{self, HostId};

locox::ground::errors! {
    /// Why not. Nothing has changed, not even the time.
    pub enum Refusal {
        /// The rows for jobs are all in use.
        JobsFull => "all rows for jobs are in use: wait until one ends",
        /// Never: the cluster has fewer hosts, only so many, lost ones included.
        TooLarge { hosts: u32 } => "the cluster has {} only" (Count(*hosts, "host")),
        /// Not as sets and memory of hosts are now: of the job's set only so many hosts have the memory that it
        /// needs.
        Unsuited { hosts: u32 } => "by its set and its memory it can have {} only" (Count(*hosts, "host")),
        /// The report is from before the host's latest start: late, or its count of starts went back. Or the
        /// numbers of its [batches](super::Batch) are used up. `next` is the least
        /// [count of starts](super::HostConfig::boot) with which the host may start next.
        BootOver { next: u32 } => "this boot is over: the host restarts, with boot {next} or a later one",
    }

    /// What a caller did wrong. Nothing has changed, not even the time.
    pub enum Misuse {
        /// The time given is before one given earlier.
        TimeWentBack => "now is before a time given earlier",
        /// The job's name is of another pool, or the job has ended or was cancelled.
        Job(misuse: handle::Misuse) => "job: {misuse}",
        /// The job waits: it can be cancelled, and neither ends nor is killed.
        Waits => "the job waits: cancel it",
        /// The job runs: it can be killed, and not be cancelled.
        Runs => "the job runs: kill it",
        /// A job needs at least one host.
        NoHosts => "a job needs at least one host",
        /// There is no such host.
        NoSuchHost(host: HostId) => "there is no host {host}",
        /// No set has this number, or it is that of all hosts, which is not changed.
        NoSuchSet { set: u16 } => "there is no set {set} beside that of all hosts",
        /// A configuration without [`memory`](super::Config::memory) does not look at it.
        NoMemory => "memory is not looked at: start the coordinator with it",
        /// The parameter of this name of a configuration must not be zero.
        Zero { parameter: &'static str } => "{parameter} must not be zero",
        /// The column of this name in the storage `has` fewer rows or words than it `needs`.
        StorageTooSmall { column: &'static str, needs: u32, has: u32 }
            => "{column} has {} and needs {needs}" (Count(*has, "row")),
        /// The placement or the table's columns do not fit.
        Table(misuse: timeshare::Misuse) => "{misuse}",
    }
}

/// A [`Refusal`] or a [`Misuse`]; nothing has changed.
pub type Error = locox::error::Error<Refusal, Misuse>;

locox::ground::error_from! { Refusal, Misuse::Job }
