//! A resource manager whose jobs the [coordinator of managers](locox_coordinators::manager) starts and stops.
//!
//! The coordinator that ships decides; the model ends jobs, takes its time to stop them, and looks at what came of each
//! stop: whether the job for which it was made had the nodes.

mod demand;
mod rows;
mod stops;
mod world;

pub use demand::Users;
pub use rows::Rows;
pub use stops::{Fate, Stop};

use locox::time::{Duration, Instant};
use locox_coordinators::manager::{Config, UserId};

/// A job as it is submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Whose it is.
    pub user: UserId,
    /// How many nodes it asks for.
    pub nodes: u32,
    /// When it comes.
    pub arrives: Instant,
    /// How long it runs if nobody stops it. What is stopped begins anew.
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
    /// Nodes that fail.
    pub outages: Vec<Outage>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// For how long each job waited until it was first started.
    pub waits: Vec<Duration>,
    /// All stops, in the order in which they were decided.
    pub stops: Vec<Stop>,
    /// Times of nodes that were lost by stops.
    pub lost: u64,
    /// Times of nodes of runs that ended.
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

/// Runs these jobs, sorted by their arrivals, to the end.
///
/// # Panics
///
/// If the configuration makes no sense, or a job asks for more than there is.
///
/// ```
/// use locox::time::{Duration, Instant};
/// use locox_coordinators::manager::{Config, Preemption, UserId};
/// use locox_models::managed::{Fate, Job, Setup, run};
/// let (minute, hour) = (Duration::from_ticks(60), Duration::from_ticks(3600));
/// let job = |user, arrives, nodes, run| Job { user: UserId(user), arrives: Instant::from_ticks(arrives), nodes, run, limit: run };
/// // User 1 takes all eight nodes for a day, and user 2 wants two of them for an hour.
/// let day = Duration::from_ticks(24 * 3600);
/// let jobs = [job(1, 0, 4, day), job(1, 0, 4, day), job(2, 7200, 2, hour)];
/// let preempt = Some(Preemption::standard(minute));
/// let config = Config { preempt, ..Config::standard(minute) };
/// let outcome = run(&Setup::new(config, 8, minute), &jobs);
/// assert_eq!(outcome.count(Fate::Served), 1);
/// assert!(outcome.waits[2] < Duration::from_ticks(180));
/// ```
pub fn run(setup: &Setup, jobs: &[Job]) -> Outcome {
    world::run(setup, jobs)
}

impl Setup {
    /// So many nodes that never fail, looked at each minute, on which a job takes a minute to stop.
    pub fn new(config: Config, nodes: u32, minute: Duration) -> Self {
        let (levels, outages) = (vec![], vec![]);
        Self { config, nodes, levels, poll: minute, stopping: minute, outages }
    }
}
