//! What is compared with what: a way to give jobs processors, and a queue.

use crate::comparison::Way;
use locox::mesh::Leftover;
use locox_models::machine::StrategyKind;
use locox_models::replay::QueueKind;
use std::fmt;

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
