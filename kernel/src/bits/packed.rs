//! Tables of numbers of 8, 16 or 32 bits, several to a word.
//!
//! Such a table can also be searched and changed a whole word at a time, if the top bit of every
//! lane is kept clear. A comparison of all lanes of a word with one bound is then a single
//! subtraction: set the top bits, subtract the bound from each lane, and the top bit survives
//! exactly where the number is at least the bound; nothing is borrowed across lanes.

use super::{WORD_LOG2, Word, load, low_mask, word_mut};
use core::ops::Range;

/// The arithmetic on tables of one lane width. A table is a slice of words that starts with its
/// lane 0; [`Lanes`] says where in a slice one lies.
///
/// - For all but reading and writing single numbers, these stay below 2^(width - 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// log2 of the bits of a lane: 3, 4 or 5.
    width: u32,
    /// The lowest bit of each lane.
    ones: Word,
}

impl Packed {
    /// Lanes for the numbers `0..=most`; `None` from 2^31 on.
    pub(crate) const fn holding(most: u32) -> Option<Self> {
        let (width, lane) = match most {
            0..0x80 => (3, 0xFF),
            0x80..0x8000 => (4, 0xFFFF),
            0x8000..0x8000_0000 => (5, 0xFFFF_FFFF),
            _ => return None,
        };
        Some(Self { width, ones: Word::MAX / lane })
    }

    /// Lanes of 16 bits, all of which count.
    pub const HALVES: Self = Self { width: 4, ones: Word::MAX / 0xFFFF };

    /// Lanes of 32 bits, all of which count.
    pub(crate) const WHOLES: Self = Self { width: 5, ones: Word::MAX / 0xFFFF_FFFF };

    /// Words that `lanes` lanes take.
    pub const fn words(self, lanes: usize) -> usize {
        lanes.div_ceil(1 << self.lanes_log2())
    }

    /// The top bit of each lane.
    const fn tops(self) -> Word {
        self.ones << (self.bits() - 1)
    }

    const fn bits(self) -> u32 {
        1 << self.width
    }

    const fn lanes_log2(self) -> u32 {
        WORD_LOG2 - self.width
    }

    /// Word and first bit of a lane.
    const fn locate(self, lane: usize) -> (usize, u32) {
        let in_word = lane as u32 & ((1 << self.lanes_log2()) - 1);
        (lane >> self.lanes_log2(), in_word << self.width)
    }

    /// The number in `lane`.
    pub(crate) fn get(self, table: &[Word], lane: usize) -> u32 {
        self.get_from(table, 0, lane)
    }

    /// The number in `lane` of the table that starts at word `start`.
    pub(crate) fn get_from(self, words: &[Word], start: usize, lane: usize) -> u32 {
        let (index, low) = self.locate(lane);
        (load(words, start.wrapping_add(index)) >> low & self.lane_mask(0)) as u32
    }

    /// Makes `value` the number in `lane`.
    pub(crate) const fn set(self, table: &mut [Word], lane: usize, value: u32) {
        self.set_from(table, 0, lane, value);
    }

    const fn set_from(self, words: &mut [Word], start: usize, lane: usize, value: u32) {
        let (index, low) = self.locate(lane);
        if let Some(word) = word_mut(words, start.wrapping_add(index)) {
            *word = *word & !self.lane_mask(low) | (value as Word & self.lane_mask(0)) << low;
        }
    }

    /// Where the lanes `from..to` lie.
    const fn span(self, from: usize, to: usize) -> Span {
        let (start, low) = self.locate(from);
        let (last, high) = self.locate(to);
        let (end, tail) = if high == 0 { (last, Word::MAX) } else { (last + 1, low_mask(high)) };
        Span { start, end, head: Word::MAX << low, tail }
    }

    /// What finds the numbers sought among the lanes of a word. A bound counts as far as it tells
    /// numbers of this width apart. Not by `clamp`, which panics if its limits cross.
    fn hits(self, sought: Sought) -> impl Fn(Word) -> Word {
        let flip = if sought.below { self.tops() } else { 0 };
        let bound = (sought.bound.max(0) as Word).min(1 << (self.bits() - 1));
        let (tops, bounds) = (self.tops(), self.ones.wrapping_mul(bound));
        // With its top bit set no lane borrows, and keeps the bit exactly if it reaches the bound.
        move |word| (word | tops).wrapping_sub(bounds) & tops ^ flip
    }

    /// The first of the lanes `from..to` that holds what is sought.
    pub(crate) fn first(
        self,
        table: &[Word],
        lanes: Range<usize>,
        sought: Sought,
    ) -> Option<usize> {
        let (start, low) = self.locate(lanes.start);
        let (hits_of, mut mask) = (self.hits(sought), Word::MAX << low);
        for (index, &word) in (start..).zip(table.get(start..self.words(lanes.end))?) {
            let hits = hits_of(word) & mask;
            if hits != 0 {
                let lane = self.lane_of(index, hits.trailing_zeros());
                return Some(lane).filter(|&lane| lane < lanes.end);
            }
            mask = Word::MAX;
        }
        None
    }

