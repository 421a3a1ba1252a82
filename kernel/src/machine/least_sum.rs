//! The least cost of a number of nodes, from holders who give up all they have.
//!
//! A knapsack by dynamic programming: for each number of nodes up to `need` the least cost of as many, holder by holder. To know
//! who they are without a table of all, the holders are halved, and the need is split where both halves together cost least, as
//! in Hirschberg's alignment in linear space (1975). So all of it takes at most twice what the costs alone take.
//!
//! Of holders with equally many nodes at most as many can be needed as together have `need`, and these are the cheapest: the others
//! are dropped first.

use super::Stake;
use crate::slices::swap;
use crate::sort::sort_backwards;

/// What cannot be had.
const NEVER: u64 = u64::MAX;

/// Marks the stakes of the least cost in all whose sizes add up to `need` at least; what they cost. `None` if all together have
/// less.
///
/// Each stake is that of another holder. They are sorted by this. Of choices at the same cost it is one that
/// depends only on sizes, costs and holders.
///
/// `sums` has twice as many words as `need`, and two more. Cost: for k stakes k * log(k) looks, and at most 4 * k * need additions; k
/// counts no more than need / size stakes, rounded up, of each size.
///
/// ```
/// use locox::machine::{Stake, least_sum};
/// // Three nodes for 10, two for 5, and two for 6.
/// let mut stakes = [(3, 10), (2, 5), (2, 6)].map(|(nodes, cost)| Stake::new(nodes, nodes, cost));
/// let cost = least_sum(&mut stakes, 3, |it| it.place, &mut [0; 8]);
/// assert_eq!(cost, Some(10));
/// assert!(stakes.iter().all(|it| it.yields == (it.place == 3)));
/// ```
pub fn least_sum<P: Copy>(
    stakes: &mut [Stake<P>],
    need: u32,
    size: impl Fn(&Stake<P>) -> u32,
    sums: &mut [u64],
) -> Option<u64> {
    stakes.iter_mut().for_each(|it| it.yields = false);
    if need == 0 {
        return Some(0);
    }
    let size = |it: &Stake<P>| size(it).min(need);
    let key = |it: &Stake<P>| (size(it), it.cost, it.of);
    sort_backwards(stakes, |one, other| key(one) > key(other));
    let (mut kept, mut last, mut equal) = (0, 0, 0u32);
    for at in 0..stakes.len() {
        let Some(own) = stakes.get(at).map(&size) else { break };
        equal = if own == last { equal.wrapping_add(1) } else { 1 };
        last = own;
        if own > 0 && equal <= need.div_ceil(own.max(1)) {
            swap(stakes, kept, at);
            kept = kept.wrapping_add(1);
        }
    }
    let stakes = stakes.get_mut(..kept).unwrap_or_default();
    let words = (need as usize).wrapping_add(1);
    let (sums, other) = sums.split_at_mut_checked(words)?;
    let sum = least(stakes, &size, sums);
    if sum == NEVER {
        return None;
    }
    split(stakes, need as usize, &size, [sums, other.get_mut(..words)?]);
    Some(sum)
}

/// Makes of each number in `sums` what as many nodes cost at least; that of the last.
fn least<P>(stakes: &[Stake<P>], size: &impl Fn(&Stake<P>) -> u32, sums: &mut [u64]) -> u64 {
    sums.fill(NEVER);
    sums.iter_mut().take(1).for_each(|none| *none = 0);
    for it in stakes {
        let (size, cost) = (size(it) as usize, it.cost.max(1));
        // From the most nodes on, so that each is counted once.
        for need in (1..sums.len()).rev() {
            let rest = sums.get(need.saturating_sub(size)).copied().unwrap_or(NEVER);
            if let Some(sum) = sums.get_mut(need) {
                *sum = rest.saturating_add(cost).min(*sum);
            }
        }
    }
    sums.last().copied().unwrap_or(NEVER)
}

/// Marks who they are.
fn split<P>(
    stakes: &mut [Stake<P>],
    need: usize,
    size: &impl Fn(&Stake<P>) -> u32,
    [sums, other]: [&mut [u64]; 2],
) {
    if need == 0 {
        return;
    }
    if let [it] = stakes {
        it.yields = true;
        return;
    }
    let Some((one, two)) = stakes.split_at_mut_checked(stakes.len() >> 1) else { return };
    let (Some(ones), Some(twos)) = (sums.get_mut(..=need), other.get_mut(..=need)) else { return };
    if one.is_empty() {
        return;
    }
    least(one, size, ones);
    least(two, size, twos);
    let sums_of = ones.iter().zip(twos.iter().rev()).map(|(one, two)| one.saturating_add(*two));
    let Some((of_one, _)) = sums_of.enumerate().min_by_key(|(_, sum)| *sum) else { return };
    split(one, of_one, size, [&mut *sums, &mut *other]);
    split(two, need.saturating_sub(of_one), size, [sums, other]);
}
