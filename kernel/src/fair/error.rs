//! What a caller did wrong.

use super::StationId;
use super::demand::count;

/// What a caller did wrong. The call that returns it has changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Misuse {
    /// The parameter must not be zero.
    Zero {
        /// Its name.
        parameter: &'static str,
    },
    /// There is demand of more or fewer stations than the table has.
    Stations {
        /// Entries of the table.
        table: u32,
        /// Entries of the demand.
        demand: u32,
    },
    /// The stations hold, and there are free, more processors than there are.
    HoldingsExceedCapacity {
        /// Processors held by all stations together.
        held: u32,
        /// Processors said to be free.
        free: u32,
        /// Processors that there are.
        nodes: u32,
    },
    /// A round needs room for at least four contenders.
    Scratch,
    /// There is no such station.
    NoSuchStation(StationId),
}

impl Misuse {
    /// Whether there is demand of as many stations as the table has.
    pub(super) fn check_stations(table: usize, demand: usize) -> Result<(), Self> {
        if table == demand {
            return Ok(());
        }
        Err(Self::Stations { table: count(table), demand: count(demand) })
    }
}

crate::display::error! { Misuse:
    Self::Zero { parameter } => "{parameter} must not be zero",
    Self::Stations { table, demand } => "demand is of {demand} stations, but the table has {table}",
    Self::HoldingsExceedCapacity { held, free, nodes } =>
        "holds add up to {held}, with {free} free, but there are {nodes} nodes",
    Self::Scratch => "scratch must have room for at least four contenders",
    Self::NoSuchStation(station) => "there is no station {station}",
}
