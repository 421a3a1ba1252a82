//! Exact recognition: a map of nodes folded along dimensions.
//!
//! The AND of the map with itself, shifted by 2^d, holds the edges along d that are free at both
//! ends; folded along k dimensions it holds the free subcubes that span these. The search goes
//! depth first over the sets of dimensions, from the highest dimension to the lowest, and drops
//! a set as soon as its fold is empty, or all its words together have too few bits for what is still
//! to be folded inside the word. Folding along a dimension above the word halves the map; below, the
//! words keep their number and lose half of their bits.
//!
//! Sets are visited in the order of their masks, smallest first, on every target.
//!
//! Cost of a search, where a word has 2^w bits (w = 6, or 5 on a 32-bit target) and n >= w: the
//! fold along j dimensions above the word has 2^(n-w-j) words, so that those along all sets above
//! the word have the sum of C(n-w, j) * 2^(n-w-j) = 3^(n-w) words. Each word takes one operation to
//! make, or to copy as a half, and its sets inside the word fewer than 2^w: one for each set if folds
//! are shared, and if not at most w * k <= 36 (25). Together at most 2^w * 3^(n-w) operations: 5,184 (7,776) for
//! n = 10 and 3,779,136 (5,668,704) for n = 16. Below the word the bound is 2^w. A search for each
//! dimension from 0 to n takes less than four times that together: a fold above the word is made
//! n + 1 times at most, and its sets inside the word, each once, take w * 2^(w-1) operations.
//! Source: worked out for this project.

use super::{LargestDim, Undecided};
use crate::bits::{WORD_LOG2, Word, deposit, ones, tally, words_for};
use crate::cube::{Dim, Subcube};
use core::ops::Range;

/// Word operations that no search of an n-cube exceeds.
pub(super) const fn most_operations(dims: Dim) -> u64 {
    // Above a word of 32 bits there are at most 19 dimensions: below 2^32.
    let (mut folds, mut at) = (1u32, WORD_LOG2);
    while at < dims.get() as u32 {
        folds = folds.wrapping_mul(3);
        at += 1;
    }
    (folds as u64) << WORD_LOG2
}

/// Dimensions up to which no search is given up unless it is told to end earlier.
pub const DECIDED: Dim = Dim::new(16).unwrap();

/// Words of scratch that every search here needs: the folds above the word.
pub const fn scratch_words(dims: Dim) -> usize {
    words_for(dims.nodes() as usize)
}

/// Words of scratch with which [`Search::first`] is fastest on large cubes: the folds inside the word,
/// each as long as the map, are kept too; that along the last dimension is not stored.
pub(super) const fn ample_scratch_words(dims: Dim) -> usize {
    words_for(dims.nodes() as usize) * (WORD_LOG2 as usize - 1)
}

/// The positions of 64 bits with a zero in bit `dim` of their number.
pub(super) fn low_of_64(dim: u32) -> u64 {
    const LOW: [u64; 6] = {
        let mut masks = [0; 6];
        let mut dim = 0;
        while dim < masks.len() {
            masks[dim] = u64::MAX / ((1 << (1 << dim)) + 1);
            dim += 1;
        }
        masks
    };
    LOW.get(dim as usize).copied().unwrap_or(0)
}

/// The same of a word.
pub(super) fn low(dim: u32) -> Word {
    low_of_64(dim) as Word
}

/// The free subcubes that span one set of dimensions.
#[derive(Clone, Copy)]
struct Fold<'a> {
    /// The map folded along the dimensions of the set.
    map: &'a [Word],
    /// How many bits one of its words has, or another.
    bits: u32,
    /// The set.
    mask: u32,
}

/// How far apart the two halves of a word lie along a dimension inside it.
pub(super) fn dim_shift(dim: u32) -> u32 {
    1 << dim
}

/// Folds a word along the dimensions of `mask`, which lie inside it. It is clean at the positions with zeros
/// there.
pub(super) fn fold_word(word: Word, mask: u32) -> Word {
    ones(mask as Word).fold(word, |word, dim| word & word >> dim_shift(dim))
}

