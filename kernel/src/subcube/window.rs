//! Which of the free subcubes is missed least, as far as one window of the machine can tell.
//!
//! A window of level 0 is 64 nodes with consecutive addresses, a window of the next level 64 such
//! windows, and so on; on the last level there is one, which may be smaller. To a window its parts
//! are single nodes, so that it is a cube of up to six dimensions at every level.
//!
//! The score of a subcube is the sum, over all larger subcubes U of the window that meet it, of
//! a weight that doubles with each dimension of U and falls with the leases in it: what larger
//! requests lose, now and after a few releases. The leases in U are themselves a sum over the
//! subcubes that meet U. Since two subcubes meet if they do so at each coordinate, all such sums
//! together take a step a coordinate instead of a comparison of all pairs. Source: worked out for
//! this project.

use super::fold::{any_inside, combinations, low_of_64};
use crate::bits::{WORD_LOG2, Word, load, ones, tally, words_for};
use crate::cube::{Dim, Subcube};

/// Dimensions of a window.
pub(super) const SPAN: u32 = 6;

/// Subcubes of a window, each by a number of six digits to the base of three: 0 and 1 for a fixed
/// coordinate, 2 for a free one.
const SUBCUBES: usize = 729;

/// For each set of coordinates the number with ones there.
const TERNARY: [u16; 1 << SPAN] = {
    let mut table = [0; 1 << SPAN];
    let mut set = 1;
    while set < table.len() {
        table[set] = 3 * table[set >> 1] + (set & 1) as u16;
        set += 1;
    }
    table
};

/// For each number of up to four digits how many are twos. A subcube's dimension is the sum of two of
/// these, and a table of all subcubes would take 650 bytes more.
const DIMENSIONS: [u8; FOUR_DIGITS] = {
    let mut table = [0; FOUR_DIGITS];
    let mut at = 1;
    while at < FOUR_DIGITS {
        table[at] = table[at / 3] + (at % 3 / 2) as u8;
        at += 1;
    }
    table
};
const FOUR_DIGITS: usize = 81;

/// Ones where the subcubes of the two lowest coordinates meet, by their numbers.
const MEET: [[u16; ROW]; ROW] = {
    let mut table = [[0; ROW]; ROW];
    let mut at = 0;
    while at < ROW * ROW {
        let (a, b) = (at / ROW, at % ROW);
        let low = a % 3 == b % 3 || a % 3 == 2 || b % 3 == 2;
        let high = a / 3 == b / 3 || a / 3 == 2 || b / 3 == 2;
        table[a][b] = (low && high) as u16;
        at += 1;
    }
    table
};
const ROW: usize = 9;

/// What a subcube loses of its worth with each lease in it. It begins with their sum, times two for
/// each dimension that it has more than the candidate's next; with four leases nothing is left.
/// These numbers measured best on cubes of 4 dimensions among those that lose nothing on 6. Weighted
/// by dimension at most 364 larger subcubes meet a candidate, so that its score fits; sums that
/// overflow belong to none.
const LOSSES: [u16; 4] = [24, 12, 4, 4];

/// More leases than that in a part of a window make no difference.
const MOST_LEASES: u32 = LOSSES.len() as u32;

/// The machine as it is cut into windows: the map of its free nodes, and the links.
#[derive(Clone, Copy)]
pub(super) struct Windows<'a> {
    words: &'a [Word],
    dims: Dim,
    /// The word at which the links start.
    links: usize,
}

impl<'a> Windows<'a> {
    /// The map starts at word 0, the links at word `links`.
    pub(super) const fn new(words: &'a [Word], dims: Dim, links: usize) -> Self {
        Self { words, dims, links }
    }

    /// Whether there is a free subcube of `dim` dimensions, counted from `level` on, in a window,
    /// and which one to take: that of the least score in the first window that has one. Windows
    /// wholly free come last, and the next level decides between them.
    ///
    /// The first and not the one with the most leases: that serves little more where requests are
    /// lost, but where they wait in line the large ones among many small wait almost twice as long.
    pub(super) fn choose(self, level: u32, dim: u32) -> Option<Subcube> {
        let span = self.span(level);
        let above = self.dimensions_from(level).wrapping_sub(span);
        for at in 0..1u32 << above {
            let free = self.free(level, at);
            // Below the last level windows are of 64 parts.
            let whole = above > 0 && free == u64::MAX;
            if !whole && fits(free, dim) {
                return self.place(level, at, free, dim);
            }
        }
        if above == 0 {
            return None;
        }
        let whole = self.choose(level.wrapping_add(1), 0)?.base().0;
        Some(self.subcube(level, whole, 0, dim_mask(dim)))
    }

