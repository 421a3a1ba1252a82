//! Instants in a slice of words: one word each on a 64-bit host, two on a Cortex-M.

use crate::bits::{Word, load};

/// Words that an instant takes.
pub(super) const TICK_WORDS: usize = (u64::BITS / Word::BITS) as usize;

/// Instant `at` of the table.
pub(super) fn get(table: &[Word], at: usize) -> u64 {
    let start = at.wrapping_mul(TICK_WORDS);
    (0..TICK_WORDS).rev().fold(0, |ticks: u64, part| {
        // A shift by the whole of 64 bits moves a zero: there is one part only then.
        ticks.wrapping_shl(Word::BITS) | load(table, start.wrapping_add(part)) as u64
    })
}

/// Makes `ticks` instant `at` of the table.
pub(super) fn set(table: &mut [Word], at: usize, ticks: u64) {
    let start = at.wrapping_mul(TICK_WORDS);
    for part in 0..TICK_WORDS {
        if let Some(word) = table.get_mut(start.wrapping_add(part)) {
            *word = ticks.wrapping_shr(Word::BITS.wrapping_mul(part as u32)) as Word;
        }
    }
}

/// The last of the `len` sorted instants that is at most `ticks`; 0 if none is.
pub(super) fn last_at_most(table: &[Word], len: usize, ticks: u64) -> usize {
    let (mut found, mut rest) = (0usize, len);
    while rest > 1 {
        let half = rest >> 1;
        let probe = found.wrapping_add(half);
        // Multiplied, not chosen: a branch here would be guessed wrong every other time.
        found = found.wrapping_add(half.wrapping_mul((get(table, probe) <= ticks) as usize));
        rest = rest.wrapping_sub(half);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec;

    #[test]
    fn instants_keep_all_their_bits_and_their_order() {
        let mut table = vec![0; 5 * TICK_WORDS];
        let big = u64::MAX - 1;
        for (at, ticks) in [3, 1 << 33, big, u64::MAX].into_iter().enumerate() {
            set(&mut table, at, ticks);
        }
        assert_eq!([0, 1, 2, 3, 4].map(|at| get(&table, at)), [3, 1 << 33, big, u64::MAX, 0]);
    }

    #[test]
    fn the_last_instant_not_after_another_is_found_at_every_length() {
        for len in 1..20u64 {
            let mut table = vec![0; 20 * TICK_WORDS];
            (0..len).for_each(|at| set(&mut table, at as usize, 10 + 10 * at));
            for ticks in 0..220 {
                let found = last_at_most(&table, len as usize, ticks) as u64;
                assert_eq!(found, (ticks / 10).clamp(1, len) - 1, "{len} {ticks}");
            }
        }
    }
}
