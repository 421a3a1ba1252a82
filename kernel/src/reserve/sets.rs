//! Sets of PEs as plain words: rows of a timeline, and what is added to or taken from them.

use crate::bits::{Word, locate, low_mask};

/// PEs that a change concerns, without the zero words around them, so that a change of few PEs
/// touches few words of each row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<'a> {
    /// How many PEs.
    pub(super) count: u32,
    /// Words of a row before the first of `words`.
    pub(super) skip: usize,
    /// Empty if only counts are kept.
    pub(super) words: &'a [Word],
}

impl<'a> Claim<'a> {
    /// PEs without identity.
    pub(super) const fn of_count(count: u32) -> Self {
        Self { count, skip: 0, words: &[] }
    }

    /// The members of `set`.
    pub(super) fn of_set(set: &'a [Word]) -> Self {
        let skip = set.iter().position(|&word| word != 0).unwrap_or(set.len());
        let end = set.iter().rposition(|&word| word != 0).map_or(skip, |at| at.wrapping_add(1));
        let words = set.get(skip..end).unwrap_or(&[]);
        Self { count: count(words), skip, words }
    }

    /// The members of `set`, which are `count`.
    pub(super) const fn of_counted(set: &'a [Word], count: u32) -> Self {
        Self { count, skip: 0, words: set }
    }

    /// The words of a row that the claim reaches.
    pub(super) fn part<'r>(&self, row: &'r [Word]) -> &'r [Word] {
        row.get(self.skip..self.skip.wrapping_add(self.words.len())).unwrap_or(&[])
    }

    /// As [`Claim::part`], to change them.
    pub(super) fn part_mut<'r>(&self, row: &'r mut [Word]) -> &'r mut [Word] {
        row.get_mut(self.skip..self.skip.wrapping_add(self.words.len())).unwrap_or(&mut [])
    }

    pub(super) fn meets(&self, row: &[Word]) -> bool {
        meet(self.part(row), self.words)
    }
}

/// What a reservation is to take.
#[derive(Clone, Copy)]
pub(super) enum Wish<'a> {
    /// So many PEs, if identity is not kept.
    Count(u32),
    /// These.
    Set(&'a [Word]),
}

impl<'a> Wish<'a> {
    pub(super) fn claim(self) -> Claim<'a> {
        match self {
            Self::Count(count) => Claim::of_count(count),
            Self::Set(set) => Claim::of_set(set),
        }
    }
}

/// The number of members.
pub(super) fn count(set: &[Word]) -> u32 {
    members(set.iter().copied())
}

/// The number of members that the sets have in common.
pub(super) fn count_common(a: &[Word], b: &[Word]) -> u32 {
    members(a.iter().zip(b).map(|(a, b)| a & b))
}

fn members(words: impl Iterator<Item = Word>) -> u32 {
    // Summed up in whole words, which compilers turn into vectors.
    words.fold(0, |sum: Word, word| sum.wrapping_add(word.count_ones() as Word)) as u32
}

/// Makes `to` the set `from`.
pub(super) fn copy(to: &mut [Word], from: &[Word]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}

/// Adds the members of `other`.
pub(super) fn unite(set: &mut [Word], other: &[Word]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
}

/// Words that are handled at a time, so that they stay in registers.
const STRIPE: usize = 16;

/// Adds the members of all `rows`, which are as long as the set and lie one after the other.
pub(super) fn unite_rows(set: &mut [Word], rows: &[Word]) {
    // A set without words has no rows.
    let len = set.len().max(1);
    let (stripes, rest) = set.as_chunks_mut::<STRIPE>();
    let mut start = 0;
    for stripe in stripes {
        for row in rows.chunks_exact(len) {
            let Some(part) = row.get(start..).and_then(|row| row.first_chunk::<STRIPE>()) else {
                return;
            };
            stripe.iter_mut().zip(part).for_each(|(a, b)| *a |= b);
        }
        start = start.wrapping_add(STRIPE);
    }
    for row in rows.chunks_exact(len) {
        unite(rest, row.get(start..).unwrap_or(&[]));
    }
}

/// Makes `set`, whose words `len` numbers just fit in, those below `len` that are not its members,
/// and returns how many they are.
pub(super) fn complement(set: &mut [Word], len: u32) -> u32 {
    set.iter_mut().for_each(|word| *word = !*word);
    let tail = len & (Word::BITS - 1);
    if let (Some(last), true) = (set.last_mut(), tail > 0) {
        *last &= low_mask(tail);
    }
    count(set)
}

/// Removes the members of `other`.
pub(super) fn subtract(set: &mut [Word], other: &[Word]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a &= !b);
}

/// Whether the sets have a member in common.
pub(super) fn meet(a: &[Word], b: &[Word]) -> bool {
    let common = |a: &[Word], b: &[Word]| a.iter().zip(b).fold(0, |any, (a, b)| any | a & b) != 0;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    a.iter().zip(b).any(|(a, b)| common(a, b)) || common(a_rest, b_rest)
}

/// Removes the members of `other`, and returns how many they were.
pub(super) fn take(set: &mut [Word], other: &[Word]) -> u32 {
    set.iter_mut().zip(other).fold(0, |sum: u32, (word, &taken)| {
        let common = *word & taken;
        *word ^= common;
        sum.wrapping_add(common.count_ones())
    })
}

/// The least number from `from` on that is not a member; the end of the words if all are.
pub(super) fn first_missing(set: &[Word], from: u32) -> u32 {
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
