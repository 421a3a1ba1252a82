//! How much a bank holds. Another bank is another set of numbers.

use locox::reserve::Limits;
use locox::time::Duration;

/// Dimensions of the cube.
pub const DIMS: u8 = 6;
/// Nodes of the cube.
pub const CUBE: u32 = 1 << DIMS;
/// PEs that can be reserved: no more than a word has bits.
pub const PES: u32 = 32;
/// Reservations at a time.
pub const RESERVATIONS: u32 = 24;
/// The timeline's limits.
pub const LIMITS: Limits = Limits { pes: PES, reservations: RESERVATIONS };
/// Workstations.
pub const STATIONS: usize = 8;
/// Their processors and those without an owner.
pub const NODES: usize = STATIONS + 8;
/// Jobs of workstations at a time.
pub const JOBS: usize = 32;
/// Hosts that are shared in time.
pub const HOSTS: usize = 8;
/// Jobs on one of them at the most.
pub const LEVELS: u8 = 2;
/// Jobs on them at a time, those that wait included.
pub const SHARED_JOBS: usize = 16;
/// Hits that have not been told: each lease and each reservation once.
pub const HITS: usize = CUBE as usize + RESERVATIONS as usize;
/// Words of an image at the most.
pub const IMAGE: u32 = 1825;
/// A minute of the study, in ticks of a millisecond.
pub const MINUTE: Duration = Duration::from_ticks(60_000);
