//! The algebra of sets as plain words, on which [`BitSet`](super::BitSet) stands as well as the
//! rows of a timeline. Where two sets have different lengths, the shorter one has no more members.

use super::{Word, locate, low_mask};
use core::cell::Cell;

/// The number of members.
// Where no instruction counts bits a copy in every caller is long.
#[inline(never)]
pub(crate) fn count(set: &[Word]) -> u32 {
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

/// Words that are handled at a time, so that they stay in registers.
const STRIPE: usize = 16;

/// Adds the members of all `rows`, which are as long as the set.
pub(crate) fn unite_rows<'a>(set: &mut [Word], rows: impl Iterator<Item = &'a [Word]> + Clone) {
    let (stripes, rest) = set.as_chunks_mut::<STRIPE>();
    let mut start = 0;
    for stripe in stripes {
        for row in rows.clone() {
            let part = row.get(start..).and_then(|row| row.first_chunk::<STRIPE>());
            let words = part.map_or(&[][..], |part| part);
            stripe.iter_mut().zip(words).for_each(|(a, b)| *a |= b);
        }
        start = start.wrapping_add(STRIPE);
    }
    rows.for_each(|row| unite(rest, row.get(start..).unwrap_or(&[])));
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

/// Whether the sets have a member in common.
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

/// The least number from `from` on that is not a member; the end of the words if all are.
pub(crate) fn first_missing(set: &[Word], from: u32) -> u32 {
    let (start, bit) = locate(from as usize);
    let first = from & !(Word::BITS - 1);
    let mut base = first;
    let mut passed = bit.wrapping_sub(1);
    for &word in set.get(start..).unwrap_or(&[]) {
        let missing = !(word | passed);
        if missing != 0 {
            return base.saturating_add(missing.trailing_zeros());
        }
        passed = 0;
        base = base.saturating_add(Word::BITS);
    }
    base
}
