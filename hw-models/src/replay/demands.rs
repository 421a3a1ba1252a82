//! What jobs ask for beside processors, for queues that promise places.

use super::planned::Planned;
use crate::machine::{Cluster, NodeStrategy};
use crate::workload;
use locox::dispatch::{Job, Requests};
use locox::nodes::{NodeRequest, Nodes};

/// What jobs ask for of a machine, and what is noted of them before they come.
pub(super) trait Asks<M: Planned>: Requests<M> + Clone + Send + Sync + 'static {
    /// A job is to come by this number.
    fn note(&mut self, _id: u32, _job: &workload::Job) {}
}

impl<M, F> Asks<M> for F
where
    M: Planned,
    F: Fn(&Job) -> M::Request + Clone + Send + Sync + 'static,
{
}

/// What jobs ask for of nodes.
///
/// - `memory` has for each number what the job that came by it last wants for each task.
#[derive(Clone)]
pub(super) struct Demands {
    cluster: Cluster,
    exclusive: bool,
    memory: Vec<u32>,
}

impl Demands {
    pub(super) fn new(cluster: Cluster, strategy: NodeStrategy) -> Self {
        Self { cluster, exclusive: strategy.exclusive, memory: vec![] }
    }
}

impl<const W: usize> Requests<Nodes<'static, W>> for Demands {
    /// A job that nothing was noted of wants no memory.
    fn request(&self, job: &Job) -> NodeRequest<'static> {
        let memory = self.memory.get(job.id as usize).copied().unwrap_or(0);
        self.cluster.request(job.pes, memory, self.exclusive)
    }
}

impl<const W: usize> Asks<Nodes<'static, W>> for Demands {
    fn note(&mut self, id: u32, job: &workload::Job) {
        let at = id as usize;
        if self.memory.len() <= at {
            self.memory.resize(at + 1, 0);
        }
        self.memory[at] = job.memory;
    }
}
