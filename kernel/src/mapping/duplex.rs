//! Duplex, the sequential job scheduler (SJS): the better of min-min and min-max.

use super::open::Open;
use super::plan::Plan;
use super::{Best, Mapper, MinMax, MinMin, Problem, Refusal, Room};

/// The better of [`MinMin`] and [`MinMax`] by merit; of equals min-min.
///
/// Collins and George 2001, section 3. Min-max is given up as soon as it cannot be the better one.
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
        open: &mut [Open],
        spare: &mut Plan,
        limit: u64,
    ) -> Option<u64> {
        let Self { best } = self;
        spare.copy_from(plan);
        let min_min = MinMin { best }.run(problem, plan, open, limit);
        let to_beat = min_min.unwrap_or(limit);
        let min_max = MinMax { best }.run(problem, spare, open, to_beat);
        if min_max.is_some() {
            plan.copy_from(spare);
        }
        min_max.or(min_min)
    }
}

impl Mapper for Duplex {
    fn name(&self) -> &'static str {
        match self.best {
            Best::Completion => "duplex",
            Best::Execution => "duplex-execution",
        }
    }

    fn extend(
        &self,
        problem: &Problem,
        plan: &mut Plan,
        open: &mut [Open],
        room: &mut Room,
    ) -> Result<(), Refusal> {
        let done = self.run(problem, plan, open, &mut room.spare, u64::MAX);
        done.map(|_| ()).ok_or(Refusal::TooLong)
    }
}