/// Whether a word has a subcube of `wanted` of the dimensions below `below`, inside the word.
pub(super) fn any_inside(map: &[Word], below: u32, wanted: u32) -> bool {
    // A number that the compiler knows. A smaller machine has nothing to fold beyond it.
    match SHARED && below != WORD_LOG2 {
        true => any_of(map, below, wanted),
        false => any_of(map, WORD_LOG2, wanted),
    }
}

#[inline(always)]
fn any_of(map: &[Word], below: u32, wanted: u32) -> bool {
    let mut words = map.iter();
    if wanted >= WORD_LOG2 {
        return words.any(|&word| word == Word::MAX);
    }
    match wanted {
        0 => words.any(|&word| word != 0),
        1 => words.any(|&word| has_1(word, below)),
        2 => words.any(|&word| has_2(word, below)),
        3 => words.any(|&word| has_3(word, below)),
        4 => words.any(|&word| has_4(word, below)),
        _ => words.any(|&word| has_5(word, below)),
    }
}

fn has_1(word: Word, below: u32) -> bool {
    (0..below).fold(0, |any, dim| any | fold_once(word, dim)) != 0
}

/// Whether a word has a subcube of one dimension more than `$inner` looks for, of those below `below`:
/// its highest is at least `$least`. A function for each number, since calls of itself cost a search more.
macro_rules! one_more {
    ($($name:ident: $inner:ident, $least:literal;)+) => {$(
        fn $name(word: Word, below: u32) -> bool {
            ($least..below).any(|dim| {
                let folded = fold_once(word, dim);
                folded != 0 && $inner(folded, dim)
            })
        }
    )+};
}

one_more! {
    has_2: has_1, 1;
    has_3: has_2, 2;
    has_4: has_3, 3;
    has_5: has_4, 4;
}

/// Folds a word along one dimension inside it.
fn fold_once(word: Word, dim: u32) -> Word {
    word & (word >> dim_shift(dim)) & low(dim)
}

/// Folds `map` along `dim` into `out`, which takes half the words above the word and all below; how
/// many bits any word then has.
pub(super) fn fold_along(map: &[Word], out: &mut [Word], dim: u32) -> u32 {
    let any = match dim.checked_sub(WORD_LOG2) {
        None => out.iter_mut().zip(map).fold(0, |any, (place, &word)| {
            *place = fold_once(word, dim);
            any | *place
        }),
        Some(0) => fold_runs::<1>(map, out),
        Some(above) => fold_long_runs(map, out, 1 << above),
    };
    any.count_ones()
}

/// Folds along a dimension whose two nodes lie `RUN` words apart; the bits that any word then has.
fn fold_runs<const RUN: usize>(map: &[Word], out: &mut [Word]) -> Word {
    let pairs = map.as_chunks::<RUN>().0.as_chunks::<2>().0;
    let mut any = 0;
    for ([lower, upper], places) in pairs.iter().zip(out.as_chunks_mut::<RUN>().0) {
        for ((a, b), place) in lower.iter().zip(upper).zip(places) {
            *place = a & b;
            any |= *place;
        }
    }
    any
}

/// The same of `run` words.
fn fold_long_runs(map: &[Word], out: &mut [Word], run: usize) -> Word {
    let (mut rest, mut out, mut any) = (map, out, 0);
    while let Some((lower, others)) = rest.split_at_checked(run)
        && let Some((upper, after)) = others.split_at_checked(run)
        && let Some((places, left)) = out.split_at_mut_checked(run)
    {
        for ((a, b), place) in lower.iter().zip(upper).zip(places) {
            *place = a & b;
            any |= *place;
        }
        (rest, out) = (after, left);
    }
    any
}

/// A map of the free nodes of an n-cube, and scratch to search it with.
pub struct Search<'a> {
    dims: Dim,
    map: &'a [Word],
    scratch: &'a mut [Word],
    /// Word operations that [`Search::first`] may take.
    effort: i64,
    /// How many of them are left; negative once they were too few.
    left: i64,
}

impl<'a> Search<'a> {
    /// Of a map, with the effort that suffices up to [`DECIDED`] dimensions.
    pub(crate) fn new(dims: Dim, map: &'a [Word], scratch: &'a mut [Word]) -> Self {
        let map = map.get(..words_for(dims.nodes() as usize)).unwrap_or_default();
        Self { dims, map, scratch, effort: most_operations(DECIDED) as i64, left: 0 }
    }