    /// The subcube of the least score in a window, by mask and base the first of equals.
    fn place(self, level: u32, at: u32, free: u64, dim: u32) -> Option<Subcube> {
        let span = self.span(level);
        let mut sums = [0; SUBCUBES];
        let used = number(0, dim_mask(span)).wrapping_add(1);
        let sums = sums.get_mut(..used.max(ROW))?;
        self.count_leases(level, at, sums);
        add_what_meets(sums);
        weigh(sums, dim);
        // What a small window has not, all of it in the first row: nothing to call `memset` for.
        let first = sums.iter_mut().take(ROW).enumerate();
        first.filter(|&(at, _)| at >= used).for_each(|(_, none)| *none = 0);
        add_what_meets(sums);
        // Score, mask and base in one number, which compares as they do one after the other.
        let mut least = u32::MAX;
        for mask in combinations(span, dim) {
            for base in bits(fold(free, mask)) {
                let score = u32::from(score(sums, number(base, mask)));
                least = least.min((score << SPAN | mask) << SPAN | base);
            }
        }
        let part = |from: u32| least >> from & dim_mask(SPAN);
        let first = at.wrapping_shl(SPAN.wrapping_mul(level.wrapping_add(1)));
        Some(self.subcube(level, first, part(0), part(SPAN)))
    }

    /// Counts each lease in a window at the subcube that it has of it, and at those that differ from
    /// that in the two lowest coordinates only and meet it.
    fn count_leases(self, level: u32, at: u32, sums: &mut [u16]) {
        let parts = match level {
            0 => self.firsts(at),
            _ => low_bits(1 << self.span(level)),
        };
        for part in bits(parts) {
            tally::add(ROW);
            let index = at << SPAN | part;
            let (mask, leases) = match level.checked_sub(1) {
                None => (self.links_of(index), 1),
                Some(below) => (0, self.leases(below, index).min(MOST_LEASES) as u16),
            };
            let number = number(part, mask);
            let Some(row) = sums.as_chunks_mut::<ROW>().0.get_mut(number / ROW) else { return };
            for (sum, &meets) in row.iter_mut().zip(meeting(number)) {
                *sum = sum.wrapping_add(leases.wrapping_mul(meets));
            }
        }
    }

    /// The dimensions along which a node belongs to the same lease as its neighbour.
    fn links_of(self, node: u32) -> u32 {
        (0..self.span(0)).fold(0, |mask, dim| {
            let start = link_start(self.dims, self.links, dim);
            let word = load(self.words, start.wrapping_add((node >> WORD_LOG2) as usize));
            mask | (word.wrapping_shr(node) as u32 & 1) << dim
        })
    }

    /// Dimensions of the machine from those of a window of `level` on.
    fn dimensions_from(self, level: u32) -> u32 {
        u32::from(self.dims.get()).saturating_sub(SPAN.wrapping_mul(level))
    }

    fn span(self, level: u32) -> u32 {
        self.dimensions_from(level).min(SPAN)
    }

    /// The free parts of a window.
    fn free(self, level: u32, at: u32) -> u64 {
        let Some(below) = level.checked_sub(1) else { return self.nodes(0, at) };
        (0..1u32 << self.span(level)).rev().fold(0, |above, part| {
            let whole = self.free(below, at << SPAN | part) == u64::MAX;
            above << 1 | u64::from(whole)
        })
    }

    /// The leases that hold nodes of a window, counted in each 64 nodes anew. A node that is out of
    /// service counts as one.
    fn leases(self, level: u32, at: u32) -> u32 {
        let Some(below) = level.checked_sub(1) else { return count(self.firsts(at)) };
        let of = |part| self.leases(below, at << SPAN | part);
        (0..1u32 << self.span(level)).fold(0, |sum, part| sum.wrapping_add(of(part)))
    }

