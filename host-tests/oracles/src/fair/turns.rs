//! Round-Robin by walking round the table.

use super::{Ranking, Rule};
use crate::mismatch::equal;
use locox::fair::{Decision, Demand, Reason, RoundRobin, StationId};

/// Whose turn it is.
#[derive(Clone, Debug)]
pub struct Turns(u32);

impl Turns {
    /// It is the turn of `station` first.
    pub fn starting_at(station: StationId) -> Self {
        Self(station.0)
    }
}

impl Ranking for Turns {
    fn update(&mut self, _: &[Demand]) {}

    fn round(&mut self, demand: &[Demand], free: u32, _: u32, most: usize) -> Vec<Decision> {
        let count = demand.len() as u32;
        // A turn beyond the last station is the first one's.
        let from = if self.0 < count { self.0 } else { 0 };
        let wanting = (from..count).chain(0..from).filter(|&at| demand[at as usize].wants > 0);
        let served: Vec<u32> = wanting.take(most.min(free as usize)).collect();
        if let Some(last) = served.last() {
            self.0 = last + 1;
        }
        let grant = |to: u32| Decision::Grant { to: StationId(to), reason: Reason::Turn };
        served.into_iter().map(grant).collect()
    }
}

impl Rule<RoundRobin> for Turns {
    fn compare(&self, fair: &RoundRobin) -> Result<(), String> {
        equal("next turn", fair.next_turn(), StationId(self.0))
    }
}
