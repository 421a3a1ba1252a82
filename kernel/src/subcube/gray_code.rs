//! The single Gray code strategy: runs of codewords.
//!
//! Source: Chen and Shin 1987. Nodes are listed in the order of the binary reflected Gray code,
//! which is a cycle. A k-subcube is any two neighbouring aligned runs of 2^(k-1) codewords; the
//! first such pair that is free is taken.
//!
//! - Recognises 2^(n-k+1) of the k-subcubes for 1 <= k <= n-1: twice what the buddy sees.
//! - Cost: a scan over 2^(n-k+1) bits to allocate, a fill of 2^(k+1) bits either way.
//! - Bits: 2 a node.
//!
//! Choose it where Gray code order matters to the job. It recognises more than the buddy but serves
//! less: on small machines it loses up to one per cent more of the demand (`placement-optimum`).

use super::{ByMap, LargestDim, Start, Starts, Strategy};
use crate::bits::algebra::all_set;
use crate::bits::{WORD_LOG2, Word, bit, fill, load, low_mask, set_bit, tally, words_for};
use crate::cube::{Dim, Node, Subcube, gray};

/// The single Gray code strategy: the aligned runs of codewords that are free, in the order of a binary heap: run `r` of 2^k
/// codewords is number 2^(n-k) + r, its halves are twice that and one more.
///
/// # Invariants
///
/// - A run is free exactly if both its halves are.
#[derive(Clone, Copy, Debug)]
pub struct GrayCode {
    dims: Dim,
}

impl GrayCode {
    /// Every run is free.
    const fn start(dims: Dim) -> Start<Self> {
        let runs = dims.nodes() as usize * 2;
        Start::new(Self { dims }, words_for(runs), [(1, runs - 1)])
    }

    fn depth(&self, dim: Dim) -> u32 {
        u32::from(self.dims.get()).wrapping_sub(u32::from(dim.get()))
    }

    /// Sets all parts of a run of 2^`dim` codewords, then corrects the runs that it is a part of.
    fn mark(words: &mut [Word], run: u32, dim: Dim, free: bool) {
        for level in dim.up_to() {
            let first = (run as usize) << level.get();
            tally::add(words_for(level.nodes() as usize));
            fill(words, first, level.nodes() as usize, free);
        }
        let mut part = run;
        while part > 1 {
            let whole_is_free = free && bit(words, 0, part ^ 1);
            part >>= 1;
            if bit(words, 0, part) == whole_is_free {
                return;
            }
            set_bit(words, 0, part, whole_is_free);
        }
    }

    /// The same of each run in `cube`: an aligned block of addresses is an aligned run of codewords as well.
    fn mark_cube(&self, words: &mut [Word], cube: &Subcube, free: bool) {
        let (dim, blocks) = cube.aligned_blocks();
        for base in blocks {
            Self::mark(words, self.node_run(base) >> dim.get(), dim, free);
        }
    }

    fn node_run(&self, node: Node) -> u32 {
        self.dims.nodes().wrapping_add(gray::decode(node))
    }

    /// The dimension of the runs of which two neighbours make a subcube of dimension `dim`;
    /// `None` where a subcube is one run: a single node, or the whole cube.
    fn half(&self, dim: Dim) -> Option<Dim> {
        if dim == self.dims { None } else { dim.down() }
    }

    /// The `i`-th word of the runs at `depth`, lowest run first.
    fn word(words: &[Word], depth: u32, i: usize) -> Word {
        if depth < WORD_LOG2 {
            return (load(words, 0) >> (1u32 << depth)) & low_mask(1 << depth);
        }
        load(words, (1usize << (depth - WORD_LOG2)).wrapping_add(i))
    }

    /// A word at a time the runs that free subcubes of dimension `dim` begin with: those that are
    /// free and, unless a subcube is one run, whose successor in the cycle is free too.
    fn firsts(self, words: &[Word], dim: Dim) -> impl Iterator<Item = Word> {
        let half = self.half(dim);
        let depth = self.depth(half.unwrap_or(dim));
        let bits = (1u32 << depth).min(Word::BITS);
        let count = 1usize << depth.saturating_sub(WORD_LOG2);
        (0..count).map(move |i| {
            let word = Self::word(words, depth, i);
            if half.is_none() {
                return word;
            }
            let next = Self::word(words, depth, i.wrapping_add(1) & count.wrapping_sub(1));
            word & (word >> 1 | next.wrapping_shl(bits.wrapping_sub(1)))
        })
    }