    /// The subcube of `mask` and `base` among the parts of the window that starts at node `first`.
    fn subcube(self, level: u32, first: u32, base: u32, mask: u32) -> Subcube {
        let inside = SPAN.wrapping_mul(level);
        let mask = mask << inside | dim_mask(inside);
        Subcube::from_parts(self.dims, first | base << inside, mask)
    }

    /// Of 64 nodes those that are the lowest in the part that a lease has of them.
    fn firsts(self, at: u32) -> u64 {
        let busy = low_bits(1 << self.span(0)) & !self.nodes(0, at);
        (0..self.span(0))
            .fold(busy, |firsts, dim| firsts & !(self.linked(dim, at) & !low_of_64(dim)))
    }

    /// Of 64 nodes those that belong to the same lease as their neighbour along `dim`.
    fn linked(self, dim: u32, at: u32) -> u64 {
        self.nodes(link_start(self.dims, self.links, dim), at)
    }

    /// The bits of 64 nodes in the bit vector that starts at word `start`.
    fn nodes(self, start: usize, at: u32) -> u64 {
        const WORDS: usize = 1 << (SPAN - WORD_LOG2);
        let first = start.wrapping_add((at as usize).wrapping_mul(WORDS));
        let bits = (0..WORDS).rev().fold(0u64, |above, word| {
            let word = load(self.words, first.wrapping_add(word)) as u64;
            above.checked_shl(Word::BITS).unwrap_or(0) | word
        });
        bits & low_bits(1 << self.span(0))
    }
}

/// The word at which the links along `dim` start.
pub(super) fn link_start(dims: Dim, links: usize, dim: u32) -> usize {
    links.wrapping_add(words_for(dims.nodes() as usize).wrapping_mul(dim as usize))
}

/// Which rows' places meet a subcube.
fn meeting(number: usize) -> &'static [u16; ROW] {
    MEET.get(number % ROW).unwrap_or(&[0; ROW])
}

/// What is lost with a subcube: the sum over the places of its row that meet it.
fn score(sums: &[u16], number: usize) -> u16 {
    tally::add(ROW);
    let Some(row) = sums.as_chunks::<ROW>().0.get(number / ROW) else { return 0 };
    let places = row.iter().zip(meeting(number));
    places.fold(0, |score: u16, (sum, meets)| score.wrapping_add(sum.wrapping_mul(*meets)))
}

/// Makes of the leases in each subcube of a window what it is worth to a candidate of `dim`
/// dimensions.
fn weigh(sums: &mut [u16], dim: u32) {
    for (sums, &high) in sums.chunks_mut(FOUR_DIGITS).zip(&DIMENSIONS) {
        let high = u16::from(high).wrapping_sub(dim as u16).wrapping_sub(1);
        for (sum, &low) in sums.iter_mut().zip(&DIMENSIONS) {
            let larger = high.wrapping_add(u16::from(low));
            let is_larger = larger < SPAN as u16;
            *sum = if is_larger { worth(*sum).wrapping_shl(u32::from(larger)) } else { 0 };
        }
    }
}

/// What a larger subcube is worth, by the leases in it.
fn worth(leases: u16) -> u16 {
    let left = (0u16..).zip(LOSSES).map(|(most, loss)| if leases <= most { loss } else { 0 });
    left.fold(0, u16::wrapping_add)
}

/// Makes of the value of each subcube the sum over those that meet it and do not differ from it in
/// the two lowest coordinates: these are dealt with row by row, where fewer are needed.
fn add_what_meets(sums: &mut [u16]) {
    let mut third = ROW;
    while third < sums.len() {
        add_along(sums, third);
        third = third.wrapping_mul(3);
    }
}

/// The same along one coordinate: that whose three values are `third` apart.
fn add_along(sums: &mut [u16], third: usize) {
    tally::add(sums.len());
    let mut rest = sums;
    while let Some((low, others)) = { rest }.split_at_mut_checked(third)
        && let Some((high, others)) = others.split_at_mut_checked(third)
        && let Some((free, others)) = others.split_at_mut_checked(third)
    {
        for ((low, high), free) in low.iter_mut().zip(high).zip(free) {
            let (a, b) = (*low, *high);
            *low = a.wrapping_add(*free);
            *high = b.wrapping_add(*free);
            *free = a.wrapping_add(*high);
        }
        rest = others;
    }
}

