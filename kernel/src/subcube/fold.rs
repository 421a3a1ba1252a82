//! Exact recognition: a map of nodes folded along dimensions.
//!
//! The AND of the map with itself, shifted by 2^d, holds the edges along d that are free at both
//! ends; folded along k dimensions it holds the free subcubes that span these. The search goes
//! depth first over the sets of dimensions, from the highest dimension to the lowest, and drops
//! a set as soon as its fold is empty. Folding along a dimension above the word halves the map;
//! below, the words keep their number and lose half of their bits.
//!
//! Sets are visited in the order of their masks, smallest first, on every target. Cost: at most
//! about 3^n / 64 word operations for each dimension inside a word. Source: worked out for this
//! project.

use crate::bits::{WORD_LOG2, Word, deposit, ones, words_for};
use crate::cube::{Dim, Subcube};

/// Words of scratch that every search here needs: the folds above the word.
pub(super) const fn scratch_words(dims: Dim) -> usize {
    words_for(dims.nodes() as usize)
}

/// Words of scratch with which [`Search::first`] is fastest on large cubes: the folds inside the word,
/// each as long as the map, are kept too.
pub(super) const fn ample_scratch_words(dims: Dim) -> usize {
    words_for(dims.nodes() as usize) * WORD_LOG2 as usize
}

/// For each dimension inside a word, the positions with a zero in that bit.
const LOW: [Word; WORD_LOG2 as usize] = {
    let mut masks = [0; WORD_LOG2 as usize];
    let mut dim = 0;
    while dim < WORD_LOG2 as usize {
        masks[dim] = Word::MAX / ((1 << (1 << dim)) + 1);
        dim += 1;
    }
    masks
};

fn low(dim: u32) -> Word {
    LOW.get(dim as usize).copied().unwrap_or(0)
}

/// The free subcubes that span one set of dimensions, if there are any.
#[derive(Clone, Copy)]
pub(super) struct Fold<'a> {
    /// The map folded along the dimensions above the word.
    map: &'a [Word],
    /// All dimensions of the set.
    mask: u32,
    dims: Dim,
}

impl Fold<'_> {
    /// The map folded along all dimensions: a bit for each subcube at its fixed coordinates,
    /// those above the word closed up.
    fn words(&self) -> impl Iterator<Item = Word> + '_ {
        let inside = self.mask & (Word::BITS - 1);
        self.map.iter().map(move |&word| fold_word(word, inside))
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.words().fold(0, |sum: u64, w| sum.saturating_add(u64::from(w.count_ones())))
    }

    /// The subcubes by rising base.
    pub(super) fn subcubes(&self) -> impl Iterator<Item = Subcube> + '_ {
        (0u32..).zip(self.words()).flat_map(move |(at, word)| {
            ones(word).map(move |bit| subcube(self.dims, self.mask, at, bit))
        })
    }
}

/// The subcube that bit `bit` of word `at` of a folded map stands for.
fn subcube(dims: Dim, mask: u32, at: u32, bit: u32) -> Subcube {
    let above = deposit(at, !mask >> WORD_LOG2) << WORD_LOG2;
    Subcube::from_parts(dims, above | bit, mask)
}

/// How far apart the two halves of a word lie along a dimension inside it.
fn dim_shift(dim: u32) -> u32 {
    1 << dim
}

/// Folds words along the dimensions of `mask`, which lie inside the word: what is left, and at
/// which positions it means anything.
#[inline(always)]
fn fold_words<const N: usize>(words: [Word; N], mask: u32) -> ([Word; N], Word) {
    let mut words = words;
    let mut keep = Word::MAX;
    let mut left = mask;
    while left != 0 {
        let dim = left.trailing_zeros();
        words = words.map(|word| word & (word >> dim_shift(dim)));
        keep &= low(dim);
        left &= left.wrapping_sub(1);
    }
    (words, keep)
}

fn fold_word(word: Word, mask: u32) -> Word {
    let ([word], keep) = fold_words([word], mask);
    word & keep
}

