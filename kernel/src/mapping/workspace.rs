//! The working memory of mappers.

use super::{Misuse, Plan, PlannedRun, UnplacedJob};
use crate::time::Instant;
use core::sync::atomic::{AtomicBool, Ordering};

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
    /// Who ends a search.
    stop: Option<&'r AtomicBool>,
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
        let committed = free.next().unwrap_or_default();
        Self { open, kept, spare, committed, genes: &mut [], stop: None }
    }

    /// With room for a population of [`Genetic`](super::Genetic): so many words as [`genes`](super::genes)
    /// says. What is in them does not matter.
    pub fn with_genes(self, genes: &'r mut [u32]) -> Self {
        Self { genes, ..self }
    }

    /// A search of [`Genetic`](super::Genetic) ends soon after `stop` is set, by an interrupt or another
    /// thread, with the best plan until then.
    ///
    /// ```
    /// use core::sync::atomic::AtomicBool;
    /// use locox::mapping::{Genetic, Mapper, Pjs, Plan, PlannedRun, Problem, Site, Times, UnplacedJob, Workspace, genes};
    /// use locox::time::{Duration, Instant};
    ///
    /// let cells = [2, 6, 2, 3, 5, 3, 6, 4].map(Duration::from_ticks);
    /// let problem = Problem {
    ///     now: Instant::ZERO,
    ///     site: Site::new(2, &[]).unwrap(),
    ///     times: Times::new(&cells, 2).unwrap(),
    ///     free_from: &[Instant::ZERO; 2],
    ///     down: &[],
    /// };
    /// let (mut placements, mut free) = ([PlannedRun::EMPTY; 4], [Instant::ZERO; 2]);
    /// let mut plan = Plan::new(&mut placements, &mut free);
    /// let (mut open, mut more, mut times) = ([UnplacedJob::EMPTY; 4], [PlannedRun::EMPTY; 8], [Instant::ZERO; 6]);
    /// let (mut words, stop) = ([0; genes(4, 10)], AtomicBool::new(true));
    /// let mut room = Workspace::new(&mut open, &mut more, &mut times).with_genes(&mut words).until(&stop);
    /// // It was stopped before it began: the start is the best there is.
    /// let endless = Genetic { generations: u32::MAX, ..Genetic::default() };
    /// let found = endless.map(&problem, &mut plan, &mut room).unwrap();
    /// assert_eq!(found, Pjs::default().map(&problem, &mut plan, &mut room).unwrap());
    /// ```
    pub fn until(self, stop: &'r AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Who can be asked whether a search is to end.
    pub(super) fn stop(&self) -> Stop<'r> {
        Stop(self.stop)
    }

    pub(super) fn fits(&self, jobs: usize, machines: usize) -> Result<(), Misuse> {
        self.kept.fits(jobs, machines)?;
        self.spare.fits(jobs, machines)?;
        let enough = self.open.len() >= jobs && self.committed.len() == machines;
        if enough { Ok(()) } else { Err(Misuse::Storage) }
    }
}

/// Whether a search is to end.
#[derive(Clone, Copy)]
pub(super) struct Stop<'r>(Option<&'r AtomicBool>);

impl Stop<'_> {
    pub(super) fn is_set(self) -> bool {
        self.0.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}
