//! Bits over words of the caller: sets, sets with a summary for the first member, packed numbers.
//!
//! The word is the target's own, so that a hot loop costs one instruction a word on a host as on
//! a Cortex-M. [`BitSet`] is the set that users see; [`Summary`] and [`Lanes`] are descriptors
//! (where in a slice of words something lies) with which one slice holds all of a pool's state.

mod lanes;
mod set;
mod summary;

pub use lanes::Lanes;
pub use set::{BitSet, Members, OutOfRange};
pub use summary::Summary;

/// The unit of storage: the word of the target.
pub type Word = usize;

/// log2 of the bits in a [`Word`]: 6 on a 64-bit host, 5 on a Cortex-M.
pub const WORD_LOG2: u32 = Word::BITS.trailing_zeros();

/// Words that hold `bits` bits.
///
/// ```
/// use locox::bits::{Word, words_for};
/// assert_eq!(words_for(0), 0);
/// assert_eq!(words_for(Word::BITS as usize + 1), 2);
/// ```
pub const fn words_for(bits: usize) -> usize {
    bits.div_ceil(Word::BITS as usize)
}

/// Position of a bit: its word, and the mask of the bit in that word.
pub(crate) const fn locate(bit: usize) -> (usize, Word) {
    (bit >> WORD_LOG2, 1 << (bit & (Word::BITS as usize - 1)))
}

/// A word with its lowest `bits` bits set; all of them from [`Word::BITS`] on.
pub(crate) const fn low_mask(bits: u32) -> Word {
    if bits >= Word::BITS { Word::MAX } else { !(Word::MAX << bits) }
}

/// Word `at`, or zero beyond the storage.
pub(crate) fn load(words: &[Word], at: usize) -> Word {
    words.get(at).copied().unwrap_or(0)
}

/// Word `at` to change it; `None` beyond the storage. Unlike `get_mut` it works in constants.
pub(crate) const fn word_mut(words: &mut [Word], at: usize) -> Option<&mut Word> {
    match words.split_at_mut_checked(at) {
        Some((_, rest)) => rest.first_mut(),
        None => None,
    }
}

/// The part of a run of bits that lies in the word of its first bit: that word's index, the mask
/// of the bits, and where the run goes on.
const fn first_part(start: usize, end: usize) -> (usize, Word, usize) {
    let (index, first) = locate(start);
    let next_word = (start | (Word::BITS as usize - 1)).saturating_add(1);
    let stop = if next_word < end { next_word } else { end };
    (index, low_mask((stop - start) as u32).wrapping_mul(first), stop)
}

/// Sets or clears the bits `start..start + len` by whole words; what lies beyond is left out.
pub(crate) const fn fill(words: &mut [Word], start: usize, len: usize, value: bool) {
    let end = start.saturating_add(len);
    let mut at = start;
    while at < end {
        let (index, mask, stop) = first_part(at, end);
        let Some(word) = word_mut(words, index) else { return };
        *word = if value { *word | mask } else { *word & !mask };
        at = stop;
    }
}

/// Whether all bits `start..start + len` are set; those beyond the storage are not.
pub(crate) fn all_set(words: &[Word], start: usize, len: usize) -> bool {
    let end = start.saturating_add(len);
    let mut at = start;
    while at < end {
        let (index, mask, stop) = first_part(at, end);
        if load(words, index) & mask != mask {
            return false;
        }
        at = stop;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_touches_its_range_only_at_every_offset_and_length() {
        let bits = 3 * Word::BITS as usize;
        for start in 0..bits {
            for len in [0, 1, 2, 31, 64, 65, 100] {
                let mut words = [0; 3];
                fill(&mut words, start, len, true);
                for bit in 0..bits {
                    let (at, mask) = locate(bit);
                    let expected = bit >= start && bit < start + len;
                    assert_eq!(words[at] & mask != 0, expected, "{start}+{len}: {bit}");
                }
                let inside = len.min(bits - start);
                assert!(all_set(&words, start, inside));
                assert!(!all_set(&words, start, inside + 1));
                fill(&mut words, start, len, false);
                assert_eq!(words, [0; 3]);
            }
        }
    }
}
