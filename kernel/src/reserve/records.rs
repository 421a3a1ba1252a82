//! Tables of records, all of the same number of words: making room for one, closing a gap.
//!
//! Records that would lie beyond the table are left out, and nothing happens then.

use crate::bits::Word;

/// Doubles record `at` of `count`: it and those behind it move up by one, and a copy stays.
pub(super) fn double(table: &mut [Word], record: usize, at: usize, count: usize) {
    let end = count.wrapping_add(1).wrapping_mul(record);
    if let Some(words) = table.get_mut(at.wrapping_mul(record)..end) {
        shift_up(words, record);
    }
}

/// Takes out the records from `at` up to but not including `to`; those behind them, of `count`,
/// move down.
pub(super) fn take_out(table: &mut [Word], record: usize, at: usize, to: usize, count: usize) {
    let span = at.wrapping_mul(record)..count.wrapping_mul(record);
    if let Some(words) = table.get_mut(span) {
        shift_down(words, to.wrapping_sub(at).wrapping_mul(record));
    }
}

/// Words that are moved at a time, so that they pass through registers: where they go overlaps
/// where they come from. Unlike `copy_within` it cannot panic, at any level of optimisation.
const PART: usize = 16;

fn move_part<const N: usize>(words: &mut [Word], from: usize, to: usize) -> Option<()> {
    let part = *words.get(from..)?.first_chunk::<N>()?;
    *words.get_mut(to..)?.first_chunk_mut()? = part;
    Some(())
}

/// Moves all words up by `by`; as many fall off at the end.
fn shift_up(words: &mut [Word], by: usize) {
    let mut left = words.len().saturating_sub(by);
    while let Some(from) = left.checked_sub(PART) {
        move_part::<PART>(words, from, from.wrapping_add(by));
        left = from;
    }
    while let Some(from) = left.checked_sub(1) {
        move_part::<1>(words, from, from.wrapping_add(by));
        left = from;
    }
}

/// Moves all words down by `by`; as many fall off at the beginning.
fn shift_down(words: &mut [Word], by: usize) {
    let mut from = by;
    while move_part::<PART>(words, from, from.wrapping_sub(by)).is_some() {
        from = from.wrapping_add(PART);
    }
    while move_part::<1>(words, from, from.wrapping_sub(by)).is_some() {
        from = from.wrapping_add(1);
    }
}

/// Puts the first `more` records of `from` behind the `count` records of `table`.
pub(super) fn append(table: &mut [Word], record: usize, count: usize, from: &[Word], more: usize) {
    let behind = table.get_mut(count.wrapping_mul(record)..).unwrap_or(&mut []);
    let added = from.get(..more.wrapping_mul(record)).unwrap_or(&[]);
    behind.iter_mut().zip(added).for_each(|(to, from)| *to = *from);
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn words_move_by_any_distance_at_any_length() {
        extern crate std;
        use std::vec::Vec;
        for len in 0..70 {
            let before: Vec<Word> = (100..100 + len).collect();
            for by in (0..=len).filter(|by| by % 3 != 2) {
                let (mut up, mut down) = (before.clone(), before.clone());
                shift_up(&mut up, by);
                assert_eq!((&up[..by], &up[by..]), (&before[..by], &before[..len - by]));
                shift_down(&mut down, by);
                assert_eq!(
                    (&down[..len - by], &down[len - by..]),
                    (&before[by..], &before[len - by..])
                );
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
