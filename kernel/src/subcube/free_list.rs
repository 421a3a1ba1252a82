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
//! The mask of each cube stands in the ledger's entry of its base, which no lease can need then. Beside
//! the lists there is a map with a bit for each free node, so that a search can begin at once.
//!
//! [`FreeListPlain`] is the same without that search and its map: what the literature's figures were
//! measured with.
//!
//! - Recognises all subcubes; the plain one those inside the cubes of its lists.
//! - Cost: a few words a dimension split, n - k tests a dimension merged. A request that the lists
//!   cannot serve costs a search, like every query of the complete strategy.
//! - Bits: n a node for the lists, 1/63 of that for summaries, and with a search one for the map and one for
//!   the map as it was.
//!
//! Choose it by default: nearly the buddy's speed, and no free subcube is missed.

use super::cube_lists::{CubeLists, fill_cube};
use super::fold::{self, MapAt, Search};
use super::known::Known;
use super::lease::Ledger;
use super::through::Near;
use super::{Start, Strategy, Undecided};
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
/// - `free` counts the nodes of all cubes; if it is 2^n there is one cube.
/// - From word `map` on there is a bit for each free node, if there is a search, and after it one for each
///   that was free at the last refusal. Bits beyond the last node are clear, since searches fold whole words.
/// - From word `scratch` on is the ledger's room: who has something there meanwhile only gives, or takes
///   single nodes.
/// - What is `known` holds of all free nodes; nothing is without a search, or where one may be given up.
#[derive(Clone, Copy, Debug)]
pub struct Lists<const SEARCHED: bool> {
    dims: Dim,
    free: u32,
    cubes: CubeLists,
    map: usize,
    scratch: usize,
    known: Known,
}

impl<const SEARCHED: bool> Lists<SEARCHED> {
    /// The lists, which hold the whole cube, then the map, and the map as it was at the last refusal.
    const fn start(dims: Dim) -> Start<Self> {
        let map = CubeLists::words(dims);
        let nodes = dims.nodes() as usize;
        let words = map + Self::mapped(dims);
        let cubes = CubeLists::whole(dims, 0, Ledger::masks_in(dims, words));
        let known = Known::nothing(dims);
        let scratch = Ledger::room_in(dims, words);
        let strategy = Self { dims, free: dims.nodes(), cubes, map, scratch, known };
        let [listed, mask] = cubes.whole_ones();
        let marked = if SEARCHED { nodes } else { 0 };
        Start::new(strategy, words, [listed, mask, (map * Word::BITS as usize, marked)])
    }

    /// Words of both maps.
    const fn mapped(dims: Dim) -> usize {
        if SEARCHED { 2 * words_for(dims.nodes() as usize) } else { 0 }
    }

    /// A search of a map of nodes.
    fn search<'a>(&self, words: &'a mut [Word], map: &'a [Word]) -> Option<Search<'a>> {
        let scratch = words.get_mut(self.scratch..)?;
        Some(Search::new(self.dims, map, scratch.get_mut(..fold::scratch_words(self.dims))?))
    }

    /// The map of the free nodes.
    const fn among_free(&self) -> MapAt {
        let Self { map, dims, scratch, .. } = *self;
        MapAt { start: map, dims, scratch, len: fold::scratch_words(dims) }
    }

    /// Notes in the map that the nodes of `cube` are free, or are not.
    fn mark(&self, words: &mut [Word], cube: &Subcube, free: bool) {
        if SEARCHED {
            fill_cube(words, self.map, cube, free);
        }
    }

    /// The largest dimension up to `below` that is free, and where a search found it.
    fn found(&self, words: &mut [Word], below: Dim) -> Option<(Dim, Near)> {
        let listed = self.cubes.largest()?;
        if !SEARCHED {
            return Some((listed.min(below), Near::NOWHERE));
        }
        let mut search = self.among_free().search(words)?;
        search.near = self.known.near;
        let least = Some(listed).max(self.known.least());
        let largest = search.largest(least, self.known.most(below)).0?;
        Some((largest.min(below), search.near))
    }

    /// A subcube whose nodes are free but not in one cube of the lists, unless what is known rules it out.
    fn scattered(&self, words: &mut [Word], known: &mut Known, dim: Dim) -> Option<Subcube> {
        if !SEARCHED || known.rules_out(words, self.among_free(), dim) {
            return None;
        }
        self.among_free().search(words)?.first(dim).ok().flatten()
    }

