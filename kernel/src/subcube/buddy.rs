//! The buddy strategy: aligned blocks of 2^k consecutive addresses.
//!
//! Source: Knowlton 1965, named for hypercubes by Chen and Shin 1987. A request takes the first
//! block of the smallest sufficient dimension and halves it down to size, keeping the lower half;
//! a release merges with the buddy (the block that differs in bit k) as long as that is free.
//!
//! - Recognises 2^(n-k) of the k-subcubes.
//! - Cost: a word or two for each dimension halved or merged. Pieces of a mesh come back as a map,
//!   whose blocks are paired a word at a time: some words for each 64 nodes of the mesh's subcube.
//! - Bits: 2 a node for the blocks, 1/32 of that again for the summary.
//!
//! Choose it for speed, or where jobs ask for the same few sizes. It sees the fewest subcubes.

use super::{ByMap, LargestDim, Start, Starts, Strategy};
use crate::bits::algebra::all_set;
use crate::bits::{
    EVEN, LEVELS, Summary, WORD_LOG2, Word, bit, gather_even, load, low_mask, ones, set_bit, tally,
    word_mut, words_for,
};
use crate::cube::{Dim, Node, Subcube};

/// The buddy strategy: the free blocks of all dimensions in one bit vector, in the order of a binary heap: block `b`
/// of dimension k is number 2^(n-k) + b, its halves are twice that and one more.
///
/// # Invariants
///
/// - Blocks in the set are disjoint, and no two are buddies.
// Invariants of the fields:
//
// - Bit k of `available` says whether a block of dimension k is in the set.
#[derive(Clone, Copy, Debug)]
pub struct Buddy {
    dims: Dim,
    available: u32,
    set: Summary,
}

impl Buddy {
    /// The whole cube, number 1, is free.
    const fn start(dims: Dim) -> Start<Self> {
        let set = Summary::new(0, dims.get() as u32 + 1);
        let strategy = Self { dims, available: 1 << dims.get(), set };
        Start::new(strategy, set.words(), []).with_member(set, 1)
    }

    /// The heap's depth at which blocks of dimension `dim` stand.
    fn depth(&self, dim: u32) -> u32 {
        u32::from(self.dims.get()).wrapping_sub(dim)
    }

    fn insert(&mut self, words: &mut [Word], block: u32, dim: u32) {
        debug_assert!(!self.set.contains(words, block as usize), "a free block becomes free");
        tally::add(LEVELS);
        self.set.insert(words, block as usize);
        self.available |= 1 << dim;
    }

    fn take_out(&mut self, words: &mut [Word], block: u32, dim: u32) {
        debug_assert!(
            self.set.contains(words, block as usize),
            "a block is taken that is not free"
        );
        tally::add(LEVELS);
        self.set.remove(words, block as usize);
        let empty = self.set.octave_is_empty(words, self.depth(dim));
        self.available &= !(u32::from(empty) << dim);
    }

    /// The free block that contains `node`, and its dimension.
    fn containing(&self, words: &[Word], node: Node) -> Option<(u32, u32)> {
        let leaf = self.dims.nodes().wrapping_add(node.0);
        (0..=u32::from(self.dims.get()))
            .map(|dim| (leaf >> dim, dim))
            .find(|&(block, _)| self.set.contains(words, block as usize))
    }

    /// Makes those blocks of 2^`dim` nodes within `outer` free that are marked from word `map` on, but
    /// marks the next larger one there instead where both halves are free.
    fn join(&mut self, words: &mut [Word], outer: &Subcube, dim: u32, map: usize) {
        let first = (1 << self.depth(dim)) | (outer.base().0 >> dim);
        let part = low_mask(outer.len() >> dim);
        let shift = first & (Word::BITS - 1);
        for at in 0..words_for((outer.len() >> dim) as usize) {
            tally::add(LEVELS);
            let marked = word_mut(words, map.wrapping_add(at)).map_or(0, core::mem::take);
            if marked == 0 {
                continue;
            }
            let place = ((first >> WORD_LOG2) as usize).wrapping_add(at);
            let word = self.set.lowest(words, place);
            let free = (word.wrapping_shr(shift) & part) | marked;
            let pairs = free & (free >> 1) & EVEN;
            let alone = free & !(pairs | pairs << 1);
            let others = word & !part.wrapping_shl(shift);
            self.set.set_word(words, place, others | alone.wrapping_shl(shift));
            let half = if at & 1 == 0 { 0 } else { Word::BITS / 2 };
            if let Some(above) = word_mut(words, map.wrapping_add(at >> 1)) {
                *above |= gather_even(pairs).wrapping_shl(half);
            }
        }
        let some = !self.set.octave_is_empty(words, self.depth(dim));
        self.available = (self.available & !(1 << dim)) | (u32::from(some) << dim);
    }

