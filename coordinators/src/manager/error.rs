//! Why the coordinator does not take a fact, a configuration or a question.

use super::{Key, NodeId, UserId};
use locox::fair;
use locox::ground::Count;
use locox::time::Instant;

locox::ground::errors! {
    /// Why not now. Nothing has changed, not even the time.
    pub enum Refusal {
        /// The rows for jobs are all in use.
        JobsFull => "all rows for jobs are in use: wait until one leaves",
        /// The rows for users are all in use, by users who are not [as new](super::User::is_as_new).
        UsersFull => "all rows for users are in use: forget one without jobs",
        /// A job that runs, or is being stopped, has this node: tell first that it has left, or that it waits.
        Taken { node: NodeId, by: Key } => "node {node} has job {by}: tell first what became of that",
        /// The rows for outages are all in use.
        OutagesFull => "all rows for outages are in use: wait until one is over",
        /// Between its time and the deadline the job has no place; the earliest finish is this.
        Late { finish: Instant } => "not before the deadline; the earliest finish is {finish}",
        /// The nodes in service have no place for the job.
        NoPlace => "the nodes in service do not lie as the job needs them",
        /// The user has so many jobs.
        HasJobs { user: UserId, jobs: u32 } => "user {user} has {}" (Count(*jobs, "job")),
    }

    /// What a caller did wrong. Nothing has changed, not even the time.
    pub enum Misuse {
        /// The time given is before one given earlier.
        TimeWentBack => "now is before a time given earlier",
        /// The time given, or that of a reservation, is above [`LATEST`](super::LATEST).
        TimeTooLate => "the time is beyond what can be counted with",
        /// There is a job of this key.
        Known => "there is such a job already",
        /// There is no job of this key.
        NoSuchJob => "there is no such job",
        /// There is no user of this number.
        NoSuchUser => "there is no such user",
        /// The job waits.
        Waits => "the job waits",
        /// The job has nodes, or is to get them.
        Runs => "the job has nodes",
        /// A job needs at least one node, and runs on one at least.
        NoNodes => "a job needs at least one node",
        /// A job needs time, and so does an outage.
        NoTime => "a job or an outage needs time",
        /// The job has no reservation.
        NoReservation => "the job has no reservation",
        /// No such outage was told.
        NoSuchOutage => "there is no such outage",
        /// There is no such node.
        NoSuchNode(node: NodeId) => "there is no node {node}",
        /// A job with nodes runs on this one already.
        Twice(node: NodeId) => "the job has node {node} already",
        /// The column of this name in the storage `has` fewer rows or words than it `needs`, or not as many as
        /// another one.
        StorageTooSmall { column: &'static str, needs: u32, has: u32 }
            => "{column} has {} and needs {needs}" (Count(*has, "row")),
        /// Nodes of subcubes are a power of two, and 65,536 at the most.
        NoCube { nodes: u32 } => "{nodes} nodes are no cube of up to 16 dimensions",
        /// A tree goes with [`Places::Tree`](super::Places::Tree), and with nothing else.
        NoTree => "places in a tree need one, and others none",
        /// So many rows for nodes are not those of the machine.
        OtherNodes { nodes: u32 } => "the machine has not {nodes} nodes",
        /// The ranking of users takes no such parameter.
        Ranking(misuse: fair::Misuse) => "{misuse}",
        /// The profile is for another number of nodes, or for fewer jobs than there are rows.
        WrongProfile => "the profile is for another machine, or for fewer jobs",
    }
}

/// A [`Refusal`] or a [`Misuse`]; nothing has changed.
pub type Error = locox::error::Error<Refusal, Misuse>;

locox::ground::error_from! { Refusal, Misuse }

/// What comes of a fact.
pub(super) type Outcome = Result<(), Error>;
