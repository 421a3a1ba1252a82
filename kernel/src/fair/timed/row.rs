//! What the ranking keeps of a station.

use super::decay::Halvings;
use super::heap::Node;
use super::rates::{Rate, RateRow};
use crate::fair::Demand;
use core::cmp::Ordering;

/// A row of [`TimedUpDown`](super::TimedUpDown): a station, and, in the first of them, a rate at
/// which stations move. 64 bytes; an empty one is zeros without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedRow {
    /// How far the index is from what it tends to, in the common scale; constant while the
    /// demand is.
    pub(super) distance: i64,
    /// The whole half-lives that had passed when `distance` was scaled.
    pub(super) whole: u32,
    pub(super) demand: Demand,
    /// The weight, less one: below 65,535, but as wide as leaves no gap.
    pub(super) extra_weight: u32,
    /// In the heap of those that want, and in that of those that hold.
    pub(super) nodes: [Node; 2],
    /// Of no station: the rates in use stand in the first rows.
    pub(super) rate: RateRow,
}

impl TimedRow {
    /// A station that never had anything, of weight 1.
    pub const EMPTY: Self = Self {
        distance: 0,
        whole: 0,
        demand: Demand::NONE,
        extra_weight: 0,
        nodes: [Node::EMPTY; 2],
        rate: RateRow::EMPTY,
    };

    pub(super) const fn rate_of_station(&self) -> Rate {
        Rate::of(self.demand, self.extra_weight as u16)
    }

    /// The index at an instant, if the demand stays as it is until then.
    pub(super) fn index(&self, then: &Halvings) -> i64 {
        let distance = then.unscaled(self.distance, self.whole);
        self.rate_of_station().target().saturating_add(distance)
    }

    /// The order of two stations that move at the same rate, which never changes: 2 to the
    /// `whole` is common to all.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        match self.whole.cmp(&other.whole) {
            Ordering::Equal => self.distance.cmp(&other.distance),
            Ordering::Less => compare(self, other),
            Ordering::Greater => compare(other, self).reverse(),
        }
    }
}

/// Compares the distance of the `early` one with that of the `late` one, which is to be doubled as
/// often as their `whole` differ: so the early one is halved instead, and what that drops decides.
const fn compare(early: &TimedRow, late: &TimedRow) -> Ordering {
    // No distance has 63 bits.
    let doublings = late.whole.wrapping_sub(early.whole);
    let doublings = if doublings > 63 { 63 } else { doublings };
    let halved = early.distance >> doublings;
    if halved < late.distance {
        Ordering::Less
    } else if halved > late.distance || halved << doublings != early.distance {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}
