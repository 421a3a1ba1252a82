//! What is compared with what: a way to give jobs processors, and a queue.

use crate::cli::MachineSpec;
use locox::mesh::Leftover;
use locox::subcube::Effort;
use locox_models::machine::{Hypercube, Machine, MeshCube, Pool, StrategyKind, complete_allocator};
use locox_models::replay::QueueKind;
use locox_models::workload::Job;
use locox_report::report::counted;
use std::fmt;

/// A way to give jobs processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Any free processors will do.
    Any,
    /// The smallest subcube that holds the job.
    Subcubes(StrategyKind),
    /// A mesh in a subcube.
    Meshes(StrategyKind, Leftover),
}

impl Way {
    /// What to call it beside the others.
    pub fn label(self) -> String {
        match self {
            Self::Any => "pool".into(),
            Self::Subcubes(kind) | Self::Meshes(kind, Leftover::Kept) => kind.name().into(),
            Self::Meshes(kind, Leftover::Reused) => format!("{kind}+afl"),
        }
    }

    /// A machine of which jobs get processors so; `effort` is that of complete recognition on
    /// subcubes.
    pub fn machine(self, spec: MachineSpec, effort: Effort) -> Box<dyn Machine> {
        let dims = match spec {
            MachineSpec::Pool(processors) => return Box::new(Pool::new(processors)),
            MachineSpec::Cube(dims) => dims,
        };
        match self {
            Self::Any => Box::new(Pool::new(dims.nodes())),
            Self::Subcubes(StrategyKind::Complete) => {
                Box::new(Hypercube::with_allocator(complete_allocator(dims, effort)))
            }
            Self::Subcubes(kind) => Box::new(Hypercube::new(dims, kind)),
            Self::Meshes(kind, leftover) => Box::new(MeshCube::new(dims, kind, leftover)),
        }
    }
}

/// One of the things compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    pub way: Way,
    pub queue: QueueKind,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/{}", self.way.label(), self.queue))
    }
}

/// All strategies under all queues. Queues that plan know no subcubes: they stand once, on as many
/// processors without topology, and so does everything where there are no `strategies`.
pub fn methods(strategies: &[StrategyKind], queues: &[QueueKind], mesh: bool) -> Vec<Method> {
    let mut methods = Vec::new();
    for &queue in queues {
        let over = |kind| match mesh {
            false => vec![Way::Subcubes(kind)],
            true => vec![Way::Meshes(kind, Leftover::Kept), Way::Meshes(kind, Leftover::Reused)],
        };
        let ways = match queue.plans() || strategies.is_empty() {
            true => vec![Way::Any],
            false => strategies.iter().copied().flat_map(over).collect(),
        };
        let new = ways.into_iter().map(|way| Method { way, queue });
        methods.extend(new.filter(|method| !methods.contains(method)).collect::<Vec<_>>());
    }
    methods
}

/// That nobody has anything to reuse, if so: sizes that are powers of two leave nothing over.
pub fn all_fill_their_subcubes(jobs: &[Job]) -> Option<String> {
    let fills = |job: &Job| job.mesh().is_some_and(|mesh| mesh.nodes() == mesh.dim().nodes());
    jobs.iter().all(fills).then(|| {
        format!(
            "All {} jobs ask for powers of two, whose meshes leave nothing over: with and without \
             +afl is the same by construction.",
            counted(jobs.len() as u64)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(strategies: &[StrategyKind], queues: &[QueueKind], mesh: bool) -> Vec<String> {
        methods(strategies, queues, mesh).iter().map(Method::to_string).collect()
    }

    #[test]
    fn every_strategy_meets_every_queue_that_knows_subcubes() {
        let strategies = [StrategyKind::Buddy, StrategyKind::FreeList];
        let queues = [QueueKind::Fcfs, QueueKind::Easy, QueueKind::Window(4), QueueKind::Fcfs];
        let all =
            ["buddy/fcfs", "free-list/fcfs", "pool/easy", "buddy/window:4", "free-list/window:4"];
        assert_eq!(names(&strategies, &queues, false), all);
        let meshes = ["buddy/fcfs", "buddy+afl/fcfs"];
        assert_eq!(names(&strategies[..1], &queues[..1], true), meshes);
        assert_eq!(names(&[], &queues, false), ["pool/fcfs", "pool/easy", "pool/window:4"]);
    }
}
