//! A set with its first member at hand: a bit vector under levels of summary.
//!
//! Bit `i` of a level says that word `i` of the level below is not zero, up to a level of one
//! word. Cost: insert, remove and first touch one word a level, log64 of the range; the levels
//! above the lowest take 1/63 of its bits (1/31 with 32-bit words).

use super::{WORD_LOG2, Word, load, locate, low_mask, word_mut};

/// Where in a slice of words a summarised set of the numbers `0..2^log2` lies.
///
/// The words start out as zeros: the empty set.
///
/// - A bit of an upper level is set exactly if the word that it stands for is not zero.
///
/// ```
/// use locox::bits::Summary;
/// const SET: Summary = Summary::new(0, 12);
/// let mut words = [0; SET.words()];
/// SET.insert(&mut words, 4000);
/// SET.insert(&mut words, 17);
/// assert_eq!(SET.first(&words), Some(17));
/// SET.remove(&mut words, 17);
/// assert_eq!(SET.first(&words), Some(4000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    start: usize,
    log2: u8,
    /// The number of the highest level, which is one word; the lowest is number 0.
    root: u8,
}

/// Enough for 2^25 numbers under words of 32 bits.
pub(crate) const LEVELS: usize = 5;

/// The most that a set may have numbers, as a power of two.
const MOST_LOG2: u32 = 25;

/// Words of the levels below each in a set of that size; smaller ones have powers of two less.
const BELOW: [u32; LEVELS] = {
    let mut table = [0; LEVELS];
    let (mut level, mut left) = (1, MOST_LOG2);
    while level < LEVELS {
        left -= WORD_LOG2;
        table[level] = table[level - 1] + (1 << left);
        level += 1;
    }
    table
};

impl Summary {
    /// The set of `0..2^log2` in the words from `start` on; `log2` is at most 25.
    pub const fn new(start: usize, log2: u32) -> Self {
        let root = log2.saturating_sub(1) / WORD_LOG2;
        Self { start, log2: log2 as u8, root: root as u8 }
    }

    /// The same set in the words from `start` on.
    pub(crate) const fn at(self, start: usize) -> Self {
        Self { start, ..self }
    }

    /// The same for the number 0 alone, which takes one word.
    pub(crate) const fn of_zero(self) -> Self {
        Self { log2: 0, root: 0, ..self }
    }

    /// Words that it takes.
    pub const fn words(self) -> usize {
        self.below(self.root) + 1
    }

    /// The bit of member 0, counted from the first word of the slice.
    pub(crate) const fn first_bit(self) -> usize {
        self.start << WORD_LOG2
    }

    /// What is set when `member` is the only one: a bit of each level, as runs of ones of length 1.
    pub(crate) const fn path(self, member: usize) -> [(usize, usize); LEVELS] {
        let mut path = [(0, 0); LEVELS];
        let (mut bits, mut bit, mut level) = (path.as_mut_slice(), member, 0);
        while let Some((place, rest)) = bits.split_first_mut()
            && level <= self.root
        {
            *place = (((self.start + self.below(level)) << WORD_LOG2) + bit, 1);
            bit >>= WORD_LOG2;
            level += 1;
            bits = rest;
        }
        path
    }

    /// The word of the lowest level in which `member` has its bit.
    pub(crate) fn word_of(self, words: &[Word], member: usize) -> Word {
        load(words, self.start.wrapping_add(locate(member).0))
    }

    /// Whether `member` belongs to it.
    pub fn contains(self, words: &[Word], member: usize) -> bool {
        let (at, mask) = locate(member);
        load(words, self.start.wrapping_add(at)) & mask != 0
    }

    /// Adds `member`, which must be below 2^log2.
    pub const fn insert(self, words: &mut [Word], member: usize) {
        self.put(words, member, true);
    }

    /// Removes `member`, which must be below 2^log2.
    pub const fn remove(self, words: &mut [Word], member: usize) {
        self.put(words, member, false);
    }

