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

use crate::bits::{Members, WORD_LOG2, Word, deposit, words_for};
use crate::cube::{Dim, Subcube};
use core::ops::Range;

/// Words of scratch for [`search`] in an n-cube. A fold inside the word is as long as the map, and
/// there is one for each such dimension; folds above the word come to less.
pub(super) const fn scratch_words(dims: Dim) -> usize {
    words_for(dims.nodes() as usize) * WORD_LOG2 as usize
}

/// Words of scratch for [`exists`]: only the folds above the word.
pub(super) const fn exists_scratch_words(dims: Dim) -> usize {
    words_for(dims.nodes() as usize)
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

/// The free subcubes that span one set of dimensions: a bit for each, at most one word for each
/// choice of the fixed coordinates above the word.
#[derive(Clone, Copy)]
pub(super) struct Fold<'a> {
    map: &'a [Word],
    mask: u32,
    dims: Dim,
}

impl Fold<'_> {
    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.map.iter().fold(0, |sum: u64, w| sum.saturating_add(u64::from(w.count_ones())))
    }

    /// The subcubes by rising base.
    pub(super) fn subcubes(&self) -> impl Iterator<Item = Subcube> + '_ {
        Members::new(self.map).map(|position| {
            let above = deposit(position >> WORD_LOG2, !self.mask >> WORD_LOG2) << WORD_LOG2;
            let inside = position & (Word::BITS - 1);
            Subcube::from_parts(self.dims, above | inside, self.mask)
        })
    }
}

/// How far apart the two halves of a word lie along a dimension inside it.
fn dim_shift(dim: u32) -> u32 {
    1 << dim
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

/// Calls `visit` with the fold along each set of `wanted` of the dimensions `dims`; stops when it
/// returns true, and returns whether it did. Sets whose fold is empty are passed over.
fn walk<F: FnMut(Fold<'_>) -> bool>(
    fold: Fold<'_>,
    dims: Range<u32>,
    wanted: u32,
    scratch: &mut [Word],
    visit: &mut F,
) -> bool {
    if wanted == 0 {
        return visit(fold);
    }
    if wanted > dims.end.wrapping_sub(dims.start) {
        return false;
    }
    let highest = dims.end.wrapping_sub(1);
    let others = dims.start..highest;
    if walk(fold, others.clone(), wanted, scratch, visit) {
        return true;
    }
    let len = if highest < WORD_LOG2 { fold.map.len() } else { fold.map.len() >> 1 };
    let Some((folded, rest)) = scratch.split_at_mut_checked(len) else { return false };
    if !fold_along(fold.map, folded, highest) {
        return false;
    }
    let fold = Fold { map: folded, mask: fold.mask | 1 << highest, dims: fold.dims };
    walk(fold, others, wanted.wrapping_sub(1), rest, visit)
}

/// The map as a fold along nothing; `None` if it is empty.
fn unfolded(map: &[Word], dims: Dim) -> Option<Fold<'_>> {
    let map = map.get(..words_for(dims.nodes() as usize))?;
    map.iter().any(|&word| word != 0).then_some(Fold { map, mask: 0, dims })
}

/// Visits the free subcubes of dimension `dim` of the map, a set of dimensions at a time, until
/// the visitor returns true; returns whether it did.
pub(super) fn search<F: FnMut(Fold<'_>) -> bool>(
    map: &[Word],
    dims: Dim,
    dim: Dim,
    scratch: &mut [Word],
    mut visit: F,
) -> bool {
    let all = 0..u32::from(dims.get());
    unfolded(map, dims)
        .is_some_and(|fold| walk(fold, all, u32::from(dim.get()), scratch, &mut visit))
}

/// Whether the map has a free subcube of dimension `dim`. Needs [`exists_scratch_words`] only.
///
/// The same search as [`search`] without a visitor: a map whose dimensions above the word are
/// decided is folded on in registers, several words at a time, and the last fold is not kept.
pub(super) fn exists(map: &[Word], dims: Dim, dim: Dim, scratch: &mut [Word]) -> bool {
    unfolded(map, dims)
        .is_some_and(|fold| has(fold.map, u32::from(dims.get()), u32::from(dim.get()), scratch))
}

/// The largest dimension up to `below` of a free subcube of the map.
pub(super) fn largest(map: &[Word], dims: Dim, below: Dim, scratch: &mut [Word]) -> Option<Dim> {
    // From below: searches that find something end early, so at most one is exhaustive.
    below.up_to().take_while(|&dim| exists(map, dims, dim, scratch)).last()
}

fn has(map: &[Word], dims: u32, wanted: u32, scratch: &mut [Word]) -> bool {
    if wanted > dims {
        return false;
    }
    if dims <= WORD_LOG2 {
        return has_inside(map, dims, wanted);
    }
    let highest = dims.wrapping_sub(1);
    if has(map, highest, wanted, scratch) {
        return true;
    }
    let Some((folded, rest)) = scratch.split_at_mut_checked(map.len() >> 1) else { return false };
    wanted > 0
        && fold_along(map, folded, highest)
        && has(folded, highest, wanted.wrapping_sub(1), rest)
}

/// Whether a word of the map has a free subcube of dimension `wanted`. Four words at a time use
/// the width of a host's vector unit.
fn has_inside(map: &[Word], dims: u32, wanted: u32) -> bool {
    let (fours, rest) = map.as_chunks::<4>();
    combinations(dims, wanted).any(|mask| {
        fours.iter().any(|&words| has_fold(words, mask))
            || rest.iter().any(|&word| has_fold([word], mask))
    })
}

/// Whether anything is left of the words folded along the dimensions of `mask`.
fn has_fold<const N: usize>(words: [Word; N], mask: u32) -> bool {
    let mut words = words;
    let mut keep = Word::MAX;
    let mut left = mask;
    while left != 0 {
        let dim = left.trailing_zeros();
        words = words.map(|word| word & (word >> dim_shift(dim)));
        keep &= low(dim);
        left &= left.wrapping_sub(1);
    }
    words.iter().fold(0, |any, word| any | word) & keep != 0
}

/// The sets of `wanted` of the dimensions below `dims`, as masks in rising order.
fn combinations(dims: u32, wanted: u32) -> impl Iterator<Item = u32> {
    let end = 1u32 << dims;
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

/// The number of k-subcubes in an n-cube: C(n, k) * 2^(n - k).
pub(super) fn subcubes_in(dims: Dim, dim: Dim) -> u64 {
    let (n, k) = (u64::from(dims.get()), u64::from(dim.get()));
    let choose = (0..k).fold(1u64, |choose, i| {
        let next = choose.saturating_mul(n.saturating_sub(i));
        next.checked_div(i.saturating_add(1)).unwrap_or(0)
    });
    choose << n.saturating_sub(k)
}
