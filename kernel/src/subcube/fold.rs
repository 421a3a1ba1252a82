//! Exact recognition: a map of nodes folded along dimensions.
//!
//! The AND of the map with itself, shifted by 2^d, holds the edges along d that are free at both
//! ends; folded along k dimensions it holds the free subcubes that span these. The search goes
//! depth first over the sets of dimensions, from the highest dimension to the lowest, and drops
//! a set as soon as its fold is empty. Folding along a dimension above the word halves the map;
//! below, the words keep their number and lose half of their bits.
//!
//! Sets are visited in the order of their masks, smallest first, on every target.
//!
//! Cost of a search, where a word has 2^w bits (w = 6, or 5 on a 32-bit target) and n >= w: the
//! fold along j dimensions above the word has 2^(n-w-j) words, so that those along all sets above
//! the word have the sum of C(n-w, j) * 2^(n-w-j) = 3^(n-w) words. Each word takes one operation to
//! make, and its sets inside the word fewer than 2^w: one for each set if folds are shared, and if
//! not at most C(w, k) * k <= 60 (30). Together at most 2^w * 3^(n-w) operations: 5,184 (7,776) for
//! n = 10 and 3,779,136 (5,668,704) for n = 16. Below the word the bound is 2^w. A search for each
//! dimension from 0 to n takes less than four times that together: a fold above the word is made
//! n + 1 times at most, and its sets inside the word, each once, take w * 2^(w-1) operations.
//! Source: worked out for this project.

use super::Undecided;
use crate::bits::{WORD_LOG2, Word, deposit, tally, words_for};
use crate::cube::{Dim, Subcube};
use core::cell::Cell;

/// Word operations that no search of an n-cube exceeds.
pub(super) const fn most_operations(dims: Dim) -> u64 {
    let above = (dims.get() as u32).saturating_sub(WORD_LOG2);
    3u64.saturating_pow(above) << WORD_LOG2
}

/// Dimensions up to which no search is given up unless it is told to end earlier.
pub(crate) const DECIDED: Dim = Dim::new(16).unwrap();

/// Words of scratch that every search here needs: the folds above the word.
pub(crate) const fn scratch_words(dims: Dim) -> usize {
    words_for(dims.nodes() as usize)
}

/// Words of scratch with which [`Search::first`] is fastest on large cubes: the folds inside the word,
/// each as long as the map, are kept too; that along the last dimension is not stored.
pub(super) const fn ample_scratch_words(dims: Dim) -> usize {
    words_for(dims.nodes() as usize) * (WORD_LOG2 as usize - 1)
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
    left: &'a Cell<i64>,
}

impl Fold<'_> {
    /// The map folded along all dimensions: a bit for each subcube at its fixed coordinates,
    /// those above the word closed up.
    fn words(&self) -> impl Iterator<Item = Word> + '_ {
        let inside = self.mask & (Word::BITS - 1);
        self.map.iter().map(move |&word| fold_word(word, inside))
    }

    /// Counts so many word operations a word; whether they may be made.
    fn may_take(&self, operations: u32) -> bool {
        let operations = (self.map.len() as u32).wrapping_mul(operations);
        tally::add(operations as usize);
        self.left.set(self.left.get().wrapping_sub(i64::from(operations)));
        self.left.get() >= 0
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.words().fold(0, |sum: u64, w| sum.saturating_add(u64::from(w.count_ones())))
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
pub(crate) struct Search<'a> {
    pub(crate) dims: Dim,
    pub(crate) map: &'a [Word],
    pub(crate) scratch: &'a mut [Word],
    /// Word operations that [`Search::first`] may take.
    pub(crate) effort: i64,
    /// How many of them are left; negative once they were too few.
    left: Cell<i64>,
}

impl<'a> Search<'a> {
    /// Of a map, with the effort that suffices up to [`DECIDED`] dimensions.
    pub(crate) const fn new(dims: Dim, map: &'a [Word], scratch: &'a mut [Word]) -> Self {
        Self { dims, map, scratch, effort: most_operations(DECIDED) as i64, left: Cell::new(0) }
    }