    /// The last of these lanes that holds what is sought.
    pub(crate) fn last(self, table: &[Word], lanes: Range<usize>, sought: Sought) -> Option<usize> {
        let (hits_of, span) = (self.hits(sought), self.span(lanes.start, lanes.end));
        for (index, &word) in span.indices().zip(span.of(table)).rev() {
            let hits = hits_of(word) & span.mask(index);
            if hits != 0 {
                return Some(self.lane_of(index, Word::BITS - 1 - hits.leading_zeros()));
            }
        }
        None
    }

    const fn lane_of(self, index: usize, bit: u32) -> usize {
        (index << self.lanes_log2()) | (bit >> self.width) as usize
    }

    /// Adds `amount` to the lanes `from..to`. The sums must be numbers of this width.
    pub(crate) fn add(self, table: &mut [Word], from: usize, to: usize, amount: i32) {
        let all = self.ones.wrapping_mul(amount.unsigned_abs() as Word);
        let span = self.span(from, to);
        for (index, word) in span.indices().zip(span.of_mut(table)) {
            let part = all & span.mask(index);
            *word = if amount < 0 { word.wrapping_sub(part) } else { word.wrapping_add(part) };
        }
    }

    /// The least and the greatest number in the lanes `from..to`; the greatest possible and zero
    /// if there are none.
    pub(crate) fn least_and_greatest(self, table: &[Word], from: usize, to: usize) -> (u32, u32) {
        let filler = self.tops().wrapping_sub(self.ones);
        let (mut low, mut high) = (filler, 0);
        let span = self.span(from, to);
        for (index, &word) in span.indices().zip(span.of(table)) {
            let mask = span.mask(index);
            low = self.lesser(low, word & mask | filler & !mask).0;
            high = self.lesser(high, word & mask).1;
        }
        let mut step = Word::BITS >> 1;
        while step >= self.bits() {
            low = self.lesser(low, low >> step | filler << (Word::BITS - step)).0;
            high = self.lesser(high, high >> step).1;
            step >>= 1;
        }
        (self.get(&[low], 0), self.get(&[high], 0))
    }

    /// Lane by lane the lesser and the greater of two numbers.
    const fn lesser(self, a: Word, b: Word) -> (Word, Word) {
        let tops = self.tops();
        let at_least = (a | tops).wrapping_sub(b) & tops;
        // A whole lane of ones where a >= b: the top bit, and all below it.
        let wins = at_least | at_least.wrapping_sub(at_least >> (self.bits() - 1));
        ((b & wins) | (a & !wins), (a & wins) | (b & !wins))
    }

    /// Opens `lane` for `value`; those from it on, below `len`, move up by one.
    pub(crate) fn insert(self, table: &mut [Word], lane: usize, len: usize, value: u32) {
        let span = self.span(lane, len.saturating_add(1));
        let mut carry = 0;
        for (index, word) in span.indices().zip(span.of_mut(table)) {
            let (mask, moved) = (span.mask(index), word.unbounded_shl(self.bits()) | carry);
            carry = *word >> (Word::BITS - self.bits());
            *word = *word & !mask | moved & mask;
        }
        self.set(table, lane, value);
    }

    /// Closes `lane`; those above it, below `len`, move down by one. Lane `len - 1` is then of no
    /// use.
    pub(crate) fn remove(self, table: &mut [Word], lane: usize, len: usize) {
        let span = self.span(lane, len);
        let mut carry = 0;
        for (index, word) in span.indices().zip(span.of_mut(table)).rev() {
            let (mask, moved) = (span.mask(index), word.unbounded_shr(self.bits()) | carry);
            carry = *word << (Word::BITS - self.bits());
            *word = *word & !mask | moved & mask;
        }
    }

    /// A lane full of ones from bit `low` on.
    const fn lane_mask(self, low: u32) -> Word {
        low_mask(self.bits()) << low
    }
}

/// Which numbers are sought.
#[derive(Clone, Copy)]
pub(crate) struct Sought {
    /// Those below the bound, or else the others.
    pub(crate) below: bool,
    pub(crate) bound: i32,
}

impl Sought {
    /// More than `limit`.
    pub(crate) const fn above(limit: u32) -> Self {
        Self { below: false, bound: limit.wrapping_add(1) as i32 }
    }

    /// At most `limit`.
    pub(crate) const fn within(limit: u32) -> Self {
        Self { below: true, ..Self::above(limit) }
    }
}

