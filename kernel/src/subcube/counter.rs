//! How many free subcubes a map has: all folds of it above the word, and in each the subcubes inside words.

use super::fold::fold_along;
use crate::bits::{Word, tally};

/// The subcubes inside each byte, those of each dimension in eight bits.
static BYTES: [u32; 256] = {
    let mut bytes = [0; 256];
    // A node is a one. Longer runs of bits are made of two halves.
    bytes[1] = 1;
    let mut at = 2;
    while at < bytes.len() {
        let half = match at {
            16.. => 4,
            4.. => 2,
            _ => 1,
        };
        let (low, high) = (at & ((1 << half) - 1), at >> half);
        bytes[at] = bytes[low] + bytes[high] + (bytes[low & high] << 8);
        at += 1;
    }
    bytes
};

/// The subcubes inside the lowest byte of a word.
fn of(word: u32) -> u32 {
    BYTES.get(word as usize & 0xff).copied().unwrap_or(0)
}

/// Dimensions inside what is counted at once, in one word or two.
const INSIDE: u32 = u64::BITS.ilog2();

/// Words that have them.
const WORDS: usize = (u64::BITS / Word::BITS) as usize;

/// Words that may be counted before sums overflow: 64 nodes add 144 at most.
const RUN: usize = 256 * WORDS;

/// Subcubes of dimensions 0 and 2, and of 1 and 3, in sixteen bits each.
type Sums = [u32; 2];

/// Adds the subcubes of four bytes to the sums, by how often they are folded beyond the byte.
fn add(word: u32, sums: &mut [Sums]) {
    let (near, far) = (word & word >> 8, word & word >> 16);
    let none = of(word).wrapping_add(of(word >> 8));
    let none = none.wrapping_add(of(word >> 16)).wrapping_add(of(word >> 24));
    let once = of(near).wrapping_add(of(near >> 16));
    let once = once.wrapping_add(of(far)).wrapping_add(of(far >> 8));
    for ([even, odd], counts) in sums.iter_mut().zip([none, once, of(near & near >> 16)]) {
        *even = even.wrapping_add(counts & 0x00ff_00ff);
        *odd = odd.wrapping_add(counts >> 8 & 0x00ff_00ff);
    }
}

/// Adds the subcubes inside runs of 64 nodes to `totals`.
fn add_inside(words: &[Word], totals: &mut [u64]) {
    let mut sums = [Sums::default(); 4];
    for words in words.chunks(WORDS) {
        let joined = |joined: u64, &word: &Word| joined.unbounded_shl(Word::BITS) | word as u64;
        let nodes = words.iter().rev().fold(0, joined);
        let (lower, upper) = (nodes as u32, (nodes >> u32::BITS) as u32);
        for (word, folded) in [(lower, 0), (upper, 0), (lower & upper, 1)] {
            if word != 0
                && let Some(sums) = sums.get_mut(folded..)
            {
                add(word, sums);
            }
        }
    }
    for (folded, [even, odd]) in sums.into_iter().enumerate() {
        let counts = [even & 0xffff, odd & 0xffff, even >> 16, odd >> 16];
        for (total, count) in totals.iter_mut().skip(folded).zip(counts) {
            *total = total.wrapping_add(u64::from(count));
        }
    }
}

/// Adds to `totals` the subcubes of a map that is folded along as many dimensions as `totals`
/// leaves out.
pub(super) fn count(map: &[Word], below: u32, totals: &mut [u64], scratch: &mut [Word]) {
    tally::add(map.len());
    if below <= INSIDE {
        return map.chunks(RUN).for_each(|words| add_inside(words, totals));
    }
    let highest = below.wrapping_sub(1);
    count(map, highest, totals, scratch);
    let Some((folded, rest)) = scratch.split_at_mut_checked(map.len() >> 1) else { return };
    if let Some((_, larger)) = totals.split_first_mut()
        && fold_along(map, folded, highest) != 0
    {
        count(folded, highest, larger, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::words_for;
    extern crate std;
    use std::vec;

    #[test]
    fn large_maps_without_a_gap_have_all_subcubes() {
        for dims in [15, 16, 18] {
            let words = words_for(1 << dims);
            let mut totals = [0; 19];
            count(&vec![Word::MAX; words], dims, &mut totals, &mut vec![0; words]);
            let mut choose = 1;
            for (k, &total) in (0..=dims).zip(&totals) {
                assert_eq!(total, choose << (dims - k), "{k} of {dims}");
                choose = choose * u64::from(dims - k) / u64::from(k + 1);
            }
        }
    }
}
