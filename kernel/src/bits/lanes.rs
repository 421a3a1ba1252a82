//! Tables of 8-, 16- or 32-bit numbers packed into words, so that one slice holds everything.

use super::{WORD_LOG2, Word};

/// Width of an entry of [`Lanes`], as log2 of its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneWidth {
    /// 8 bits.
    Byte = 3,
    /// 16 bits.
    Half = 4,
    /// 32 bits.
    Full = 5,
}

/// Where in a slice of words a packed table lies.
///
/// ```
/// use locox::bits::{LaneWidth, Lanes};
/// const TABLE: Lanes = Lanes::new(0, LaneWidth::Half);
/// let mut words = [0; Lanes::words(LaneWidth::Half, 8)];
/// TABLE.set(&mut words, 5, 1234);
/// assert_eq!(TABLE.get(&words, 5), 1234);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    start: usize,
    width: LaneWidth,
}

impl Lanes {
    /// A table in the words from `start` on.
    pub const fn new(start: usize, width: LaneWidth) -> Self {
        Self { start, width }
    }

    /// Words that `entries` entries take.
    pub const fn words(width: LaneWidth, entries: usize) -> usize {
        (entries << width as u32).div_ceil(Word::BITS as usize)
    }

    /// Entry `at`; zero beyond the storage.
    pub fn get(self, words: &[Word], at: usize) -> u32 {
        let (index, shift) = self.locate(at);
        (super::load(words, index) >> shift) as u32 & self.mask()
    }

    /// Makes `value`, of which the low bits of the width count, entry `at`.
    pub const fn set(self, words: &mut [Word], at: usize, value: u32) {
        let (index, shift) = self.locate(at);
        let mask = self.mask();
        if let Some(word) = super::word_mut(words, index) {
            *word = *word & !((mask as Word) << shift) | (((value & mask) as Word) << shift);
        }
    }

    const fn mask(self) -> u32 {
        match self.width {
            LaneWidth::Byte => 0xFF,
            LaneWidth::Half => 0xFFFF,
            LaneWidth::Full => u32::MAX,
        }
    }

    const fn locate(self, at: usize) -> (usize, u32) {
        let width = self.width as u32;
        let per_word = WORD_LOG2 - width;
        let lane = at as u32 & ((1 << per_word) - 1);
        (self.start.wrapping_add(at >> per_word), lane << width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_do_not_touch_their_neighbours() {
        for width in [LaneWidth::Byte, LaneWidth::Half, LaneWidth::Full] {
            let table = Lanes::new(1, width);
            let mut words = [0; 40];
            for at in 0..32 {
                table.set(&mut words, at, 0xA5A5_A500 | at as u32);
            }
            table.set(&mut words, 7, 0);
            table.set(&mut words, 7, u32::MAX);
            for at in 0..32 {
                let expected = if at == 7 { u32::MAX } else { 0xA5A5_A500 | at as u32 };
                assert_eq!(table.get(&words, at), expected & table.mask(), "{width:?} {at}");
            }
            assert_eq!(words[0], 0);
            assert_eq!(table.get(&words, 10_000), 0);
        }
    }
}
