//! Max-min: the job that would end last goes first.

use super::plan::Plan;
use super::unplaced::{Looks, Sum, UnplacedJob, put_last};
use super::{Best, Mapper, Problem, Refusal, Workspace};
use crate::bits::tally;
use crate::time::Instant;

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
#[derive(Clone, Copy, Debug, Default)]
pub struct MaxMin {
    /// What is best.
    pub best: Best,
}

impl MaxMin {
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
            let last = last_to_end(problem, plan, open, &mut looks, &mut sum)?;
            let chosen = open.get(last)?;
            plan.place(problem, chosen.job as usize, chosen.best.machine as usize)?;
            open = put_last(open, last);
        }
        sum.below(limit)
    }
}

/// The place of the job that ends last; of others only an upper bound is known.
fn last_to_end(
    problem: &Problem,
    plan: &Plan,
    open: &mut [UnplacedJob],
    looks: &mut Looks,
    sum: &mut Sum,
) -> Option<usize> {
    tally::add(open.len());
    let (mut last, mut end, mut job) = (None, Instant::ZERO, u32::MAX);
    for (at, open) in open.iter_mut().enumerate() {
        // Its end, if what is known is still true.
        let most = open.best.at_most(plan);
        if most < end || (most == end && open.job > job) {
            continue;
        }
        if !open.best.is_fresh(plan) {
            let known = open.best.end;
            looks.look(problem, plan, open)?;
            sum.grow(known, open.best.end);
            if open.best.end < end || (open.best.end == end && open.job > job) {
                continue;
            }
        }
        (last, end, job) = (Some(at), open.best.end, open.job);
    }
    last
}

impl Mapper for MaxMin {
    fn name(&self) -> &'static str {
        match self.best {
            Best::Completion => "max-min",
            Best::Execution => "max-min-execution",
        }
    }

    fn extend(
        &self,
        problem: &Problem,
        plan: &mut Plan,
        open: &mut [UnplacedJob],
        _: &mut Workspace,
    ) -> Result<(), Refusal> {
        self.run(problem, plan, open, u64::MAX).map(|_| ()).ok_or(Refusal::TooLong)
    }
}
