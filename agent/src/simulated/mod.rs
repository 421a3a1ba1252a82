//! A resource manager that is simulated, with its cluster, its users and all that goes wrong: for tests, and to
//! look at the agent without a cluster.
//!
//! Its clock goes on by [`World::poll`] seconds with each snapshot. Everything comes from a seed.

mod acts;
mod checked;
mod cluster;
mod file;
mod job;
mod numbers;
mod told;
mod trouble;
mod watch;
mod world;

pub use file::SimulatedFile;
pub use watch::{check_acts, check_end};
pub use world::{Trouble, World};

use crate::backend::{Abilities, Act, Backend, BackendError, Outcome, Snapshot};
use cluster::Cluster;
use job::Job;
use numbers::Numbers;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A simulated manager.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Simulated {
    world: World,
    numbers: Numbers,
    cluster: Cluster,
    /// What the controller goes back to when it is killed.
    stored: Option<Box<Cluster>>,
    /// Jobs that come, the last one first, with the seconds from the beginning on.
    to_come: Vec<(u64, Job)>,
    names: Vec<String>,
    /// What was told last.
    #[serde(skip)]
    told: Option<Snapshot>,
    /// Submissions that the manager itself forgot, or had to start again.
    forgotten: BTreeSet<u64>,
    /// Submissions that somebody cancelled.
    cancelled: BTreeSet<u64>,
}

impl Simulated {
    /// A manager to which nothing has come yet.
    pub fn new(world: World) -> Self {
        let mut numbers = Numbers::new(world.seed);
        let to_come = world.submissions(&mut numbers);
        let mut cluster = Cluster::new(world.nodes, world.begin);
        cluster.rules(world.limit, world.window());
        let names = (0..world.nodes).map(|node| format!("n{node:05}")).collect();
        Self {
            world,
            numbers,
            cluster,
            stored: None,
            to_come,
            names,
            told: None,
            forgotten: BTreeSet::new(),
            cancelled: BTreeSet::new(),
        }
    }

    /// From now on so much goes wrong.
    pub const fn trouble(&mut self, trouble: Trouble) {
        self.world.trouble = trouble;
    }

    /// Lets it be: nothing goes wrong from now on, nobody holds anything, and all nodes come back.
    pub fn calm(&mut self) {
        self.world.trouble = Trouble::NONE;
        for id in self.cluster.jobs.keys().copied().collect::<Vec<_>>() {
            self.cluster.change(id, |job| job.held = false);
        }
    }

    /// Lets so many seconds pass, in which the manager goes on alone.
    pub fn pass(&mut self, seconds: u64) {
        let to = self.cluster.now + seconds;
        while let Some((at, _)) = self.to_come.last() {
            let at = self.world.begin + at;
            if at > to {
                break;
            }
            self.cluster.advance(at);
            let job = self.to_come.pop().map(|(_, job)| job);
            job.into_iter().for_each(|job| self.submit(job));
        }
        self.cluster.advance(to);
    }

    /// Its clock, in seconds since 1970.
    pub const fn now(&self) -> u64 {
        self.cluster.now
    }

    /// Whether no job is to come, and none is there that could run.
    pub fn is_done(&self) -> bool {
        let could_run = |job: &Job| job.nodes <= self.world.nodes;
        self.to_come.is_empty() && !self.cluster.jobs.values().any(could_run)
    }

    /// Submissions by number, each as often as it was started.
    pub fn started(&self) -> &[u64] {
        &self.cluster.started
    }

    /// Submissions that ended by themselves, or at their limit.
    pub fn ended(&self) -> &[u64] {
        &self.cluster.ended
    }

    /// Submissions that somebody cancelled.
    pub const fn cancelled(&self) -> &BTreeSet<u64> {
        &self.cancelled
    }

    /// Submissions that the manager itself forgot, or was to start again.
    pub const fn forgotten(&self) -> &BTreeSet<u64> {
        &self.forgotten
    }

    /// Nodes that could be given to a job.
    pub fn free(&self) -> usize {
        self.cluster.free()
    }

    fn submit(&mut self, job: Job) {
        // Few numbers, so that they are given again.
        let few = u64::from(self.world.jobs) * 2 + 8;
        let most = few.max(self.cluster.jobs.len() as u64 + 1);
        let mut id = self.cluster.last_id % most + 1;
        while self.cluster.jobs.contains_key(&id) {
            id = id % most + 1;
        }
        self.cluster.submit(id, Job { born: self.cluster.now, ..job });
    }
}

impl Backend for Simulated {
    fn abilities(&self) -> Abilities {
        Abilities {
            gate: self.world.gate,
            places: true,
            preempt: true,
            priorities: true,
            own_clock: false,
        }
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        self.pass(self.world.poll);
        self.have_trouble();
        self.tell()
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        self.do_all(acts)
    }
}
