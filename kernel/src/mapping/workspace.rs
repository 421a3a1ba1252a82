//! The working memory of mappers.

use super::{Misuse, Plan, PlannedRun, UnplacedJob};
use crate::time::Instant;

/// Working memory in the caller's storage: for so many jobs an [`UnplacedJob`] each and a [`PlannedRun`]
/// twice, for so many machines an [`Instant`] three times. What is in it does not matter.
///
/// ```
/// use locox::mapping::{UnplacedJob, PlannedRun, Workspace};
/// use locox::time::Instant;
/// let mut open = [UnplacedJob::EMPTY; 50];
/// let mut placements = [PlannedRun::EMPTY; 2 * 50];
/// let mut free = [Instant::ZERO; 3 * 8];
/// let room = Workspace::new(&mut open, &mut placements, &mut free); // 50 jobs on 8 machines
/// ```
#[derive(Debug)]
pub struct Workspace<'r> {
    pub(super) open: &'r mut [UnplacedJob],
    /// The best plan so far.
    pub(super) kept: Plan<'r>,
    /// The other plan of two.
    pub(super) spare: Plan<'r>,
    /// When machines are free of jobs on clusters.
    pub(super) committed: &'r mut [Instant],
    /// A population of [`Genetic`](super::Genetic).
    pub(super) genes: &'r mut [u32],
}

impl<'r> Workspace<'r> {
    /// Working memory for as many jobs as all of it is enough for, or fewer, and for as many machines
    /// as `free` is three times as long as.
    pub fn new(
        open: &'r mut [UnplacedJob],
        placements: &'r mut [PlannedRun],
        free: &'r mut [Instant],
    ) -> Self {
        let jobs = placements.len() >> 1;
        let machines = free.len().checked_div(3).unwrap_or(0);
        let mut placements = placements.chunks_exact_mut(jobs.max(1));
        let mut free = free.chunks_exact_mut(machines.max(1));
        let mut plan =
            || Plan::new(placements.next().unwrap_or_default(), free.next().unwrap_or_default());
        let (kept, spare) = (plan(), plan());
        Self { open, kept, spare, committed: free.next().unwrap_or_default(), genes: &mut [] }
    }

    /// With room for a population of [`Genetic`](super::Genetic): so many words as [`genes`](super::genes)
    /// says. What is in them does not matter.
    pub fn with_genes(self, genes: &'r mut [u32]) -> Self {
        Self { genes, ..self }
    }

    pub(super) fn fits(&self, jobs: usize, machines: usize) -> Result<(), Misuse> {
        self.kept.fits(jobs, machines)?;
        self.spare.fits(jobs, machines)?;
        let enough = self.open.len() >= jobs && self.committed.len() == machines;
        if enough { Ok(()) } else { Err(Misuse::Storage) }
    }
}