    /// Takes the block of 2^`low` nodes at `base` out of the free block that it lies in, if there is one.
    fn remove_block(&mut self, words: &mut [Word], base: Node, low: u32) -> bool {
        let Some((block, mut dim)) = self.containing(words, base) else { return false };
        self.take_out(words, block, dim);
        let leaf = self.dims.nodes().wrapping_add(base.0);
        while dim > low {
            dim = dim.wrapping_sub(1);
            self.insert(words, (leaf >> dim) ^ 1, dim);
        }
        true
    }

    fn give_block(&mut self, words: &mut [Word], base: Node, dim: u32) {
        let mut dim = dim;
        let mut block = (1 << self.depth(dim)) | (base.0 >> dim);
        while block > 1 && self.set.contains(words, (block ^ 1) as usize) {
            self.take_out(words, block ^ 1, dim);
            block >>= 1;
            dim = dim.wrapping_add(1);
        }
        self.insert(words, block, dim);
    }
}

/// The lower halves of the aligned blocks of 2, 4, 8 and so on bits in a word, all but the last on a word of 32 bits.
const HALVES: [Word; 6] =
    [EVEN, Word::MAX / 0xF, Word::MAX / 0xFF, Word::MAX / 0xFFFF, Word::MAX / 0xFFFF_FFFF, 1];

/// The first of the smallest aligned blocks of 2^`least` bits at least and less than 2^`below` that are set in a word and are
/// not half of one: its log2 of bits, and where it starts. A word that is set as a whole has none.
fn smallest_in(word: Word, least: u32, below: u32) -> Option<(u32, u32)> {
    if word == 0 || word == Word::MAX {
        return None;
    }
    let mut set = word;
    for (log2, lower) in (0..below).zip(HALVES) {
        let pairs = set & (set >> (1u32 << log2)) & lower;
        let alone = set & !(pairs | pairs << (1u32 << log2));
        if log2 >= least && alone != 0 {
            return Some((log2, alone.trailing_zeros()));
        }
        set = pairs;
    }
    None
}

impl ByMap for Buddy {
    /// A bit for each word of the map.
    fn room(dims: Dim) -> usize {
        words_for(words_for(dims.nodes() as usize))
    }

    /// Pairs halves a word at a time, then the words that are free as a whole likewise. Cost: some 30 operations for each
    /// word of the map.
    fn find(dims: Dim, map: &[Word], of: Dim, room: &mut [Word]) -> Option<Subcube> {
        let (mut count, mut low) = (dims.nodes(), 0);
        while count > 0 {
            let least = u32::from(of.get()).saturating_sub(low);
            let (mut best, mut below) = (None, WORD_LOG2);
            for at in 0..words_for(count as usize) as u32 {
                tally::add(1);
                let word = load(if low == 0 { map } else { room }, at as usize) & low_mask(count);
                // What is overwritten has been read.
                set_bit(room, 0, at, word == Word::MAX);
                if let Some((log2, start)) = smallest_in(word, least, below) {
                    (best, below) = (Some(at << WORD_LOG2 | start), log2);
                    if log2 == least {
                        break;
                    }
                }
            }
            if let Some(start) = best {
                return Some(Subcube::from_parts(dims, start << low, of.nodes().wrapping_sub(1)));
            }
            (count, low) = (count >> WORD_LOG2, low.wrapping_add(WORD_LOG2));
        }
        None
    }
}

impl Strategy for Buddy {
    const NAME: &'static str = "buddy";
    const STARTS: Starts<Self> = crate::starts!(Self::start);

