//! Where tables lie in plain words, and tables of instants: one word each on a 64-bit host, two on a
//! Cortex-M.
//!
//! Instants that would lie beyond the table are left out, and nothing happens then.

use crate::bits::{Word, algebra};
use core::cell::Cell;
use core::ops::Range;

/// A table: its first word and its length in words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub(crate) start: usize,
    pub(crate) len: usize,
}

impl Table {
    pub(crate) const fn end(self) -> usize {
        self.start.saturating_add(self.len)
    }

    /// One of `len` words behind it.
    pub(crate) const fn next(self, len: usize) -> Self {
        Self { start: self.end(), len }
    }

    const fn span(self) -> Range<usize> {
        self.start..self.start.wrapping_add(self.len)
    }

    /// Its words; nothing if they are not all there.
    pub(crate) fn of(self, words: &[Word]) -> &[Word] {
        words.get(self.span()).unwrap_or_default()
    }

    /// As [`Table::of`], to change them.
    pub(crate) fn of_mut(self, words: &mut [Word]) -> &mut [Word] {
        words.get_mut(self.span()).unwrap_or_default()
    }
}

/// Words that an instant takes.
pub(crate) const TICK_WORDS: usize = (u64::BITS / Word::BITS) as usize;

pub(crate) type Tick = [Word; TICK_WORDS];

/// An instant.
pub(crate) fn value(tick: &Tick) -> u64 {
    // A shift by the whole of 64 bits moves a zero: there is one word only then.
    tick.iter().rev().fold(0, |ticks: u64, &word| ticks.wrapping_shl(Word::BITS) | word as u64)
}

/// Instant `at` of the table; zero beyond it.
// One body where code is to be small: it is longer than a call.
#[cfg_attr(not(feature = "leaf-index"), inline(never))]
pub(crate) fn tick(table: &[Word], at: usize) -> u64 {
    table.as_chunks().0.get(at).map_or(0, value)
}

/// Makes `ticks` instant `at` of the table.
#[cfg_attr(not(feature = "leaf-index"), inline(never))]
pub(crate) fn set_tick(table: &mut [Word], at: usize, ticks: u64) {
    let Some(tick) = table.as_chunks_mut::<TICK_WORDS>().0.get_mut(at) else { return };
    for (part, word) in (0u32..).zip(tick) {
        *word = ticks.wrapping_shr(Word::BITS.wrapping_mul(part)) as Word;
    }
}

/// The last of some sorted instants that is at most `ticks`; the first of them if none is.
pub(crate) fn last_at_most(table: &[Word], some: Range<usize>, ticks: u64) -> usize {
    let (instants, first): (&[Tick], _) = (table.as_chunks().0, some.start);
    let passed = instants.get(some).unwrap_or_default().partition_point(|it| value(it) <= ticks);
    first.wrapping_add(passed.saturating_sub(1))
}

/// Puts an instant in as number `at` of then `len + 1`; those from there on move up by one.
pub(crate) fn insert_tick(table: &mut [Word], at: usize, len: usize, ticks: u64) {
    let instants = table.as_chunks_mut::<TICK_WORDS>().0;
    if let Some(moved) = instants.get_mut(at..len.wrapping_add(1)) {
        neighbours(moved).rev().for_each(|[from, to]| to.set(from.get()));
        set_tick(table, at, ticks);
    }
}

/// Takes out the instants from `from` up to but not including `to`; those behind them, of `len`,
/// move down.
pub(crate) fn remove_ticks(table: &mut [Word], from: usize, to: usize, len: usize) {
    let instants = table.as_chunks_mut::<TICK_WORDS>().0;
    let Some(rest) = instants.get_mut(from..len) else { return };
    let cells = Cell::from_mut(rest).as_slice_of_cells();
    let kept = cells.get(to.wrapping_sub(from)..).unwrap_or_default();
    cells.iter().zip(kept).for_each(|(to, from)| to.set(from.get()));
}

/// Puts some instants of `from` behind the `len` instants of `table`.
pub(crate) fn append_ticks(table: &mut [Word], len: usize, from: &[Word], some: Range<usize>) {
    let behind = table.get_mut(len.wrapping_mul(TICK_WORDS)..).unwrap_or_default();
    let words = some.start.wrapping_mul(TICK_WORDS)..some.end.wrapping_mul(TICK_WORDS);
    algebra::copy(behind, from.get(words).unwrap_or_default());
}

// The checks of `copy_within` stay in at opt-level z, and a panic with them. Loops over cells become
// the same moves of memory, without.

/// Each instant and the next.
fn neighbours(instants: &mut [Tick]) -> impl DoubleEndedIterator<Item = &[Cell<Tick>; 2]> {
    Cell::from_mut(instants).as_slice_of_cells().windows(2).filter_map(<[_]>::first_chunk)
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
                let found = last_at_most(&table, 0..len as usize, ticks) as u64;
                assert_eq!(found, (ticks / 10).clamp(1, len) - 1, "{len} {ticks}");
                for from in 0..=found as usize {
                    let again = last_at_most(&table, from..len as usize, ticks);
                    assert_eq!(again as u64, found, "{len} {ticks} {from}");
                }
            }
        }
    }

    /// A table of these instants with room for one more, and then something else.
    fn table_of(instants: &[u64]) -> Vec<Word> {
        let mut table = vec![9; (instants.len() + 2) * TICK_WORDS];
        instants.iter().enumerate().for_each(|(at, &ticks)| set_tick(&mut table, at, ticks));
        table
    }

    fn instants_of(table: &[Word], len: usize) -> Vec<u64> {
        (0..len).map(|at| tick(table, at)).collect()
    }

    #[test]
    fn instants_move_at_any_place_in_tables_of_any_length() {
        for len in 1..9 {
            let before: Vec<u64> = (1..=len as u64).map(|at| at << 30).collect();
            for at in 0..=len {
                let (mut table, mut expected) = (table_of(&before), before.clone());
                insert_tick(&mut table, at, len, 7);
                expected.insert(at, 7);
                assert_eq!(instants_of(&table, len + 1), expected);
                assert_eq!(table.last(), Some(&9));
                for to in at..=len + 1 {
                    let (mut table, mut expected) = (table.clone(), expected.clone());
                    remove_ticks(&mut table, at, to, len + 1);
                    expected.drain(at..to);
                    assert_eq!(instants_of(&table, expected.len()), expected);
                    assert_eq!(table.last(), Some(&9));
                }
            }
        }
    }

    #[test]
    fn a_table_without_room_stays() {
        let full = table_of(&[1, 2, 3]);
        let mut table = full.clone();
        insert_tick(&mut table, 5, 5, 7);
        remove_ticks(&mut table, 4, 5, 6);
        assert_eq!(table, full);
    }

    #[test]
    fn instants_are_put_behind_others() {
        let mut table = table_of(&[1, 0, 0, 0]);
        append_ticks(&mut table, 1, &table_of(&[7, 2, 3]), 1..3);
        assert_eq!(instants_of(&table, 4), [1, 2, 3, 0]);
    }
}
