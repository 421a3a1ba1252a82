//! What the coordinator says.

use super::{Key, UserId};
use crate::coordinate::variants;
use locox::time::Instant;

variants! {
    /// What is to be done, or to be known.
    #[must_use = "the coordinator counts on it that this is done"]
    pub enum Effect {
        /// A job is to be started on so many nodes: on [these](super::Coordinator::nodes).
        Start { key: Key, nodes: u32 } = 0,
        /// A job is to be stopped, and to wait again.
        Stop { key: Key, why: StopReason } = 1,
        /// This job is the first in line, and will start at `from` at the latest, if no node goes out, no other
        /// job goes before it, and all end by their limits; `to` is when it ends then at the latest. Not told if it waits
        /// for a job without a limit, which may run for 2^60 ticks or more.
        Promise { key: Key, from: Instant, to: Instant } = 2,
        /// A job asks for more nodes than there are, which are so many: it waits for ever. Told again whenever it is
        /// changed, held or let go, or waits again.
        Never { key: Key, nodes: u32 } = 3,
        /// A job will end after its deadline: at `finish` at the earliest while it waits, and once it has nodes at the
        /// latest, if all jobs take as long as their limits. One that runs longer is taken to end at the next tick.
        Late { key: Key, finish: Instant } = 4,
        /// A job will be stopped at this time, unless it has ended by then, or room is not needed any more.
        Notice { key: Key, at: Instant, why: StopReason } = 5,
    }
}

variants! {
    /// Why a job is stopped.
    pub enum StopReason {
        /// For this job of a user who has nothing, and whose turn it is.
        Turn { of: UserId, job: Key } = 0,
        /// For this job, which has a larger priority.
        Priority { of: UserId, job: Key } = 1,
    }
}

locox::ground::data! {
    /// When the first job in line starts and ends, at the latest.
    pub struct Promise {
        /// The job.
        pub key: Key,
        /// When it starts.
        pub from: Instant,
        /// When it ends.
        pub to: Instant,
    }
}

locox::stored!(Promise { key, from, to });

locox::ground::display! { Effect:
    Self::Start { key, nodes } => "start {key} on {}" (locox::ground::Count(*nodes, "node")),
    Self::Stop { key, why } => "stop {key}: {why}",
    Self::Promise { key, from, .. } => "{key} starts at {from} at the latest",
    Self::Never { key, nodes } => "{key} waits for ever: there are {nodes} nodes only",
    Self::Late { key, finish } => "{key} ends at {finish}, after its deadline",
    Self::Notice { key, at, why } => "{key} will be stopped at {at}: {why}",
}

locox::ground::display! { StopReason:
    Self::Turn { of, job } => "it is the turn of user {of}, whose job {job} gets its nodes",
    Self::Priority { of, job } => "job {job} of user {of}, which has a larger priority, gets its nodes",
}
