//! Best assignment: each job in its turn to its best machine.

use super::unplaced::UnplacedJob;
use super::{Best, Mapper, Plan, Problem, Refusal, Workspace};

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

impl Mapper for BestAssignment {
    fn name(&self) -> &'static str {
        match self.best {
            Best::Completion => "best-assignment",
            Best::Execution => "best-assignment-execution",
        }
    }

    fn extend(
        &self,
        problem: &Problem,
        plan: &mut Plan,
        open: &mut [UnplacedJob],
        _: &mut Workspace,
    ) -> Result<(), Refusal> {
        for job in open.iter().map(|open| open.job as usize) {
            let best = self.best.of(problem.times.row(job), plan.free());
            let placed = best.and_then(|(machine, _)| plan.place(problem, job, machine));
            placed.ok_or(Refusal::NoMachine(job))?;
        }
        Ok(())
    }
}
