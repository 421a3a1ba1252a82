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
    log2: u32,
}

impl Summary {
    /// The set of `0..2^log2` in the words from `start` on.
    pub const fn new(start: usize, log2: u32) -> Self {
        Self { start, log2 }
    }

    /// Words that it takes.
    pub const fn words(self) -> usize {
        let mut total = 0;
        let mut log2 = self.log2;
        loop {
            total += level_words(log2);
            if log2 <= WORD_LOG2 {
                return total;
            }
            log2 -= WORD_LOG2;
        }
    }

    /// Whether `member` belongs to it.
    pub fn contains(self, words: &[Word], member: usize) -> bool {
        let (at, mask) = locate(member);
        load(words, self.start.wrapping_add(at)) & mask != 0
    }

    /// Adds `member`, which must be below 2^log2.
    pub const fn insert(self, words: &mut [Word], member: usize) {
        let mut level = self;
        let mut bit = member;
        loop {
            let (at, mask) = locate(bit);
            let Some(word) = word_mut(words, level.start.wrapping_add(at)) else { return };
            let was_empty = *word == 0;
            *word |= mask;
            match level.above() {
                Some(above) if was_empty => level = above,
                _ => return,
            }
            bit >>= WORD_LOG2;
        }
    }

    /// Removes `member`, which must be below 2^log2.
    pub fn remove(self, words: &mut [Word], member: usize) {
        let mut level = self;
        let mut bit = member;
        loop {
            let (at, mask) = locate(bit);
            let Some(word) = word_mut(words, level.start.wrapping_add(at)) else { return };
            *word &= !mask;
            match level.above() {
                Some(above) if *word == 0 => level = above,
                _ => return,
            }
            bit >>= WORD_LOG2;
        }
    }

    /// Whether the set has no member.
    pub fn is_empty(self, words: &[Word]) -> bool {
        let mut level = self;
        while let Some(above) = level.above() {
            level = above;
        }
        load(words, level.start) == 0
    }

    /// Removes all members.
    pub fn clear(self, words: &mut [Word]) {
        words.iter_mut().skip(self.start).take(self.words()).for_each(|word| *word = 0);
    }

    /// The smallest member.
    pub fn first(self, words: &[Word]) -> Option<usize> {
        let mut level = self;
        let mut levels_up = 0;
        while let Some(above) = level.above() {
            level = above;
            levels_up += 1;
        }
        let root = load(words, level.start);
        self.descend(words, level, levels_up, root)
    }

    /// The smallest member among `2^octave..2^(octave + 1)`.
    ///
    /// With members numbered as in a binary heap, an octave is one depth of it. Its members fill
    /// whole words, and so do their summaries, up to a level where the octave is a part of word 0.
    pub fn first_in_octave(self, words: &[Word], octave: u32) -> Option<usize> {
        let (level, levels_up, part) = self.octave_top(octave);
        self.descend(words, level, levels_up, load(words, level.start) & part)
    }

    /// Removes `member` of `2^octave..2^(octave + 1)`; whether that range has no member then.
    pub fn remove_from_octave(self, words: &mut [Word], member: usize, octave: u32) -> bool {
        let mut level = self;
        let mut bit = member;
        let mut octave = octave;
        loop {
            let (at, mask) = locate(bit);
            let Some(word) = word_mut(words, level.start.wrapping_add(at)) else { return true };
            *word &= !mask;
            if octave < WORD_LOG2 {
                let empty = *word & octave_mask(octave) == 0;
                if let (0, Some(above)) = (*word, level.above()) {
                    above.remove(words, at);
                }
                return empty;
            }
            match level.above() {
                Some(above) if *word == 0 => level = above,
                _ => return false,
            }
            bit = at;
            octave = octave.wrapping_sub(WORD_LOG2);
        }
    }

    /// Members among `2^octave..2^(octave + 1)`; one pass over their words.
    pub fn count_octave(self, words: &[Word], octave: u32) -> u64 {
        let (first, _) = locate(1 << octave);
        let part = if octave < WORD_LOG2 { octave_mask(octave) } else { Word::MAX };
        let count = 1usize << octave.saturating_sub(WORD_LOG2);
        let run = words.iter().skip(self.start.wrapping_add(first)).take(count);
        run.fold(0, |sum: u64, &word| sum.saturating_add(u64::from((word & part).count_ones())))
    }

    /// The level at which the octave is a part of word 0, how far up that is, and which part.
    const fn octave_top(self, octave: u32) -> (Self, u32, Word) {
        let mut level = self;
        let mut levels_up = 0;
        let mut octave = octave;
        while octave >= WORD_LOG2 {
            let Some(above) = level.above() else { break };
            level = above;
            levels_up += 1;
            octave -= WORD_LOG2;
        }
        (level, levels_up, octave_mask(octave))
    }

    /// The smallest member below the bits `top` of the first word of `level`.
    fn descend(self, words: &[Word], level: Self, levels_up: u32, top: Word) -> Option<usize> {
        if top == 0 {
            return None;
        }
        let mut found = top.trailing_zeros() as usize;
        let mut start = level.start;
        for down in (0..levels_up).rev() {
            start = start.wrapping_sub(level_words(self.log2.wrapping_sub(WORD_LOG2 * down)));
            let word = load(words, start.wrapping_add(found));
            found = (found << WORD_LOG2) | word.trailing_zeros() as usize;
        }
        Some(found)
    }

    /// The members in rising order.
    pub fn iter(self, words: &[Word]) -> impl Iterator<Item = usize> + '_ {
        let end = self.start.saturating_add(level_words(self.log2)).min(words.len());
        let lowest = words.get(self.start..end).unwrap_or(&[]);
        super::Members::new(lowest).map(|member| member as usize)
    }

    /// The level that summarises this one, itself a set of one bit a word.
    const fn above(self) -> Option<Self> {
        if self.log2 <= WORD_LOG2 {
            return None;
        }
        Some(Self { start: self.start + level_words(self.log2), log2: self.log2 - WORD_LOG2 })
    }

    /// Whether the upper levels say what the lowest holds.
    pub fn check(self, words: &[Word]) -> bool {
        let Some(above) = self.above() else { return true };
        let agrees = (0..level_words(self.log2))
            .all(|at| (load(words, self.start.wrapping_add(at)) != 0) == above.contains(words, at));
        agrees && above.check(words)
    }
}

/// The bits `2^octave..2^(octave + 1)` of a word; `octave` is below [`WORD_LOG2`].
const fn octave_mask(octave: u32) -> Word {
    let size = 1u32 << octave;
    low_mask(size).wrapping_shl(size)
}

const fn level_words(log2: u32) -> usize {
    if log2 <= WORD_LOG2 { 1 } else { 1 << (log2 - WORD_LOG2) }
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
                assert_eq!(set.remove_from_octave(&mut words, member, octave), last, "2^{log2}");
                assert!(set.check(&words));
            }
            assert!(set.check(&words));
            assert_eq!(words[..3], [0; 3], "words before the set are not its own");
        }
    }

    #[test]
    fn a_lying_summary_is_found() {
        let set = Summary::new(0, 12);
        let mut words = [0; 80];
        set.insert(&mut words, 700);
        words[700 >> WORD_LOG2] = 0;
        assert!(!set.check(&words));
    }
}