/// Where in a slice of words a packed table of 16 or 32 bits starts: its first word.
///
/// All bits of a lane count. The two widths are told apart once, so that all shifts are by
/// constants: with the width in a field an allocation took a quarter more instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// Of 16 bits.
    Halves(usize),
    /// Of 32 bits.
    Wholes(usize),
}

impl Lanes {
    /// Its first bit, counted from the start of the slice.
    pub(crate) const fn first_bit(self) -> usize {
        let (Self::Halves(start) | Self::Wholes(start)) = self;
        start << WORD_LOG2
    }

    /// Entry `at`; zero beyond the storage.
    #[inline]
    pub fn get(self, words: &[Word], at: u32) -> u32 {
        match self {
            Self::Halves(start) => Packed::HALVES.get_from(words, start, at as usize),
            Self::Wholes(start) => Packed::WHOLES.get_from(words, start, at as usize),
        }
    }

    /// Makes `value`, of which the low bits of the width count, entry `at`.
    #[inline]
    pub fn set(self, words: &mut [Word], at: u32, value: u32) {
        super::tally::add(1);
        match self {
            Self::Halves(start) => Packed::HALVES.set_from(words, start, at as usize, value),
            Self::Wholes(start) => Packed::WHOLES.set_from(words, start, at as usize, value),
        }
    }
}

/// The words of a run of lanes, `start..end`; of the first and the last only some bits belong.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
    head: Word,
    tail: Word,
}

impl Span {
    const fn indices(self) -> Range<usize> {
        self.start..self.end
    }

    fn of(self, table: &[Word]) -> &[Word] {
        table.get(self.start..self.end).unwrap_or(&[])
    }

    fn of_mut(self, table: &mut [Word]) -> &mut [Word] {
        table.get_mut(self.start..self.end).unwrap_or(&mut [])
    }

    /// The bits of the word `index` that belong.
    const fn mask(self, index: usize) -> Word {
        let above = if index == self.start { self.head } else { Word::MAX };
        let below = if index + 1 == self.end { self.tail } else { Word::MAX };
        above & below
    }
}

/// Some lanes, for lemmas: of 8, 16 or 32 bits.
#[cfg(any(test, kani))]
const fn lanes_of(width: u32) -> Packed {
    Packed { width, ones: Word::MAX / low_mask(1 << width) }
}

/// The number in one lane of a word.
#[cfg(any(test, kani))]
const fn lane_in(lanes: Packed, word: Word, lane: u32) -> Word {
    word >> (lane << lanes.width) & lanes.lane_mask(0)
}