    fn allocate(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let wanted = u32::from(dim.get());
        let sufficient = (self.available >> wanted) as Word;
        let mut at = wanted.wrapping_add(ones(sufficient).next()?);
        let mut block = self.set.first_in_octave(words, self.depth(at))? as u32;
        self.take_out(words, block, at);
        while at > wanted {
            at = at.wrapping_sub(1);
            block <<= 1;
            self.insert(words, block | 1, at);
        }
        let base = (block << wanted) & self.dims.nodes().wrapping_sub(1);
        Some(Subcube::from_parts(self.dims, base, dim.nodes().wrapping_sub(1)))
    }

    fn free(&mut self, words: &mut [Word], cube: Subcube) {
        let low = cube.mask().trailing_ones();
        // What this strategy granted is one block: a third of a release is saved by not iterating.
        if cube.mask() >> low == 0 {
            return self.give_block(words, cube.base(), low);
        }
        for base in cube.aligned_blocks().1 {
            self.give_block(words, base, low);
        }
    }

    fn remove(&mut self, words: &mut [Word], cube: &Subcube, kept: Option<&[Word]>) -> u32 {
        let Some(kept) = kept else {
            // One that is free as a whole lies in one block.
            let (dim, blocks) = cube.aligned_blocks();
            for base in blocks {
                self.remove_block(words, base, u32::from(dim.get()));
            }
            return cube.len();
        };
        cube.nodes().filter(|node| !bit(kept, 0, node.0)).fold(0, |removed: u32, node| {
            removed.wrapping_add(u32::from(self.remove_block(words, node, 0)))
        })
    }

    fn is_free(&self, words: &[Word], node: Node) -> bool {
        self.containing(words, node).is_some()
    }

    fn largest(&mut self, _: &mut [Word], most: Dim) -> LargestDim {
        let largest = self.available.checked_ilog2().and_then(|dim| Dim::new(dim as u8));
        Ok(largest.min(Some(most)))
    }

    fn count(&self, words: &mut [Word], totals: &mut [u64; Dim::COUNT]) {
        let mut inside = 0u64;
        for dim in self.dims.up_to().rev() {
            let blocks = self.set.count_octave(words, self.depth(u32::from(dim.get())));
            inside = (inside << 1).saturating_add(blocks);
            if let Some(total) = totals.get_mut(usize::from(dim.get())) {
                *total = total.saturating_add(inside);
            }
        }
    }

    fn max_in_service(&self, _: &mut [Word], serving: &[Word], most: Dim) -> LargestDim {
        Ok(most.up_to().rev().find(|&dim| {
            let size = dim.nodes() as usize;
            let mut starts = (0..self.dims.nodes() as usize).step_by(size);
            starts.any(|start| all_set(serving, start, size))
        }))
    }

    fn free_pieces(
        &mut self,
        words: &mut [Word],
        block: &Subcube,
        room: usize,
        next: &mut dyn FnMut(&mut [Word]) -> Option<Subcube>,
    ) {
        block.fill(words, room, false);
        while let Some(cube) = next(words) {
            let low = cube.mask().trailing_ones();
            // One block of whole words climbs at less than the words that it would take to draw.
            match low >= WORD_LOG2 && cube.mask() >> low == 0 {
                true => self.give_block(words, cube.base(), low),
                false => cube.fill(words, room, true),
            }
        }
        let map = room.wrapping_add((block.base().0 >> WORD_LOG2) as usize);
        let dim = block.mask().count_ones();
        (0..dim).for_each(|dim| self.join(words, block, dim, map));
        if load(words, map) != 0 {
            self.give_block(words, block.base(), dim);
        }
    }

    fn check(&self, words: &[Word]) -> bool {
        let set = self.set;
        let disjoint = set.iter(words).all(|block| {
            let ancestors = (1..=u32::from(self.dims.get())).map(|up| block >> up);
            let buddy = block ^ 1;
            !set.contains(words, buddy) && ancestors.clone().all(|it| !set.contains(words, it))
        });
        let available = (0..=u32::from(self.dims.get()))
            .filter(|&dim| set.count_octave(words, self.depth(dim)) > 0)
            .fold(0, |bits, dim| bits | 1 << dim);
        disjoint && set.check(words) && available == self.available
    }
}
