//! Genetic search: assignments that are crossed and mutated, from the best heuristic's on.

use super::plan::{Plan, spent};
use super::unplaced::UnplacedJob;
use super::workspace::Stop;
use super::{Best, Pjs, Problem, Refusal, Workspace};
use crate::permute::permute;
use crate::slices::{copy, put};
use crate::sort;
use crate::time::Instant;
use core::ops::Range;

/// Starts from [`Pjs`] and lets assignments evolve; the best one that ever was is the answer. Never
/// worse than [`Pjs`], and so than [`Duplex`](super::Duplex) and [`MinMin`](super::MinMin).
///
/// Collins and George 2001, section 6, leave "some of the more exotic SmartNet scheduling algorithms, such
/// as Genetic Simulated Annealing" to future work; this is the genetic part, without annealing. As with T. D.
/// Braun, H. J. Siegel and others 2001, a chromosome is the resource of each job, the first population is
/// random but for the plan of a heuristic, a crossover takes all genes behind a random point from the
/// other parent, a mutation draws the resource of a job, and the best one survives. Other than theirs,
/// resources are also clusters, the merit is the sum of all ends and not the makespan, and
/// one child at a time takes the place of the worst, so that one population is enough.
///
/// A chromosome is read as a plan by placing the jobs in the order of their starts under [`Pjs`].
///
/// The population lies in the workspace ([`Workspace::with_genes`]): as many chromosomes as [`genes`] has
/// room for. With room for fewer than two it is [`Pjs`]. Same problem, room and seed, same plan. No queue of
/// a site is mapped by it, for sites have no such room.
///
/// Costs a PJS, and for each child at most a placing of each job and a look at each merit; one that is clearly
/// no better is given up. Choose it where there is time; [`Workspace::until`] ends it before.
///
/// ```
/// use locox::mapping::{Genetic, Mapper, Pjs, Plan, PlannedRun, Problem, Site, Times, UnplacedJob, Workspace, genes};
/// use locox::time::{Duration, Instant};
///
/// // Four jobs on two machines.
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
/// let mut words = [0; genes(4, 10)]; // of four jobs, ten chromosomes
/// let mut room = Workspace::new(&mut open, &mut more, &mut times).with_genes(&mut words);
///
/// let start = Pjs::default().map(&problem, &mut plan, &mut room).unwrap();
/// let genetic = Genetic { seed: 1, generations: 20, ..Genetic::default() };
/// let found = genetic.map(&problem, &mut plan, &mut room).unwrap();
/// assert_eq!((start.ticks(), found.ticks()), (19, 17));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Genetic {
    /// What is best, for the start.
    pub best: Best,
    /// What is random is drawn from it.
    pub seed: u32,
    /// So many times as many children as there are chromosomes are made.
    pub generations: u32,
}

/// How many words [`Genetic`] takes for so many chromosomes of so many jobs.
pub const fn genes(jobs: usize, chromosomes: usize) -> usize {
    // There is one more, the child.
    jobs.saturating_add(MERIT).saturating_mul(chromosomes.saturating_add(1))
}

/// Words of a chromosome's merit, which come last.
const MERIT: usize = 2;

fn merit(chromosome: &[u32]) -> u64 {
    let [low, high] = chromosome.last_chunk::<MERIT>().copied().unwrap_or_default();
    u64::from(high) << 32 | u64::from(low)
}

fn set_merit(chromosome: &mut [u32], merit: u64) {
    if let Some(words) = chromosome.last_chunk_mut::<MERIT>() {
        *words = [merit as u32, (merit >> 32) as u32];
    }
}

/// Where the chromosome of a number lies among all of a length.
const fn span(number: usize, length: usize) -> Range<usize> {
    let from = number.saturating_mul(length);
    from..from.saturating_add(length)
}

/// What is random, number by number.
struct Draws {
    seed: u32,
    drawn: u32,
}

impl Draws {
    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.drawn = self.drawn.wrapping_add(1);
        let draw = u64::from(permute(self.seed, self.drawn));
        // Jobs, resources and chromosomes are fewer than 2^32.
        (draw.wrapping_mul(bound as u64) >> 32) as usize
    }

    /// The better of two chromosomes.
    fn parent<'c>(&mut self, all: &'c [u32], stride: usize) -> &'c [u32] {
        let count = all.len().checked_div(stride).unwrap_or(0);
        let mut draw = || all.get(span(self.below(count), stride)).unwrap_or_default();
        let (one, other) = (draw(), draw());
        if merit(other) < merit(one) { other } else { one }
    }
}

/// What chromosomes are read by.
struct Reading<'r> {
    problem: &'r Problem<'r>,
    /// The jobs, in the order in which they are placed.
    open: &'r [UnplacedJob],
    /// When machines are free of all others.
    free: &'r [Instant],
    stop: Stop<'r>,
}

