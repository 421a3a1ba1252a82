//! The free list strategy: a list of free cubes for each dimension, of any shape.
//!
//! Source: Kim, Das and Lin 1991, as Turner 1995 uses it. A request takes the first cube of the
//! smallest sufficient dimension and splits it from the top: at its highest free coordinate, the
//! lower half being kept. A release merges with a complement (a cube of the same free
//! coordinates, one fixed coordinate flipped) as long as one is free, lowest coordinate first. A
//! node that goes out of service is split out of its cube likewise, and the other halves merge; of
//! several the cubes with some in them are split, one after the other.
//!
//! Deviation: merging pairs alone loses cubes. Six free cubes can fill a 3-cube without any two
//! being complements, and on a busy machine jobs then wait for room that is there. The first
//! publication rearranges its lists on release, at O(n^3) or more, by rules not known to us. Here
//! a release stays cheap, and a request that finds no sufficient cube searches the map of all free
//! nodes (see `fold`); what it finds is cut out of the lists. When every node is free the lists
//! hold the whole cube.
//!
//! The mask of each cube stands in the ledger's entry of its base, which no lease can need then. A search
//! begins by drawing a map of the free nodes from the lists.
//!
//! [`FreeListPlain`] is the same without that search and its map: what the literature's figures were
//! measured with.
//!
//! - Recognises all subcubes; the plain one those inside the cubes of its lists.
//! - Cost: a few words a dimension split, n - k tests a dimension merged. A request that the lists
//!   cannot serve costs a search, like every query of the complete strategy.
//! - Bits: n a node for the lists, 1/63 of that for summaries, and with a search one for the map.
//!
//! Choose it by default: nearly the buddy's speed, and no free subcube is missed.

use super::cube_lists::{CubeLists, Parts};
use super::fold::{self, Search};
use super::lease::Ledger;
use super::refusal_bound::RefusalBound;
use super::{LargestDim, Start, Starts, Strategy};
use crate::bits::{Word, bit, padding_is_clear, words_for};
use crate::cube::{Dim, Node, Subcube};

/// The free list strategy, with a search behind its lists.
pub type FreeList = Lists<true>;

/// The free list of the literature: the lists alone.
///
/// It sees what lies inside one of its cubes. Once pairs no longer join, what is free may stay in
/// pieces until every node is, and be refused as fragmented although no lease is live.
pub type FreeListPlain = Lists<false>;

/// The free cubes, and how many nodes they have: [`FreeList`] or [`FreeListPlain`].
///
/// # Invariants
///
/// - The lists' room is the ledger's, and scratch of searches. Who has something there meanwhile only
///   frees, or takes single nodes.
// Invariants of the fields:
//
// - `free` counts the nodes of all cubes; if it is 2^n there is one cube.
// - From word `map` on a search draws the free nodes; if `drawn` they stand there.
#[derive(Clone, Copy, Debug)]
pub struct Lists<const SEARCHED: bool> {
    dims: Dim,
    free: u32,
    cubes: CubeLists,
    map: usize,
    drawn: bool,
    bound: RefusalBound,
}

impl<const SEARCHED: bool> Lists<SEARCHED> {
    const STARTS: Starts<Self> = crate::starts!(Self::start);

    /// The lists, which hold the whole cube, then the map.
    const fn start(dims: Dim) -> Start<Self> {
        let map = CubeLists::words(dims);
        let words = map + if SEARCHED { words_for(dims.nodes() as usize) } else { 0 };
        let (masks, room) = (Ledger::masks_in(dims, words), Ledger::room_in(dims, words));
        let cubes = CubeLists::whole(dims, 0, masks, room);
        let bound = RefusalBound::new(dims, dims.get() <= fold::DECIDED.get());
        let strategy = Self { dims, free: dims.nodes(), cubes, map, drawn: false, bound };
        Start::new(strategy, words, cubes.whole_ones())
    }

    /// A search of a map of nodes.
    fn search_of<'a>(&self, map: &'a [Word], words: &'a mut [Word]) -> Search<'a> {
        let scratch = words.get_mut(self.cubes.room..).unwrap_or_default();
        let scratch = scratch.get_mut(..fold::scratch_words(self.dims)).unwrap_or_default();
        Search::new(self.dims, map, scratch)
    }

