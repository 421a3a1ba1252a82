//! Stations, and what they ask for.

use crate::coordinate::{stored, stored_as};

/// How many rows there are; no table has more than fit.
pub(super) fn count(rows: usize) -> u32 {
    u32::try_from(rows).unwrap_or(u32::MAX)
}

/// A workstation, and with it its user: a number from 0 on, without gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StationId(pub u32);

crate::display::numbers! { StationId }

/// What one station asks of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Demand {
    /// Jobs that wait for a processor.
    pub wants: u16,
    /// Processors of others that the station holds.
    pub holds: u16,
}

impl Demand {
    /// Nothing wanted and nothing held.
    pub const NONE: Self = Self { wants: 0, holds: 0 };
}

stored_as! { StationId: |it: StationId| it.0, StationId; }

stored!(Demand {} wants + holds);
