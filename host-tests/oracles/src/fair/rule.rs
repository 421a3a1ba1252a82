//! What a naive model of a ranking says.

use locox::fair::{Decision, Demand};

/// A naive ranking of stations.
pub trait Ranking {
    /// Takes note of what the stations want and hold.
    fn update(&mut self, demand: &[Demand]);

    /// All that a round over so many free processors decides, with the caller's random number.
    fn round(&mut self, demand: &[Demand], free: u32, draw: u32) -> Vec<Decision>;
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
