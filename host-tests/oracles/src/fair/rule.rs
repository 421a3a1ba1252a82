//! What a naive model of a ranking says.

use locox::fair::{Decision, Demand};
use locox::time::Instant;

/// A naive ranking of stations.
pub trait Ranking {
    /// Whether it is told of each change and decides one by one.
    const KEEPS_ORDER: bool = false;

    /// It is `now`.
    fn advance(&mut self, _now: Instant) {}

    /// The next decision, for those that keep the order, and taken note of; the demand is told
    /// again after it.
    fn next(&mut self, _free: u32) -> Option<Decision> {
        None
    }

    /// Whether stations have weights.
    const HAS_WEIGHTS: bool = false;

    /// From now on a station has this weight.
    fn weigh(&mut self, _station: usize, _weight: u16) {}

    /// Takes note of what the stations want and hold.
    fn update(&mut self, demand: &[Demand]);

    /// What a round over so many free processors decides, with the caller's random number: no more
    /// than the `most` first.
    fn round(&mut self, demand: &[Demand], free: u32, draw: u32, most: usize) -> Vec<Decision>;
}

/// The naive model of the ranking `F`.
pub trait Rule<F>: Ranking {
    /// Compares what the ranking shows between rounds.
    ///
    /// # Errors
    ///
    /// Says in which respect the two differ.
    fn compare(&self, fair: &F) -> Result<(), String>;
}
