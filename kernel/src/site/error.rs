//! Why the coordinator does not take a command.

use super::{JobClass, MachineId, QueueId, UserId};
use crate::handle;

/// Why not. Nothing has changed, not even the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// The rows for jobs are all in use.
    JobsFull,
    /// The user has as many jobs as he may have.
    Limit {
        /// How many.
        jobs: u32,
    },
    /// No machine of the site can ever run jobs of this class.
    NoMachine(JobClass),
    /// It is over: a submission, a run or a start of a machine that a later one has followed. A
    /// message that arrives late or once more is answered with it.
    Old,
    /// A submission before it has not arrived.
    Early {
        /// The serial that is next.
        next: u32,
    },
}

crate::display::error! { Refusal:
    Self::JobsFull => "all rows for jobs are in use: wait until one ends",
    Self::Limit { jobs } => "the user has {jobs} jobs, which is as many as he may have",
    Self::NoMachine(class) => "no machine of the site can run jobs of class {}" (class),
    Self::Old => "that is over",
    Self::Early { next } => "the submission with serial {next} comes first",
}

/// What a caller did wrong. Nothing has changed, not even the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Misuse {
    /// The time given is before one given earlier.
    TimeWentBack,
    /// The job's name is of another pool, or was never given.
    Job(handle::Misuse),
    /// There is no such user.
    NoSuchUser(UserId),
    /// There is no such queue.
    NoSuchQueue(QueueId),
    /// There is no such class of jobs.
    NoSuchClass(JobClass),
    /// There is no such machine.
    NoSuchMachine(MachineId),
    /// No cluster is served by this interconnect.
    NoSuchLink(u32),
    /// A queue that takes places has to come before all that do not, and one that loses them
    /// behind all that do not.
    Claims(QueueId),
    /// The parameter of a configuration, or the count of a column, must not be zero.
    Zero {
        /// Its name.
        parameter: &'static str,
    },
    /// A column of the storage is too short, or one of what is known beforehand.
    Column {
        /// Its name.
        column: &'static str,
        /// Rows that it needs.
        needs: u32,
        /// Rows that it has.
        has: u32,
    },
    /// There are more queues, or more rows, than can be numbered.
    TooMany,
    /// An expected time is so long that sums of them are beyond any clock.
    TooLong,
}

crate::error::error_from! { Refusal, Misuse::Job }

crate::display::error! { Misuse:
    Self::TimeWentBack => "now is before a time given earlier",
    Self::Job(misuse) => "job: {misuse}",
    Self::NoSuchUser(user) => "there is no user {user}",
    Self::NoSuchQueue(queue) => "there is no queue {queue}",
    Self::NoSuchClass(class) => "there is no class of jobs {class}",
    Self::NoSuchMachine(machine) => "there is no machine {machine}",
    Self::NoSuchLink(link) => "no cluster is served by interconnect {link}",
    Self::Claims(queue) => "the level of queue {queue} does not agree with who takes places from whom",
    Self::Zero { parameter } => "{parameter} must not be zero",
    Self::Column { column, needs, has } => "{column} has {has} rows and needs {needs}",
    Self::TooMany => "there are more rows than can be numbered",
    Self::TooLong => "an expected time is too long for so many jobs",
}
