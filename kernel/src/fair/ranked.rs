//! The contenders of a round in order, found in a bounded buffer.

use crate::slices::put;
use crate::sort;

/// A station on the scales: an entry of the scratch buffer that a round works in. 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contender {
    /// The key, and below it the tie; no two stations of a walk have the same.
    order: u64,
    pub(super) station: u32,
    /// Processors that it held when it was looked at. As wide as leaves no gap in the row.
    pub(super) holds: u32,
}

impl Contender {
    /// What to fill a buffer with.
    pub const EMPTY: Self = Self { order: 0, station: 0, holds: 0 };

    pub(super) const fn new(key: u32, tie: u32, station: u32, holds: u16) -> Self {
        Self { order: (key as u64) << 32 | tie as u64, station, holds: holds as u32 }
    }

    pub(super) const fn key(&self) -> u32 {
        (self.order >> 32) as u32
    }
}

/// A sorted walk over contenders that are produced in any order and again at each refill.
///
/// The buffer takes the first ones after the last that was handed out; when it is drained and
/// others had to stay outside, it is filled once more. So the walk is the same whatever the size
/// of the buffer, and a walk of m out of n contenders with room for k costs about
/// n * (m / k + 1) looks and m * log k moves.
///
/// - `kept[..len]` is a heap with the next contender on top.
/// - Contenders not yet handed out that are not in it come at or after `bound`.
/// - There is room for two at least.
pub(super) struct Ranked<'s> {
    kept: &'s mut [Contender],
    len: usize,
    /// The order of the last contender handed out.
    last: Option<u64>,
    /// The order from which on contenders were left outside at the last refill: all of them before
    /// the first.
    bound: Option<u64>,
}

impl<'s> Ranked<'s> {
    pub(super) fn new(scratch: &'s mut [Contender]) -> Self {
        Self { kept: scratch, len: 0, last: None, bound: Some(0) }
    }

    /// The next contender; `all` produces those of the round, including the ones handed out.
    pub(super) fn next(&mut self, all: impl Iterator<Item = Contender>) -> Option<Contender> {
        if self.len == 0 && self.bound.is_some() {
            self.refill(all);
        }
        let next = self.pop()?;
        self.last = Some(next.order);
        Some(next)
    }

    fn refill(&mut self, all: impl Iterator<Item = Contender>) {
        self.bound = None;
        let last = self.last;
        for contender in all.filter(|one| last.is_none_or(|last| last < one.order)) {
            if self.bound.is_none_or(|bound| contender.order < bound) {
                self.admit(contender);
            }
        }
        sort::heapify(self.kept.get_mut(..self.len).unwrap_or(&mut []), goes_before);
    }

    fn admit(&mut self, contender: Contender) {
        if self.len == self.kept.len() {
            let (cut, bound) = halve(self.kept);
            self.len = cut;
            self.bound = Some(bound);
            if contender.order >= bound {
                return;
            }
        }
        debug_assert!(self.len < self.kept.len(), "half of the room is free again");
        put(self.kept, self.len, contender);
        self.len = self.len.saturating_add(1);
    }

    fn pop(&mut self) -> Option<Contender> {
        let top = sort::pop(self.kept.get_mut(..self.len)?, goes_before)?;
        self.len = self.len.saturating_sub(1);
        Some(top)
    }
}

fn goes_before(one: &Contender, other: &Contender) -> bool {
    one.order < other.order
}

