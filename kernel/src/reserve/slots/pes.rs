//! The PEs that a change or a reservation concerns.

use crate::bits::{Word, algebra};
use core::slice;

/// PEs that a change or a reservation concerns, without the zero words around them where rows may be
/// long, so that a change of few PEs touches few words of each row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pes<'a> {
    /// How many PEs.
    pub(crate) count: u32,
    /// Words of a row before the first of `words`.
    pub(crate) skip: usize,
    /// Empty if only counts are kept.
    pub(crate) words: &'a [Word],
}

impl<'a> Pes<'a> {
    /// PEs without identity.
    pub(crate) const fn of_count(count: u32) -> Self {
        Self { count, skip: 0, words: &[] }
    }

    /// The members of `set`.
    pub(crate) fn of_set(set: &'a [Word]) -> Self {
        // Where rows are short, as they are without leaves, there is little to leave out.
        if !cfg!(feature = "leaf-index") {
            return Self { count: algebra::count(set), skip: 0, words: set };
        }
        let skip = set.iter().position(|&word| word != 0).unwrap_or(set.len());
        let end = set.iter().rposition(|&word| word != 0).map_or(skip, |at| at.wrapping_add(1));
        let words = set.get(skip..end).unwrap_or(&[]);
        Self { count: algebra::count(words), skip, words }
    }

    /// The members of word `skip` of a row.
    pub(crate) const fn of_word(skip: usize, word: &'a Word) -> Self {
        Self { count: word.count_ones(), skip, words: slice::from_ref(word) }
    }

    /// The words of a row that the pes reaches.
    pub(crate) fn part<'r>(&self, row: &'r [Word]) -> &'r [Word] {
        row.get(self.skip..self.skip.wrapping_add(self.words.len())).unwrap_or(&[])
    }

    /// As [`Pes::part`], to change them.
    pub(crate) fn part_mut<'r>(&self, row: &'r mut [Word]) -> &'r mut [Word] {
        row.get_mut(self.skip..self.skip.wrapping_add(self.words.len())).unwrap_or(&mut [])
    }

    pub(crate) fn meets(&self, row: &[Word]) -> bool {
        algebra::meet(self.part(row), self.words)
    }
}

/// Which PEs a change makes busy, or free.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'a> {
    Occupy(Pes<'a>),
    Vacate(Pes<'a>),
}

impl Change<'_> {
    /// What it adds to the number of busy PEs.
    pub(crate) fn amount(self) -> i32 {
        match self {
            Self::Occupy(pes) => pes.count as i32,
            Self::Vacate(pes) => (pes.count as i32).wrapping_neg(),
        }
    }
}
