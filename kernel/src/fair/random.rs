//! Random: by lot.
//!
//! Source: the rival of Up-Down in Mutka and Livny (1987): no decision refers to an earlier one,
//! and what is granted is kept until the job ends. Cost: one number. When to choose it: as a
//! yardstick. Deviation: the source does not say whether lots are drawn among stations or among
//! jobs; here each station that wants has one lot a round.

use super::{Fairness, Reason, StaticFairness, StationId};
use crate::image::digest_of;
use crate::permute::permute;

/// Serves the stations in an order drawn anew for each round: smaller lots first.
///
/// ```
/// use locox::fair::{Fairness, Random, StationId};
/// let mut fair = Random::new();
/// let first = |fair: &mut Random, draw| {
///     fair.begin(draw);
///     fair.first_of((0..10).map(StationId))
/// };
/// assert_eq!(first(&mut fair, 1234), first(&mut fair, 1234)); // the draw decides, nothing else
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Random {
    draw: u32,
}

impl Random {
    /// A lottery.
    pub const fn new() -> Self {
        Self { draw: 0 }
    }
}

impl<const N: usize> StaticFairness<N> for Random {
    const FRESH: Self = Self::new();
}

impl Fairness for Random {
    type Draw = u32;

    fn identity(&self) -> u32 {
        digest_of(&[3])
    }

    fn begin(&mut self, draw: u32) {
        self.draw = draw;
    }

    fn key(&self, station: StationId) -> u32 {
        permute(self.draw, station.0)
    }

    fn reason(&self, _: StationId, _: Option<StationId>) -> Reason {
        Reason::Lot
    }
}
