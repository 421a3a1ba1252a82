//! How long and how often to simulate.

/// How long and how often to simulate.
#[derive(Clone, Copy, Debug)]
pub(in crate::experiments) struct Effort {
    /// Jobs of a replication. The first tenth does not count.
    pub(in crate::experiments) jobs: usize,
    /// Replications that are made at once.
    pub(in crate::experiments) batch: u64,
    /// The most batches; they end earlier where [`PRECISION`](super::PRECISION) is reached.
    pub(in crate::experiments) batches: u64,
    /// Of the loads only every so manyth is measured.
    pub(in crate::experiments) stride: usize,
}

/// Seconds at most.
pub(in crate::experiments) const QUICK: Effort =
    Effort { jobs: 1_000, batch: 4, batches: 1, stride: 3 };
pub(in crate::experiments) const FULL: Effort =
    Effort { jobs: 10_000, batch: 8, batches: 4, stride: 1 };

impl Effort {
    /// For what nobody has published: good enough for a plot.
    pub(in crate::experiments) fn beyond_the_source(self) -> Self {
        Self { jobs: self.jobs / 3, batches: 1, ..self }
    }
}