/// The number of the subcube of these parts.
fn number(base: u32, mask: u32) -> usize {
    let ternary = |set: u32| TERNARY.get(set as usize % TERNARY.len()).copied().unwrap_or(0);
    usize::from(ternary(base).wrapping_add(ternary(mask) << 1))
}

/// Whether a window has a subcube of `dim` dimensions. What a small one has not is not free.
fn fits(free: u64, dim: u32) -> bool {
    let (word, next) = (free as Word, free.unbounded_shr(Word::BITS) as Word);
    count(free) >> dim != 0
        && (any_inside(&[word, next], WORD_LOG2, dim)
            // Along the dimension above the word, if a window has one.
            || dim > 0 && word & next != 0 && any_inside(&[word & next], WORD_LOG2, dim.wrapping_sub(1)))
}

/// The lowest nodes of the free subcubes that are free at the ones of `mask`.
// Long where a word is half a set: once is enough.
#[inline(never)]
fn fold(free: u64, mask: u32) -> u64 {
    tally::add(mask.count_ones() as usize + 1);
    let along = |free, dim| free & free >> (1u32 << dim) & low_of_64(dim);
    ones(mask as Word).fold(free, along)
}

/// The parts of a window that have a zero at `dim`.
// Where no instruction counts bits a copy in every caller is long.
#[inline(never)]
fn count(set: u64) -> u32 {
    set.count_ones()
}

/// The ones of a window's set, the lowest first.
fn bits(set: u64) -> impl Iterator<Item = u32> {
    let mut rest = set;
    core::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros());
        rest &= rest.wrapping_sub(1);
        bit
    })
}

/// So many ones, 1 to 64.
fn low_bits(bits: u32) -> u64 {
    u64::MAX.wrapping_shr(u64::BITS.wrapping_sub(bits))
}

/// The mask of so many low dimensions.
fn dim_mask(dim: u32) -> u32 {
    (1u32 << dim).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec::Vec;

    fn digits(mut number: usize) -> [usize; 6] {
        core::array::from_fn(|_| {
            let digit = number % 3;
            number /= 3;
            digit
        })
    }

    fn dimension(number: usize) -> u8 {
        DIMENSIONS[number / FOUR_DIGITS] + DIMENSIONS[number % FOUR_DIGITS]
    }

    fn meet(a: usize, b: usize) -> bool {
        let pairs = digits(a).into_iter().zip(digits(b));
        pairs.into_iter().all(|(a, b)| a == b || a == 2 || b == 2)
    }

    #[test]
    fn numbers_are_those_of_the_coordinates_and_no_two_alike() {
        for mask in 0..64u32 {
            for base in (0..64u32).filter(|base| base & mask == 0) {
                let at = number(base, mask);
                let digit = |at: u32| if mask >> at & 1 == 1 { 2 } else { base >> at & 1 };
                assert_eq!(digits(at), core::array::from_fn(|at| digit(at as u32) as usize));
                assert_eq!(u32::from(dimension(at)), mask.count_ones());
            }
        }
    }

    #[test]
    fn each_sum_is_over_the_subcubes_that_meet() {
        // Any values will do.
        let values: Vec<u16> = (0..SUBCUBES).map(|at| (at * at % 89) as u16).collect();
        for span in 0..=SPAN {
            let used = &values[..=number(0, dim_mask(span))];
            let mut sums = used.to_vec();
            sums.resize(sums.len().max(ROW), 0);
            add_what_meets(&mut sums);
            for at in 0..used.len() {
                let met = used.iter().enumerate().filter(|&(other, _)| meet(at, other));
                let expected: u16 = met.map(|(_, &value)| value).sum();
                assert_eq!(score(&sums, at), expected, "{at} of {span}");
            }
        }
    }

    #[test]
    fn no_score_overflows() {
        for at in 0..SUBCUBES {
            let larger = (0..SUBCUBES).filter(|&it| dimension(it) > dimension(at));
            let met = larger.filter(|&it| meet(at, it));
            let met: u16 = met.map(|it| 1 << (dimension(it) - dimension(at) - 1)).sum();
            assert!(met <= 364 && met.checked_mul(worth(0)).is_some());
        }
    }
}