/// Brings the first quarter to three quarters of the contenders to the front; returns how many
/// they are and an order that is above theirs and not above any other's.
///
/// Bisects the range of the orders that are still in question, which are all different: at most
/// 64 passes over ever fewer contenders, two or three as a rule.
fn halve(kept: &mut [Contender]) -> (usize, u64) {
    let quarter = (kept.len() >> 2).max(1);
    let most = kept.len().saturating_sub(quarter);
    let (mut from, mut to) = (0, kept.len());
    loop {
        let part = kept.get_mut(from..to).unwrap_or(&mut []);
        let (low, high) = range(part);
        if low >= high {
            // Only if a ranking gives two stations the same order; the buffer is cut all the same.
            return (most, high);
        }
        // Rounded down, so that the first is always at or below it and the last always above.
        let pivot = low.midpoint(high);
        let cut = from.saturating_add(partition(part, pivot));
        if cut > most {
            to = cut;
        } else if cut < quarter {
            from = cut;
        } else {
            return (cut, pivot.saturating_add(1));
        }
    }
}

fn range(kept: &[Contender]) -> (u64, u64) {
    kept.iter().fold((u64::MAX, 0), |(low, high), one| (low.min(one.order), high.max(one.order)))
}

/// Brings those up to `pivot` to the front; returns how many they are.
fn partition(kept: &mut [Contender], pivot: u64) -> usize {
    let mut cut = 0;
    for at in 0..kept.len() {
        let (Some(&one), Some(&first_above)) = (kept.get(at), kept.get(cut)) else { break };
        // Swapping two that are both above does no harm and saves a branch nobody can predict.
        put(kept, at, first_above);
        put(kept, cut, one);
        cut = cut.wrapping_add(usize::from(one.order <= pivot));
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    /// Orders by a function of the station's number that is one to one.
    fn contenders(count: u32, order: fn(u32) -> u64) -> impl Iterator<Item = Contender> + Clone {
        (0..count).map(move |station| {
            let order = order(station);
            Contender::new((order >> 32) as u32, order as u32, station, 0)
        })
    }

    const ORDERS: [fn(u32) -> u64; 6] = [
        |station| station.into(),
        |station| (!station).into(),
        // All over the range, and few keys with many ties.
        |station| u64::from(station).wrapping_mul(0x9E37_79B9_7F4A_7C15),
        |station| u64::from(station.wrapping_mul(0x9E37_79B1) >> 30) << 32 | u64::from(station),
        // Each twice as far out as the one before, to the very end.
        |station| u64::MAX >> (station & 63) ^ u64::from(station >> 6),
        |station| !(u64::MAX >> (station & 63)) ^ u64::from(station >> 6),
    ];

    #[test]
    fn the_walk_is_sorted_and_the_same_in_a_buffer_of_any_size() {
        for order in ORDERS {
            for count in [0, 1, 2, 3, 10, 64] {
                let all = contenders(count, order);
                let mut expected: Vec<_> = all.clone().map(|one| one.order).collect();
                expected.sort_unstable();
                for size in [2, 3, 4, 5, 7, 32, 63, 64, 65, 200] {
                    let mut scratch = vec![Contender::EMPTY; size];
                    let mut ranked = Ranked::new(&mut scratch);
                    let walk = core::iter::from_fn(|| ranked.next(all.clone()));
                    let walk: Vec<_> = walk.map(|one| one.order).collect();
                    assert_eq!(walk, expected, "{count} contenders in {size}");
                }
            }
        }
    }

    #[test]
    fn an_ended_walk_stays_ended() {
        let mut scratch = [Contender::EMPTY; 4];
        let mut ranked = Ranked::new(&mut scratch);
        while ranked.next(contenders(5, ORDERS[0])).is_some() {}
        assert!(ranked.next(contenders(5, ORDERS[0])).is_none());
    }

    #[test]
    fn halving_keeps_between_a_quarter_and_three_quarters() {
        for order in ORDERS {
            for count in 2..65 {
                let mut all: Vec<_> = contenders(count, order).collect();
                let (cut, bound) = halve(&mut all);
                assert!(cut >= all.len() / 4 && cut >= 1);
                assert!(cut <= all.len() - all.len() / 4 && cut < all.len());
                assert!(all[..cut].iter().all(|one| one.order < bound));
                assert!(all[cut..].iter().all(|one| one.order >= bound));
            }
        }
    }
}
