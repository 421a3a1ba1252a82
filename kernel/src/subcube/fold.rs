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

use crate::bits::{Members, WORD_LOG2, Word, words_for};
use crate::cube::{Dim, Subcube};
use core::ops::Range;

/// Words of scratch for [`search`] in an n-cube. A fold inside the word is as long as the map, and
/// there is one for each such dimension; folds above the word come to less.
pub(super) const fn scratch_words(dims: Dim) -> usize {
    words_for(dims.nodes() as usize) * WORD_LOG2 as usize
}

/// Words of scratch for [`frugal_largest`]: only the folds above the word.
pub(super) const fn frugal_scratch_words(dims: Dim) -> usize {
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

    /// How many have a node in common with `cube`.
    pub(super) fn count_meeting(&self, cube: &Subcube) -> u64 {
        let decided = !(self.mask | cube.mask());
        let inside =
            (0..WORD_LOG2).filter(|dim| decided >> dim & 1 == 1).fold(Word::MAX, |all, dim| {
                all & if cube.base().0 >> dim & 1 == 0 { low(dim) } else { !low(dim) }
            });
        let fixed = !self.mask >> WORD_LOG2;
        let apart = |index: usize| {
            let above = deposit(index as u32, fixed) << WORD_LOG2;
            (above ^ cube.base().0) & decided & !(Word::BITS - 1) != 0
        };
        let words =
            self.map.iter().enumerate().filter(|(index, word)| **word != 0 && !apart(*index));
        words.fold(0, |sum: u64, (_, w)| sum.saturating_add(u64::from((w & inside).count_ones())))
    }
}

/// Spreads the low bits of `value` over the ones of `mask`, lowest first.
fn deposit(value: u32, mask: u32) -> u32 {
    let (mut left, mut mask, mut spread) = (value, mask, 0);
    while left != 0 && mask != 0 {
        let bit = mask & mask.wrapping_neg();
        if left & 1 == 1 {
            spread |= bit;
        }
        left >>= 1;
        mask ^= bit;
    }
    spread
}

/// Folds `map` along `dim` into `out`, which takes half the words above the word and all below;
/// whether anything is left.
fn fold_along(map: &[Word], out: &mut [Word], dim: u32) -> bool {
    let mut any = 0;
    if dim < WORD_LOG2 {
        let (shift, keep) = (1u32 << dim, low(dim));
        for (folded, &word) in out.iter_mut().zip(map) {
            *folded = word & (word >> shift) & keep;
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
fn walk<F: FnMut(Fold<'_>, &mut [Word]) -> bool>(
    fold: Fold<'_>,
    dims: Range<u32>,
    wanted: u32,
    scratch: &mut [Word],
    visit: &mut F,
) -> bool {
    if wanted == 0 {
        return visit(fold, scratch);
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
/// the visitor returns true; returns whether it did. The visitor also gets the scratch that is
/// left: enough for another search if there was enough for two.
pub(super) fn search<F: FnMut(Fold<'_>, &mut [Word]) -> bool>(
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

/// Whether the map has a free subcube of dimension `dim`.
pub(super) fn exists(map: &[Word], dims: Dim, dim: Dim, scratch: &mut [Word]) -> bool {
    search(map, dims, dim, scratch, |_, _| true)
}

/// The largest dimension of a free subcube of the map, with little scratch: the words are folded
/// one by one, which takes up to three times as long.
pub(super) fn frugal_largest(map: &[Word], dims: Dim, scratch: &mut [Word]) -> Option<Dim> {
    let fold = unfolded(map, dims)?;
    dims.up_to().rev().find(|&dim| frugal_exists(fold, u32::from(dim.get()), scratch))
}

fn frugal_exists(fold: Fold<'_>, dim: u32, scratch: &mut [Word]) -> bool {
    let all = u32::from(fold.dims.get());
    let inside = all.min(WORD_LOG2);
    (0..=dim).any(|above| {
        walk(fold, inside..all, above, scratch, &mut |fold, _| {
            fold.map.iter().any(|word| {
                let word = Fold { map: core::slice::from_ref(word), ..fold };
                let mut registers = [0; WORD_LOG2 as usize];
                let wanted = dim.wrapping_sub(above);
                *word.map != [0] && walk(word, 0..inside, wanted, &mut registers, &mut |_, _| true)
            })
        })
    })
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
