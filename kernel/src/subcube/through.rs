//! Whether there are free subcubes with a node in one word of the map.
//!
//! What a refusal showed holds but for subcubes with a node that was given since, and these mostly lie in
//! a few words. Around one word a search needs no order: a dimension above the word can only serve if
//! word and neighbour have in common what is left to be folded inside the word once all others are
//! folded too. Mostly too few such dimensions are left, and then there is none. Otherwise all words along
//! these are folded into each other, each set of them at once.
//!
//! Cost for a word: in as many rounds as there are dimensions above the word, at most, a test inside the
//! word for each of them; then m * 2^(m-1) word operations and 2^m tests, where m of them are left.
//! Source: worked out for this project.

use super::fold::{Search, any_inside};
use crate::bits::{WORD_LOG2, Word, load, ones, words_for};
use crate::cube::{Dim, Subcube};
use core::slice::from_ref;

/// Words with given nodes beyond which one search of the whole map takes no more.
const FEW: usize = 4;

/// Where a subcube was: the word of its base, and the dimensions above the word that it spans.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    at: u16,
    along: u16,
}

impl Near {
    pub(super) const NOWHERE: Self = Self { at: u16::MAX, along: 0 };

    /// Where `cube` is; nowhere beyond words whose numbers have sixteen bits.
    pub(super) fn to(cube: &Subcube) -> Self {
        let part = |bits: u32| u16::try_from(bits >> WORD_LOG2).unwrap_or(u16::MAX);
        Self { at: part(cube.base().0), along: part(cube.mask()) }
    }
}

impl Search<'_> {
    /// False if no free subcube of `dim` dimensions has a node that is not in the map as it was, true if
    /// there is a free one; nothing if these nodes are in too many words.
    pub(super) fn any_since(&mut self, dim: Dim) -> Option<bool> {
        let (mut given, mut nodes) = ([0u32; FEW], 0);
        let mut places = given.iter_mut();
        for (at, (&free, &before)) in (0..).zip(self.map.iter().zip(self.seen)) {
            if free & !before != 0 {
                *places.next()? = at;
                nodes |= free & !before;
            }
        }
        let left = places.len();
        let mut words = given.iter().take(FEW.wrapping_sub(left));
        // What lies along two of the words was looked for at the first.
        Some(words.any(|&at| {
            let before = given.iter().take_while(|&&it| it != at).map(|it| at ^ it);
            let done = before.filter(|it| it.is_power_of_two()).sum();
            self.through((at, nodes), done, dim)
        }))
    }

    /// Whether there is one where a large one was found last.
    pub(super) fn is_near(&mut self, dim: Dim) -> bool {
        let Near { at, along } = self.near;
        if at == u16::MAX {
            return false;
        }
        let (at, along) = (u32::from(at), u32::from(along));
        let (mut folded, mut step) = (Word::MAX, 0);
        for _ in 0..1u32 << along.count_ones() {
            folded &= load(self.map, (at ^ step) as usize);
            step = next_subset(step, along);
        }
        let wanted = u32::from(dim.get()).saturating_sub(along.count_ones());
        wanted <= WORD_LOG2 && any_inside(from_ref(&folded), WORD_LOG2, wanted)
            || self.through((at, Word::MAX), 0, dim)
    }

    /// False if no free subcube of `dim` dimensions has nodes of word `at`, and some word's in the places
    /// of `nodes`, and spans none of the dimensions whose steps are `done`; true if there is a free one.
    pub(super) fn through(&mut self, (at, nodes): (u32, Word), done: u32, dim: Dim) -> bool {
        let (map, dims) = (self.map, u32::from(dim.get()));
        let beside = |step: u32| map.get((at ^ step) as usize).copied().unwrap_or(0);
        let has = |word: Word, wanted: u32| {
            word & nodes != 0 && any_inside(from_ref(&word), WORD_LOG2, wanted)
        };
        let word = beside(0);
        // The dimensions above the word that may serve, as distances in words.
        let mut along = !done & words_for(self.dims.nodes() as usize).wrapping_sub(1) as u32;
        loop {
            let least = dims.saturating_sub(along.count_ones());
            if least > WORD_LOG2 {
                return false;
            }
            let steps = ones(along as Word).map(|dim| 1 << dim);
            let serve = steps.filter(|&step| has(word & beside(step), least)).sum();
            if serve == along {
                break;
            }
            along = serve;
        }
        let Some(folds) = self.scratch.get_mut(..1 << along.count_ones()) else { return false };
        let mut step = 0;
        for fold in folds.iter_mut() {
            *fold = beside(step);
            step = next_subset(step, along);
        }
        fold_all(folds);
        let mut sets = (0u32..).zip(folds);
        sets.any(|(set, fold)| {
            let wanted = dims.saturating_sub(set.count_ones());
            wanted <= WORD_LOG2 && has(*fold, wanted)
        })
    }
}

/// The subset of a set of bits that is next larger, after the largest the empty one.
const fn next_subset(subset: u32, of: u32) -> u32 {
    subset.wrapping_sub(of) & of
}

