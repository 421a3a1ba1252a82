//! A set with its first member at hand: a bit vector under levels of summary.
//!
//! Bit `i` of a level says that word `i` of the level below is not zero, up to a level of one
//! word. Cost: insert, remove and first touch one word a level, log64 of the range; the levels
//! above the lowest take 1/63 of its bits (1/31 with 32-bit words).

use super::{WORD_LOG2, Word, load, locate, low_mask, word_mut, words_for};

/// Where in a slice of words a summarised set of the numbers `0..2^log2` lies. What is above a level is
/// such a set itself: of the numbers of that level's words.
///
/// The words start out as zeros: the empty set.
///
/// # Invariants
///
/// - A bit of an upper level is set exactly if the word that it stands for is not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    start: usize,
    /// 2^log2.
    len: usize,
}

/// Enough for 2^25 numbers under words of 32 bits.
pub(crate) const LEVELS: usize = 5;

impl Summary {
    /// The set of `0..2^log2` in the words from `start` on; `log2` is at most 25.
    pub(crate) const fn new(start: usize, log2: u32) -> Self {
        Self { start, len: 1 << log2 }
    }

    /// The same set in the words from `start` on.
    pub(crate) const fn at(self, start: usize) -> Self {
        Self { start, ..self }
    }

    /// The same for the number 0 alone, which takes one word.
    pub(crate) const fn of_zero(self) -> Self {
        Self { len: 1, ..self }
    }

    /// The set of those words of the lowest level that are not zero; `None` above a level of one word.
    const fn above(self) -> Option<Self> {
        if self.len > Word::BITS as usize { Some(self.up()) } else { None }
    }

    /// The same where the lowest level has more than one word.
    const fn up(self) -> Self {
        let len = self.len >> WORD_LOG2;
        Self { start: self.start.wrapping_add(len), len }
    }

    /// The set whose words this one stands for.
    const fn below(self) -> Self {
        Self { start: self.start.wrapping_sub(self.len), len: self.len << WORD_LOG2 }
    }

    /// The level of one word.
    const fn top(self) -> Self {
        let mut top = self;
        while let Some(above) = top.above() {
            top = above;
        }
        top
    }

    /// The level at which `2^octave..2^(octave + 1)` is a part of word 0, and that part.
    fn octave(self, octave: u32) -> (Self, Word) {
        let (mut level, mut left) = (self, octave);
        while left >= WORD_LOG2 {
            level = level.up();
            left = left.wrapping_sub(WORD_LOG2);
        }
        (level, octave_mask(left))
    }

    /// Words that it takes.
    pub(crate) const fn words(self) -> usize {
        self.top().start - self.start + 1
    }

    /// The bit of member 0, counted from the first word of the slice.
    pub(crate) const fn first_bit(self) -> usize {
        self.start << WORD_LOG2
    }

    /// Whether `member` belongs to it.
    pub(crate) fn contains(self, words: &[Word], member: usize) -> bool {
        let (at, mask) = locate(member);
        load(words, self.start.wrapping_add(at)) & mask != 0
    }

    /// Adds `member`, which must be below 2^log2.
    pub(crate) const fn insert(self, words: &mut [Word], member: usize) {
        self.put(words, member, true);
    }

    /// Removes `member`, which must be below 2^log2; whether the set is then empty.
    pub(crate) const fn remove(self, words: &mut [Word], member: usize) -> bool {
        self.put(words, member, false)
    }

    /// Makes `value` the word `at` of the lowest level.
    pub(crate) fn set_word(self, words: &mut [Word], at: usize, value: Word) {
        if let Some(word) = word_mut(words, self.start.wrapping_add(at)) {
            *word = value;
        }
        if let Some(above) = self.above() {
            above.put(words, at, value != 0);
        }
    }

    /// Adds or removes `member`; whether the set is empty then, as the word of each level is zero.
    #[inline]
    const fn put(self, words: &mut [Word], member: usize, value: bool) -> bool {
        let (mut bit, mut changes, mut next) = (member, true, Some(self));
        while let Some(level) = next {
            let (at, mask) = locate(bit);
            // Written whether it changes or not: the branch saved is one that cannot be foreseen.
            let Some(word) = word_mut(words, level.start + at) else { return false };
            *word = if value { *word | mask } else { *word & !(mask * changes as Word) };
            changes &= *word == 0;
            bit = at;
            next = level.above();
        }
        changes
    }

    /// Whether the set has no member.
    pub(crate) fn is_empty(self, words: &[Word]) -> bool {
        load(words, self.top().start) == 0
    }

