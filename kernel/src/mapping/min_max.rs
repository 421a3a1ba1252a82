//! Min-min and max-min: the job that would end first, or last, goes first.

use super::plan::Plan;
use super::unplaced::{Looks, Sum, UnplacedJob, put_last};
use super::{Best, Problem, Refusal};
use crate::bits::tally;
use crate::time::Instant;

/// Of all jobs, each on its best machine, the one that would end first gets its place; then the
/// rest again. Of equals the job with the lowest number.
///
/// Collins and George 2001, section 3. Machines that are the best for many fill up with short jobs
/// first; long ones come late.
///
/// For each job that gets its place, costs a glance at each one that has none. A whole row is looked
/// at only of jobs whose machine has been taken and which would go first otherwise, for all end no
/// earlier than is known: where times are random, less than half the jobs squared cells in all; where
/// all jobs want the same machines, times the machines. Of jobs of a class
/// ([`Times::by_class`](super::Times::by_class)) one look serves all.
pub type MinMin = ByEnd<false>;

/// Of all jobs, each on its best machine, the one that would end last gets its place; then the
/// rest again. Of equals the job with the lowest number.
///
/// Collins and George 2001, section 3, where it is called min-max. Long jobs get their machines
/// first and short ones fill what is left beside them.
///
/// For each job that gets its place, costs a glance at each one that has none. A whole row is looked
/// at only of jobs whose machine has been taken and which may go first, for they end no later than
/// behind it on the same machine: where times are random, about half the jobs squared cells in all;
/// where all jobs want the same machines, times the machines. Of jobs of a class
/// ([`Times::by_class`](super::Times::by_class)) one look serves all.
pub type MaxMin = ByEnd<true>;

/// [`MinMin`], or with `LAST` [`MaxMin`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ByEnd<const LAST: bool> {
    /// What is best.
    pub best: Best,
}

impl<const LAST: bool> ByEnd<LAST> {
    /// What the jobs take together; `None` as soon as that is sure not to be less than `limit`.
    pub(super) fn run(
        self,
        problem: &Problem,
        plan: &mut Plan,
        mut open: &mut [UnplacedJob],
        limit: u64,
    ) -> Option<u64> {
        let mut looks = Looks::start(problem, plan, open, self.best)?;
        let mut sum = Sum::of(problem, open);
        while !open.is_empty() {
            sum.below(limit)?;
            let next = Self::next(problem, plan, open, &mut looks, &mut sum)?;
            let chosen = open.get(next)?;
            plan.place(problem, chosen.job as usize, chosen.best.machine as usize)?;
            open = put_last(open, next);
        }
        sum.below(limit)
    }

    /// The place of the job that goes first. Of a job that was looked at earlier only a bound is
    /// known: it ends no earlier than was found, and no later than behind what its machine got since.
    fn next(
        problem: &Problem,
        plan: &Plan,
        open: &mut [UnplacedJob],
        looks: &mut Looks,
        sum: &mut Sum,
    ) -> Option<usize> {
        let rank = |end: Instant, job| (if LAST { !end.ticks() } else { end.ticks() }, job);
        tally::add(open.len());
        let (mut next, mut least) = (None, (u64::MAX, u32::MAX));
        for (at, open) in open.iter_mut().enumerate() {
            let known = open.best.end;
            let bound = if LAST { open.best.at_most(plan) } else { known };
            if rank(bound, open.job) > least {
                continue;
            }
            if !open.best.is_fresh(plan) {
                looks.look(problem, plan, open)?;
                sum.grow(known, open.best.end);
            }
            let rank = rank(open.best.end, open.job);
            if rank <= least {
                (next, least) = (Some(at), rank);
            }
        }
        next
    }
}

crate::mapper! { ByEnd<LAST>, const LAST:
    name(self) => {
        if LAST {
            self.best.name("max-min", "max-min-execution")
        } else {
            self.best.name("min-min", "min-min-execution")
        }
    };
    extend(self, problem, plan, open, _) =>
        self.run(problem, plan, open, u64::MAX).map(|_| ()).ok_or(Refusal::TooLong)
}
