//! Round-Robin: each station in turn.
//!
//! Source: the rival of Up-Down in Mutka and Livny (1987): stations get their chance in a fixed
//! order, and what is granted is kept until the job ends. Cost: one number. When to choose it:
//! when demands are alike and jobs cannot be preempted. It remembers nothing of the past, so a
//! heavy user's share grows with its demand.

use super::{Fairness, Reason, StaticFairness, StationId};
use crate::image::digest_of;

/// Serves the stations in the order of their numbers, starting after the one served last.
///
/// ```
/// use locox::fair::{Fairness, RoundRobin, StationId};
/// let mut fair = RoundRobin::starting_at(StationId(2));
/// fair.begin(());
/// assert_eq!(fair.first_of([StationId(1), StationId(3)]), Some(StationId(3)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RoundRobin {
    /// Whose turn it is in this round.
    turn: u32,
    /// Whose turn it is in the next.
    next: u32,
}

impl RoundRobin {
    /// The order that begins with the first station.
    pub const fn new() -> Self {
        Self::starting_at(StationId(0))
    }

    /// An order in which it is the turn of `station`.
    pub const fn starting_at(station: StationId) -> Self {
        Self { turn: station.0, next: station.0 }
    }

    /// Whose turn it is in the next round.
    pub const fn next_turn(&self) -> StationId {
        StationId(self.next)
    }
}

impl<const N: usize> StaticFairness<N> for RoundRobin {
    const FRESH: Self = Self::new();
}

impl Fairness for RoundRobin {
    type Draw = ();

    fn identity(&self) -> u32 {
        digest_of(&[4])
    }

    fn begin(&mut self, (): ()) {
        self.turn = self.next;
    }

    fn key(&self, station: StationId) -> u32 {
        // Numbers below the turn wrap to the far end: they come last, in order.
        station.0.wrapping_sub(self.turn)
    }

    fn served(&mut self, station: StationId) {
        self.next = station.0.wrapping_add(1);
    }

    fn reason(&self, _: StationId, _: Option<StationId>) -> Reason {
        Reason::Turn
    }

    fn export(&self, put: &mut dyn FnMut(u32)) {
        put(self.next);
    }

    fn restore(&mut self, words: &mut dyn Iterator<Item = u32>) -> Option<()> {
        *self = Self::starting_at(StationId(words.next()?));
        Some(())
    }

    fn forget(&mut self) {
        *self = Self::default();
    }
}
