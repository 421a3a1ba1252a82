//! What the ranking keeps of a station.

use super::decay::Halvings;
use super::rate::{Index, Rate};
use crate::fair::Demand;
use crate::ground::heap::{HeapNode, Heaped};
use crate::list::Ref;
use core::cmp::Ordering;

/// Which of a rate's two heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Stations that want a processor; the lowest index is on top.
    Wants,
    /// Stations that hold one; the highest index is on top.
    Holds,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Wants, Self::Holds];

    /// Whether a station with this demand is in the heap.
    pub(super) const fn has(self, demand: Demand) -> bool {
        match self {
            Self::Wants => demand.wants > 0,
            Self::Holds => demand.holds > 0,
        }
    }

    /// What a pair has for this side.
    pub(super) const fn of<T>(self, pair: &[T; 2]) -> &T {
        let [wants, holds] = pair;
        match self {
            Self::Wants => wants,
            Self::Holds => holds,
        }
    }

    pub(super) const fn of_mut<T>(self, pair: &mut [T; 2]) -> &mut T {
        let [wants, holds] = pair;
        match self {
            Self::Wants => wants,
            Self::Holds => holds,
        }
    }
}

/// A rate that is in use, and the heaps of the stations that move at it. None are zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RateRow {
    /// Those that want, and those that hold.
    pub(super) roots: [Ref; 2],
    holds: u16,
    extra_weight: u16,
}

impl RateRow {
    pub(super) const EMPTY: Self = Self { roots: [Ref::NONE; 2], holds: 0, extra_weight: 0 };

    pub(super) const fn of(rate: Rate) -> Self {
        match rate {
            Rate::Idle | Rate::Waits => Self::EMPTY,
            Rate::Holds { holds, extra_weight } => Self { holds, extra_weight, ..Self::EMPTY },
        }
    }

    pub(super) const fn is(&self, rate: Rate) -> bool {
        let other = Self::of(rate);
        self.holds == other.holds && self.extra_weight == other.extra_weight
    }

    pub(super) const fn is_empty(&self) -> bool {
        let [wants, holds] = self.roots;
        wants.get().is_none() && holds.get().is_none()
    }
}

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
    pub(super) nodes: [HeapNode; 2],
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
        nodes: [HeapNode::EMPTY; 2],
        rate: RateRow::EMPTY,
    };

    pub(super) const fn rate_of_station(&self) -> Rate {
        Rate::of(self.demand, self.extra_weight as u16)
    }

    /// The index at an instant, if the demand stays as it is until then.
    // Its copies take 2 KB of flash at level 3.
    #[inline(never)]
    pub(super) fn index(&self, then: &Halvings) -> Index {
        let distance = then.unscaled(self.distance, self.whole);
        self.rate_of_station().target().saturating_add(distance)
    }

    /// The order of two stations that move at the same rate, which never changes: 2 to the
    /// `whole` is common to all.
    fn rising(&self, other: &Self) -> Ordering {
        match self.whole.cmp(&other.whole) {
            Ordering::Equal => self.distance.cmp(&other.distance),
            Ordering::Less => compare(self, other),
            Ordering::Greater => compare(other, self).reverse(),
        }
    }
}

impl Heaped for TimedRow {
    type Side = Side;

    fn node(&self, side: Side) -> &HeapNode {
        side.of(&self.nodes)
    }

    fn node_mut(&mut self, side: Side) -> &mut HeapNode {
        side.of_mut(&mut self.nodes)
    }

    fn order(&self, other: &Self, side: Side) -> Ordering {
        let order = self.rising(other);
        if side == Side::Wants { order } else { order.reverse() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_older_distance_is_halved_and_what_that_drops_decides() {
        use Ordering::{Equal, Greater, Less};
        let cases = [
            ((4, 0), (2, 1), Equal),
            ((5, 0), (2, 1), Greater),
            ((3, 0), (2, 1), Less),
            ((-4, 0), (-2, 1), Equal),
            ((-3, 0), (-2, 1), Greater),
            ((-5, 0), (-2, 1), Less),
            ((1 << 57, 0), (1, 57), Equal),
            ((1 << 57, 0), (2, 57), Less),
            // From 63 halvings on nothing but the sign is left.
            ((1 << 57, 0), (0, 63), Greater),
            ((1, 0), (0, 64), Greater),
            ((-1, 0), (0, 100), Less),
            ((0, 0), (0, u32::MAX), Equal),
        ];
        for (early, late, order) in cases {
            let [early, late] = [early, late].map(|(distance, whole)| TimedRow {
                distance,
                whole,
                ..TimedRow::EMPTY
            });
            assert_eq!(early.rising(&late), order, "{} and {}", early.distance, late.distance);
            assert_eq!(late.rising(&early), order.reverse());
        }
    }
}