    /// A search of the free nodes. Drawing them costs less than to keep a map up to date: that would take a
    /// quarter of each allocation and release.
    fn search<'a>(&mut self, words: &'a mut [Word]) -> Search<'a> {
        if !self.drawn {
            self.cubes.draw(words, self.map);
            self.drawn = true;
        }
        let room = self.cubes.room;
        let scratch = room..room.wrapping_add(fold::scratch_words(self.dims));
        Search::in_words(words, self.dims, self.map, scratch)
    }

    /// A subcube whose nodes are free but not in one cube of the lists, taken out of them.
    #[cold]
    fn allocate_scattered(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        if !SEARCHED || self.bound.rules_out(dim) {
            return None;
        }
        let mut search = self.search(words);
        let scattered = self.bound.first(&mut search, dim)?;
        // The scratch has served.
        self.cubes.remove_nodes(words, &scattered, None);
        scattered.fill(words, self.map, false);
        Some(scattered)
    }
}

impl<const SEARCHED: bool> Strategy for Lists<SEARCHED> {
    const NAME: &'static str = if SEARCHED { "free-list" } else { "free-list-plain" };
    const STARTS: Starts<Self> =
        if SEARCHED { Self::STARTS } else { Self::STARTS.without_recombining() };

    fn allocate(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let taken = match self.cubes.take(words, dim, None) {
            Some((listed, _)) => {
                self.drawn = false;
                listed
            }
            None => self.allocate_scattered(words, dim)?,
        };
        self.free = self.free.wrapping_sub(dim.nodes());
        self.bound.lower();
        Some(taken)
    }

    fn free(&mut self, words: &mut [Word], cube: Subcube) {
        self.free = self.free.wrapping_add(cube.len());
        self.cubes.merge(words, Parts::of(&cube, 0), None);
        self.bound.raise(cube.dim());
        if self.drawn {
            cube.fill(words, self.map, true);
        }
        if self.free == self.dims.nodes() && self.cubes.largest() != Some(self.dims) {
            self.cubes.reset(words);
        }
    }

    fn remove(&mut self, words: &mut [Word], cube: &Subcube, kept: Option<&[Word]>) -> u32 {
        let removed = match kept {
            None => {
                self.cubes.remove(words, cube, None);
                cube.len()
            }
            Some(kept) => self.cubes.remove_out(words, kept, None),
        };
        self.free = self.free.wrapping_sub(removed);
        self.bound.lower();
        self.drawn = false;
        removed
    }

    fn is_free(&self, words: &[Word], node: Node) -> bool {
        self.cubes.containing(words, node).is_some()
    }

    /// Where there are more of them than a map has words, that is drawn: some cost less looked up.
    fn first_taken(
        &self,
        words: &mut [Word],
        nodes: impl Iterator<Item = Node> + Clone,
    ) -> Option<Node> {
        let (mut named, most) = (nodes.clone(), words_for(self.dims.nodes() as usize));
        if nodes.take(most).count() < most {
            return named.find(|&node| !self.is_free(words, node));
        }
        self.cubes.draw(words, self.cubes.room);
        named.find(|&node| !bit(words, self.cubes.room, node.0))
    }

    fn largest(&mut self, words: &mut [Word], most: Dim) -> LargestDim {
        let listed = self.cubes.largest();
        if !SEARCHED {
            return Ok(listed.min(Some(most)));
        }
        if let Some(known) = self.bound.known(listed, most) {
            return Ok(Some(known));
        }
        let mut search = self.search(words);
        self.bound.largest(&mut search, listed, most)
    }

    fn count(&self, words: &mut [Word], totals: &mut [u64; Dim::COUNT]) {
        if SEARCHED {
            { *self }.search(words).count(totals);
        } else {
            self.cubes.count_inside(words, totals);
        }
    }

    fn max_in_service(&self, words: &mut [Word], serving: &[Word], most: Dim) -> LargestDim {
        self.search_of(serving, words).max_in_service(most)
    }

    fn check(&self, words: &[Word]) -> bool {
        let held = (0..self.dims.nodes()).filter(|&node| self.is_free(words, Node(node)));
        let nodes = held.clone().count() as u32;
        let map = words.get(self.map..).unwrap_or_default();
        let in_map = (0..self.dims.nodes()).filter(|&node| bit(map, 0, node));
        let drawn = padding_is_clear(map, self.dims.nodes() as usize) && in_map.eq(held);
        let listed = self.cubes.nodes(words);
        let whole = self.free != self.dims.nodes() || self.cubes.largest() == Some(self.dims);
        self.cubes.check(words, None)
            && nodes == listed
            && listed == self.free
            && whole
            && (drawn || !self.drawn)
    }
}
