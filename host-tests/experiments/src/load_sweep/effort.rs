//! How long and how often to simulate.

/// How long and how often to simulate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Jobs of a replication. The first tenth does not count.
    pub(crate) jobs: usize,
    /// Replications that are made at once.
    pub(crate) batch: u64,
    /// The most batches; they end earlier where [`PRECISION`](super::PRECISION) is reached.
    pub(crate) batches: u64,
    /// Of the loads only every so manyth is measured.
    pub(crate) stride: usize,
}

/// Seconds at most.
pub(crate) const QUICK: Effort = Effort { jobs: 1_000, batch: 4, batches: 1, stride: 3 };
pub(crate) const FULL: Effort = Effort { jobs: 10_000, batch: 8, batches: 4, stride: 1 };

impl Effort {
    /// As long as full runs and at all loads: for means over loads, near saturation among them, where
    /// turnarounds grow with the length of a run.
    pub(crate) fn at_full_length(self) -> Self {
        Self { jobs: FULL.jobs, stride: FULL.stride, ..self }
    }

    /// For what nobody has published: good enough for a plot.
    pub(crate) fn beyond_the_source(self) -> Self {
        Self { jobs: self.jobs / 3, batches: 1, ..self }
    }
}
