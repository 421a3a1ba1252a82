//! Nodes any of which will do.

use super::{Cost, Machine, MakeRoom, Stake, Words, least_sum};
use crate::slices::put;

/// So many nodes, without names: a request is a number of them, and so is a place.
///
/// ```
/// use locox::machine::{Count, Machine};
/// let (machine, mut map) = (Count(8), [0]);
/// machine.open(&mut map);
/// machine.take(&mut map, &5);
/// assert_eq!(machine.find(&map, &3, &mut []), Some(3));
/// assert_eq!(machine.find(&map, &4, &mut []), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub u32);

impl Machine for Count {
    type Request = u32;
    type Place = u32;
    type Word = u32;

    const COUNTS: bool = true;

    fn words(&self) -> Words {
        Words { map: 1, room: 0 }
    }

    fn open(&self, map: &mut [u32]) {
        put(map, 0, self.0);
    }

    fn take(&self, map: &mut [u32], at: &u32) {
        map.iter_mut().for_each(|free| *free = free.saturating_sub(*at));
    }

    fn has(&self, map: &[u32], at: &u32) -> bool {
        map.first().is_some_and(|free| at <= free)
    }

    fn find(&self, map: &[u32], of: &u32, _: &mut [u32]) -> Option<u32> {
        map.first().is_some_and(|free| of <= free).then_some(*of)
    }

    fn size(&self, of: &u32) -> u32 {
        *of
    }

    fn covers(&self, one: &u32, other: &u32) -> bool {
        other <= one
    }

    fn meet(&self, map: &mut [u32], other: &[u32]) {
        map.iter_mut().zip(other).for_each(|(map, other)| *map = *other.min(map));
    }
}

impl MakeRoom for Count {
    fn sums(&self) -> usize {
        (self.0 as usize).wrapping_add(1).wrapping_mul(2)
    }

    fn choose(
        &self,
        map: &[u32],
        of: &u32,
        stakes: &mut [Stake<u32>],
        sums: &mut [u64],
    ) -> Option<Cost> {
        let held = stakes.iter().fold(0, |held: u32, it| held.saturating_add(it.place));
        let free = map.first()?.saturating_sub(held);
        let sum = least_sum(stakes, of.saturating_sub(free), |it| it.place, sums)?;
        Some(Cost { sum, least: true })
    }
}