    /// Of the map of an n-cube from word `map` on, with scratch behind it.
    pub fn in_words(words: &'a mut [Word], dims: Dim, map: usize, scratch: Range<usize>) -> Self {
        let (before, behind) = words.split_at_mut_checked(scratch.start).unwrap_or_default();
        let map = before.get(map..).unwrap_or_default();
        let scratch = behind.get_mut(..scratch.len()).unwrap_or_default();
        Self::new(dims, map, scratch)
    }

    /// The same with another effort.
    pub(super) fn with_effort(self, effort: u64) -> Self {
        Self { effort: i64::try_from(effort).unwrap_or(i64::MAX), ..self }
    }

    /// The first free subcube of dimension `dim`: that with the smallest mask, and of these the
    /// one with the smallest base.
    pub fn first(&mut self, dim: Dim) -> Result<Option<Subcube>, Undecided> {
        let fold = Fold { map: self.map, bits: Word::BITS, mask: 0 };
        let mut walk = Walk { dims: self.dims, left: self.effort };
        let (below, wanted) = (u32::from(self.dims.get()), u32::from(dim.get()));
        let found = walk.first(&fold, below, wanted, self.scratch);
        self.left = walk.left;
        match found {
            None if self.left < 0 => Err(Undecided),
            found => Ok(found),
        }
    }

    /// The largest dimension up to `most` in which a free subcube of the map was found, given that
    /// there is one of the dimension `known`, if any; and whether there is none larger up to `most`, or
    /// a search for it was given up.
    pub fn largest(
        &mut self,
        known: Option<Dim>,
        most: Dim,
    ) -> (Option<Dim>, Result<(), Undecided>) {
        // Upwards: a search that finds nothing costs most just above the largest, and is one at most so.
        let (mut largest, mut larger) = (known, Ok(()));
        let mut next = known.map_or(Some(Dim::ZERO), Dim::up);
        while let Some(dim) = next
            && dim <= most
        {
            match self.first(dim) {
                Ok(None) => break,
                Ok(Some(_)) => largest = next,
                Err(Undecided) => larger = Err(Undecided),
            }
            next = dim.up();
        }
        (largest, larger)
    }

    /// The largest dimension of a free subcube up to `most`. Most often it is that, or the next smaller:
    /// a node more or less changes it by one at most.
    pub(super) fn max_in_service(&mut self, most: Dim) -> LargestDim {
        for dim in [Some(most), most.down()].into_iter().flatten() {
            if let Ok(Some(_)) = self.first(dim) {
                return Ok(Some(dim));
            }
        }
        let (largest, known) = self.largest(None, most);
        known.map(|()| largest)
    }

    /// Adds the free subcubes of each dimension to `totals`, all of them.
    pub(crate) fn count(&mut self, totals: &mut [u64; Dim::COUNT]) {
        count(self.map, u32::from(self.dims.get()), totals, self.scratch);
    }
}

/// Adds the subcubes that span dimensions below `below` to `totals`.
fn count(map: &[Word], below: u32, totals: &mut [u64], scratch: &mut [Word]) {
    tally::add(map.len());
    let Some(highest) = below.checked_sub(1).filter(|_| below > WORD_LOG2) else {
        return map.iter().for_each(|&word| count_inside(word, below, totals));
    };
    count(map, highest, totals, scratch);
    let Some((folded, rest)) = scratch.split_at_mut_checked(map.len() >> 1) else { return };
    if let Some((_, larger)) = totals.split_first_mut()
        && fold_along(map, folded, highest) != 0
    {
        count(folded, highest, larger, rest);
    }
}

/// The same inside a word.
fn count_inside(word: Word, below: u32, totals: &mut [u64]) {
    let Some((nodes, larger)) = totals.split_first_mut().filter(|_| word != 0) else { return };
    *nodes = nodes.wrapping_add(u64::from(word.count_ones()));
    (0..below).for_each(|dim| count_inside(fold_once(word, dim), dim, larger));
}

/// The search for a subcube.
struct Walk {
    dims: Dim,
    /// Word operations left.
    left: i64,
}

