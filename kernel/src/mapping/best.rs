//! The best machine of a job, in the two readings of "best".

use crate::time::{Duration, Instant};

/// Which machine is the best for a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// none that is present. One look at each machine.
    pub(super) fn of(self, row: &[Duration], free: &[Instant]) -> Option<(usize, Instant)> {
        // Saturates for machines that are away and for jobs that never run there.
        let ends = row.iter().zip(free).map(|(&time, from)| (time, from.saturating_add(time)));
        let can_run = ends.enumerate().filter(|(_, (_, end))| *end != Instant::MAX);
        let best = match self {
            Self::Completion => can_run.reduce(|a, b| if b.1.1 < a.1.1 { b } else { a }),
            Self::Execution => can_run.reduce(|a, b| if b.1.0 < a.1.0 { b } else { a }),
        };
        best.map(|(machine, (_, end))| (machine, end))
    }
}
