//! Tables of 8-, 16- or 32-bit numbers packed into words, so that one slice holds everything.

use super::{WORD_LOG2, Word, load, word_mut};

/// Where in a slice of words a packed table of numbers of 2^`LOG2` bits lies; `LOG2` is at most 5.
///
/// ```
/// use locox::bits::Lanes;
/// const TABLE: Lanes<4> = Lanes::new(0);
/// let mut words = [0; Lanes::<4>::words(8)];
/// TABLE.set(&mut words, 5, 1234);
/// assert_eq!(TABLE.get(&words, 5), 1234);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes<const LOG2: u32> {
    start: usize,
}

impl<const LOG2: u32> Lanes<LOG2> {
    /// log2 of the numbers in a word.
    const PER_WORD: u32 = WORD_LOG2 - LOG2;
    const MASK: Word = super::low_mask(1 << LOG2);

    /// A table in the words from `start` on.
    pub const fn new(start: usize) -> Self {
        Self { start }
    }

    /// Words that `entries` entries take.
    pub const fn words(entries: usize) -> usize {
        (entries << LOG2).div_ceil(Word::BITS as usize)
    }

    /// Entry `at`; zero beyond the storage.
    pub fn get(self, words: &[Word], at: usize) -> u32 {
        let (index, shift) = self.locate(at);
        (load(words, index) >> shift & Self::MASK) as u32
    }

    /// Makes `value`, of which the low bits of the width count, entry `at`.
    pub const fn set(self, words: &mut [Word], at: usize, value: u32) {
        let (index, shift) = self.locate(at);
        if let Some(word) = word_mut(words, index) {
            *word = *word & !(Self::MASK << shift) | (value as Word & Self::MASK) << shift;
        }
    }

    const fn locate(self, at: usize) -> (usize, u32) {
        let lane = at as u32 & ((1 << Self::PER_WORD) - 1);
        (self.start.wrapping_add(at >> Self::PER_WORD), lane << LOG2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries_do_not_touch_their_neighbours<const LOG2: u32>() {
        let table = Lanes::<LOG2>::new(1);
        let mut words = [0; 40];
        for at in 0..32 {
            table.set(&mut words, at, 0xA5A5_A500 | at as u32);
        }
        table.set(&mut words, 7, 0);
        table.set(&mut words, 7, u32::MAX);
        let mask = super::super::low_mask(1 << LOG2) as u32;
        for at in 0..32 {
            let expected = if at == 7 { u32::MAX } else { 0xA5A5_A500 | at as u32 };
            assert_eq!(table.get(&words, at), expected & mask, "2^{LOG2} bits, entry {at}");
        }
        assert_eq!(words[0], 0);
        assert_eq!(table.get(&words, 10_000), 0);
    }

    #[test]
    fn every_width() {
        entries_do_not_touch_their_neighbours::<3>();
        entries_do_not_touch_their_neighbours::<4>();
        entries_do_not_touch_their_neighbours::<5>();
    }
}