    /// Takes one out of the lists.
    fn take_scattered(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let mut known = self.known;
        let scattered = self.scattered(words, &mut known, dim);
        self.known = known;
        let scattered = scattered?;
        // The scratch has served.
        self.cubes.remove_nodes(words, &scattered, self.scratch, None);
        Some(scattered)
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
        let taken = match self.cubes.take(words, dim, None) {
            Some((listed, _)) => listed,
            None => self.take_scattered(words, dim)?,
        };
        self.free = self.free.wrapping_sub(dim.nodes());
        self.mark(words, &taken, false);
        self.known.take();
        Some(taken)
    }

    fn give(&mut self, words: &mut [Word], cube: Subcube) {
        self.free = self.free.wrapping_add(cube.len());
        self.cubes.give(words, &cube, 0, None);
        self.mark(words, &cube, true);
        self.known.give();
        if self.free == self.dims.nodes() && self.cubes.largest() != Some(self.dims) {
            self.cubes.reset(words);
        }
    }

    fn remove(&mut self, words: &mut [Word], node: Node) {
        self.remove_cube(words, &Subcube::from_parts(self.dims, node.0, 0));
    }

    fn remove_cube(&mut self, words: &mut [Word], cube: &Subcube) {
        self.cubes.remove(words, cube, self.scratch, None);
        self.mark(words, cube, false);
        self.free = self.free.wrapping_sub(cube.len());
        self.known.take();
    }

    fn remove_out(&mut self, words: &mut [Word], _: &[Node], serving: &[Word]) -> u32 {
        let removed = self.cubes.remove_out(words, serving, self.scratch, None);
        if SEARCHED {
            let map = words.iter_mut().skip(self.map).take(words_for(self.dims.nodes() as usize));
            map.zip(serving).for_each(|(free, serving)| *free &= serving);
        }
        self.free = self.free.wrapping_sub(removed);
        self.known.take();
        removed
    }

    fn holds(&self, words: &[Word], node: Node) -> bool {
        if SEARCHED {
            bit(words, self.map, node.0)
        } else {
            self.cubes.containing(words, node).is_some()
        }
    }

    fn largest(&self, words: &mut [Word], below: Dim) -> Option<Dim> {
        self.found(words, below).map(|(largest, _)| largest)
    }

    fn settle(&mut self, words: &mut [Word], below: Dim) -> Option<Dim> {
        let found = self.found(words, below)?;
        if SEARCHED && self.dims <= fold::DECIDED {
            let map = self.among_free();
            self.known.settle(words, map, found);
        }
        Some(found.0)
    }

    fn fits(&self, words: &mut [Word], dim: Dim) -> bool {
        self.cubes.largest() >= Some(dim)
            || self.scattered(words, &mut { self.known }, dim).is_some()
    }

    fn count(&self, words: &mut [Word], dim: Dim) -> u64 {
        let mut totals = [0; Dim::COUNT];
        self.count_all(words, self.dims, &mut totals);
        totals.get(usize::from(dim.get())).copied().unwrap_or(0)
    }

    fn count_all(&self, words: &mut [Word], _: Dim, totals: &mut [u64; Dim::COUNT]) {
        if !SEARCHED {
            self.cubes.count_inside(words, totals);
        } else if let Some(mut search) = self.among_free().search(words) {
            search.count(totals);
        }
    }

    fn is_decided(&self, words: &mut [Word], dim: Dim) -> bool {
        let searched = SEARCHED && self.dims > fold::DECIDED && self.cubes.largest() < Some(dim);
        !searched
            || self.among_free().search(words).is_none_or(|mut search| search.first(dim).is_ok())
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
        let mut nodes = 0u32;
        let marked = (0..self.dims.nodes()).map(Node).all(|node| {
            let listed = self.cubes.containing(words, node).is_some();
            nodes = nodes.wrapping_add(u32::from(listed));
            listed == self.holds(words, node)
        });
        let listed = self.cubes.nodes(words);
        let map = words.get(self.map..).unwrap_or_default();
        let clear = !SEARCHED || padding_is_clear(map, self.dims.nodes() as usize);
        let whole = self.free != self.dims.nodes() || self.cubes.largest() == Some(self.dims);
        self.cubes.check(words, None)
            && marked
            && clear
            && nodes == listed
            && listed == self.free
            && whole
    }
}