    /// The first free subcube of dimension `dim`: its first run, as a number at its depth.
    fn first(&self, words: &[Word], dim: Dim) -> Option<u32> {
        let (at, word) = self.firsts(words, dim).enumerate().find(|&(_, word)| word != 0)?;
        Some(((at as u32) << WORD_LOG2) | word.trailing_zeros())
    }

    /// The first subcube of dimension `dim` in a map of nodes: its first run, as a number at its depth.
    fn first_in(&self, map: &[Word], dim: Dim) -> Option<u32> {
        let run_dim = self.half(dim).unwrap_or(dim);
        let cycle = dim_mask(self.depth(run_dim));
        let is_free = |run: u32| {
            let start = (gray::encode(run).0 as usize) << run_dim.get();
            all_set(map, start, run_dim.nodes() as usize)
        };
        (0..=cycle).find(|&run| {
            let next = run.wrapping_add(1) & cycle;
            is_free(run) && (run_dim == dim || is_free(next))
        })
    }

    /// The subcube of dimension `dim` that begins with a run, whose number is that at its depth.
    fn cube_from(&self, first: u32, dim: Dim) -> Subcube {
        let run_dim = self.half(dim).unwrap_or(dim);
        let low = run_dim.nodes().wrapping_sub(1);
        let address = |run: u32| gray::encode(run).0 << run_dim.get();
        if run_dim == dim {
            return Subcube::from_parts(self.dims, address(first), low);
        }
        let second = first.wrapping_add(1) & dim_mask(self.depth(run_dim));
        let between = address(first) ^ address(second);
        Subcube::from_parts(self.dims, address(first) & !between, low | between)
    }
}

impl ByMap for GrayCode {
    fn room(_: Dim) -> usize {
        0
    }

    /// Cost: a word or two for each run; a run of whole words is read until one is not free.
    fn find(dims: Dim, map: &[Word], of: Dim, _: &mut [Word]) -> Option<Subcube> {
        let all = Self { dims };
        all.first_in(map, of).map(|first| all.cube_from(first, of))
    }
}

impl Strategy for GrayCode {
    const NAME: &'static str = "gray-code";
    const STARTS: Starts<Self> = crate::starts!(Self::start);

    fn allocate(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let first = self.first(words, dim)?;
        let run_dim = self.half(dim).unwrap_or(dim);
        let depth = self.depth(run_dim);
        Self::mark(words, 1 << depth | first, run_dim, false);
        if run_dim != dim {
            let second = first.wrapping_add(1) & dim_mask(depth);
            Self::mark(words, 1 << depth | second, run_dim, false);
        }
        Some(self.cube_from(first, dim))
    }

    fn free(&mut self, words: &mut [Word], cube: Subcube) {
        self.mark_cube(words, &cube, true);
    }

    fn remove(&mut self, words: &mut [Word], cube: &Subcube, kept: Option<&[Word]>) -> u32 {
        let Some(kept) = kept else {
            self.mark_cube(words, cube, false);
            return cube.len();
        };
        let mut removed = 0u32;
        for node in cube.nodes().filter(|node| !bit(kept, 0, node.0)) {
            let run = self.node_run(node);
            if bit(words, 0, run) {
                removed = removed.wrapping_add(1);
                Self::mark(words, run, Dim::ZERO, false);
            }
        }
        removed
    }

    fn is_free(&self, words: &[Word], node: Node) -> bool {
        bit(words, 0, self.node_run(node))
    }

    fn largest(&mut self, words: &mut [Word], most: Dim) -> LargestDim {
        Ok(most.up_to().rev().find(|&dim| self.first(words, dim).is_some()))
    }

    fn count(&self, words: &mut [Word], totals: &mut [u64; Dim::COUNT]) {
        let ones = |sum: u64, word: Word| sum.saturating_add(u64::from(word.count_ones()));
        for (dim, total) in self.dims.up_to().zip(totals) {
            *total = self.firsts(words, dim).fold(*total, ones);
        }
    }

    fn max_in_service(&self, _: &mut [Word], serving: &[Word], most: Dim) -> LargestDim {
        Ok(most.up_to().rev().find(|&dim| self.first_in(serving, dim).is_some()))
    }

    fn check(&self, words: &[Word]) -> bool {
        (1..self.dims.nodes()).all(|run| {
            let halves = bit(words, 0, run << 1) && bit(words, 0, run << 1 | 1);
            bit(words, 0, run) == halves
        })
    }
}

/// The low `bits` bits of a number.
fn dim_mask(bits: u32) -> u32 {
    (1u32 << bits).wrapping_sub(1)
}
