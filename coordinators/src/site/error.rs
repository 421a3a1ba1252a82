//! Why the coordinator does not take a command.

use super::{JobClass, MachineId, QueueId, UserId};
use locox::ground::Count;
use locox::handle;

locox::ground::errors! {
    /// Why not. Nothing has changed, not even the time.
    pub enum Refusal {
        /// The rows for jobs are all in use.
        JobsFull => "all rows for jobs are in use: wait until one ends",
        /// The queue takes jobs only of users with at least this clearance.
        NoAccess { clearance: u8 } => "the queue is for users of clearance {clearance} and higher",
        /// The user has as many jobs as he may have.
        Limit { jobs: u32 } => "the user has {}, which is as many as he may have" (Count(*jobs, "job")),
        /// No machine of the site can ever run jobs of this class.
        NoMachine(class: JobClass) => "no machine of the site can run jobs of class {class}",
        /// It is over: a run or a start of a machine that a later one has followed. A message that
        /// arrives late or once more is answered with it.
        Old => "that is over",
    }

    /// What a caller did wrong. Nothing has changed, not even the time.
    pub enum Misuse {
        /// The time given is before one given earlier.
        TimeWentBack => "now is before a time given earlier",
        /// The job's name is of another pool, or was never given.
        Job(misuse: handle::Misuse) => "job: {misuse}",
        /// The submission is neither the user's next, which has the number `next`, nor the last one again.
        Serial { next: u32 } => "serial is out of turn: the next one is {next}",
        /// There is no such user.
        NoSuchUser(user: UserId) => "there is no user {user}",
        /// There is no such queue.
        NoSuchQueue(queue: QueueId) => "there is no queue {queue}",
        /// There is no such class of jobs.
        NoSuchClass(class: JobClass) => "there is no class of jobs {class}",
        /// There is no such machine.
        NoSuchMachine(machine: MachineId) => "there is no machine {machine}",
        /// No cluster is served by this interconnect.
        NoSuchLink(link: u32) => "no cluster is served by interconnect {link}",
        /// A queue that takes places has to come before all that do not, and one that loses them
        /// behind all that do not.
        Claims(queue: QueueId)
            => "the level of queue {queue} does not agree with who takes places from whom",
        /// The parameter of this name of a configuration, or the count of the column, must not be zero.
        Zero { parameter: &'static str } => "{parameter} must not be zero",
        /// The column of this name in the storage, or in what is known beforehand, `has` fewer rows
        /// than it `needs`.
        StorageTooSmall { column: &'static str, needs: u32, has: u32 }
            => "{column} has {} and needs {needs}" (Count(*has, "row")),
        /// There are more queues, or more rows, than can be numbered.
        TooMany => "there are more rows than can be numbered",
        /// An expected time is so long that sums of them are beyond any clock.
        TooLong => "an expected time is too long for so many jobs",
    }
}

/// A [`Refusal`] or a [`Misuse`]; nothing has changed.
pub type Error = locox::error::Error<Refusal, Misuse>;

locox::ground::error_from! { Refusal, Misuse::Job }

/// What comes of a command.
pub(super) type Outcome<T> = Result<T, Error>;