impl Walk {
    /// Counts so many word operations.
    fn count(&mut self, operations: usize) {
        tally::add(operations);
        self.left = self.left.wrapping_sub(operations as i64);
    }

    /// The first subcube that adds `wanted` of the dimensions below `below` to a fold.
    fn first(
        &mut self,
        fold: &Fold<'_>,
        below: u32,
        wanted: u32,
        scratch: &mut [Word],
    ) -> Option<Subcube> {
        let len = fold.map.len();
        let from = if SHARED && len > SHORT && wanted > 1 && scratch.len() >= len {
            0
        } else {
            let found = self.first_inside(fold, below.min(WORD_LOG2), wanted);
            if found.is_some() {
                return found;
            }
            WORD_LOG2
        };
        let others = wanted.checked_sub(1)?;
        (from.max(others)..below).find_map(|dim| self.first_along(fold, dim, others, scratch))
    }

    /// The first that adds `wanted` of the dimensions below `dim` to a fold along that.
    fn first_along(
        &mut self,
        fold: &Fold<'_>,
        dim: u32,
        wanted: u32,
        scratch: &mut [Word],
    ) -> Option<Subcube> {
        let above = dim.checked_sub(WORD_LOG2);
        let len = fold.map.len() >> u32::from(above.is_some());
        let (map, rest) = scratch.split_at_mut_checked(len)?;
        self.count(len);
        if self.left < 0 {
            return None;
        }
        let bits = fold_along(fold.map, map, dim);
        // At least so many dimensions are to be folded inside the word.
        let inside = wanted.saturating_sub(above.unwrap_or(0));
        if bits >> inside == 0 {
            return None;
        }
        self.first(&Fold { map, bits, mask: fold.mask | 1 << dim }, dim, wanted, rest)
    }

    /// The same inside the word: first whether there is one, in any order of the sets, then which.
    fn first_inside(&mut self, fold: &Fold<'_>, below: u32, wanted: u32) -> Option<Subcube> {
        if wanted > below || fold.bits >> wanted == 0 {
            return None;
        }
        // No more than as many for each set.
        let sets = if wanted < below { below } else { 1 };
        let each = sets.wrapping_mul(wanted).max(1);
        self.count(fold.map.len().wrapping_mul(each as usize));
        if self.left < 0 || !any_inside(fold.map, below, wanted) {
            return None;
        }
        for inside in combinations(below, wanted) {
            let clean = ones(inside as Word).fold(Word::MAX, |clean, dim| clean & low(dim));
            for (at, &word) in (0..).zip(fold.map) {
                let folded = fold_word(word, inside) & clean;
                if folded != 0 {
                    return Some(self.subcube(fold.mask, inside, at, folded.trailing_zeros()));
                }
            }
        }
        None
    }

    /// The subcube that bit `bit` of word `at` stands for in a fold along `mask`, folded along `inside`
    /// too.
    fn subcube(&self, mask: u32, inside: u32, at: u32, bit: u32) -> Subcube {
        let above = deposit(at, !mask >> WORD_LOG2) << WORD_LOG2;
        Subcube::from_parts(self.dims, above | bit, mask | inside)
    }
}

/// Maps up to this length are folded inside the word set by set, without scratch; longer ones
/// share the folds that sets have in common. On cubes of 10 and 11 dimensions up to 32 words took a host
/// 1 to 8 % more instructions.
const SHORT: usize = 8;

/// Whether long maps are worth the code. Where a word has 32 bits they hardly fit into memory.
const SHARED: bool = Word::BITS > 32;

/// The sets of `wanted` of the dimensions below `below`, as masks in rising order.
pub(super) fn combinations(below: u32, wanted: u32) -> impl Iterator<Item = u32> {
    let end = 1u32 << below;
    let first = (1u32 << wanted).wrapping_sub(1);
    core::iter::successors(Some(first), |&mask| next_combination(mask))
        .take_while(move |&mask| mask < end)
}

/// The next larger number with as many ones; `None` of 0, and of some numbers from 2^30 on.
fn next_combination(mask: u32) -> Option<u32> {
    // The lowest run of ones: its top bit moves up, the others go to the bottom.
    let lowest = mask & mask.wrapping_neg();
    let carried = mask.wrapping_add(lowest);
    let moved = (mask ^ carried).checked_shr(lowest.trailing_zeros().wrapping_add(2))?;
    Some(carried | moved)
}

