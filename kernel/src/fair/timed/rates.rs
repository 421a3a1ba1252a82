//! Rates at which indices move, and the heaps of those that move alike.

use super::TimedRow;
use super::heap::{self, Side, Sides};
use crate::fair::Demand;
use crate::list::Ref;

/// Fractional bits of an index: it counts processors times half-lives.
pub(super) const FRACTION: u32 = 40;

/// One processor for ever: 1 / ln 2, in units of 2^-40.
const STEADY: i64 = 1_586_259_972_792;

/// How an index moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rate {
    /// It neither holds nor wants: towards zero.
    Idle,
    /// It wants and holds none: down.
    Waits,
    /// It holds so many, with such a weight less one: up.
    Holds { holds: u16, extra_weight: u16 },
}

impl Rate {
    pub(super) const fn of(demand: Demand, extra_weight: u16) -> Self {
        match demand {
            Demand { holds: 0, wants: 0 } => Self::Idle,
            Demand { holds: 0, .. } => Self::Waits,
            Demand { holds, .. } => Self::Holds { holds, extra_weight },
        }
    }

    /// What an index tends to at this rate, so that none ever leaves the range from that of one
    /// that waits to that of one that holds 65,535: no index reaches an end of its 64 bits.
    pub(super) fn target(self) -> i64 {
        match self {
            Self::Idle => 0,
            Self::Waits => -STEADY,
            Self::Holds { holds, extra_weight: 0 } => STEADY.saturating_mul(i64::from(holds)),
            Self::Holds { holds, extra_weight } => {
                let weight = u32::from(extra_weight).saturating_add(1);
                divided(STEADY.saturating_mul(i64::from(holds)), weight)
            }
        }
    }
}

/// `number`, not negative, over a weight, not above 2^16: 16 bits at a time, as no microcontroller
/// divides more than 32 by itself.
fn divided(number: i64, weight: u32) -> i64 {
    let (mut quotient, mut rest) = (0, 0u32);
    for digit in number.to_be_bytes().as_chunks::<2>().0 {
        let number = rest << 16 | u32::from(u16::from_be_bytes(*digit));
        let part = number.checked_div(weight).unwrap_or(0);
        rest = number.wrapping_sub(part.wrapping_mul(weight));
        quotient = quotient << 16 | i64::from(part);
    }
    quotient
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

    const fn of(rate: Rate) -> Self {
        match rate {
            Rate::Idle | Rate::Waits => Self::EMPTY,
            Rate::Holds { holds, extra_weight } => Self { holds, extra_weight, ..Self::EMPTY },
        }
    }

    const fn is(&self, rate: Rate) -> bool {
        let other = Self::of(rate);
        self.holds == other.holds && self.extra_weight == other.extra_weight
    }

    const fn is_empty(&self) -> bool {
        let [wants, holds] = self.roots;
        wants.get().is_none() && holds.get().is_none()
    }
}

/// Brings a station into those heaps of its rate that `sides` names. There is room for the rate:
/// there are no more rates than stations that are not idle.
pub(super) fn enter(rows: &mut [TimedRow], live: &mut u32, station: u32, sides: Sides) {
    if sides == Sides::NONE {
        return;
    }
    let Some(rate) = rows.get(station as usize).map(TimedRow::rate_of_station) else { return };
    let at = find(rows, *live, rate).unwrap_or(*live);
    if at == *live {
        let Some(row) = rows.get_mut(at as usize) else { return };
        row.rate = RateRow::of(rate);
        *live = live.saturating_add(1);
    }
    for side in sides.each() {
        let root = root(rows, at, side);
        let merged = heap::insert(rows, side, root, station);
        set_root(rows, at, side, merged);
    }
}

/// Takes a station out of those heaps of its rate; a rate that nobody moves at is given up.
pub(super) fn leave(rows: &mut [TimedRow], live: &mut u32, station: u32, sides: Sides) {
    if sides == Sides::NONE {
        return;
    }
    let Some(rate) = rows.get(station as usize).map(TimedRow::rate_of_station) else { return };
    let found = find(rows, *live, rate);
    debug_assert!(found.is_some(), "a station that is not idle has a rate");
    let Some(at) = found else { return };
    for side in sides.each() {
        let root = root(rows, at, side);
        let rest = heap::remove(rows, side, root, station);
        set_root(rows, at, side, rest);
    }
    give_up_if_empty(rows, live, at);
}

/// The last rate takes the place of one that is given up.
fn give_up_if_empty(rows: &mut [TimedRow], live: &mut u32, at: u32) {
    if !rows.get(at as usize).is_some_and(|row| row.rate.is_empty()) {
        return;
    }
    let last = live.saturating_sub(1);
    *live = last;
    let Some(row) = rows.get_mut(last as usize) else { return };
    let moved = core::mem::replace(&mut row.rate, RateRow::EMPTY);
    if let Some(row) = rows.get_mut(at as usize).filter(|_| at != last) {
        row.rate = moved;
    }
}

/// The tops of the heaps on one side.
pub(super) fn tops(rows: &[TimedRow], live: u32, side: Side) -> impl Iterator<Item = u32> {
    let rates = rows.get(..live as usize).unwrap_or(&[]);
    rates.iter().filter_map(move |row| side.of(&row.rate.roots).get())
}

/// Whether each rate in use is that of the stations in its heaps, there is one, and no other rate
/// is the same.
pub(super) fn are_sound(rows: &[TimedRow], live: u32) -> bool {
    let (rates, unused) = rows.split_at_checked(live as usize).unwrap_or((&[], rows));
    let alike = |top: u32, rate: &RateRow| {
        rows.get(top as usize).is_some_and(|row| rate.is(row.rate_of_station()))
    };
    let sound = |(at, row): (u32, &TimedRow)| {
        let mut tops = row.rate.roots.into_iter().filter_map(Ref::get);
        let first = tops.next().and_then(|top| rows.get(top as usize));
        let first = first.and_then(|row| find(rows, live, row.rate_of_station()));
        let all = row.rate.roots.into_iter().filter_map(Ref::get).all(|top| alike(top, &row.rate));
        first == Some(at) && all
    };
    (0..).zip(rates).all(sound) && unused.iter().all(|row| row.rate == RateRow::EMPTY)
}

fn find(rows: &[TimedRow], live: u32, rate: Rate) -> Option<u32> {
    let rates = rows.get(..live as usize).unwrap_or(&[]);
    rates.iter().position(|row| row.rate.is(rate)).map(|at| at as u32)
}

fn root(rows: &[TimedRow], at: u32, side: Side) -> Ref {
    rows.get(at as usize).map_or(Ref::NONE, |row| *side.of(&row.rate.roots))
}

fn set_root(rows: &mut [TimedRow], at: u32, side: Side, root: Ref) {
    if let Some(row) = rows.get_mut(at as usize) {
        *side.of_mut(&mut row.rate.roots) = root;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_processor_is_one_over_the_logarithm_of_two() {
        let exact = (1u64 << FRACTION) as f64 / core::f64::consts::LN_2;
        assert!((STEADY as f64 - exact).abs() <= 0.5, "{exact}");
    }

    #[test]
    fn a_division_by_a_weight_is_one_of_64_bits() {
        for number in [0, 1, 65_535, 65_536, STEADY, STEADY * 65_535, i64::MAX] {
            for weight in [1, 2, 3, 10, 255, 65_534, 65_535, 65_536] {
                assert_eq!(divided(number, weight), number / i64::from(weight));
            }
        }
    }
}