    /// The smallest member.
    pub(crate) fn first(self, words: &[Word]) -> Option<usize> {
        self.descend(words, self.top(), Word::MAX)
    }

    /// The smallest member among `2^octave..2^(octave + 1)`.
    ///
    /// With members numbered as in a binary heap, an octave is one depth of it. Its members fill
    /// whole words, and so do their summaries, up to a level where the octave is a part of word 0.
    pub(crate) fn first_in_octave(self, words: &[Word], octave: u32) -> Option<usize> {
        let (level, part) = self.octave(octave);
        self.descend(words, level, part)
    }

    /// Whether `2^octave..2^(octave + 1)` has no member.
    pub(crate) fn octave_is_empty(self, words: &[Word], octave: u32) -> bool {
        let (level, part) = self.octave(octave);
        load(words, level.start) & part == 0
    }

    /// Members among `2^octave..2^(octave + 1)`; one pass over their words.
    pub(crate) fn count_octave(self, words: &[Word], octave: u32) -> u64 {
        let (first, _) = locate(1 << octave);
        let part = if octave < WORD_LOG2 { octave_mask(octave) } else { Word::MAX };
        let count = 1usize << octave.saturating_sub(WORD_LOG2);
        let run = words.iter().skip(self.start.wrapping_add(first)).take(count);
        run.fold(0, |sum: u64, &word| sum.saturating_add(u64::from((word & part).count_ones())))
    }

    /// The smallest member below the bits `part` of word 0 of a level.
    fn descend(self, words: &[Word], level: Self, part: Word) -> Option<usize> {
        let top = load(words, level.start) & part;
        if top == 0 {
            return None;
        }
        let (mut level, mut found) = (level, top.trailing_zeros() as usize);
        while level.len < self.len {
            level = level.below();
            let word = level.lowest(words, found);
            found = (found << WORD_LOG2) | word.trailing_zeros() as usize;
        }
        Some(found)
    }

    /// Words of the level above the lowest, or 1 for a set of one word.
    pub(crate) const fn groups(self) -> usize {
        words_for(words_for(self.len))
    }

    /// Ones for those words of the lowest level in a group that have members, or for all of a set
    /// of one word.
    pub(crate) fn filled(self, words: &[Word], group: usize) -> Word {
        self.above().map_or(1, |above| above.lowest(words, group))
    }

    /// Word `at` of the lowest level.
    pub(crate) fn lowest(self, words: &[Word], at: usize) -> Word {
        load(words, self.start.wrapping_add(at))
    }

    /// The members in rising order.
    pub(crate) fn iter(self, words: &[Word]) -> impl Iterator<Item = usize> + '_ {
        let count = words_for(self.len);
        (0..count).flat_map(move |at| {
            super::ones(self.lowest(words, at)).map(move |bit| at << WORD_LOG2 | bit as usize)
        })
    }

    /// Whether each upper level says what the one below it holds.
    pub(crate) fn check(self, words: &[Word]) -> bool {
        let levels = || core::iter::successors(Some(self), |level| level.above());
        levels().zip(levels().skip(1)).all(|(here, above)| {
            (0..above.len).all(|at| {
                let (word, mask) = locate(at);
                let summary = above.lowest(words, word) & mask != 0;
                summary == (here.lowest(words, at) != 0)
            })
        })
    }
}

/// The bits `2^octave..2^(octave + 1)` of a word; `octave` is below [`WORD_LOG2`].
const fn octave_mask(octave: u32) -> Word {
    let size = 1u32 << octave;
    low_mask(size).wrapping_shl(size)
}

crate::lemma::lemmas! {
    /// Numbers with the same highest bit.
    an_octave_is_the_numbers_with_one_highest_bit(octave: u32 = 0..6, at: u32 = 0..64)
        if (1 << octave) < Word::BITS && at < Word::BITS =>
        (octave_mask(octave) >> at & 1 == 1) == (at >> octave == 1);
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
    fn a_level_of_one_word_has_none_above() {
        let of = |log2| (Summary::new(5, log2).words(), Summary::new(5, log2).groups());
        let word = Word::BITS as usize;
        assert_eq!([0, WORD_LOG2, WORD_LOG2 + 1].map(of), [(1, 1), (1, 1), (3, 1)]);
        assert_eq!([2 * WORD_LOG2, 2 * WORD_LOG2 + 1].map(of), [(word + 1, 1), (2 * word + 3, 2)]);
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
