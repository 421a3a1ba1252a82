//! A set with its first member at hand: a bit vector under levels of summary.
//!
//! Bit `i` of a level says that word `i` of the level below is not zero, up to a level of one
//! word. Cost: insert, remove and first touch one word a level, log64 of the range; the levels
//! above the lowest take 1/63 of its bits (1/31 with 32-bit words).

use super::{WORD_LOG2, Word, load, locate};

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
    pub fn insert(self, words: &mut [Word], member: usize) {
        let mut level = self;
        let mut bit = member;
        loop {
            let (at, mask) = locate(bit);
            let Some(word) = words.get_mut(level.start.wrapping_add(at)) else { return };
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
            let Some(word) = words.get_mut(level.start.wrapping_add(at)) else { return };
            *word &= !mask;
            match level.above() {
                Some(above) if *word == 0 => level = above,
                _ => return,
            }
            bit >>= WORD_LOG2;
        }
    }

    /// The smallest member.
    pub fn first(self, words: &[Word]) -> Option<usize> {
        // At most five levels: 2^24 numbers under words of 32 bits.
        let mut starts = [0usize; 5];
        let mut level = self;
        let mut height = 0;
        while let Some(above) = level.above() {
            *starts.get_mut(height)? = level.start;
            height = height.saturating_add(1);
            level = above;
        }
        let root = load(words, level.start);
        if root == 0 {
            return None;
        }
        let mut found = root.trailing_zeros() as usize;
        for &start in starts.get(..height)?.iter().rev() {
            let word = load(words, start.wrapping_add(found));
            found =
                (found << WORD_LOG2) | (word.trailing_zeros() as usize & (Word::BITS as usize - 1));
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