    /// The same; whether the set is empty then.
    pub(crate) const fn remove_last(self, words: &mut [Word], member: usize) -> bool {
        self.put(words, member, false)
    }

    /// Adds or removes `member`; whether the set is empty then.
    #[inline]
    const fn put(self, words: &mut [Word], member: usize, value: bool) -> bool {
        let (mut start, mut bit, mut changes) = (self.start, member, true);
        // Words of a level; those of one word may count as none.
        let mut len = 1usize.wrapping_shl(self.log2 as u32) >> WORD_LOG2;
        loop {
            let (at, mask) = locate(bit);
            // Written whether it changes or not: the branch saved is one that cannot be foreseen.
            let Some(word) = word_mut(words, start + at) else { return true };
            *word = if value { *word | mask } else { *word & !(mask * changes as Word) };
            let is_empty = *word == 0;
            if len <= 1 {
                return is_empty;
            }
            changes &= is_empty;
            start += len;
            len >>= WORD_LOG2;
            bit = at;
        }
    }

    /// Whether the set has no member.
    pub fn is_empty(self, words: &[Word]) -> bool {
        load(words, self.level_start(self.root)) == 0
    }

    /// Removes all members.
    pub fn clear(self, words: &mut [Word]) {
        words.iter_mut().skip(self.start).take(self.words()).for_each(|word| *word = 0);
    }

    /// The smallest member.
    pub fn first(self, words: &[Word]) -> Option<usize> {
        self.descend(words, self.root, Word::MAX)
    }

    /// The smallest member among `2^octave..2^(octave + 1)`.
    ///
    /// With members numbered as in a binary heap, an octave is one depth of it. Its members fill
    /// whole words, and so do their summaries, up to a level where the octave is a part of word 0.
    pub fn first_in_octave(self, words: &[Word], octave: u32) -> Option<usize> {
        self.descend(words, (octave / WORD_LOG2) as u8, octave_mask(octave % WORD_LOG2))
    }

    /// Whether `2^octave..2^(octave + 1)` has no member.
    pub fn octave_is_empty(self, words: &[Word], octave: u32) -> bool {
        let top = load(words, self.level_start((octave / WORD_LOG2) as u8));
        top & octave_mask(octave % WORD_LOG2) == 0
    }

    /// Members among `2^octave..2^(octave + 1)`; one pass over their words.
    pub fn count_octave(self, words: &[Word], octave: u32) -> u64 {
        let (first, _) = locate(1 << octave);
        let part = if octave < WORD_LOG2 { octave_mask(octave) } else { Word::MAX };
        let count = 1usize << octave.saturating_sub(WORD_LOG2);
        let run = words.iter().skip(self.start.wrapping_add(first)).take(count);
        run.fold(0, |sum: u64, &word| sum.saturating_add(u64::from((word & part).count_ones())))
    }

    /// The smallest member below the bits `part` of word 0 of a level.
    fn descend(self, words: &[Word], level: u8, part: Word) -> Option<usize> {
        let top = load(words, self.level_start(level)) & part;
        if top == 0 {
            return None;
        }
        let mut found = top.trailing_zeros() as usize;
        for below in (0..level).rev() {
            let word = load(words, self.level_start(below).wrapping_add(found));
            found = (found << WORD_LOG2) | word.trailing_zeros() as usize;
        }
        Some(found)
    }

    /// The first word of a level.
    const fn level_start(self, level: u8) -> usize {
        self.start.wrapping_add(self.below(level))
    }

    /// Words of the levels below one.
    const fn below(self, level: u8) -> usize {
        match BELOW.as_slice().split_at_checked(level as usize) {
            Some((_, [most, ..])) => {
                most.wrapping_shr(MOST_LOG2.wrapping_sub(self.log2 as u32)) as usize
            }
            _ => 0,
        }
    }

    /// Words of the level above the lowest, or 1 for a set of one word.
    pub(crate) const fn groups(self) -> usize {
        1 << (self.log2 as u32).saturating_sub(2 * WORD_LOG2)
    }

