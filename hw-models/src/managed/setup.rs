//! What is simulated, and what came of it.

use super::stops::{Fate, Stop};
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{Config, NodeRange, UserId};

/// A job as it is submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Whose it is.
    pub user: UserId,
    /// How many nodes it asks for.
    pub nodes: u32,
    /// When it comes.
    pub arrives: Instant,
    /// How long it runs if nobody stops it. What is stopped goes on from what it has saved.
    pub run: Duration,
    /// For how long it may run; not less.
    pub limit: Duration,
}

/// A node is out of service for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// Which.
    pub node: u32,
    /// From when on.
    pub from: Instant,
    /// Until when.
    pub to: Instant,
}

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Of the coordinator.
    pub config: Config,
    /// How many nodes there are.
    pub nodes: u32,
    /// Where the domains of each level begin, with [`Places::Tree`](locox_coordinators::manager::Places::Tree).
    pub levels: Vec<Vec<u32>>,
    /// So often something is decided, also where nothing has happened.
    pub poll: Duration,
    /// So long a job takes to stop.
    pub stopping: Duration,
    /// Each time that a job has run for so long, more than 0, its work up to then is saved; `None`: what is stopped begins anew.
    pub checkpoint: Option<Duration>,
    /// Nodes that fail.
    pub outages: Vec<Outage>,
}

/// The last run of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// When it began.
    pub since: Instant,
    /// When it ended.
    pub until: Instant,
    /// The nodes that it had.
    pub nodes: Vec<NodeRange>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// For how long each job waited until it was first started.
    pub waits: Vec<Duration>,
    /// The last run of each job.
    pub ran: Vec<Ran>,
    /// The most jobs that waited at once.
    pub peak_queue: usize,
    /// All stops, in the order in which they were decided.
    pub stops: Vec<Stop>,
    /// Times of nodes that were lost by stops.
    pub lost: u64,
    /// Times of nodes that were not lost.
    pub done: u64,
    /// When the last job ended.
    pub end: Instant,
}

impl Outcome {
    /// How many stops had this fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.stops.iter().filter(|stop| stop.fate == fate).count()
    }
}

impl Setup {
    /// So many nodes that never fail, looked at each minute, on which a job takes a minute to stop and saves nothing.
    pub fn new(config: Config, nodes: u32, minute: Duration) -> Self {
        let (levels, outages) = (vec![], vec![]);
        Self { config, nodes, levels, poll: minute, stopping: minute, checkpoint: None, outages }
    }
}
