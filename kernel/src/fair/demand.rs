//! Stations, and what they ask for.

use crate::{ids, stored};

/// How many rows there are; no table has more than fit.
pub(super) fn count(rows: usize) -> u32 {
    u32::try_from(rows).unwrap_or(u32::MAX)
}

ids! {
    /// A workstation, and with it its user: a number from 0 on, without gaps.
    pub struct StationId;
}

crate::data::data! {
    /// What one station asks of the others.
    #[derive(Default)]
    pub struct Demand {
        /// Jobs that wait for a processor.
        pub wants: u16,
        /// Processors of others that the station holds.
        pub holds: u16,
    }
}

impl Demand {
    /// Nothing wanted and nothing held.
    pub const NONE: Self = Self { wants: 0, holds: 0 };
}

stored!(Demand {} wants + holds);