crate::lemma::lemmas! {
    /// One subtraction compares all lanes: where the top bit of a lane stays, its number reaches the bound.
    a_hit_is_a_number_from_the_bound_on(
        word: Word, bound: u32, width: u32 = 3..6, lane: u32 = 0..8, below: bool
    ) if lane < Word::BITS >> width && word & lanes_of(width).tops() == 0
        && bound < 1 << (lanes_of(width).bits() - 1) =>
        (lanes_of(width).hits(Sought { below, bound: bound as i32 })(word)
            >> ((lane << width) + lanes_of(width).bits() - 1) & 1 == 1)
            == (below == (lane_in(lanes_of(width), word, lane) < bound as Word));
    /// And nothing else is a hit.
    hits_are_tops_of_lanes(word: Word, bound: u32, width: u32 = 3..6, below: bool)
        if word & lanes_of(width).tops() == 0 && bound < 1 << 31 =>
        lanes_of(width).hits(Sought { below, bound: bound as i32 })(word)
            & !lanes_of(width).tops() == 0;
    /// Lane by lane the lesser and the greater.
    lesser_and_greater_lane_by_lane(a: Word, b: Word, width: u32 = 3..6, lane: u32 = 0..8)
        if lane < Word::BITS >> width && (a | b) & lanes_of(width).tops() == 0 =>
        lane_in(lanes_of(width), lanes_of(width).lesser(a, b).0, lane)
            == lane_in(lanes_of(width), a, lane).min(lane_in(lanes_of(width), b, lane))
            && lane_in(lanes_of(width), lanes_of(width).lesser(a, b).1, lane)
                == lane_in(lanes_of(width), a, lane).max(lane_in(lanes_of(width), b, lane));
    /// A lane is found again at its word and bit.
    lanes_are_where_they_are_located(lane: usize, width: u32 = 3..6) =>
        lanes_of(width).lane_of(lanes_of(width).locate(lane).0, lanes_of(width).locate(lane).1) == lane;
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    const WIDTHS: [u32; 3] = [0x7F, 0x7FFF, 0x7FFF_FFFF];

    /// Numbers that cluster at both ends of the range, from a fixed walk.
    fn sample(most: u32, len: usize) -> Vec<u32> {
        let mut state = 99u64;
        (0..len)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let value = (state >> 40) as u32 & most;
                if state & 4 == 0 { most - (value & 3) } else { value & 7 }
            })
            .collect()
    }

    fn packed(most: u32, values: &[u32]) -> (Packed, Vec<Word>) {
        let lanes = Packed::holding(most).unwrap();
        let mut table = vec![0; lanes.words(values.len() + 1)];
        for (lane, &value) in values.iter().enumerate() {
            lanes.set(&mut table, lane, value);
        }
        (lanes, table)
    }

    fn unpacked(lanes: Packed, table: &[Word], len: usize) -> Vec<u32> {
        (0..len).map(|lane| lanes.get(table, lane)).collect()
    }

    #[test]
    fn numbers_too_wide_for_a_lane_are_refused() {
        assert_eq!(Packed::holding(u32::MAX >> 1).map(Packed::bits), Some(32));
        assert_eq!(Packed::holding(1 << 31), None);
        assert_eq!(Packed::holding(127).map(Packed::bits), Some(8));
        assert_eq!(Packed::holding(128).map(Packed::bits), Some(16));
    }

    #[test]
    fn entries_do_not_touch_their_neighbours_and_lie_where_they_should() {
        for (packed, table) in
            [(Packed::HALVES, Lanes::Halves(1)), (Packed::WHOLES, Lanes::Wholes(1))]
        {
            let mut words = vec![0; 1 + packed.words(32)];
            (0..32).for_each(|at| table.set(&mut words, at, 0xA5A5_A500 | at));
            table.set(&mut words, 7, 0);
            table.set(&mut words, 7, u32::MAX);
            let mask = low_mask(packed.bits()) as u32;
            for at in 0..32 {
                let expected = if at == 7 { u32::MAX } else { 0xA5A5_A500 | at };
                assert_eq!(table.get(&words, at), expected & mask, "{packed:?}, entry {at}");
            }
            assert_eq!(words[0], 0);
            assert_eq!(table.get(&words, 10_000), 0);
        }
    }

    #[test]
    fn searches_agree_with_plain_numbers_for_every_range() {
        for most in WIDTHS {
            let values = sample(most, 21);
            let (lanes, table) = packed(most, &values);
            for from in 0..=21 {
                for to in from..=21 {
                    for bound in [-5, 0, 1, 4, 8, most as i32 - 1, i32::MAX] {
                        let at_least = |lane: &usize| values[*lane] as i32 >= bound;
                        let first = (from..to).find(at_least);
                        assert_eq!(
                            lanes.first(&table, from..to, Sought { below: false, bound }),
                            first
                        );
                        let last = (from..to).rev().find(at_least);
                        assert_eq!(
                            lanes.last(&table, from..to, Sought { below: false, bound }),
                            last
                        );
                        let below = (from..to).find(|lane| !at_least(lane));
                        assert_eq!(
                            lanes.first(&table, from..to, Sought { below: true, bound }),
                            below
                        );
                    }
                    let part = &values[from..to];
                    let (low, high) = lanes.least_and_greatest(&table, from, to);
                    if let Some(&least) = part.iter().min() {
                        assert_eq!((low, high), (least, *part.iter().max().unwrap()));
                    }
                }
            }
        }
    }

    #[test]
    fn sums_stay_inside_their_range_of_lanes() {
        for most in WIDTHS {
            let values: Vec<_> = sample(most, 21).iter().map(|value| value / 2).collect();
            for (from, to) in [(0, 21), (3, 4), (0, 8), (7, 17), (5, 5)] {
                let (lanes, mut table) = packed(most, &values);
                lanes.add(&mut table, from, to, (most / 2) as i32);
                let grown = unpacked(lanes, &table, 21);
                for lane in 0..21 {
                    let added = if (from..to).contains(&lane) { most / 2 } else { 0 };
                    assert_eq!(grown[lane], values[lane] + added);
                }
                lanes.add(&mut table, from, to, -((most / 2) as i32));
                assert_eq!(unpacked(lanes, &table, 21), values);
            }
        }
    }

    #[test]
    fn lanes_open_and_close_at_every_place_and_length() {
        for most in WIDTHS {
            for (len, at) in (1..=19).flat_map(|len| (0..len).map(move |at| (len, at))) {
                let mut values = sample(most, 21);
                let (lanes, mut table) = packed(most, &values);
                lanes.insert(&mut table, at, len, 5);
                values[at..=len].rotate_right(1);
                values[at] = 5;
                // What lies behind the lanes in use stays, too.
                assert_eq!(unpacked(lanes, &table, 21), values);
                lanes.remove(&mut table, at, len + 1);
                values[at..=len].rotate_left(1);
                assert_eq!(unpacked(lanes, &table, 21)[..len], values[..len]);
                assert_eq!(unpacked(lanes, &table, 21)[len + 1..], values[len + 1..]);
            }
        }
    }
}
