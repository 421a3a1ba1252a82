//! Instants in a slice of words: one word each on a 64-bit host, two on a Cortex-M.

use crate::bits::Word;

/// Words that an instant takes.
pub(super) const TICK_WORDS: usize = (u64::BITS / Word::BITS) as usize;

type Tick = [Word; TICK_WORDS];

fn value(tick: &Tick) -> u64 {
    // A shift by the whole of 64 bits moves a zero: there is one word only then.
    tick.iter().rev().fold(0, |ticks: u64, &word| ticks.wrapping_shl(Word::BITS) | word as u64)
}

/// Instant `at` of the table; zero beyond it.
pub(super) fn get(table: &[Word], at: usize) -> u64 {
    table.as_chunks().0.get(at).map_or(0, value)
}

/// Makes `ticks` instant `at` of the table.
pub(super) fn set(table: &mut [Word], at: usize, ticks: u64) {
    let Some(tick) = table.as_chunks_mut::<TICK_WORDS>().0.get_mut(at) else { return };
    for (part, word) in (0u32..).zip(tick) {
        *word = ticks.wrapping_shr(Word::BITS.wrapping_mul(part)) as Word;
    }
}

/// The last of the `len` sorted instants that is at most `ticks`; 0 if none is.
pub(super) fn last_at_most(table: &[Word], len: usize, ticks: u64) -> usize {
    let instants: &[Tick] = table.as_chunks().0;
    let used = instants.get(..len).unwrap_or(&[]);
    used.partition_point(|tick| value(tick) <= ticks).saturating_sub(1)
}

/// As [`last_at_most`], if it is known to be at `from` or later, and likely not much later: cost
/// log of the distance.
pub(super) fn last_at_most_from(table: &[Word], from: usize, len: usize, ticks: u64) -> usize {
    let instants: &[Tick] = table.as_chunks().0;
    let rest = instants.get(from..len).unwrap_or(&[]);
    let mut reach = 1usize;
    while rest.get(reach).is_some_and(|tick| value(tick) <= ticks) {
        reach = reach.wrapping_shl(1);
    }
    let near = rest.get(..reach).unwrap_or(rest);
    let passed = near.partition_point(|tick| value(tick) <= ticks);
    from.wrapping_add(passed.saturating_sub(1))
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
                for from in 0..=found as usize {
                    let again = last_at_most_from(&table, from, len as usize, ticks);
                    assert_eq!(again as u64, found, "{len} {ticks} {from}");
                }
            }
        }
    }
}
