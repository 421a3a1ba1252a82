//! What a ranking of stations must do.

use super::{Demand, Exchange, Misuse, Reason, StationId};
use crate::draw::Draw;
use crate::time::Instant;

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
    fn next_claimant(&self) -> Option<StationId> {
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

    /// Tells its kind and its parameters from others: part of the identity of images and journals of a
    /// coordinator ([`digest_of`](crate::image::digest_of) makes a number of several). 0 by default, for a
    /// ranking of one's own without parameters.
    fn identity(&self) -> u32 {
        0
    }

    /// The weight of a station; `None` if there is no such station, and by default: stations have no weights.
    fn weight(&self, _station: StationId) -> Option<u16> {
        None
    }

    /// A station that has a weight has this one from now on; it is not zero.
    fn weigh(&mut self, _station: StationId, _weight: u16) {}

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
