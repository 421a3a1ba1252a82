//! Duplex, the sequential job scheduler (SJS): the better of min-min and max-min.

use super::plan::Plan;
use super::unplaced::UnplacedJob;
use super::{Best, MaxMin, MinMin, Problem, Refusal};

/// The better of [`MinMin`] and [`MaxMin`] by merit; of equals min-min.
///
/// Collins and George 2001, section 3. Max-min is given up as soon as it cannot be the better one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duplex {
    /// What is best.
    pub best: Best,
}

impl Duplex {
    /// What the jobs take together; `None` if it is not less than `limit`, and then what is in
    /// `plan` does not matter.
    pub(super) fn run(
        self,
        problem: &Problem,
        plan: &mut Plan,
        open: &mut [UnplacedJob],
        spare: &mut Plan,
        limit: u64,
    ) -> Option<u64> {
        let Self { best } = self;
        spare.copy_from(plan);
        let min_min = MinMin { best }.run(problem, plan, open, limit);
        let to_beat = min_min.unwrap_or(limit);
        let max_min = MaxMin { best }.run(problem, spare, open, to_beat);
        if max_min.is_some() {
            plan.copy_from(spare);
        }
        max_min.or(min_min)
    }
}

crate::mapper! { Duplex:
    name(self) => self.best.name("duplex", "duplex-execution");
    extend(self, problem, plan, open, room) => {
        let done = self.run(problem, plan, open, &mut room.spare, u64::MAX);
        done.map(|_| ()).ok_or(Refusal::TooLong)
    }
}