    /// The map that starts at word `start`, with so many words of scratch behind it.
    pub(crate) fn at(
        words: &'a mut [Word],
        start: usize,
        dims: Dim,
        scratch: usize,
    ) -> Option<Self> {
        let (_, used) = words.split_at_mut_checked(start)?;
        let (map, rest) = used.split_at_mut_checked(words_for(dims.nodes() as usize))?;
        let (scratch, _) = rest.split_at_mut_checked(scratch)?;
        Some(Self::new(dims, map, scratch))
    }

    /// Visits the free subcubes of dimension `dim`, a set of dimensions at a time, until the
    /// visitor returns true. Sets whose fold above the word is empty are passed over.
    pub(super) fn visit(&mut self, dim: Dim, mut visit: impl FnMut(Fold<'_>) -> bool) {
        self.left.set(i64::MAX);
        self.walk(false, dim, &mut |fold, below, wanted| {
            let mut sets = combinations(below, wanted);
            sets.any(|inside| visit(Fold { mask: fold.mask | inside, ..fold }))
        });
    }

    /// The first free subcube of dimension `dim`: that with the smallest mask, and of these the
    /// one with the smallest base.
    ///
    /// The same as [`Search::visit`], for the hot path: it ends at the first find, folds several
    /// words at a time, and keeps folds inside the word if the map is long and there is scratch.
    pub(crate) fn first(&mut self, dim: Dim) -> Result<Option<Subcube>, Undecided> {
        self.left.set(self.effort);
        let mut found = None;
        self.walk(true, dim, &mut |fold, below, wanted| {
            found = find_inside(fold, below, wanted);
            found.is_some()
        });
        match found {
            None if self.left.get() < 0 => Err(Undecided),
            found => Ok(found),
        }
    }

    fn walk(&mut self, deep: bool, dim: Dim, end: &mut End<'_>) {
        let Some(map) = self.map.get(..words_for(self.dims.nodes() as usize)) else { return };
        tally::add(map.len());
        let fold = Fold { map, mask: 0, dims: self.dims, left: &self.left };
        if map.iter().all(|&word| word == 0) || !fold.may_take(1) {
            return;
        }
        let (below, wanted) = (u32::from(self.dims.get()), u32::from(dim.get()));
        walk(deep, fold, below, wanted, self.scratch, end);
    }

    /// The largest dimension from `from` to `to` in which a free subcube of the map was found, given
    /// that there is one of each smaller dimension; `None` if there is none of dimension `from`. And
    /// whether there is none larger up to `to`, or the search for it was given up.
    pub(crate) fn largest(&mut self, from: Dim, to: Dim) -> (Option<Dim>, Result<(), Undecided>) {
        let beyond = match self.first(to) {
            Ok(Some(_)) => return (Some(to), Ok(())),
            other => other.map(|_| ()),
        };
        let mut largest = None;
        // From below: searches that find something end early, so one more at most is exhaustive.
        for dim in to.up_to().filter(|&dim| from <= dim && dim < to) {
            match self.first(dim) {
                Ok(Some(_)) => largest = Some(dim),
                other => return (largest, other.map(|_| ())),
            }
        }
        (largest, beyond)
    }

    /// The largest dimension of a free subcube.
    pub(crate) fn possible(&mut self) -> Result<Option<Dim>, Undecided> {
        let (largest, known) = self.largest(Dim::ZERO, self.dims);
        known.map(|()| largest)
    }

    /// The free subcubes of dimension `dim`, all of them.
    pub(crate) fn count(&mut self, dim: Dim) -> u64 {
        let mut total = 0u64;
        self.visit(dim, |fold| {
            total = total.saturating_add(fold.count());
            false
        });
        total
    }
}

/// Looks at the sets of so many of the dimensions below another one, inside the word; whether the
/// search is over.
type End<'a> = dyn FnMut(Fold<'_>, u32, u32) -> bool + 'a;

