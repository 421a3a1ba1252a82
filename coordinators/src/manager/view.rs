//! What is known of jobs, nodes and users, as others see it.

use super::{Key, NodeRange, UserId};
use locox::ground::Count;
use locox::time::{Duration, Instant};

locox::ground::cases! {
    /// What a job does, as far as is known and decided.
    pub enum Status {
        /// It waits in line.
        Waiting,
        /// It waits, and somebody holds it.
        Held,
        /// It waits, and asks for more nodes than there are.
        Never,
        /// It is to be started, on its nodes; that it runs has not been told yet.
        Starting,
        /// It runs.
        Running,
        /// It runs, and is to be stopped, to wait again.
        Stopping,
    }

    /// Why a job waits. If several hold, the first one is named. [`Divided`](Self::Divided),
    /// [`Fragmented`](Self::Fragmented), [`NoPlace`](Self::NoPlace), [`NoFreePlace`](Self::NoFreePlace), [`Planned`](Self::Planned) and [`WouldDelay`](Self::WouldDelay) are as of the last decision, and named until
    /// the next fact; the others are as of now.
    pub enum Reason {
        /// Somebody holds it.
        Held,
        /// Nodes are kept for it from this time on.
        Reserved { from: Instant },
        /// Others stop for it, and it starts when they have.
        Room,
        /// It asks for more nodes than there are, which are so many.
        TooLarge { nodes: u32 },
        /// It asks for more nodes than are in service, which are so many.
        Outage { serving: u32 },
        /// The nodes in service have no subcube of as many nodes, even while nothing runs: the largest has so many.
        Divided { largest: u32 },
        /// It asks for more nodes than are free, which are so many.
        TooFewFree { free: u32 },
        /// Enough nodes are free, and no free subcube has as many: the largest has so many.
        Fragmented { largest: u32 },
        /// Enough nodes are free, and those in service do not lie as it needs them, even while nothing runs.
        NoPlace,
        /// Enough nodes are free, and they do not lie as it needs them.
        NoFreePlace,
        /// Enough nodes are free, and with its limit it would run into a planned outage, or into a reservation, which is one for all others.
        Planned,
        /// Enough nodes are free, and it would delay this one, which is the first in line.
        WouldDelay { first: Key },
        /// Enough nodes are free, and a fact was told since the last decision: the next one starts it, or says why not.
        Undecided,
    }
}

locox::ground::display! { Reason:
    Self::Held => "somebody holds it",
    Self::Reserved { from } => "it is to start at {from}",
    Self::Room => "it starts when others have stopped for it",
    Self::TooLarge { nodes } => "it asks for more than all {nodes} nodes",
    Self::Outage { serving } => "it asks for more nodes than the {serving} in service",
    Self::Divided { largest } => "the largest subcube in service has {}" (Count(*largest, "node")),
    Self::Fragmented { largest } => "the largest free subcube has {}" (Count(*largest, "node")),
    Self::NoPlace => "the nodes in service do not lie as it needs them",
    Self::NoFreePlace => "the nodes that are free do not lie as it needs them",
    Self::Planned => "it would run into a planned outage",
    Self::TooFewFree { free } => "it asks for more nodes than the {free} that are free",
    Self::WouldDelay { first } => "it would delay {first}, the first in line",
    Self::Undecided => "nothing was decided since something changed",
}

locox::ground::data! {
    /// Nodes that are to be out of service for some time.
    pub struct Outage {
        /// Which.
        pub nodes: NodeRange,
        /// From when on.
        pub from: Instant,
        /// Until when.
        pub to: Instant,
    }

    /// A job, as it is known.
    pub struct Job {
        /// Its name.
        pub key: Key,
        /// Whose it is.
        pub user: UserId,
        /// How many nodes it asks for.
        pub nodes: u32,
        /// The sides of the mesh that it is to be, if that was told; else zeros.
        pub sides: [u32; 3],
        /// How many nodes have to be free for it: those of a subcube if it needs one.
        pub needs: u32,
        /// For how long it may run.
        pub limit: Duration,
        /// Its priority; a larger one is served earlier.
        pub priority: u32,
        /// Whether somebody holds it.
        pub held: bool,
        /// Whether it may be stopped for another.
        pub stoppable: bool,
        /// What it does.
        pub status: Status,
        /// How often it got nodes, counting those that it has.
        pub attempt: u32,
        /// Since when it has nodes; of one that is to be started, when that was decided.
        pub since: Option<Instant>,
        /// By when it is to end.
        pub deadline: Option<Instant>,
        /// When it ends, if that is after its deadline, as of the last decision: at the earliest while it waits, and at
        /// the latest once it has nodes. A job that runs longer than its limit is taken to end at the next tick.
        pub late: Option<Instant>,
    }

    /// A node, as it is known.
    pub struct Node {
        /// The job that has it, or is to get it.
        pub job: Option<Key>,
        /// Whether it is out of service.
        pub out: bool,
    }

    /// A user, as he is known.
    pub struct User {
        /// His number.
        pub id: UserId,
        /// His jobs.
        pub jobs: u32,
        /// Those of them that stand in line.
        pub waiting: u32,
        /// Nodes that they have. The ranking counts 65,535 of them at the most.
        pub nodes: u32,
        /// His share.
        pub weight: u16,
        /// His index in the ranking, in units of 2^-40 nodes times half-lives. A lower one is served earlier.
        /// [`Coordinator::users`](super::Coordinator::users) says as of when it is.
        pub index: i64,
    }
}

impl User {
    /// Whether the ranking takes him for a user who was never there: he has no job, a weight of 1, and an index of 0, or
    /// of -1, where one that rises ends. A new user gets his row if all are in use.
    pub const fn is_as_new(&self) -> bool {
        self.jobs == 0 && self.weight == 1 && matches!(self.index, -1..=0)
    }
}
