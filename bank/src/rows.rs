//! The storage of a bank.

use crate::size::{DIMS, HOSTS, JOBS, LEVELS, LIMITS, NODES, RESERVATIONS, SHARED_JOBS, STATIONS};
use locox::bits::Word;
use locox::fair::TimedRow;
use locox::handle::{Epoch, Generation, Handle, PoolId};
use locox::reserve::{ReservationId, Timeline};
use locox::subcube::{self, Complete};
use locox_coordinators::{cluster, station};

pub(crate) type Stations = station::Arrays<STATIONS, NODES, JOBS, 32>;
pub(crate) type Shared = cluster::Arrays<
    { HOSTS * LEVELS as usize },
    HOSTS,
    SHARED_JOBS,
    { cluster::words(HOSTS, LEVELS) },
>;

/// A reservation as it is called outside. The timeline's own names do not outlive a restart.
///
/// - `generation` is odd exactly while there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Booked {
    pub(crate) generation: u32,
    /// The timeline's name for it; of no meaning if there is none.
    pub(crate) id: ReservationId,
}

impl Booked {
    pub(crate) const EMPTY: Self = Self {
        generation: 0,
        id: ReservationId::from_handle(Handle::from_parts(
            PoolId(0),
            0,
            Generation::from_raw(0),
            Epoch(0),
        )),
    };

    pub(crate) const fn is_live(&self) -> bool {
        self.generation & 1 == 1
    }
}

/// The storage of a bank: what it held does not matter.
#[derive(Debug)]
pub struct Rows {
    pub(crate) cube: [Word; subcube::words::<Complete>(DIMS)],
    pub(crate) timeline: [Word; Timeline::words(LIMITS)],
    pub(crate) booked: [Booked; RESERVATIONS as usize],
    pub(crate) stations: Stations,
    pub(crate) ranking: [TimedRow; STATIONS],
    pub(crate) shared: Shared,
}

impl Rows {
    /// All zeros, so that a `static` of them lies in `.bss`.
    pub const EMPTY: Self = Self {
        cube: [0; subcube::words::<Complete>(DIMS)],
        timeline: [0; Timeline::words(LIMITS)],
        booked: [Booked::EMPTY; RESERVATIONS as usize],
        stations: Stations::EMPTY,
        ranking: [TimedRow::EMPTY; STATIONS],
        shared: Shared::EMPTY,
    };
}
