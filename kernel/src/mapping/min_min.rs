//! Min-min: the job that would end first goes first.

use super::plan::Plan;
use super::unplaced::{Looks, Sum, UnplacedJob, put_last};
use super::{Best, Mapper, Problem, Refusal, Workspace};
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
#[derive(Clone, Copy, Debug, Default)]
pub struct MinMin {
    /// What is best.
    pub best: Best,
}

impl MinMin {
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
            let first = first_to_end(problem, plan, open, &mut looks, &mut sum)?;
            let chosen = open.get(first)?;
            plan.place(problem, chosen.job as usize, chosen.best.machine as usize)?;
            open = put_last(open, first);
        }
        sum.below(limit)
    }
}

/// The place of the job that ends first; of others only a lower bound is known.
fn first_to_end(
    problem: &Problem,
    plan: &Plan,
    open: &mut [UnplacedJob],
    looks: &mut Looks,
    sum: &mut Sum,
) -> Option<usize> {
    tally::add(open.len());
    let (mut first, mut end, mut job) = (None, Instant::MAX, u32::MAX);
    for (at, open) in open.iter_mut().enumerate() {
        let known = open.best.end;
        if known > end || (known == end && open.job > job) {
            continue;
        }
        if !open.best.is_fresh(plan) {
            looks.look(problem, plan, open)?;
            sum.grow(known, open.best.end);
            if open.best.end > end || (open.best.end == end && open.job > job) {
                continue;
            }
        }
        (first, end, job) = (Some(at), open.best.end, open.job);
    }
    first
}

impl Mapper for MinMin {
    fn name(&self) -> &'static str {
        match self.best {
            Best::Completion => "min-min",
            Best::Execution => "min-min-execution",
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