impl Reading<'_> {
    /// Draws the resource of the job at `at`; it keeps the one it has where it cannot run on the other.
    fn mutate(&self, draws: &mut Draws, chromosome: &mut [u32], at: usize, plan: &mut Plan) {
        let resource = draws.below(self.problem.site.resources());
        let Some(open) = self.open.get(at) else { return };
        plan.set_free(self.free);
        if plan.place(self.problem, open.job(), resource).is_some() {
            // Resources are numbered in 32 bits.
            put(chromosome, at, resource as u32);
        }
    }

    /// Places all jobs. What they take together, if that is less than `limit`.
    fn place(&self, chromosome: &[u32], plan: &mut Plan, limit: u64) -> Option<u64> {
        plan.set_free(self.free);
        let mut sum = 0_u64;
        for (open, &resource) in self.open.iter().zip(chromosome) {
            let end = plan.place(self.problem, open.job(), resource as usize)?;
            sum = sum.saturating_add(spent(self.problem.now, end));
            if sum >= limit {
                return None;
            }
        }
        Some(sum)
    }

    /// Puts the best of all chromosomes that came up into the child's place, which has the first one.
    fn search(&self, of: Genetic, child: &mut [u32], all: &mut [u32], spare: &mut Plan) {
        let (stride, jobs) = (child.len(), self.open.len());
        let count = all.len().checked_div(stride).unwrap_or(0);
        let mut draws = Draws { seed: of.seed, drawn: 0 };
        for number in 0..count {
            let Some(chromosome) = all.get_mut(span(number, stride)) else { continue };
            copy(chromosome, child);
            if number > 0 && !self.stop.is_set() {
                (0..jobs).for_each(|at| self.mutate(&mut draws, chromosome, at, spare));
                let sum = self.place(chromosome, spare, u64::MAX);
                set_merit(chromosome, sum.unwrap_or(u64::MAX));
            }
        }
        let merit_of =
            |all: &[u32], number| merit(all.get(span(number, stride)).unwrap_or_default());
        for _ in 0..(count as u64).saturating_mul(of.generations.into()) {
            if self.stop.is_set() {
                break;
            }
            copy(child, draws.parent(all, stride));
            let father = draws.parent(all, stride);
            let point = draws.below(jobs);
            if let Some((genes, others)) = child.get_mut(point..).zip(father.get(point..)) {
                copy(genes, others);
            }
            let at = draws.below(jobs);
            self.mutate(&mut draws, child, at, spare);
            let merits = || (0..count).map(|number| merit_of(all, number));
            let (worst, limit) = (0..).zip(merits()).max_by_key(|it| it.1).unwrap_or_default();
            let sum = self.place(child, spare, limit).filter(|sum| merits().all(|it| it != *sum));
            if let Some(sum) = sum
                && let Some(worst) = all.get_mut(span(worst, stride))
            {
                set_merit(child, sum);
                copy(worst, child);
            }
        }
        let best = (0..count).min_by_key(|&number| merit_of(all, number)).unwrap_or_default();
        copy(child, all.get(span(best, stride)).unwrap_or_default());
    }
}

impl Genetic {
    fn run(
        self,
        problem: &Problem,
        plan: &mut Plan,
        open: &mut [UnplacedJob],
        room: &mut Workspace,
    ) -> Option<()> {
        let sum = Pjs { best: self.best }.run(problem, plan, open, room)?;
        let (stride, stop) = (problem.times.jobs().saturating_add(MERIT), room.stop());
        let Workspace { spare, committed: free, genes, .. } = room;
        let Some((child, all)) = genes.split_at_mut_checked(stride) else { return Some(()) };
        let whole = all.len().saturating_sub(all.len().checked_rem(stride).unwrap_or(0));
        let all = all.get_mut(..whole)?;
        if all.len() <= stride || open.is_empty() {
            return Some(());
        }
        let place = |open: &UnplacedJob| plan.placement(open.job()).unwrap_or_default();
        let key = |open: &UnplacedJob| (place(open).start(), place(open).end(), open.job());
        sort::sort_backwards(open, |one, other| key(one) > key(other));
        for (gene, open) in child.iter_mut().zip(&*open) {
            *gene = place(open).resource()? as u32;
        }
        set_merit(child, sum);
        plan.withdraw(problem, open.iter().map(UnplacedJob::job));
        copy(free, plan.free());
        let reading = Reading { problem, open, free, stop };
        reading.search(self, child, all, spare);
        reading.place(child, plan, u64::MAX).map(|_| ())
    }
}

crate::mapper! { Genetic:
    name(self) => self.best.name("genetic", "genetic-execution");
    extend(self, problem, plan, open, room) =>
        self.run(problem, plan, open, room).ok_or(Refusal::TooLong)
}
