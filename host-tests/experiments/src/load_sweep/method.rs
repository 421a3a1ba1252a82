//! What is compared: ways to allocate meshes, and the queue in front of them.

use locox::cube::Dim;
use locox::mesh::Leftover;
use locox_models::machine::{MeshCube, StrategyKind};
use locox_models::replay::QueueKind;

/// A way to allocate meshes, and the queue in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Method {
    pub(crate) kind: StrategyKind,
    pub(crate) leftover: Leftover,
    pub(crate) queue: QueueKind,
}

impl Method {
    /// The thesis's FL as it is read first: a free list that joins pairs, and no search behind it.
    pub(crate) const FL: Self = Self::over(StrategyKind::FreeListPlain, Leftover::Kept);
    /// The thesis's AFL: the auxiliary list on top of it.
    pub(crate) const AFL: Self = Self::over(StrategyKind::FreeListPlain, Leftover::Reused);
    /// As it is read as well: the same two with a search behind the list, which misses no subcube.
    pub(crate) const SEARCHED: [Self; 2] = [
        Self::over(StrategyKind::FreeList, Leftover::Kept),
        Self::over(StrategyKind::FreeList, Leftover::Reused),
    ];
    /// The two curves of each figure.
    pub(crate) const PAIR: [Self; 2] = [Self::FL, Self::AFL];
    /// The pair under both rules by which the thesis's free list may merge: it says that it recognises
    /// all subcubes (pp. 20 and 26), and prints no rule.
    pub(crate) const READINGS: [(&str, [Self; 2]); 2] =
        [("pairs joined", Self::PAIR), ("searched", Self::SEARCHED)];

    pub(crate) const fn over(kind: StrategyKind, leftover: Leftover) -> Self {
        Self { kind, leftover, queue: QueueKind::Fcfs }
    }

    pub(crate) const fn behind(self, queue: QueueKind) -> Self {
        Self { queue, ..self }
    }

    /// `FL`, `AFL + FL`, `AFL + buddy`, `AFL + FL, scan-up`; ours is `free-list`.
    pub(crate) fn name(&self) -> String {
        let strategy = match self.kind {
            StrategyKind::FreeListPlain => "FL",
            other => other.name(),
        };
        let list = if self.leftover == Leftover::Reused { "AFL + " } else { "" };
        match self.queue {
            QueueKind::Fcfs => format!("{list}{strategy}"),
            queue => format!("{list}{strategy}, {queue}"),
        }
    }

    /// All strategies, with and without the auxiliary list; the thesis's pair among them.
    pub(crate) fn strategies() -> Vec<Self> {
        let both =
            |kind| [Leftover::Kept, Leftover::Reused].map(|leftover| Self::over(kind, leftover));
        StrategyKind::NAMED.into_iter().flat_map(both).collect()
    }

    /// The thesis's pair behind its own queue and behind others.
    pub(crate) fn queues() -> Vec<Self> {
        let queues = [QueueKind::Fcfs, QueueKind::ScanUp, QueueKind::ScanDown, QueueKind::Lazy];
        queues.into_iter().flat_map(|queue| Self::PAIR.map(|method| method.behind(queue))).collect()
    }

    /// What the source does not compare: all but its pair.
    pub(crate) fn others() -> Vec<Self> {
        let all = Self::strategies().into_iter().chain(Self::queues());
        all.filter(|method| !Self::PAIR.contains(method)).collect()
    }

    pub(crate) fn machine(&self, dims: Dim) -> MeshCube {
        MeshCube::new(dims, self.kind, self.leftover)
    }
}

/// The hypercube that methods run on.
#[derive(Clone, Copy)]
pub(crate) struct Cube {
    pub(crate) dims: Dim,
    build: fn(&Method, Dim) -> MeshCube,
}

impl Cube {
    pub(crate) const fn new(dims: Dim) -> Self {
        Self { dims, build: Method::machine }
    }

    pub(crate) fn machine(&self, method: &Method) -> MeshCube {
        (self.build)(method, self.dims)
    }

    /// With a wrong rule: what is lost with the free list alone is reused, and the other way round.
    #[cfg(test)]
    pub(crate) const fn exchanged(dims: Dim) -> Self {
        let build = |method: &Method, dims| {
            let leftover = match method.leftover {
                Leftover::Kept => Leftover::Reused,
                Leftover::Reused => Leftover::Kept,
            };
            Method { leftover, ..*method }.machine(dims)
        };
        Self { dims, build }
    }
}
