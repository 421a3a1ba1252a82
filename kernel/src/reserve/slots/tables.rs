//! Tables in plain words: of instants, one word each on a 64-bit host and two on a Cortex-M, and of
//! records, all of the same number of words.
//!
//! Records that would lie beyond the table are left out, and nothing happens then.

use crate::bits::{Word, algebra};
use core::cell::Cell;

// Instants.

/// Words that an instant takes.
pub(crate) const TICK_WORDS: usize = (u64::BITS / Word::BITS) as usize;

type Tick = [Word; TICK_WORDS];

fn value(tick: &Tick) -> u64 {
    // A shift by the whole of 64 bits moves a zero: there is one word only then.
    tick.iter().rev().fold(0, |ticks: u64, &word| ticks.wrapping_shl(Word::BITS) | word as u64)
}

/// Instant `at` of the table; zero beyond it.
pub(crate) fn tick(table: &[Word], at: usize) -> u64 {
    table.as_chunks().0.get(at).map_or(0, value)
}

/// Makes `ticks` instant `at` of the table.
pub(crate) fn set_tick(table: &mut [Word], at: usize, ticks: u64) {
    let Some(tick) = table.as_chunks_mut::<TICK_WORDS>().0.get_mut(at) else { return };
    for (part, word) in (0u32..).zip(tick) {
        *word = ticks.wrapping_shr(Word::BITS.wrapping_mul(part)) as Word;
    }
}

/// The last of the `len` sorted instants that is at most `ticks`; 0 if none is.
pub(crate) fn last_at_most(table: &[Word], len: usize, ticks: u64) -> usize {
    let instants: &[Tick] = table.as_chunks().0;
    let used = instants.get(..len).unwrap_or(&[]);
    used.partition_point(|tick| value(tick) <= ticks).saturating_sub(1)
}

/// As [`last_at_most`], if it is known to be at `from` or later, and likely not much later: cost
/// log of the distance.
pub(crate) fn last_at_most_from(table: &[Word], from: usize, len: usize, ticks: u64) -> usize {
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

// Records.

/// Doubles record `at` of `count`: it and those behind it move up by one, and a copy stays.
pub(crate) fn double(table: &mut [Word], record: usize, at: usize, count: usize) {
    let end = count.wrapping_add(1).wrapping_mul(record);
    let Some(words) = table.get_mut(at.wrapping_mul(record)..end) else { return };
    if record == TICK_WORDS {
        neighbours(words).rev().for_each(|[from, to]| to.set(from.get()));
    } else if record <= words.len() {
        words.rotate_right(record);
        if let Some((copy, moved)) = words.split_at_mut_checked(record) {
            algebra::copy(copy, moved);
        }
    }
}

/// Takes out the records from `at` up to but not including `to`; those behind them, of `count`,
/// move down.
pub(crate) fn take_out(table: &mut [Word], record: usize, at: usize, to: usize, count: usize) {
    let span = at.wrapping_mul(record)..count.wrapping_mul(record);
    let Some(words) = table.get_mut(span) else { return };
    let gone = to.wrapping_sub(at).wrapping_mul(record);
    if gone == TICK_WORDS {
        neighbours(words).for_each(|[to, from]| to.set(from.get()));
    } else if gone <= words.len() {
        words.rotate_left(gone);
    }
}

// The checks of `copy_within` stay in at opt-level z, and a panic with them. Loops over neighbours
// and rotations become the same moves of memory, without.

/// Each tick and the next.
fn neighbours(words: &mut [Word]) -> impl DoubleEndedIterator<Item = &[Cell<Tick>; 2]> {
    Cell::from_mut(words.as_chunks_mut().0).as_slice_of_cells().array_windows()
}

/// Puts the first `more` records of `from` behind the `count` records of `table`.
pub(crate) fn append(table: &mut [Word], record: usize, count: usize, from: &[Word], more: usize) {
    let behind = table.get_mut(count.wrapping_mul(record)..).unwrap_or(&mut []);
    let added = from.get(..more.wrapping_mul(record)).unwrap_or(&[]);
    behind.iter_mut().zip(added).for_each(|(to, from)| *to = *from);
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn instants_keep_all_their_bits_and_their_order() {
        let mut table = vec![0; 5 * TICK_WORDS];
        let big = u64::MAX - 1;
        for (at, ticks) in [3, 1 << 33, big, u64::MAX].into_iter().enumerate() {
            set_tick(&mut table, at, ticks);
        }
        assert_eq!([0, 1, 2, 3, 4].map(|at| tick(&table, at)), [3, 1 << 33, big, u64::MAX, 0]);
    }

    #[test]
    fn the_last_instant_not_after_another_is_found_at_every_length() {
        for len in 1..20u64 {
            let mut table = vec![0; 20 * TICK_WORDS];
            (0..len).for_each(|at| set_tick(&mut table, at as usize, 10 + 10 * at));
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

    #[test]
    fn a_record_is_doubled_in_its_place() {
        let mut table = [1, 1, 2, 2, 3, 3, 0, 0, 9];
        double(&mut table, 2, 1, 3);
        assert_eq!(table, [1, 1, 2, 2, 2, 2, 3, 3, 9]);
        double(&mut table, 2, 4, 4); // no room
        assert_eq!(table, [1, 1, 2, 2, 2, 2, 3, 3, 9]);
    }

    #[test]
    fn records_behind_a_gap_move_down() {
        let mut table = [1, 1, 2, 2, 3, 3, 4, 4, 9];
        take_out(&mut table, 2, 0, 1, 4);
        assert_eq!(table[..6], [2, 2, 3, 3, 4, 4]);
        take_out(&mut table, 2, 1, 3, 3);
        assert_eq!(table[..2], [2, 2]);
        assert_eq!(table[8], 9);
    }

    #[test]
    fn records_move_at_any_place_in_tables_of_any_length() {
        let sizes = [1, 2, 3, 16, 40];
        for (record, count) in sizes.into_iter().flat_map(|size| (1..9).map(move |n| (size, n))) {
            let before: Vec<Word> = (0..(count + 1) * record).collect();
            for at in 0..count {
                let mut table = before.clone();
                double(&mut table, record, at, count);
                let (start, end) = (at * record, count * record);
                assert_eq!(table[..start + record], before[..start + record]);
                assert_eq!(table[start + record..], before[start..end]);
                take_out(&mut table, record, at, at + 1, count + 1);
                assert_eq!(table[..end], before[..end]);
            }
        }
    }

    #[test]
    fn records_are_put_behind_others() {
        let mut table = [1, 1, 0, 0, 0, 0];
        append(&mut table, 2, 1, &[2, 2, 3, 3], 1);
        assert_eq!(table, [1, 1, 2, 2, 0, 0]);
    }
}
