//! Why the coordinator does not take a command, a configuration or a name.

use super::NodeId;
use crate::fair::{self, StationId};
use crate::handle;

/// Why not now. Nothing has changed, not even the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// The rows for jobs are all in use.
    JobsFull,
    /// One station has 65,535 jobs.
    StationFull(StationId),
    /// The message was answered already, or is of an earlier boot.
    Old,
    /// A message before it is missing.
    Early {
        /// The number that is expected.
        next: u32,
    },
}

crate::display::error! { Refusal:
    Self::JobsFull => "all rows for jobs are in use: wait until one finishes",
    Self::StationFull(station) => "station {station} has 65535 jobs: wait until one finishes",
    Self::Old => "the message was answered already, or is of an earlier boot",
    Self::Early { next } => "the message comes early: number {next} is expected",
}

/// What a caller did wrong. Nothing has changed, not even the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Misuse {
    /// The time given is before one given earlier.
    TimeWentBack,
    /// There is no such station.
    NoSuchStation(StationId),
    /// There is no such processor.
    NoSuchNode(NodeId),
    /// The submission is neither the station's next nor its last one again.
    Serial {
        /// The number of the next one.
        next: u32,
    },
    /// The job's name is of another pool, or the job is finished.
    Job(handle::Misuse),
    /// The job lives, but this run of it is over: another has taken its place, or its processor
    /// was lost.
    RunOver,
    /// The job is cancelled, and only leaves its processor yet.
    Cancelled,
    /// Nothing keeps the job from a processor.
    NotStopped,
    /// Boots and messages are counted from 1 on.
    Unnumbered,
    /// What users and operators say has no sender: only reports of hosts are numbered.
    NoReport,
    /// The parameter of a configuration must not be zero.
    Zero {
        /// Its name.
        parameter: &'static str,
    },
    /// A column of the storage is too short, or is not of as many stations as the others.
    Column {
        /// Its name.
        column: &'static str,
        /// Rows that it needs.
        needs: u32,
        /// Rows that it has.
        has: u32,
    },
    /// The ranking does not fit the storage.
    Ranking(fair::Misuse),
}

crate::error::error_from! { Refusal, Misuse::Job }

crate::display::error! { Misuse:
    Self::TimeWentBack => "now is before a time given earlier",
    Self::NoSuchStation(station) => "there is no station {station}",
    Self::NoSuchNode(node) => "there is no node {node}",
    Self::Serial { next } => "serial is out of turn: the next one is {next}",
    Self::Job(misuse) => "job: {misuse}",
    Self::RunOver => "this run of the job is over",
    Self::Cancelled => "the job is cancelled",
    Self::NotStopped => "nothing keeps the job from a processor",
    Self::NoReport => "only reports of hosts are numbered",
    Self::Unnumbered => "boots and messages are counted from 1 on",
    Self::Zero { parameter } => "{parameter} must not be zero",
    Self::Column { column, needs, has } => "{column} has {has} rows and needs {needs}",
    Self::Ranking(misuse) => "{misuse}",
}