/// Folds `map` along `dim` into `out`, which takes half the words above the word and all below;
/// whether anything is left.
fn fold_along(map: &[Word], out: &mut [Word], dim: u32) -> bool {
    let mut any = 0;
    if dim < WORD_LOG2 {
        for (folded, &word) in out.iter_mut().zip(map) {
            *folded = word & (word >> dim_shift(dim)) & low(dim);
            any |= *folded;
        }
        return any != 0;
    }
    let run = 1usize << (dim - WORD_LOG2);
    let mut rest = map;
    let mut out = out.iter_mut();
    while let Some((lower, others)) = rest.split_at_checked(run) {
        let Some((upper, after)) = others.split_at_checked(run) else { break };
        for ((a, b), folded) in lower.iter().zip(upper).zip(&mut out) {
            *folded = a & b;
            any |= *folded;
        }
        rest = after;
    }
    any != 0
}

/// A map of the free nodes of an n-cube, and scratch to search it with.
pub(super) struct Search<'a> {
    pub(super) dims: Dim,
    pub(super) map: &'a [Word],
    pub(super) scratch: &'a mut [Word],
}

impl<'a> Search<'a> {
    /// The map that starts at word `start`, with so many words of scratch behind it.
    pub(super) fn at(
        words: &'a mut [Word],
        start: usize,
        dims: Dim,
        scratch: usize,
    ) -> Option<Self> {
        let (_, used) = words.split_at_mut_checked(start)?;
        let (map, rest) = used.split_at_mut_checked(words_for(dims.nodes() as usize))?;
        let (scratch, _) = rest.split_at_mut_checked(scratch)?;
        Some(Self { dims, map, scratch })
    }