crate::lemma::lemmas! {
    /// The next one has as many ones and is larger.
    the_next_combination_is_larger(mask: u32) if mask != 0 && mask < 1 << 30 =>
        next_combination(mask)
            .is_some_and(|next| next > mask && next.count_ones() == mask.count_ones());
    /// There is none between them.
    no_combination_lies_between(mask: u32, other: u32)
        if mask != 0 && mask < 1 << 30 && other > mask
            && other.count_ones() == mask.count_ones() =>
        next_combination(mask).is_some_and(|next| next > mask && next <= other);
    /// A fold holds the lower ends of the edges whose both nodes are free.
    a_fold_holds_the_free_edges(word: Word, dim: u32 = 0..6, at: u32 = 0..64)
        if at < Word::BITS && (1 << dim) < Word::BITS =>
        (fold_once(word, dim) >> at & 1 == 1)
            == (at >> dim & 1 == 0 && word >> at & 1 == 1 && word >> (at | 1 << dim) & 1 == 1);
    /// Ones where a number has a zero.
    low_positions_have_a_zero(dim: u32 = 0..6, at: u32 = 0..64) =>
        (low_of_64(dim) >> at & 1 == 1) == (at >> dim & 1 == 0);
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

    fn map_of(dims: Dim, mut free: impl FnMut(u32) -> bool) -> Vec<Word> {
        let mut map = vec![0; words_for(dims.nodes() as usize)];
        for node in (0..dims.nodes()).filter(|&node| free(node)) {
            crate::bits::fill(&mut map, node as usize, 1, true);
        }
        map
    }

    fn search<'a>(map: &'a [Word], dims: Dim, scratch: &'a mut [Word]) -> Search<'a> {
        Search::new(dims, map, scratch)
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
        let (mut largest_seen, mut counts) = (None, [0; Dim::COUNT]);
        for dim in dims.up_to() {
            let expected = naive(dims, dim, free);
            let first_expected = expected.first().copied();
            assert_eq!(search(&map, dims, &mut scratch).first(dim), Ok(first_expected));
            assert_eq!(search(&map, dims, &mut ample).first(dim), Ok(first_expected));
            counts[usize::from(dim.get())] = expected.len() as u64;
            largest_seen = if expected.is_empty() { largest_seen } else { Some(dim) };
        }
        let mut totals = [0; Dim::COUNT];
        search(&map, dims, &mut scratch).count(&mut totals);
        assert_eq!(totals, counts);
        let largest = search(&map, dims, &mut scratch).largest(None, dims);
        assert_eq!(largest, (largest_seen, Ok(())));
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
                assert_eq!(search(&map, dim(dims), &mut scratch).first(dim(k)), Ok(None));
                assert_eq!(search(&map, dim(dims), &mut ample).first(dim(k)), Ok(None));
                crate::bits::fill(&mut map, 0, 1, true);
                let lowest = Subcube::new(dim(dims), Node(0), (1 << k) - 1);
                assert_eq!(search(&map, dim(dims), &mut scratch).first(dim(k)), Ok(lowest));
                assert_eq!(search(&map, dim(dims), &mut ample).first(dim(k)), Ok(lowest));
            }
        }
    }

    /// What a search takes that finds nothing below dimension `k`, and whether it stays in bounds.
    fn operations(map: &[Word], dims: Dim, k: Dim, scratch: &mut [Word]) -> u64 {
        let mut search = search(map, dims, scratch);
        search.effort = i64::MAX;
        _ = search.first(k);
        let taken = (i64::MAX - search.left) as u64;
        assert!(taken <= most_operations(dims), "{taken} for {k} of {dims}");
        taken
    }

    /// The most that any dimension takes.
    fn most(map: &[Word], dims: Dim) -> u64 {
        let mut ample = vec![0; ample_scratch_words(dims)];
        let few = scratch_words(dims);
        let both = |k| {
            let shared = operations(map, dims, k, &mut ample);
            shared.max(operations(map, dims, k, &mut ample[..few]))
        };
        dims.up_to().map(both).max().unwrap()
    }

    fn random(state: &mut u64) -> u32 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*state >> 33) as u32
    }

    #[test]
    fn no_known_state_takes_more_operations_than_the_bound() {
        let mut state = 1;
        for n in [0, 3, 5, 6, 7, 10, 13] {
            most(&map_of(dim(n), |_| true), dim(n));
            for modulus in 2..=n {
                most(&map_of(dim(n), |node| node.count_ones() % modulus != 0), dim(n));
            }
            for tenths in 1..10 {
                most(&map_of(dim(n), |_| random(&mut state) % 10 < tenths), dim(n));
            }
        }
    }

    /// From the worst known pattern and from random ones, a node at a time, as long as it does not
    /// get better. Prints what it found.
    #[test]
    #[ignore = "long: climbs for minutes"]
    fn no_state_that_a_climb_finds_takes_more_operations_than_the_bound() {
        let mut state = 7;
        for (n, steps) in [(7, 20_000), (10, 20_000), (12, 2_000)] {
            let nodes = dim(n).nodes();
            let starts = (2..n).map(Some).chain([None, None]);
            let climb = |modulus: Option<u32>| {
                let mut map = map_of(dim(n), |node| match modulus {
                    Some(modulus) => node.count_ones() % modulus != 0,
                    None => random(&mut state) % 10 < 6,
                });
                let mut worst = most(&map, dim(n));
                for _ in 0..steps {
                    let node = (random(&mut state) % nodes) as usize;
                    let free = crate::bits::algebra::all_set(&map, node, 1);
                    crate::bits::fill(&mut map, node, 1, !free);
                    let now = most(&map, dim(n));
                    if now < worst {
                        crate::bits::fill(&mut map, node, 1, free);
                    }
                    worst = worst.max(now);
                }
                worst
            };
            let worst = starts.map(climb).max().unwrap();
            std::println!("n = {n}: {worst} of {}", most_operations(dim(n)));
        }
    }

    #[test]
    fn a_search_of_too_few_operations_finds_nothing_and_says_so() {
        let map = map_of(dim(10), |node| node.count_ones() % 4 != 0);
        let mut scratch = vec![0; ample_scratch_words(dim(10))];
        let needed = operations(&map, dim(10), dim(3), &mut scratch);
        let answers = [(0, Err(Undecided)), (needed - 1, Err(Undecided)), (needed, Ok(None))];
        for (effort, answer) in answers {
            let mut search = search(&map, dim(10), &mut scratch);
            search.effort = effort as i64;
            assert_eq!(search.first(dim(3)), answer, "{effort}");
            // Whatever was seen of two dimensions, three were not found out about.
            assert_eq!(search.largest(Some(dim(2)), dim(3)), (Some(dim(2)), answer.map(|_| ())));
        }
    }

    /// Pairs are found at once, that there is no more takes long: the answer is not one of both.
    #[test]
    fn the_largest_that_was_found_is_known_to_be_the_largest_or_not() {
        let map = map_of(dim(10), |node| node.count_ones() % 3 != 0);
        let mut scratch = vec![0; ample_scratch_words(dim(10))];
        let mut largest_of = |effort| {
            let mut search = search(&map, dim(10), &mut scratch);
            search.effort = effort;
            (search.largest(None, dim(10)), search.max_in_service(dim(10)))
        };
        let one = Some(dim(1));
        assert_eq!(largest_of(i64::MAX), ((one, Ok(())), Ok(one)));
        assert_eq!(largest_of(300), ((one, Err(Undecided)), Err(Undecided)));
    }

    #[test]
    fn large_maps_without_a_gap_have_all_subcubes() {
        for dims in [15, 16, 18] {
            let words = words_for(1 << dims);
            let mut totals = [0; Dim::COUNT];
            search(&vec![Word::MAX; words], dim(dims), &mut vec![0; words]).count(&mut totals);
            let mut choose = 1;
            for (k, &total) in (0..=dims).zip(&totals) {
                assert_eq!(total, choose << (dims - k), "{k} of {dims}");
                choose = choose * u64::from(dims - k) / u64::from(k + 1);
            }
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