    /// Ones for those words of the lowest level in a group that have members, or for all of a set
    /// of one word.
    pub(crate) fn filled(self, words: &[Word], group: usize) -> Word {
        if self.root == 0 { 1 } else { load(words, self.level_start(1).wrapping_add(group)) }
    }

    /// Word `at` of the lowest level.
    pub(crate) fn lowest(self, words: &[Word], at: usize) -> Word {
        load(words, self.start.wrapping_add(at))
    }

    /// The members in rising order.
    pub fn iter(self, words: &[Word]) -> impl Iterator<Item = usize> + '_ {
        self.lowest_level().flat_map(|(at, first)| {
            super::ones(load(words, at)).map(move |bit| (first | bit) as usize)
        })
    }

    /// The words of the lowest level: where each lies, and which member its lowest bit stands for.
    pub(crate) fn lowest_level(self) -> impl Iterator<Item = (usize, u32)> {
        let count = 1u32 << u32::from(self.log2).saturating_sub(WORD_LOG2);
        (self.start..).zip((0..count).map(|at| at << WORD_LOG2))
    }

    /// Whether each upper level says what the one below it holds.
    pub fn check(self, words: &[Word]) -> bool {
        (0..self.root).all(|level| {
            let here = self.level_start(level);
            let above = self.level_start(level.wrapping_add(1));
            let count = above.wrapping_sub(here);
            (0..count).all(|at| {
                let (word, mask) = locate(at);
                let summary = load(words, above.wrapping_add(word)) & mask != 0;
                summary == (load(words, here.wrapping_add(at)) != 0)
            })
        })
    }
}

/// The bits `2^octave..2^(octave + 1)` of a word; `octave` is below [`WORD_LOG2`].
const fn octave_mask(octave: u32) -> Word {
    let size = 1u32 << octave;
    low_mask(size).wrapping_shl(size)
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::collections::BTreeSet;
    use std::vec;

    #[test]
    fn follows_a_sorted_set_at_every_height() {
        for log2 in [0, 1, 5, 6, 7, 11, 12, 13, 18] {
            let set = Summary::new(3, log2);
            let mut words = vec![0; 3 + set.words()];
            let mut model = BTreeSet::new();
            let mut state = 12345u64; // a fixed walk over the range is enough here
            for _ in 0..600 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let member = (state >> 33) as usize & ((1 << log2) - 1);
                if model.remove(&member) {
                    set.remove(&mut words, member);
                } else {
                    model.insert(member);
                    set.insert(&mut words, member);
                }
                assert_eq!(set.first(&words), model.first().copied(), "2^{log2}");
                assert_eq!(set.contains(&words, member), model.contains(&member));
            }
            assert!(set.iter(&words).eq(model.iter().copied()));
            for octave in 0..log2 {
                let range = 1usize << octave..2usize << octave;
                let first = model.range(range.clone()).next().copied();
                assert_eq!(set.first_in_octave(&words, octave), first, "2^{log2}");
                assert_eq!(set.count_octave(&words, octave), model.range(range).count() as u64);
            }
            assert_eq!(set.is_empty(&words), model.is_empty());
            while let Some(member) = model.pop_last().filter(|&member| member > 0) {
                let octave = member.ilog2();
                let last = model.range(1 << octave..).next().is_none();
                set.remove(&mut words, member);
                assert_eq!(set.octave_is_empty(&words, octave), last, "2^{log2}");
                assert!(set.check(&words));
            }
            assert!(set.check(&words));
            assert_eq!(words[..3], [0; 3], "words before the set are not its own");
        }
    }

    #[test]
    fn a_lying_summary_is_found() {
        const SET: Summary = Summary::new(0, 12);
        let mut words = [0; SET.words()];
        SET.insert(&mut words, 700);
        words[700 >> WORD_LOG2] = 0;
        assert!(!SET.check(&words));
    }
}
