//! What a round decides, and why.

use super::{ScheduleIndex, StationId};

/// Why a station was chosen, and why another had to yield.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Reason {
    /// No station that wants a processor and was not served in this round has a better index
    /// than this.
    BestIndex(ScheduleIndex),
    /// The station that waits without a processor has a better index than the one that holds.
    BetterIndex {
        /// The index of the station that gets the processor.
        to: ScheduleIndex,
        /// The index of the station that yields it.
        from: ScheduleIndex,
    },
    /// It was the station's turn.
    Turn,
    /// The lot fell on it.
    Lot,
}

impl Reason {
    /// By the indices of the station that is served and of the one that yields, if one does.
    pub(super) const fn of_indices(to: ScheduleIndex, from: Option<ScheduleIndex>) -> Self {
        match from {
            None => Self::BestIndex(to),
            Some(from) => Self::BetterIndex { to, from },
        }
    }
}

/// Who yields a processor to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The station that yields.
    pub from: StationId,
    /// The station that gets it.
    pub to: StationId,
    /// Their indices a quantum from now, if it is done.
    pub reason: Reason,
}

/// What a round decides: one processor changes hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Decision {
    /// A free processor goes to `to`.
    Grant {
        /// The station that gets it.
        to: StationId,
        /// Why this one.
        reason: Reason,
    },
    /// One of the processors of `from` is taken from it and goes to `to`.
    Preempt {
        /// The station that yields.
        from: StationId,
        /// The station that gets it.
        to: StationId,
        /// Why these two.
        reason: Reason,
    },
}
