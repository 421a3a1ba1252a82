//! The best machine of a job, in the two readings of "best".

use super::plan::{Plan, spent};
use crate::time::{Duration, Instant};

/// Which machine is the best for a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Best {
    /// The one on which it ends first: what it waits counts. The heuristics that are known by
    /// their names in the literature.
    #[default]
    Completion,
    /// The one on which it runs for the shortest time, however long it waits for it: what section
    /// 3 of Collins and George 2001 says by its words. All jobs may pile up on one machine.
    Execution,
}

/// A machine that was looked at for a job.
///
/// Machines are free ever later. So what was found once is a lower bound, and as long as the
/// machine is free from when it was, it is still true.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look {
    pub(super) machine: u32,
    /// From when on it was free.
    pub(super) from: Instant,
    /// When the job would end there.
    pub(super) end: Instant,
}

impl Look {
    /// There is no such machine, so this is never true.
    pub(super) const NONE: Self =
        Self { machine: u32::MAX, from: Instant::ZERO, end: Instant::MAX };

    /// Whether it is still true.
    pub(super) fn is_fresh(&self, plan: &Plan) -> bool {
        plan.free_from(self.machine as usize) == Some(self.from)
    }

    /// When the job would end now on the machine that was its best: no earlier than on its best.
    pub(super) fn at_most(&self, plan: &Plan) -> Instant {
        let from = plan.free_from(self.machine as usize).unwrap_or(Instant::MAX);
        from.saturating_add(Duration::from_ticks(spent(self.from, self.end)))
    }
}

impl Best {
    /// The best machine by a job's `row` of times; of equals the lowest. `None` if it can run on
    /// none that is present, or would not end there within the clock. One look at each machine.
    ///
    /// As machines are free ever later, a job ends no earlier on its best machine: by execution that
    /// stays the same one.
    pub(super) fn of(self, row: &[Duration], free: &[Instant]) -> Option<Look> {
        match self {
            Self::Completion => least(row, free, |_, it| it.end.ticks()),
            Self::Execution => least(row, free, |time, it| match it.from {
                Instant::MAX => u64::MAX,
                _ => time.ticks(),
            }),
        }
    }

    /// The name of a heuristic by this reading of two.
    pub(super) const fn name(
        self,
        completion: &'static str,
        execution: &'static str,
    ) -> &'static str {
        match self {
            Self::Completion => completion,
            Self::Execution => execution,
        }
    }
}

/// The machine of which a figure is least. The figure is the greatest where the job cannot run.
pub(super) fn least(
    row: &[Duration],
    free: &[Instant],
    figure: impl Fn(Duration, &Look) -> u64,
) -> Option<Look> {
    let (mut best, mut least) = (Look::NONE, u64::MAX);
    // There are no more machines than placements can name.
    for (machine, (&time, &from)) in (0..).zip(row.iter().zip(free)) {
        let look = Look { machine, from, end: from.saturating_add(time) };
        let figure = figure(time, &look);
        if figure < least {
            (best, least) = (look, figure);
        }
    }
    (best.end < Instant::MAX).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_runs_on_no_machine_or_beyond_the_clock_has_no_best_one() {
        let [never, short] = [u64::MAX, 5].map(Duration::from_ticks);
        let late = Instant::from_ticks(u64::MAX - 5);
        for best in [Best::Completion, Best::Execution] {
            assert!(best.of(&[never, never], &[Instant::ZERO; 2]).is_none(), "{best:?}");
            assert!(best.of(&[short, short], &[late, Instant::MAX]).is_none(), "{best:?}");
            let found = best.of(&[never, short], &[Instant::ZERO; 2]);
            assert_eq!(found.map(|it| it.machine), Some(1), "{best:?}");
        }
    }
}
