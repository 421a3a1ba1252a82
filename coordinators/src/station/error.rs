//! Why the coordinator does not take a command, a configuration or a name.

use super::NodeId;
use locox::fair::{self, StationId};
use locox::ground::Count;
use locox::handle;

locox::ground::errors! {
    /// Why not now. Nothing has changed, not even the time.
    pub enum Refusal {
        /// The rows for jobs are all in use.
        JobsFull => "all rows for jobs are in use: wait until one finishes",
        /// One station has 65,535 jobs.
        StationFull(station: StationId) => "station {station} has 65535 jobs: wait until one finishes",
        /// The message was answered already.
        Old => "the message was answered already",
        /// The message is of a boot that is over: its host was taken for lost since, or has restarted.
        /// If it has not, it drops its run and restarts, with the boot `next` or a later one.
        BootOver { next: u32 } => "this boot is over: the host restarts, with boot {next} or a later one",
        /// A message before it is missing: the number `next` is expected.
        Early { next: u32 } => "the message comes early: number {next} is expected",
    }

    /// What a caller did wrong. Nothing has changed, not even the time.
    pub enum Misuse {
        /// The time given is before one given earlier.
        TimeWentBack => "now is before a time given earlier",
        /// There is no such station.
        NoSuchStation(station: StationId) => "there is no station {station}",
        /// There is no such processor.
        NoSuchNode(node: NodeId) => "there is no node {node}",
        /// The submission is neither the station's next, which has the number `next`, nor its last one
        /// again.
        Serial { next: u32 } => "serial is out of turn: the next one is {next}",
        /// The job's name is of another pool, or the job is finished.
        Job(misuse: handle::Misuse) => "job: {misuse}",
        /// The job lives, but this run of it is over: another has taken its place, or its processor
        /// was lost.
        RunOver => "this run of the job is over",
        /// The job is cancelled, and only leaves its processor yet.
        Cancelled => "the job is cancelled",
        /// Nothing keeps the job from a processor.
        NotStopped => "nothing keeps the job from a processor",
        /// Boots and messages are counted from 1 on.
        Unnumbered => "boots and messages are counted from 1 on",
        /// What users and operators say has no sender: only reports of hosts are numbered.
        NoReport => "only reports of hosts are numbered",
        /// The parameter of this name, of a configuration or a command, must not be zero.
        Zero { parameter: &'static str } => "{parameter} must not be zero",
        /// The column of this name in the storage `has` fewer rows than it `needs`, or is not of as
        /// many stations as the others.
        StorageTooSmall { column: &'static str, needs: u32, has: u32 }
            => "{column} has {} and needs {needs}" (Count(*has, "row")),
        /// The ranking does not fit the storage, or the command.
        Ranking(misuse: fair::Misuse) => "{misuse}",
    }
}

/// A [`Refusal`] or a [`Misuse`]; nothing has changed.
pub type Error = locox::error::Error<Refusal, Misuse>;

locox::ground::error_from! { Refusal, Misuse::Job }

/// What comes of a command.
pub(super) type Outcome<T> = Result<T, Error>;