/// Folds words, by sets of dimensions in rising order, along the sets that they stand for.
fn fold_all(words: &mut [Word]) {
    let (fours, pair) = words.as_chunks_mut::<4>();
    for [none, lower, upper, both] in fours {
        *lower &= *none;
        *upper &= *none;
        *both &= *lower & *upper;
    }
    if let [none, lower] = pair {
        *lower &= *none;
    }
    let mut half = 4;
    while half < words.len() {
        fold_upper(words, half);
        half <<= 1;
    }
}

/// Folds the upper half of each run of twice `half` words: what is free in both.
fn fold_upper(words: &mut [Word], half: usize) {
    let mut rest = words;
    while let Some((lower, others)) = rest.split_at_mut_checked(half)
        && let Some((upper, after)) = others.split_at_mut_checked(half)
    {
        upper.iter_mut().zip(lower).for_each(|(upper, lower)| *upper &= *lower);
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subcube::fold::scratch_words;
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    fn random(state: &mut u64) -> u32 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*state >> 33) as u32
    }

    /// Most nodes of some subcubes, and others here and there.
    fn some_map(dims: Dim, state: &mut u64) -> Vec<bool> {
        let mut map: Vec<bool> =
            (0..dims.nodes()).map(|_| random(state).is_multiple_of(5)).collect();
        for _ in 0..random(state) % 8 {
            let (base, mask) = (random(state), random(state) | random(state));
            for (node, free) in (0u32..).zip(&mut map) {
                *free |= (node ^ base) & !mask & (dims.nodes() - 1) == 0
                    && !random(state).is_multiple_of(100);
            }
        }
        map
    }

    fn words(map: &[bool]) -> Vec<Word> {
        let mut words = vec![0; words_for(map.len())];
        for (node, _) in map.iter().enumerate().filter(|(_, free)| **free) {
            crate::bits::fill(&mut words, node, 1, true);
        }
        words
    }

    /// Whether a free subcube has a node that was not free before, and whether any is free, by sets of
    /// nodes.
    fn naive(dims: Dim, dim: Dim, now: &[bool], before: &[bool]) -> (bool, bool) {
        let nodes = 0..dims.nodes();
        let masks = nodes.clone().filter(|mask| mask.count_ones() == u32::from(dim.get()));
        let cubes = masks.flat_map(|mask| {
            nodes.clone().filter(move |base| base & mask == 0).map(move |base| (base, mask))
        });
        let (mut new, mut any) = (false, false);
        for (base, mask) in cubes {
            let cube = Subcube::from_parts(dims, base, mask);
            let free = cube.nodes().all(|node| now[node.0 as usize]);
            any |= free;
            new |= free && cube.nodes().any(|node| !before[node.0 as usize]);
        }
        (new, any)
    }

    #[test]
    fn what_was_given_is_looked_around_as_sets_of_nodes_say() {
        let (mut state, mut seen) = (3, [0; 3]);
        for round in 0..4000u32 {
            let dims = Dim::new(4 + (round % 6) as u8).unwrap();
            let now = some_map(dims, &mut state);
            let mut before = now.clone();
            for _ in 0..1 + random(&mut state) % 3 {
                let (base, mask) = (random(&mut state), random(&mut state));
                for (node, free) in (0u32..).zip(&mut before) {
                    *free &= (node ^ base) & !mask & (dims.nodes() - 1) != 0;
                }
            }
            let mut scratch = vec![Word::MAX; scratch_words(dims)];
            let (now_words, before_words) = (words(&now), words(&before));
            for dim in dims.up_to() {
                let mut search = Search::new(dims, &now_words, &mut scratch);
                search.seen = &before_words;
                let (new, any) = naive(dims, dim, &now, &before);
                let found = search.any_since(dim);
                seen[found.map_or(2, usize::from)] += 1;
                assert!(found != Some(false) || !new, "{round}: {dim} is missed");
                assert!(found != Some(true) || any, "{round}: {dim} is made up");
                if let Some(cube) = search.first(dim).unwrap() {
                    search.near = Near::to(&cube);
                    assert!(search.is_near(dim), "{round}: {dim} is where it was found");
                }
                assert!(!search.is_near(dim) || any, "{round}: {dim} is not there");
            }
        }
        assert!(seen[0] > 5000 && seen[1] > 2000, "{seen:?}");
    }

    /// As with searches of the whole map: nodes whose number of ones is no multiple of k + 1 have no free
    /// k-subcube, and with one node more they have some.
    #[test]
    fn a_subcube_of_given_nodes_is_found_or_missed_by_a_single_node() {
        for dims in [7, 8] {
            for k in 1..dims {
                let dim = Dim::new(k as u8).unwrap();
                let dims = Dim::new(dims as u8).unwrap();
                let mut map: Vec<bool> = (0..dims.nodes())
                    .map(|node| !node.count_ones().is_multiple_of(k + 1))
                    .collect();
                let (mut scratch, none) =
                    (vec![0; scratch_words(dims)], vec![0; scratch_words(dims)]);
                for more in [false, true] {
                    map[0] = more;
                    let words = words(&map);
                    let mut search = Search::new(dims, &words, &mut scratch);
                    (search.seen, search.near) = (&none, Near { at: 0, along: 0 });
                    assert_eq!(search.any_since(dim), Some(more), "{k} of {dims}");
                    assert_eq!(search.is_near(dim), more, "{k} of {dims}");
                }
            }
        }
    }
}
