//! Random: by lot.
//!
//! Source: the rival of Up-Down in Mutka and Livny (1987): no decision refers to an earlier one,
//! and what is granted is kept until the job ends. Cost: one number. When to choose it: as a
//! yardstick. Deviation: the source does not say whether lots are drawn among stations or among
//! jobs; here each station that wants has one lot a round.

use super::{Fairness, Reason, StaticFairness, StationId};

/// Serves the stations in an order drawn anew for each round: smaller lots first.
///
/// The lot of station s under the draw d is m(m(s ^ d) + r), with m the 32-bit finaliser of
/// MurmurHash3 and r the draw rotated by 16 bits. It stays so, or recorded runs would not replay.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

    fn begin(&mut self, draw: u32) {
        self.draw = draw;
    }

    fn key(&self, station: StationId) -> u32 {
        lot(self.draw, station)
    }

    fn reason(&self, _: StationId, _: Option<StationId>) -> Reason {
        Reason::Lot
    }
}

/// The lot of a station in the round with this draw: a bijection of the station's number, so that
/// no two stations draw the same. One draw orders all stations.
pub(super) const fn lot(draw: u32, station: StationId) -> u32 {
    mix(mix(station.0 ^ draw).wrapping_add(draw.rotate_left(16)))
}

const fn mix(mut bits: u32) -> u32 {
    bits = (bits ^ bits >> 16).wrapping_mul(0x85EB_CA6B);
    bits = (bits ^ bits >> 13).wrapping_mul(0xC2B2_AE35);
    bits ^ bits >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_order_of_four_stations_is_drawn_about_equally_often() {
        const ROUNDS: u32 = 24_000;
        let mut seen = [0u32; 256];
        for round in 0..ROUNDS {
            // The draws themselves are the worst a caller could supply: a plain count.
            let mut order = [0u8, 1, 2, 3];
            order.sort_by_key(|&station| lot(round, StationId(station.into())));
            let code = order.iter().fold(0, |code, &station| code * 4 + usize::from(station));
            seen[code] += 1;
        }
        let orders = seen.iter().filter(|&&count| count > 0);
        assert_eq!(orders.clone().count(), 24);
        // 1000 expected each; 5 standard deviations are 155.
        assert!(orders.clone().all(|&count| count.abs_diff(1000) < 155), "{seen:?}");
    }

    #[test]
    fn no_two_stations_draw_the_same_lot() {
        let mut lots = [0; 4096];
        for (station, slot) in (0..).zip(&mut lots) {
            *slot = lot(99, StationId(station));
        }
        lots.sort_unstable();
        assert!(lots.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
