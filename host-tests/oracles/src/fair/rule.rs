//! What a naive model of a ranking says.

use locox::fair::{Decision, Demand, Fairness};

/// A naive model of one ranking.
pub trait Rule<F: Fairness> {
    /// Takes note of what the stations want and hold.
    fn update(&mut self, demand: &[Demand]);

    /// Compares what a round decided with what it must.
    ///
    /// # Errors
    ///
    /// Says in which respect the two differ.
    fn round(&mut self, demand: &[Demand], free: u32, list: &[Decision]) -> Result<(), String>;

    /// Compares what the ranking shows between rounds.
    ///
    /// # Errors
    ///
    /// Says in which respect the two differ.
    fn compare(&self, fair: &F) -> Result<(), String>;
}
