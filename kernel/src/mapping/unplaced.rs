//! Jobs without a place, and what was found out about them.

use super::best::{Look, least};
use super::plan::{Plan, spent};
use super::{Best, Problem, Refusal};
use crate::bits::tally;
use crate::slices::swap;
use crate::time::Instant;

/// A job without a place: an entry of the working memory. 56 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnplacedJob {
    pub(super) job: u32,
    /// Its best machine as far as is known.
    pub(super) best: Look,
    /// Its best machine at the start, before others got places beside it; with sufferage, its second
    /// best now.
    other: Look,
}

impl UnplacedJob {
    /// What to fill storage with.
    pub const EMPTY: Self = {
        let look = Look { machine: 0, from: Instant::ZERO, end: Instant::ZERO };
        Self { job: 0, best: look, other: look }
    };

    /// The number of the job.
    pub fn job(&self) -> usize {
        self.job as usize
    }

    /// Looks for its best machine. `None` if it has none: whoever called has seen before that it
    /// has.
    fn look(&mut self, problem: &Problem, plan: &Plan, best: Best) -> Option<()> {
        tally::add(plan.free().len());
        self.best = best.of(problem.times.row(self.job as usize), plan.free())?;
        Some(())
    }

    /// Looks for its two best machines, by completion.
    pub(super) fn look_twice(&mut self, problem: &Problem, plan: &Plan) -> Option<()> {
        self.look(problem, plan, Best::Completion)?;
        tally::add(plan.free().len());
        let best = self.best.machine;
        let other_end = |it: &Look| if it.machine == best { u64::MAX } else { it.end.ticks() };
        let row = problem.times.row(self.job as usize);
        self.other = least(row, plan.free(), |_, it| other_end(it)).unwrap_or(Look::NONE);
        Some(())
    }

    /// How much later it would end without its best machine.
    pub(super) fn sufferage(&self) -> u64 {
        spent(self.best.end, self.other.end)
    }

    /// Whether one of its two best machines has been taken.
    pub(super) fn is_hit_by(&self, taken: u32) -> bool {
        self.best.machine == taken || self.other.machine == taken
    }
}

/// Looks for best machines; what was found for one job holds for others of its class.
pub(super) struct Looks {
    best: Best,
    /// What was found last, by class. Classes share places.
    last: [(usize, Look); Looks::CLASSES],
}

impl Looks {
    const CLASSES: usize = 16;

    /// Looks for the best machines of all `open` jobs where nobody of them has a place; what was
    /// found at an earlier start is not looked for again.
    pub(super) fn start(
        problem: &Problem,
        plan: &Plan,
        open: &mut [UnplacedJob],
        best: Best,
    ) -> Option<Self> {
        let mut looks = Self { best, last: [(0, Look::NONE); Self::CLASSES] };
        for open in open {
            open.best = open.other;
            if !open.best.is_fresh(plan) {
                looks.look(problem, plan, open)?;
                open.other = open.best;
            }
        }
        Some(looks)
    }

    /// Looks for the best machine of a job.
    pub(super) fn look(
        &mut self,
        problem: &Problem,
        plan: &Plan,
        open: &mut UnplacedJob,
    ) -> Option<()> {
        let class = problem.times.class_of(open.job as usize);
        let (of, last) = self.last.get_mut(class & (Self::CLASSES - 1))?;
        if *of != class || !last.is_fresh(plan) {
            open.look(problem, plan, self.best)?;
            (*of, *last) = (class, open.best);
        }
        open.best = *last;
        Some(())
    }
}

/// Fills working memory with the jobs that are chosen and have no place; one that no machine can
/// run is an error.
pub(super) fn gather<'o>(
    problem: &Problem,
    plan: &Plan,
    room: &'o mut [UnplacedJob],
    is_chosen: impl Fn(usize) -> bool,
) -> Result<&'o mut [UnplacedJob], Refusal> {
    let mut count = 0_usize;
    let has_none = |job| plan.placement(job).is_none();
    for job in (0..problem.times.jobs()).filter(|&job| is_chosen(job) && has_none(job)) {
        let mut ends = problem.times.row(job).iter().zip(plan.free());
        if !ends.any(|(&time, from)| from.saturating_add(time) != Instant::MAX) {
            return Err(Refusal::NoMachine(job));
        }
        // There is an entry a job, and no more jobs than placements can name.
        let Some(slot) = room.get_mut(count) else { break };
        // It has not been looked at.
        *slot = UnplacedJob { job: job as u32, best: Look::NONE, other: Look::NONE };
        count = count.saturating_add(1);
    }
    Ok(room.get_mut(..count).unwrap_or_default())
}

/// The job at `at` comes behind all others, which are returned.
pub(super) fn put_last(open: &mut [UnplacedJob], at: usize) -> &mut [UnplacedJob] {
    let left = open.len().saturating_sub(1);
    swap(open, at, left);
    open.get_mut(..left).unwrap_or_default()
}

/// What jobs will take together at least, by what was found out about them: it only grows, and is
/// exact when all have a place.
pub(super) struct Sum(u64);

impl Sum {
    /// Of jobs that have just been looked at.
    pub(super) fn of(problem: &Problem, open: &[UnplacedJob]) -> Self {
        let each = open.iter().map(|open| spent(problem.now, open.best.end));
        Self(each.fold(0, u64::saturating_add))
    }

    /// A job was thought to end at `before`, and now at `after`.
    pub(super) fn grow(&mut self, before: Instant, after: Instant) {
        self.0 = self.0.saturating_add(spent(before, after));
    }

    /// What they take; `None` if that is not less than `limit`.
    pub(super) fn below(&self, limit: u64) -> Option<u64> {
        Some(self.0).filter(|&sum| sum < limit)
    }
}
