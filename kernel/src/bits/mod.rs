//! Bits over words of the caller: sets, sets with a summary for the first member, packed numbers.
//!
//! The word is the target's own, so that a hot loop costs one instruction a word on a host as on
//! a Cortex-M. [`BitSet`] is the set that users see; `Summary` is a descriptor (where in
//! a slice of words something lies), so that one slice holds all of a pool's state.

pub(crate) mod algebra;
pub(crate) mod packed;
mod set;
mod summary;
pub(crate) mod tally;

pub(crate) use packed::{Lanes, Packed, Sought};
pub use set::{BitSet, OutOfRange};
pub(crate) use summary::LEVELS;
pub(crate) use summary::Summary;

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

/// Bit `at` of the bit vector that starts at word `start`.
pub fn bit(words: &[Word], start: usize, at: u32) -> bool {
    let (index, mask) = locate(at as usize);
    load(words, start.wrapping_add(index)) & mask != 0
}

/// Makes `value` bit `at` of the bit vector that starts at word `start`.
pub fn set_bit(words: &mut [Word], start: usize, at: u32, value: bool) {
    tally::add(1);
    let (index, mask) = locate(at as usize);
    if let Some(word) = words.get_mut(start.wrapping_add(index)) {
        *word = if value { *word | mask } else { *word & !mask };
    }
}

/// Word `at`, or zero beyond the storage.
pub fn load(words: &[Word], at: usize) -> Word {
    tally::add(1);
    words.get(at).copied().unwrap_or(0)
}

/// The positions of the ones of a word, lowest first.
#[inline]
pub fn ones(word: Word) -> impl Iterator<Item = u32> + Clone {
    let rest = |&word: &Word| Some(word & word.wrapping_sub(1)).filter(|&rest| rest != 0);
    core::iter::successors(Some(word).filter(|&word| word != 0), rest).map(Word::trailing_zeros)
}

