//! Opportunistic load balancing: the next job goes to the machine that is free first.

use super::unplaced::UnplacedJob;
use super::{Mapper, Plan, Problem, Refusal, Workspace};

/// Each job in its turn to the machine that is free first, of those that can run it; of equals to
/// the lowest. How long it runs there does not matter.
///
/// What most resource managers do, and the base line of the study (Collins and George 2001,
/// section 3). A look at each machine for each job. Choose it where nothing is known of run times,
/// or where jobs are many and short.
#[derive(Clone, Copy, Debug, Default)]
pub struct Olb;

impl Mapper for Olb {
    fn name(&self) -> &'static str {
        "olb"
    }

    fn extend(
        &self,
        problem: &Problem,
        plan: &mut Plan,
        open: &mut [UnplacedJob],
        _: &mut Workspace,
    ) -> Result<(), Refusal> {
        for job in open.iter().map(|open| open.job as usize) {
            let row = problem.times.row(job);
            let can_run = plan.free().iter().zip(row).enumerate().filter(|(_, (from, time))| {
                from.checked_add(**time).is_some_and(|end| end.ticks() < u64::MAX)
            });
            let free_first = can_run
                .map(|(machine, (from, _))| (machine, *from))
                .reduce(|first, next| if next.1 < first.1 { next } else { first });
            let placed = free_first.and_then(|(machine, _)| plan.place(problem, job, machine));
            placed.ok_or(Refusal::NoMachine(job))?;
        }
        Ok(())
    }
}