/// Goes through the sets of `wanted` of the dimensions below `below`, down to where those inside
/// the word are left for `end`, or fewer of them if the search is `deep`; whether it is over.
fn walk(
    deep: bool,
    fold: Fold<'_>,
    below: u32,
    wanted: u32,
    scratch: &mut [Word],
    end: &mut End<'_>,
) -> bool {
    if wanted > below {
        return false;
    }
    let len = fold.map.len();
    if below <= WORD_LOG2 && !(deep && len > SHORT && wanted > 1 && scratch.len() >= len) {
        return end(fold, below, wanted);
    }
    let highest = below.wrapping_sub(1);
    if walk(deep, fold, highest, wanted, scratch, end) {
        return true;
    }
    let len = if highest < WORD_LOG2 { len } else { len >> 1 };
    let Some((map, rest)) = scratch.split_at_mut_checked(len) else {
        debug_assert!(false, "too little scratch");
        return false;
    };
    if wanted == 0 || !fold_along(fold.map, map, highest) {
        return false;
    }
    let fold = Fold { map, mask: fold.mask | 1 << highest, ..fold };
    fold.may_take(1) && walk(deep, fold, highest, wanted.wrapping_sub(1), rest, end)
}

/// Maps up to this length are folded inside the word set by set, without scratch; longer ones
/// share the folds that sets have in common. Measured on cubes of 10 and 16 dimensions.
const SHORT: usize = 8;

/// The first subcube that the sets of `wanted` of the dimensions below `below`, inside the word, add
/// to a fold. Four words at a time use the width of a host's vector unit.
fn find_inside(fold: Fold<'_>, below: u32, wanted: u32) -> Option<Subcube> {
    let (fours, rest) = fold.map.as_chunks::<4>();
    let mut sets = combinations(below, wanted).take_while(|_| fold.may_take(wanted));
    let inside = sets.find(|&inside| {
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
pub(super) fn combinations(below: u32, wanted: u32) -> impl Iterator<Item = u32> {
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
    use crate::bits::ones;
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

    /// The subcubes of a fold by rising base.
    fn subcubes(fold: Fold<'_>) -> impl Iterator<Item = Subcube> + '_ {
        let inside = fold.mask & (Word::BITS - 1);
        let words = (0u32..).zip(fold.map.iter().map(move |&word| fold_word(word, inside)));
        words.flat_map(move |(at, word)| {
            ones(word).map(move |bit| subcube(fold.dims, fold.mask, at, bit))
        })
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
                assert_eq!(subcubes(fold).count() as u64, fold.count());
                found.extend(subcubes(fold));
                false
            });
            assert_eq!(found, expected, "all of {dim} dimensions in {dims}");
            let first_expected = expected.first().copied();
            assert_eq!(search(&map, dims, &mut scratch).first(dim), Ok(first_expected));
            assert_eq!(search(&map, dims, &mut ample).first(dim), Ok(first_expected));
            assert_eq!(search(&map, dims, &mut scratch).count(dim), expected.len() as u64);
            largest_seen = if expected.is_empty() { largest_seen } else { Some(dim) };
        }
        let largest = search(&map, dims, &mut scratch).largest(Dim::ZERO, dims);
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
        let taken = (i64::MAX - search.left.get()) as u64;
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
                    let free = crate::bits::all_set(&map, node, 1);
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
            assert_eq!(search.largest(dim(3), dim(3)), (None, answer.map(|_| ())));
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
            (search.largest(Dim::ZERO, dim(10)), search.possible())
        };
        let one = Some(dim(1));
        assert_eq!(largest_of(i64::MAX), ((one, Ok(())), Ok(one)));
        assert_eq!(largest_of(300), ((one, Err(Undecided)), Err(Undecided)));
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
