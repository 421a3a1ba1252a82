//! The algebra of sets as plain words, on which [`BitSet`](super::BitSet) stands as well as the
//! rows of a timeline. Where two sets have different lengths, the shorter one has no more members.

use super::{WORD_LOG2, Word, locate, low_mask, words_for};
use core::cell::Cell;

/// The number of members.
// Where no instruction counts bits a copy in every caller is long.
#[inline(never)]
pub fn count(set: &[Word]) -> u32 {
    members(set.iter().copied())
}

/// The number of members that the sets have in common.
pub(crate) fn count_common(a: &[Word], b: &[Word]) -> u32 {
    members(a.iter().zip(b).map(|(a, b)| a & b))
}

/// The number of members in these words.
pub(crate) fn members(words: impl Iterator<Item = Word>) -> u32 {
    // Summed up in whole words, which compilers turn into vectors.
    words.fold(0, |sum: Word, word| sum.wrapping_add(word.count_ones() as Word)) as u32
}

/// Makes `to` the set `from`.
pub(crate) fn copy(to: &mut [Word], from: &[Word]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}

/// Whether two sets of the same length are the same.
pub(crate) fn same(a: &[Word], b: &[Word]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// Moves words `by` places up; the first ones stay as they are.
pub(crate) fn copy_up(words: &mut [Word], by: usize) {
    let cells = Cell::from_mut(words).as_slice_of_cells();
    let kept = cells.get(by..).unwrap_or_default();
    kept.iter().zip(cells).rev().for_each(|(to, from)| to.set(from.get()));
}

/// Moves words `by` places down; the last ones stay as they are.
pub(crate) fn copy_down(words: &mut [Word], by: usize) {
    let cells = Cell::from_mut(words).as_slice_of_cells();
    let kept = cells.get(by..).unwrap_or_default();
    cells.iter().zip(kept).for_each(|(to, from)| to.set(from.get()));
}

/// Adds the members of `other`.
pub(crate) fn unite(set: &mut [Word], other: &[Word]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
}

/// From so many words on a row is worth to set out on.
const WIDE: usize = 16;

/// Adds the members of all rows, which lie one behind the other and are as long as the set.
pub(crate) fn unite_rows(set: &mut [Word], rows: &[Word]) {
    // Rows of two words stay in registers.
    if let Ok([a, b]) = <&mut [Word; 2]>::try_from(&mut *set) {
        return rows.as_chunks().0.iter().for_each(|&[c, d]| (*a, *b) = (*a | c, *b | d));
    }
    let width = set.len();
    if width >= WIDE {
        return rows.chunks_exact(width).for_each(|row| unite(set, row));
    }
    // Column by column: there is no row to set out on, and a word of the set stays in a register.
    for (column, word) in set.iter_mut().enumerate() {
        let others = rows.iter().skip(column).step_by(width);
        *word = others.fold(*word, |word, other| word | other);
    }
}

/// How many of the rows, of `width` words each, come before the first one that has a member in common
/// with `set`, whose first word is word `skip` of a row.
pub(crate) fn first_meeting(
    rows: &[Word],
    width: usize,
    skip: usize,
    set: &[Word],
) -> Option<usize> {
    if let (2, Ok(set)) = (width, <&[Word; 2]>::try_from(set)) {
        return rows.as_chunks().0.iter().position(|row| pairs_meet(row, set));
    }
    rows.chunks_exact(width.max(1)).position(|row| meets_from(row, skip, set))
}

/// How many of the rows come before the last one that meets `set`; as [`first_meeting`].
pub(crate) fn last_meeting(
    rows: &[Word],
    width: usize,
    skip: usize,
    set: &[Word],
) -> Option<usize> {
    if let (2, Ok(set)) = (width, <&[Word; 2]>::try_from(set)) {
        return rows.as_chunks().0.iter().rposition(|row| pairs_meet(row, set));
    }
    rows.chunks_exact(width.max(1)).rposition(|row| meets_from(row, skip, set))
}

const fn pairs_meet(&[a, b]: &[Word; 2], &[c, d]: &[Word; 2]) -> bool {
    (a & c) | (b & d) != 0
}

fn meets_from(row: &[Word], skip: usize, set: &[Word]) -> bool {
    let row = row.get(skip..).unwrap_or_default();
    row.iter().zip(set).fold(0, |any, (a, b)| any | a & b) != 0
}

/// Makes `set`, whose words `len` numbers just fit in, those below `len` that are not its members,
/// and returns how many they are.
pub(crate) fn complement(set: &mut [Word], len: u32) -> u32 {
    set.iter_mut().for_each(|word| *word = !*word);
    let tail = len & (Word::BITS - 1);
    if let (Some(last), true) = (set.last_mut(), tail > 0) {
        *last &= low_mask(tail);
    }
    count(set)
}

/// Adds the members of `other` that are none, and removes those that are.
pub(crate) fn turn(set: &mut [Word], other: &[Word]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a ^= b);
}

