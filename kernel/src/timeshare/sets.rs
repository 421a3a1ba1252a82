//! Sets of hosts in the words of a table: who is free at which level, and scratch.

use super::storage::MORE_SETS;
use crate::bits::{WORD_LOG2, Word, algebra, load, locate, ones, word_mut, words_for};

/// Which set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// Hosts that are there and free at the level of this number.
    Free(u8),
    /// Hosts that are there and free at all levels.
    Idle,
    /// Those that a placement has picked.
    Picked,
    /// Scratch of a placement.
    Candidates,
}

/// The sets of a table with so many levels, each of as many words.
pub(super) struct Sets<W> {
    words: W,
    width: usize,
    levels: usize,
}

impl<W: AsRef<[Word]>> Sets<W> {
    pub(super) fn new(words: W, hosts: usize, levels: u8) -> Self {
        Self { words, width: words_for(hosts), levels: levels.into() }
    }

    /// Where a set begins.
    const fn start(&self, set: Set) -> usize {
        let row = match set {
            Set::Free(level) => level as usize,
            Set::Idle => self.levels,
            Set::Picked => self.levels.wrapping_add(1),
            Set::Candidates => self.levels.wrapping_add(MORE_SETS - 1),
        };
        row.wrapping_mul(self.width)
    }

    pub(super) const fn width(&self) -> usize {
        self.width
    }

    fn row(&self, set: Set) -> &[Word] {
        let start = self.start(set);
        self.words.as_ref().get(start..start.wrapping_add(self.width)).unwrap_or(&[])
    }

    /// A word of a set.
    pub(super) fn word(&self, set: Set, at: usize) -> Word {
        load(self.words.as_ref(), self.start(set).wrapping_add(at))
    }

    pub(super) fn count(&self, set: Set) -> u32 {
        algebra::count(self.row(set))
    }

    pub(super) fn count_common(&self, a: Set, b: Set) -> u32 {
        algebra::count_common(self.row(a), self.row(b))
    }

    pub(super) fn contains(&self, set: Set, host: u32) -> bool {
        let (at, bit) = locate(host as usize);
        self.word(set, at) & bit != 0
    }

    pub(super) fn first(&self, set: Set) -> Option<u32> {
        (0..self.width).find_map(|at| members(self.word(set, at), at).next())
    }
}

impl<W: AsRef<[Word]> + AsMut<[Word]>> Sets<W> {
    fn row_mut(&mut self, set: Set) -> &mut [Word] {
        let start = self.start(set);
        let end = start.wrapping_add(self.width);
        self.words.as_mut().get_mut(start..end).unwrap_or(&mut [])
    }

    pub(super) fn clear(&mut self, set: Set) {
        self.row_mut(set).fill(0);
    }

    /// Makes word `at` of a set what `change` makes of it.
    pub(super) fn edit(&mut self, set: Set, at: usize, change: impl FnOnce(Word) -> Word) {
        let at = self.start(set).wrapping_add(at);
        if let Some(word) = word_mut(self.words.as_mut(), at) {
            *word = change(*word);
        }
    }

    pub(super) fn put(&mut self, set: Set, host: u32, is_member: bool) {
        let (at, bit) = locate(host as usize);
        self.edit(set, at, |word| if is_member { word | bit } else { word & !bit });
    }
}

/// The members in word `at` of a set, lowest first.
pub(super) fn members(word: Word, at: usize) -> impl Iterator<Item = u32> {
    let first = (at as u32) << WORD_LOG2;
    ones(word).map(move |bit| first.wrapping_add(bit))
}
