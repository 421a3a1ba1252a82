//! What a change takes from or gives to rows of a timeline.

use crate::bits::Word;
use crate::bits::algebra::{count, meet};

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
