//! Each job in its turn: opportunistic load balancing and best assignment.

use super::best::{Look, least};
use super::unplaced::UnplacedJob;
use super::{Best, Plan, Problem, Refusal};
use crate::time::{Duration, Instant};

/// Each job in its turn to the machine that is free first, of those that can run it; of equals to
/// the lowest. How long it runs there does not matter.
///
/// What most resource managers do, and the base line of the study (Collins and George 2001,
/// section 3). A look at each machine for each job. Choose it where nothing is known of run times,
/// or where jobs are many and short.
#[derive(Clone, Copy, Debug, Default)]
pub struct Olb;

/// Each job in its turn to its best machine.
///
/// By execution the user-directed or "limited best" assignment of SmartNet, by completion its fast
/// greedy one, elsewhere MET and MCT. A look at each machine for each job. By execution choose it
/// for nothing but comparison; by completion where jobs come one by one.
#[derive(Clone, Copy, Debug, Default)]
pub struct BestAssignment {
    /// What is best.
    pub best: Best,
}

fn place_each(
    problem: &Problem,
    plan: &mut Plan,
    open: &[UnplacedJob],
    machine_of: impl Fn(&[Duration], &[Instant]) -> Option<Look>,
) -> Result<(), Refusal> {
    for job in open.iter().map(UnplacedJob::job) {
        let found = machine_of(problem.times.row(job), plan.free());
        let placed = found.and_then(|it| plan.place(problem, job, it.machine as usize));
        placed.ok_or(Refusal::NoMachine(job))?;
    }
    Ok(())
}

crate::mapper! { Olb:
    name(self) => "olb";
    extend(self, problem, plan, open, _) => {
        let can_run = |it: &Look| it.end < Instant::MAX;
        let free_from = |it: &Look| if can_run(it) { it.from.ticks() } else { u64::MAX };
        place_each(problem, plan, open, |row, free| least(row, free, |_, it| free_from(it)))
    }
}

crate::mapper! { BestAssignment:
    name(self) => self.best.name("best-assignment", "best-assignment-execution");
    extend(self, problem, plan, open, _) =>
        place_each(problem, plan, open, |row, free| self.best.of(row, free))
}
