//! The best machine of a job, in the two readings of "best".

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

impl Best {
    /// The best machine by a job's `row` of times; of equals the lowest. `None` if it can run on
    /// none that is present, or would not end there within the clock. One look at each machine.
    ///
    /// As machines are free ever later, a job ends no earlier on its best machine: by execution that
    /// stays the same one.
    pub(super) fn of(self, row: &[Duration], free: &[Instant]) -> Option<(usize, Instant)> {
        match self {
            Self::Completion => least(row, free, |time, from| from.saturating_add(time).ticks()),
            Self::Execution => least(row, free, |time, from| match from {
                Instant::MAX => u64::MAX,
                _ => time.ticks(),
            }),
        }
    }
}

/// The machine of which a figure is least, and when the job ends there. The figure is the greatest
/// where it cannot run.
fn least(
    row: &[Duration],
    free: &[Instant],
    figure: impl Fn(Duration, Instant) -> u64,
) -> Option<(usize, Instant)> {
    let (mut best, mut least, mut end) = (0, u64::MAX, Instant::MAX);
    for (machine, (&time, &from)) in row.iter().zip(free).enumerate() {
        let figure = figure(time, from);
        if figure < least {
            (best, least, end) = (machine, figure, from.saturating_add(time));
        }
    }
    (end < Instant::MAX).then_some((best, end))
}
