//! What jobs ask for beside processors, for queues that promise places.

use super::planned::Planned;
use crate::machine::{Cluster, NodeStrategy};
use crate::workload;
use locox::dispatch::{Job, Requests};
use locox::nodes::{NodeRequest, Nodes};
use std::collections::HashMap;

/// What jobs ask for of a machine, and what is noted of them before they come.
pub(super) trait Asks<M: Planned>: Requests<M> + Clone + Send + Sync + 'static {
    /// A job is to come by this number; what it asks for, if that matters to other jobs.
    fn note(&mut self, _id: u32, _job: &workload::Job) -> Option<M::Request> {
        None
    }
}

impl<M, F> Asks<M> for F
where
    M: Planned,
    F: Fn(&Job) -> M::Request + Clone + Send + Sync + 'static,
{
}

/// What jobs ask for of nodes.
///
/// - `memory` has for each number what the job that came by it last wants for each task, `named` what it demands instead.
#[derive(Clone)]
pub(super) struct Demands {
    cluster: Cluster,
    exclusive: bool,
    memory: Vec<u32>,
    named: HashMap<u32, NodeRequest<'static>>,
}

impl Demands {
    pub(super) fn new(cluster: Cluster, strategy: NodeStrategy) -> Self {
        let exclusive = strategy.exclusive;
        Self { cluster, exclusive, memory: vec![], named: HashMap::new() }
    }
}

impl<const W: usize> Requests<Nodes<'static, W>> for Demands {
    /// A job that nothing was noted of wants no memory.
    fn request(&self, job: &Job) -> NodeRequest<'static> {
        if let Some(named) = self.named.get(&job.id) {
            return *named;
        }
        let memory = self.memory.get(job.id as usize).copied().unwrap_or(0);
        self.cluster.tasks_of(job.pes, memory, self.exclusive)
    }
}

impl<const W: usize> Asks<Nodes<'static, W>> for Demands {
    fn note(&mut self, id: u32, job: &workload::Job) -> Option<NodeRequest<'static>> {
        let at = id as usize;
        if self.memory.len() <= at {
            self.memory.resize(at + 1, 0);
        }
        self.memory[at] = job.memory;
        let request = self.cluster.request(job, self.cluster.tasks(job)?, self.exclusive);
        match job.demand {
            Some(_) => _ = self.named.insert(id, request),
            None => _ = self.named.remove(&id),
        }
        Some(request)
    }
}