/// The positions of the ones of all words, lowest first.
pub fn ones_of(words: &[Word]) -> impl Iterator<Item = u32> + Clone {
    let words = (0u32..).zip(words);
    words.flat_map(|(at, &word)| ones(word).map(move |bit| at << WORD_LOG2 | bit))
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

/// Makes `len` words from `start` on zeros.
pub fn clear(words: &mut [Word], start: usize, len: usize) {
    tally::add(len);
    words.iter_mut().skip(start).take(len).for_each(|word| *word = 0);
}

/// Whether the bits after the first `len`, up to the end of their word, are clear.
pub(crate) fn padding_is_clear(words: &[Word], len: usize) -> bool {
    let (at, first) = locate(len);
    first == 1 || load(words, at) & !low_mask(len as u32 & (Word::BITS - 1)) == 0
}

/// The bits of even numbers.
pub(crate) const EVEN: Word = Word::MAX / 3;

/// Gathers the bits of even numbers in the lower half.
pub(crate) fn gather_even(word: Word) -> Word {
    // Twice as many bits lie next to each other after each step; the last is for 64 bits.
    let steps = [
        (1, Word::MAX / 0x5),
        (2, Word::MAX / 0x11),
        (4, Word::MAX / 0x101),
        (8, Word::MAX / 0x1_0001),
        (16, low_mask(32)),
    ];
    steps.iter().fold(word & EVEN, |bits, &(by, mask)| (bits | bits.wrapping_shr(by)) & mask)
}

/// The highest bit that is set, or zero.
pub(crate) fn highest(bits: u32) -> u32 {
    bits.checked_ilog2().map_or(0, |at| 1 << at)
}

/// Spreads the low bits of `value` over the ones of `mask`, lowest first.
pub(crate) fn deposit(value: u32, mask: u32) -> u32 {
    let lowest = mask & mask.wrapping_neg();
    if mask & mask.wrapping_add(lowest) == 0 {
        // One run of ones, as it is most often: a shift spreads.
        return value.wrapping_mul(lowest) & mask;
    }
    let (mut left, mut mask, mut spread) = (value, mask, 0);
    while left != 0 && mask != 0 {
        let bit = mask & mask.wrapping_neg();
        spread |= bit & (left & 1).wrapping_neg();
        left >>= 1;
        mask ^= bit;
    }
    spread
}

/// Gathers the bits of `value` at the ones of `mask`, lowest first; undoes [`deposit`].
pub(crate) fn extract(value: u32, mask: u32) -> u32 {
    let (mut mask, mut place, mut gathered) = (mask, 1u32, 0);
    while mask != 0 {
        let bit = mask & mask.wrapping_neg();
        if value & bit != 0 {
            gathered |= place;
        }
        place = place.wrapping_shl(1);
        mask ^= bit;
    }
    gathered
}

crate::lemma::lemmas! {
    /// The lowest bits are ones, and no others.
    low_masks_have_their_ones(bits: u32, at: u32 = 0..64) if at < Word::BITS =>
        (low_mask(bits) >> at & 1 == 1) == (at < bits);
    /// The place of a bit and its mask name the bit.
    located_bits_are_where_they_were(bit: usize) =>
        (locate(bit).0 << WORD_LOG2) + locate(bit).1.trailing_zeros() as usize == bit;
    /// Bit i of what is gathered is bit 2i.
    even_bits_are_gathered(word: Word, at: u32 = 0..32) if at < Word::BITS / 2 =>
        gather_even(word) >> at & 1 == word >> (2 * at) & 1;
    /// And there are no more.
    no_more_bits_are_gathered(word: Word) => gather_even(word) >> (Word::BITS / 2) == 0;
    /// It is a bit of the number, and none is above it.
    the_highest_bit_is_the_highest(bits: u32) if bits != 0 =>
        highest(bits).is_power_of_two() && bits & highest(bits) != 0 && bits / highest(bits) == 1;
    /// Spread bits lie at ones of the mask.
    spread_bits_lie_in_the_mask(value: u32, mask: u32) => deposit(value, mask) & !mask == 0;
    /// What was spread is gathered again, as much of it as there are ones.
    gathering_undoes_spreading(value: u32, mask: u32) =>
        extract(deposit(value, mask), mask) == value & low_mask(mask.count_ones()) as u32;
    /// At one run of ones a product spreads as a loop does.
    one_run_spreads_by_a_product(value: u32, low: u32 = 0..32, len: u32 = 1..33)
        if low + len <= 32 =>
        deposit(value, (low_mask(len) as u32) << low)
            == (value & low_mask(len) as u32) << low;
    /// What lies in a word of a run of bits: from its first bit up to the end of the run or the word.
    the_first_part_of_a_run_is_its_bits_in_the_word(start: usize, end: usize, at: u32 = 0..64)
        if start < end && at < Word::BITS =>
        (first_part(start, end).1 >> at & 1 == 1)
            == ((start >> WORD_LOG2 << WORD_LOG2 | at as usize) >= start
                && (start >> WORD_LOG2 << WORD_LOG2 | at as usize) < end);
}

#[cfg(test)]
mod tests {
    use super::algebra::all_set;
    use super::*;

    #[test]
    fn bits_come_back_from_where_they_were_spread() {
        assert_eq!(deposit(0b1011, 0b1_0110_0100), 0b1_0010_0100);
        for mask in (0..=u32::MAX).step_by(0x10_4001) {
            let low = (1u64 << mask.count_ones()) as u32;
            for value in [0, 1, 5, 0xAAAA_AAAA, u32::MAX] {
                let spread = deposit(value, mask);
                assert_eq!(spread & !mask, 0);
                assert_eq!(extract(spread, mask), value & low.wrapping_sub(1));
                assert_eq!(extract(value, mask), extract(value & mask, mask));
            }
        }
    }

    #[test]
    fn even_bits_are_gathered_in_order() {
        for word in [0, 1, 2, 0x1234_5678, EVEN, !EVEN, Word::MAX, Word::MAX << 17] {
            let even = (0..Word::BITS / 2).filter(|at| word >> (2 * at) & 1 == 1);
            assert_eq!(gather_even(word), even.map(|at| 1 << at).sum::<Word>());
        }
    }

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
                let mut words = [Word::MAX; 3];
                fill(&mut words, start, len, true);
                assert_eq!(words, [Word::MAX; 3]);
            }
        }
    }
}