/// Removes the members of `other`.
pub(crate) fn subtract(set: &mut [Word], other: &[Word]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a &= !b);
}

/// Keeps the members that `other` has too, and returns how many they are.
pub(crate) fn keep(set: &mut [Word], other: &[Word]) -> u32 {
    set.iter_mut().zip(other).for_each(|(a, b)| *a &= b);
    count(set)
}

/// Whether all members of `set` are members of `other`.
pub(crate) fn is_within(set: &[Word], other: &[Word]) -> bool {
    set.iter().zip(other).all(|(a, b)| a & !b == 0)
}

/// Whether sets of the same length have a member in common.
pub(crate) fn meet(a: &[Word], b: &[Word]) -> bool {
    let common = |a: &[Word], b: &[Word]| a.iter().zip(b).fold(0, |any, (a, b)| any | a & b) != 0;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    a.iter().zip(b).any(|(a, b)| common(a, b)) || common(a_rest, b_rest)
}

/// Removes the members of `other`, and returns how many they were.
pub(crate) fn take(set: &mut [Word], other: &[Word]) -> u32 {
    set.iter_mut().zip(other).fold(0, |sum: u32, (word, &taken)| {
        let common = *word & taken;
        *word ^= common;
        sum.wrapping_add(common.count_ones())
    })
}

/// Whether all bits `start..start + len` are set; those beyond the storage are not.
pub(crate) fn all_set(words: &[Word], start: usize, len: usize) -> bool {
    let end = start.saturating_add(len);
    let words = words.get(..words_for(end)).unwrap_or(words);
    first_missing(words, start as u32) as usize >= end
}

/// The least number from `from` on that is not a member; the end of the words if all are.
#[inline(never)]
pub(crate) fn first_missing(set: &[Word], from: u32) -> u32 {
    first_from(set, from, Word::MAX).unwrap_or((set.len() as u32) << WORD_LOG2)
}

/// The least member from `from` on, where `flip` is turned in each word before.
pub fn first_from(set: &[Word], from: u32, flip: Word) -> Option<u32> {
    let (start, bit) = locate(from as usize);
    let mut passed = bit.wrapping_sub(1);
    for (at, &word) in (start..).zip(set.get(start..)?) {
        let rest = (word ^ flip) & !passed;
        if rest != 0 {
            return Some(((at as u32) << WORD_LOG2) | rest.trailing_zeros());
        }
        passed = 0;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec::Vec;

    /// Rows of `width` words one behind the other, with few members.
    fn sample(width: usize, rows: usize) -> Vec<Word> {
        let mut state = 7u64;
        let word = |_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            if state >> 62 == 0 { (state >> 20) as Word & (state >> 25) as Word } else { 0 }
        };
        (0..width * rows).map(word).collect()
    }

    #[test]
    fn columns_say_what_rows_do() {
        for width in [1, 2, 3, 4, 5, 16, 19] {
            for count in 0..20 {
                let words = sample(width, count);
                let rows = || words.chunks_exact(width);
                let (mut united, mut all) = (Vec::from([9; 19]), Vec::from([0; 19]));
                let (united, all) = (&mut united[..width], &mut all[..width]);
                united.fill(0);
                unite_rows(united, &words);
                rows().for_each(|row| unite(all, row));
                assert_eq!(united, all);
                for bit in 0..width * Word::BITS as usize {
                    let (skip, member) = locate(bit);
                    let meets = |row: &[Word]| row[skip] & member != 0;
                    let mut whole = Vec::from([0; 19]);
                    whole[skip] = member;
                    for (skip, set) in [(skip, &[member][..]), (0, &whole[..width])] {
                        let first = first_meeting(&words, width, skip, set);
                        assert_eq!(first, rows().position(meets));
                        let last = last_meeting(&words, width, skip, set);
                        assert_eq!(last, rows().rposition(meets));
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_members_in_common_in_each_word_do_not_cancel_out() {
        for width in 1..10 {
            let (set, other) = (Vec::from([6; 9]), Vec::from([12; 9]));
            let (set, other) = (&set[..width], &other[..width]);
            assert_eq!(count_common(set, other), width as u32);
            assert!(meet(set, other));
            assert_eq!(first_meeting(set, width, 0, other), Some(0));
            let mut rest = Vec::from(set);
            assert_eq!(take(&mut rest, other), width as u32);
            assert_eq!(rest, Vec::from(&[2; 9][..width]));
        }
    }
}
