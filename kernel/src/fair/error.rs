//! What a caller did wrong.

use super::StationId;
use super::demand::count;

crate::display::errors! {
    /// What a caller did wrong. The call that returns it has changed nothing.
    pub enum Misuse {
        /// The parameter of this name must not be zero.
        Zero { parameter: &'static str } => "{parameter} must not be zero",
        /// There is demand of more or fewer stations than the table has entries.
        Stations { table: u32, demand: u32 }
            => "demand is of {demand} stations, but the table has {table}",
        /// The stations hold, and there are said to be free, more processors than there are.
        HoldingsExceedCapacity { held: u32, free: u32, nodes: u32 }
            => "holds add up to {held}, with {free} free, but there are {nodes} nodes",
        /// A round needs room for at least four contenders.
        Scratch => "scratch must have room for at least four contenders",
        /// There is no such station.
        NoSuchStation(station: StationId) => "there is no station {station}",
        /// Stations have no weights under this ranking.
        NoWeights => "stations have no weights under this ranking",
    }
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
