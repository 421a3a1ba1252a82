//! Sets of hosts in the words of a table: who is free at each level, and scratch of placements.

use crate::bits::{WORD_LOG2, Word, algebra, locate, ones, words_for};
use crate::slices;

/// Which set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// Hosts that are there and free at this level.
    Free(u8),
    /// Those that a placement has picked.
    Picked,
    /// Those among which a placement is about to pick.
    Candidates,
}

/// Words of a table with so many hosts and levels: a bit for each host and level, and two a host.
pub const fn words(hosts: usize, levels: u8) -> usize {
    words_for(hosts).saturating_mul((levels as usize).saturating_add(2))
}

/// The sets of a table: for each word of hosts a block with a word of each set.
pub(super) struct Sets<W> {
    words: W,
    /// Words in a set.
    width: usize,
    levels: u8,
}

impl<W: AsRef<[Word]>> Sets<W> {
    pub(super) fn new(words: W, hosts: usize, levels: u8) -> Self {
        Self { words, width: words_for(hosts), levels }
    }

    /// Words of a set.
    pub(super) const fn width(&self) -> usize {
        self.width
    }

    fn place(&self, set: Set, at: usize) -> usize {
        let row = match set {
            Set::Free(level) => level,
            Set::Picked => self.levels,
            Set::Candidates => self.levels.wrapping_add(1),
        };
        at.wrapping_mul(usize::from(self.levels).wrapping_add(2)).wrapping_add(row.into())
    }

    /// Word `at` of a set.
    pub(super) fn word(&self, set: Set, at: usize) -> Word {
        self.words.as_ref().get(self.place(set, at)).copied().unwrap_or(0)
    }

    pub(super) fn contains(&self, set: Set, host: u32) -> bool {
        let (at, bit) = locate(host as usize);
        at < self.width && self.word(set, at) & bit != 0
    }

    pub(super) fn members(&self, set: Set) -> impl Iterator<Item = u32> {
        (0..self.width).flat_map(move |at| members(self.word(set, at), at))
    }

    /// How many hosts are in a set.
    pub(super) fn count(&self, set: Set) -> u32 {
        algebra::members((0..self.width).map(|at| self.word(set, at)))
    }

    /// Of word `at` those that are free at this level and at all that are less urgent.
    pub(super) fn free_from(&self, level: u8, at: usize) -> Word {
        let places = self.place(Set::Free(level), at)..self.place(Set::Picked, at);
        let free = self.words.as_ref().get(places).unwrap_or(&[]);
        free.iter().fold(Word::MAX, |all, free| all & free)
    }

    /// Of word `at` the idle ones: they are there and free at all levels.
    pub(super) fn idle(&self, at: usize) -> Word {
        self.free_from(0, at)
    }
}

impl<W: AsRef<[Word]> + AsMut<[Word]>> Sets<W> {
    /// Makes word `at` of a set the hosts `word`.
    pub(super) fn put(&mut self, set: Set, at: usize, word: Word) {
        let place = self.place(set, at);
        slices::put(self.words.as_mut(), place, word);
    }

    /// Makes a host a member.
    pub(super) fn add(&mut self, set: Set, host: u32) {
        let (at, bit) = locate(host as usize);
        self.put(set, at, self.word(set, at) | bit);
    }

    /// Makes a host free at these levels, from the most urgent one on, or not.
    pub(super) fn put_free(&mut self, host: u32, levels: impl Iterator<Item = bool>) {
        let (at, bit) = locate(host as usize);
        let start = self.place(Set::Free(0), at);
        let words = self.words.as_mut().get_mut(start..).unwrap_or(&mut []);
        for (word, is_free) in words.iter_mut().zip(levels) {
            *word = if is_free { *word | bit } else { *word & !bit };
        }
    }
}

/// The members in word `at` of a set, lowest first.
pub(super) fn members(word: Word, at: usize) -> impl Iterator<Item = u32> {
    let first = (at as u32) << WORD_LOG2;
    ones(word).map(move |bit| first.wrapping_add(bit))
}

/// The bit of a host in its word.
pub(super) const fn bit_of(host: u32) -> Word {
    locate(host as usize).1
}