    /// Visits the free subcubes of dimension `dim`, a set of dimensions at a time, until the
    /// visitor returns true. Sets whose fold above the word is empty are passed over.
    pub(super) fn visit(&mut self, dim: Dim, mut visit: impl FnMut(Fold<'_>) -> bool) {
        self.walk::<false, ()>(dim, &mut |fold, below, wanted| {
            let mut sets = combinations(below, wanted);
            let stopped = sets.any(|inside| visit(Fold { mask: fold.mask | inside, ..fold }));
            stopped.then_some(())
        });
    }

    /// The first free subcube of dimension `dim`: that with the smallest mask, and of these the
    /// one with the smallest base.
    ///
    /// The same as [`Search::visit`], for the hot path: it ends at the first find, folds several
    /// words at a time, and keeps folds inside the word if the map is long and there is scratch.
    pub(super) fn first(&mut self, dim: Dim) -> Option<Subcube> {
        self.walk::<true, _>(dim, &mut find_inside)
    }

    fn walk<const DEEP: bool, R>(
        &mut self,
        dim: Dim,
        end: &mut impl FnMut(Fold<'_>, u32, u32) -> Option<R>,
    ) -> Option<R> {
        let map = self.map.get(..words_for(self.dims.nodes() as usize))?;
        if map.iter().all(|&word| word == 0) {
            return None;
        }
        let fold = Fold { map, mask: 0, dims: self.dims };
        let (below, wanted) = (u32::from(self.dims.get()), u32::from(dim.get()));
        walk::<DEEP, R, _>(fold, below, wanted, self.scratch, end)
    }

    /// The largest dimension from `from` to `to` of a free subcube of the map, given that there is
    /// one of each smaller dimension; `None` if there is none of dimension `from`.
    pub(super) fn largest(&mut self, from: Dim, to: Dim) -> Option<Dim> {
        let mut fits = |dim| self.first(dim).is_some();
        if fits(to) {
            return Some(to);
        }
        // From below: searches that find something end early, so one more at most is exhaustive.
        let smaller = to.down()?.up_to().filter(|&dim| dim >= from);
        smaller.take_while(|&dim| fits(dim)).last()
    }

    /// The free subcubes of dimension `dim`, all of them.
    pub(super) fn count(&mut self, dim: Dim) -> u64 {
        let mut total = 0u64;
        self.visit(dim, |fold| {
            total = total.saturating_add(fold.count());
            false
        });
        total
    }
}

/// Goes through the sets of `wanted` of the dimensions below `below`, down to where those inside
/// the word are left for `end`, or fewer of them if the search is `DEEP`; what it found first.
fn walk<const DEEP: bool, R, F: FnMut(Fold<'_>, u32, u32) -> Option<R>>(
    fold: Fold<'_>,
    below: u32,
    wanted: u32,
    scratch: &mut [Word],
    end: &mut F,
) -> Option<R> {
    if wanted > below {
        return None;
    }
    let len = fold.map.len();
    if below <= WORD_LOG2 && !(DEEP && len > SHORT && wanted > 1 && scratch.len() >= len) {
        return end(fold, below, wanted);
    }
    let highest = below.wrapping_sub(1);
    if let Some(found) = walk::<DEEP, R, F>(fold, highest, wanted, scratch, end) {
        return Some(found);
    }
    let len = if highest < WORD_LOG2 { len } else { len >> 1 };
    let Some((map, rest)) = scratch.split_at_mut_checked(len) else {
        debug_assert!(false, "too little scratch");
        return None;
    };
    if wanted == 0 || !fold_along(fold.map, map, highest) {
        return None;
    }
    let fold = Fold { map, mask: fold.mask | 1 << highest, dims: fold.dims };
    walk::<DEEP, R, F>(fold, highest, wanted.wrapping_sub(1), rest, end)
}

/// Maps up to this length are folded inside the word set by set, without scratch; longer ones
/// share the folds that sets have in common. Measured on cubes of 10 and 16 dimensions.
const SHORT: usize = 8;

/// The first subcube that the sets of `wanted` of the dimensions below `below`, inside the word, add
/// to a fold. Four words at a time use the width of a host's vector unit.
fn find_inside(fold: Fold<'_>, below: u32, wanted: u32) -> Option<Subcube> {
    let (fours, rest) = fold.map.as_chunks::<4>();
    let inside = combinations(below, wanted).find(|&inside| {
        fours.iter().any(|&words| {
            let ([a, b, c, d], keep) = fold_words(words, inside);
            (a | b | c | d) & keep != 0
        }) || rest.iter().any(|&word| fold_word(word, inside) != 0)
    })?;
    let folded = fold.map.iter().map(|&word| fold_word(word, inside));
    let (at, word) = (0u32..).zip(folded).find(|&(_, word)| word != 0)?;
    Some(subcube(fold.dims, fold.mask | inside, at, word.trailing_zeros()))
}

/// The sets of `wanted` of the dimensions below `below`, as masks in rising order.
fn combinations(below: u32, wanted: u32) -> impl Iterator<Item = u32> {
    let end = 1u32 << below;
    let first = (1u32 << wanted).wrapping_sub(1);
    core::iter::successors(Some(first), |&mask| {
        // The lowest run of ones: its top bit moves up, the others go to the bottom.
        let lowest = mask & mask.wrapping_neg();
        let carried = mask.wrapping_add(lowest);
        let moved = (mask ^ carried).checked_shr(lowest.trailing_zeros().wrapping_add(2))?;
        Some(carried | moved)
    })
    .take_while(move |&mask| mask < end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Node;
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    fn dim(dim: u32) -> Dim {
        Dim::new(dim as u8).unwrap()
    }

    fn map_of(dims: Dim, free: impl Fn(u32) -> bool) -> Vec<Word> {
        let mut map = vec![0; words_for(dims.nodes() as usize)];
        for node in (0..dims.nodes()).filter(|&node| free(node)) {
            crate::bits::fill(&mut map, node as usize, 1, true);
        }
        map
    }

    fn search<'a>(map: &'a [Word], dims: Dim, scratch: &'a mut [Word]) -> Search<'a> {
        Search { dims, map, scratch }
    }

    /// All free subcubes of dimension `dim` by mask and then base, by looking at every node.
    fn naive(dims: Dim, dim: Dim, free: impl Fn(u32) -> bool) -> Vec<Subcube> {
        let masks = (0..dims.nodes()).filter(|mask| mask.count_ones() == u32::from(dim.get()));
        let all = masks.flat_map(|mask| {
            let bases = (0..dims.nodes()).filter(move |base| base & mask == 0);
            bases.map(move |base| Subcube::new(dims, Node(base), mask).unwrap())
        });
        all.filter(|cube| cube.nodes().all(|node| free(node.0))).collect()
    }

    fn agrees_with_sets_of_nodes(dims: Dim, free: impl Fn(u32) -> bool + Copy) {
        let map = map_of(dims, free);
        let mut scratch = vec![Word::MAX; scratch_words(dims)];
        let mut ample = vec![Word::MAX; ample_scratch_words(dims)];
        let mut largest_seen = None;
        for dim in dims.up_to() {
            let expected = naive(dims, dim, free);
            let mut found = vec![];
            search(&map, dims, &mut scratch).visit(dim, |fold| {
                assert_eq!(fold.subcubes().count() as u64, fold.count());
                found.extend(fold.subcubes());
                false
            });
            assert_eq!(found, expected, "all of {dim} dimensions in {dims}");
            let first_expected = expected.first().copied();
            assert_eq!(search(&map, dims, &mut scratch).first(dim), first_expected);
            assert_eq!(search(&map, dims, &mut ample).first(dim), first_expected);
            assert_eq!(search(&map, dims, &mut scratch).count(dim), expected.len() as u64);
            largest_seen = if expected.is_empty() { largest_seen } else { Some(dim) };
        }
        assert_eq!(search(&map, dims, &mut scratch).largest(Dim::ZERO, dims), largest_seen);
    }

    #[test]
    fn searches_agree_with_sets_of_nodes_below_in_and_above_the_word() {
        for dims in [0, 1, 4, 5, 6, 7, 10] {
            agrees_with_sets_of_nodes(dim(dims), |_| true);
            agrees_with_sets_of_nodes(dim(dims), |_| false);
            agrees_with_sets_of_nodes(dim(dims), |node| node + 1 == 1 << dims);
            for thinness in [2, 3, 8] {
                // Any fixed scatter will do.
                let free = |node: u32| {
                    !node.wrapping_mul(0x9E37_79B9).rotate_left(9).is_multiple_of(thinness)
                };
                agrees_with_sets_of_nodes(dim(dims), free);
            }
        }
    }

    /// The nodes whose number of ones is no multiple of k + 1 have no free k-subcube, whose nodes
    /// have k + 1 numbers of ones in a row; with one node more they have some.
    #[test]
    fn a_free_subcube_is_found_or_missed_by_a_single_node() {
        for dims in [5, 6, 10] {
            for k in 1..dims {
                let free = |node: u32| !node.count_ones().is_multiple_of(k + 1);
                let mut map = map_of(dim(dims), free);
                let mut scratch = vec![0; scratch_words(dim(dims))];
                let mut ample = vec![0; ample_scratch_words(dim(dims))];
                assert_eq!(search(&map, dim(dims), &mut scratch).first(dim(k)), None);
                assert_eq!(search(&map, dim(dims), &mut ample).first(dim(k)), None);
                crate::bits::fill(&mut map, 0, 1, true);
                let lowest = Subcube::new(dim(dims), Node(0), (1 << k) - 1);
                assert_eq!(search(&map, dim(dims), &mut scratch).first(dim(k)), lowest);
                assert_eq!(search(&map, dim(dims), &mut ample).first(dim(k)), lowest);
            }
        }
    }

    #[test]
    fn a_search_stops_when_the_visitor_has_enough() {
        for dims in [3, 6, 8] {
            let map = map_of(dim(dims), |_| true);
            let mut scratch = vec![0; scratch_words(dim(dims))];
            let mut visits = 0;
            search(&map, dim(dims), &mut scratch).visit(dim(2), |_| {
                visits += 1;
                visits == 3
            });
            assert_eq!(visits, 3);
        }
    }

    #[test]
    fn combinations_are_the_masks_of_so_many_ones_in_rising_order() {
        for below in 0..=10 {
            for wanted in 0..=below {
                let expected = (0u32..1 << below).filter(|mask| mask.count_ones() == wanted);
                assert!(combinations(below, wanted).eq(expected), "{wanted} of {below}");
            }
        }
    }
}
