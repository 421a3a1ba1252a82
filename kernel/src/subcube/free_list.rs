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
//! The mask of each cube stands in the ledger's entry of its base, which no lease can need then.
//!
//! [`FreeListPlain`] is the same without that search: what the literature's figures were measured
//! with.
//!
//! - Recognises all subcubes; the plain one those inside the cubes of its lists.
//! - Cost: a few words a dimension split, n - k tests a dimension merged. A request that the lists
//!   cannot serve costs a search, like every query of the complete strategy.
//! - Bits: n a node for the lists, one more for scratch, 1/63 of the lists for summaries.
//!
//! Choose it by default: nearly the buddy's speed, and no free subcube is missed.

use super::cube_lists::CubeLists;
use super::fold::{self, Counter, Search};
use super::known::Known;
use super::lease::Ledger;
use super::{Start, Strategy, Undecided};
use crate::bits::{Word, bit, words_for};
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
/// - `free` counts the nodes of all cubes; if it is 2^n there is one cube.
/// - At `room` the ledger has a bit a node for a map.
/// - What is `known` holds of all free nodes; nothing is without a search, or where one may be given up.
#[derive(Clone, Copy, Debug)]
pub struct Lists<const SEARCHED: bool> {
    dims: Dim,
    free: u32,
    cubes: CubeLists,
    room: usize,
    known: Known,
}

impl<const SEARCHED: bool> Lists<SEARCHED> {
    /// The lists, which hold the whole cube, then scratch.
    const fn start(dims: Dim) -> Start<Self> {
        let words = CubeLists::words(dims) + fold::scratch_words(dims);
        let masks = Ledger::masks_in(dims, words);
        let cubes = CubeLists::whole(dims, 0, masks);
        let room = Ledger::room_in(dims, words);
        let known = Known::nothing(dims);
        let strategy = Self { dims, free: dims.nodes(), cubes, room, known };
        Start::new(strategy, words, cubes.whole_ones())
    }

    /// A search of a map of nodes.
    fn search<'a>(&self, words: &'a mut [Word], map: &'a [Word]) -> Option<Search<'a>> {
        let scratch = words.get_mut(CubeLists::words(self.dims)..)?;
        let scratch = scratch.get_mut(..fold::scratch_words(self.dims))?;
        Some(Search::new(self.dims, map, scratch))
    }

    /// A search of the map of the free nodes, which it draws.
    fn drawn<'a>(&self, words: &'a mut [Word]) -> Option<Search<'a>> {
        self.cubes.draw(words, self.room);
        let (words, map) = words.split_at_mut_checked(self.room)?;
        let mut search = self.search(words, map)?;
        search.known = self.known;
        Some(search)
    }

    /// A subcube whose nodes are free but not in one cube of the lists.
    fn scattered(&self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let may_be = SEARCHED && self.known.around(self.dims, dim).is_some();
        if may_be { self.drawn(words)?.first(dim).ok().flatten() } else { None }
    }
}

impl<const SEARCHED: bool> Strategy for Lists<SEARCHED> {
    const NAME: &'static str = if SEARCHED { "free-list" } else { "free-list-plain" };
    const START: &'static [Start<Self>; Dim::COUNT] = crate::by_dimension!(Self::start);

    fn start(dims: Dim) -> Start<Self> {
        Self::start(dims)
    }
    const RECOMBINES: bool = SEARCHED;

    fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let taken = self.cubes.take(words, dim, None).map(|(cube, _)| cube).or_else(|| {
            let scattered = self.scattered(words, dim)?;
            // The map has served.
            self.cubes.remove_nodes(words, &scattered, self.room, None);
            Some(scattered)
        })?;
        self.free = self.free.wrapping_sub(dim.nodes());
        self.known.take();
        Some(taken)
    }

    fn give(&mut self, words: &mut [Word], cube: Subcube) {
        self.free = self.free.wrapping_add(cube.len());
        self.cubes.give(words, &cube, 0, None);
        self.known.give(&cube);
        if self.free == self.dims.nodes() && self.cubes.largest() != Some(self.dims) {
            self.cubes.reset(words);
        }
    }

    fn remove(&mut self, words: &mut [Word], node: Node) {
        self.remove_cube(words, &Subcube::from_parts(self.dims, node.0, 0));
    }

    fn remove_cube(&mut self, words: &mut [Word], cube: &Subcube) {
        self.cubes.remove(words, cube, self.room, None);
        self.free = self.free.wrapping_sub(cube.len());
        self.known.take();
    }

    fn remove_out(&mut self, words: &mut [Word], _: &[Node], serving: &[Word]) -> u32 {
        let removed = self.cubes.remove_out(words, serving, self.room, None);
        self.free = self.free.wrapping_sub(removed);
        self.known.take();
        removed
    }

    fn holds(&self, words: &[Word], node: Node) -> bool {
        self.cubes.containing(words, node).is_some()
    }

    /// For a large cube all free nodes are drawn: there are few such cubes, but they have many nodes.
    fn first_taken(&self, words: &mut [Word], cube: &Subcube) -> Option<Node> {
        if cube.len() as usize <= words_for(self.dims.nodes() as usize) {
            return cube.nodes().find(|&node| !self.holds(words, node));
        }
        self.cubes.draw(words, self.room);
        cube.nodes().find(|node| !bit(words, self.room, node.0))
    }

    fn largest(&self, words: &mut [Word], below: Dim) -> Option<Dim> {
        let listed = self.cubes.largest()?;
        let least = Some(listed).max(self.known.least());
        let most = if SEARCHED { self.known.most(below) } else { listed };
        if least >= Some(most) {
            return least.min(Some(below));
        }
        self.drawn(words)?.largest(least, most).0
    }

    fn note_largest(&mut self, largest: Dim) {
        if SEARCHED && self.dims <= fold::DECIDED {
            self.known = Known::largest_is(largest);
        }
    }

    fn fits(&self, words: &mut [Word], dim: Dim) -> bool {
        self.cubes.largest() >= Some(dim) || self.scattered(words, dim).is_some()
    }

    fn count(&self, words: &mut [Word], dim: Dim) -> u64 {
        let mut totals = [0; Dim::COUNT];
        self.count_all(words, self.dims, &mut totals);
        totals.get(usize::from(dim.get())).copied().unwrap_or(0)
    }

    fn count_all(&self, words: &mut [Word], _: Dim, totals: &mut [u64; Dim::COUNT]) {
        if !SEARCHED {
            self.cubes.count_inside(words, totals);
        } else if let Some(mut search) = self.drawn(words) {
            search.count(&Counter::new(), totals);
        }
    }

    fn is_decided(&self, words: &mut [Word], dim: Dim) -> bool {
        let searched = SEARCHED && self.dims > fold::DECIDED && self.cubes.largest() < Some(dim);
        !searched || self.drawn(words).is_none_or(|mut search| search.first(dim).is_ok())
    }

    fn possible(&self, words: &mut [Word], serving: &[Word]) -> Result<Option<Dim>, Undecided> {
        self.search(words, serving).map_or(Ok(None), |mut search| search.possible())
    }

    fn possible_after(
        &self,
        words: &mut [Word],
        serving: &[Word],
        before: Option<Dim>,
        change: (Node, bool),
    ) -> Result<Option<Dim>, Undecided> {
        let search = self.search(words, serving);
        search.map_or(Ok(None), |mut search| search.possible_after(before, change))
    }

    fn check(&self, words: &[Word]) -> bool {
        let holds = |&node: &u32| self.holds(words, Node(node));
        let nodes = (0..self.dims.nodes()).filter(holds).count() as u32;
        let listed = self.cubes.nodes(words);
        let whole = self.free != self.dims.nodes() || self.cubes.largest() == Some(self.dims);
        self.cubes.check(words, None) && nodes == listed && listed == self.free && whole
    }
}
