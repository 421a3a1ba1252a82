//! What a round decides, and why.

use super::{ScheduleIndex, StationId};

crate::data::cases! {
    /// Why a station was chosen, and why another had to yield.
    pub enum Reason {
        /// No station that wants a processor and was not served in this round has a better index
        /// than this.
        BestIndex(ScheduleIndex),
        /// The station that waits without a processor and gets it has a better index than the one
        /// that holds it and yields.
        BetterIndex { to: ScheduleIndex, from: ScheduleIndex },
        /// It was the station's turn.
        Turn,
        /// The lot fell on it.
        Lot,
    }

    /// What a round decides: one processor changes hands.
    pub enum Decision {
        /// A free processor goes to `to`.
        Grant { to: StationId, reason: Reason },
        /// One of the processors of `from` is taken from it and goes to `to`.
        Preempt { from: StationId, to: StationId, reason: Reason },
    }
}

crate::data::data! {
    /// Who yields a processor to whom.
    pub struct Exchange {
        /// The station that yields.
        pub from: StationId,
        /// The station that gets it.
        pub to: StationId,
        /// Their indices a quantum from now, if it is done.
        pub reason: Reason,
    }
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
