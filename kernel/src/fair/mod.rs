//! Fair shares of processors that belong to others: Up-Down and its two rivals.
//!
//! Stations want processors for their background jobs; some processors are free. Who gets one,
//! and who has to give one back? A [`Fairness`] ranks the stations: [`TimedUpDown`] by what each
//! had and how long each waited, which is the one to start from; [`UpDown`] by the same with the
//! study's table, which counts updates and comes to its ends where these are many;
//! [`RoundRobin`] in turn, [`Random`] by lot. A [`Round`] turns the ranking into an ordered list of
//! [`Decision`]s, each with its reason.
//!
//! At each scheduling interval, whenever new capacity becomes available, or however else the
//! caller's rules say: [`Fairness::update`] with the demand as it stood, then a [`Round`]. A ranking
//! that [keeps the order](Fairness::KEEPS_ORDER) is told of the time and of each change instead.
//!
//! Source: Mutka and Livny, "Scheduling Remote Processing Capacity in a Workstation-Processor
//! Bank Network" (1987), tables 3 and 4.
//!
//! Cost: [`TimedUpDown`] takes O(log stations + rates) for a change or a decision, and 64 bytes a
//! station. Under the others an update and a round each pass once over the stations, whatever
//! there is to decide: together 2 ns a station, 0.2 ms among 100,000 and 2 ms among a million, and
//! a pass more for each time that the contenders that there is room for are used up. Memory is 8
//! bytes a station (index and demand) and 16 bytes for each decision that a round is to find in one
//! pass.
//!
//! ```
//! use locox::fair::{
//!     Capacity, Condor, Contender, Decision, Demand, Fairness, Reason, Round, ScheduleIndex,
//!     StationId, UpDown,
//! };
//! let mut fair = UpDown::new([ScheduleIndex::ZERO; 2], Condor::default());
//! let mut scratch = [Contender::EMPTY; 4];
//!
//! // Station 0 has had both processors of the bank for an interval; station 1 wants one.
//! let demand = [Demand { wants: 5, holds: 2 }, Demand { wants: 1, holds: 0 }];
//! fair.update(&demand).unwrap();
//! let capacity = Capacity { nodes: 2, free: 0 };
//! let mut round = Round::new(&mut fair, &demand, capacity, (), &mut scratch).unwrap();
//! let reason = Reason::BetterIndex {
//!     to: ScheduleIndex::from_int(-10),
//!     from: ScheduleIndex::from_int(20),
//! };
//! assert_eq!(
//!     round.next(&mut fair, &demand),
//!     Some(Decision::Preempt { from: StationId(0), to: StationId(1), reason })
//! );
//! assert_eq!(round.next(&mut fair, &demand), None);
//! ```

mod functions;
mod index;
mod random;
mod ranked;
mod round;
mod round_robin;
mod timed;
mod updown;

pub use functions::{Condor, IndexFunctions, Line, Linear, Saturating};
pub use index::{Amount, ScheduleIndex};
pub use random::Random;
pub use ranked::Contender;
pub use round::{Capacity, Decision, Round};
pub use round_robin::RoundRobin;
pub use timed::{Exchange, Pace, TimedRow, TimedUpDown};
pub use updown::{LowestFirst, Shuffled, Ties, UpDown};

use crate::coordinate::{Draw, stored, stored_as};
use crate::time::Instant;

/// How many rows there are; no table has more than fit.
fn count(rows: usize) -> u32 {
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

/// A ranking of stations, and what it remembers of them.
///
/// The station with the smallest [`key`](Fairness::key) is served first, among equal keys the
/// one with the smallest [`tie`](Fairness::tie). Both are fixed from one
/// [`begin`](Fairness::begin) to the next, so the order is total and deterministic.
pub trait Fairness {
    /// What is drawn for each round: `()` if the ranking shuffles nothing.
    type Draw: Draw;

    /// Whether this ranking covers `stations` stations.
    ///
    /// # Errors
    ///
    /// [`Misuse::Stations`] if it holds a table of another length.
    fn check(&self, _stations: usize) -> Result<(), Misuse> {
        Ok(())
    }

    /// Whether it keeps the stations in order by itself, as it is told of each change: a round then
    /// looks at no station that it does not choose, and needs no update.
    const KEEPS_ORDER: bool = false;

    /// It is `now`. A time before the one told last begins another count of time.
    fn advance(&mut self, _now: Instant) {}

    /// From now on a station wants and holds so much. For rankings that keep the order.
    fn note(&mut self, _station: StationId, _demand: Demand) {}

    /// Takes note of what the stations wanted and held. One pass.
    ///
    /// # Errors
    ///
    /// As [`check`](Fairness::check); nothing is noted then.
    fn update(&mut self, demand: &[Demand]) -> Result<(), Misuse> {
        self.check(demand.len())
    }

    /// A round of allocation begins. `draw` is fresh from the caller's random source.
    fn begin(&mut self, _draw: Self::Draw) {}

    /// Where `station` stands in this round: smaller is earlier. The highest key for a station
    /// that the ranking does not know.
    fn key(&self, station: StationId) -> u32;

    /// The order among equal keys: no two stations have the same. By default their numbers.
    fn tie(&self, station: StationId) -> u32 {
        station.0
    }

    /// Whether a station that waits takes a processor from a holder with a larger key.
    fn preempts(&self) -> bool {
        false
    }

    /// The round gave a processor to `station`.
    fn served(&mut self, _station: StationId) {}

    /// A station yielded a processor to another in the round. For rankings that keep the order.
    fn yielded(&mut self, _station: StationId) {}

    /// Of the stations that want a processor the one that is served first, for rankings that keep
    /// the order.
    fn first_taker(&self) -> Option<StationId> {
        None
    }

    /// Who takes a processor from whom if none is free, for rankings that keep the order.
    fn exchange(&self) -> Option<Exchange> {
        None
    }

    /// Why `to` is served, if need be at the expense of `from`.
    fn reason(&self, to: StationId, from: Option<StationId>) -> Reason;

    /// Which of `candidates` is served first; `None` if there are none. For queues that only
    /// want a ranking of their users. One pass over the candidates.
    fn first_of<I: IntoIterator<Item = StationId>>(&self, candidates: I) -> Option<StationId>
    where
        Self: Sized,
    {
        candidates.into_iter().min_by_key(|&station| (self.key(station), self.tie(station)))
    }

    /// Passes what it remembers from round to round to `put`, word by word. Nothing by default.
    fn export(&self, _put: &mut dyn FnMut(u32)) {}

    /// Remembers what was exported, from just as many words; `None` if there are fewer, or if
    /// they make no sense.
    fn restore(&mut self, _words: &mut dyn Iterator<Item = u32>) -> Option<()> {
        Some(())
    }

    /// Forgets everything, as if no round had been.
    fn forget(&mut self) {}
}

/// A ranking of so many stations that can be made at compile time, for a coordinator in a
/// `static`.
pub trait StaticFairness<const STATIONS: usize>: Fairness {
    /// One that remembers nothing, with the parameters of the study.
    const FRESH: Self;
}

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

crate::display::error! { Misuse:
    Self::Zero { parameter } => "{parameter} must not be zero",
    Self::Stations { table, demand } => "demand is of {demand} stations, but the table has {table}",
    Self::HoldingsExceedCapacity { held, free, nodes } =>
        "holds add up to {held}, with {free} free, but there are {nodes} nodes",
    Self::Scratch => "scratch must have room for at least four contenders",
    Self::NoSuchStation(station) => "there is no station {station}",
}
