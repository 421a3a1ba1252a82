//! The complete strategy: every free subcube is seen, and the one is taken that is missed least.
//!
//! Source: recognition by folding and placement by windows, both worked out for this project (see
//! `fold` and `window`). Of the free subcubes in the first window that has one and is not wholly
//! free, the one is taken whose loss harms larger requests least. If no window has one, the first
//! that a search finds is taken, by mask and then by base.
//!
//! - Recognises all C(n, k) * 2^(n-k) k-subcubes: a refusal as fragmented is given exactly if no
//!   free k-subcube exists. A search ends after as many word operations as [`Effort`] allows;
//!   without an answer by then the refusal is another one.
//! - Cost, in word operations, w = 6 (5 on a 32-bit target): a placement about 10,000 + 100 * 2^(n-w)
//!   for each level of windows, of which there are n / 6; if no window has a subcube, a search,
//!   at most 2^w * 3^(n-w); if there is none at all, a search for each smaller dimension to name
//!   the largest that is free. A release: 7 for each word of the subcube.
//! - Bits: 7 a node for the map and the links, 5 for scratch (4 on a 32-bit target).
//!
//! Choose it where being refused costs more than a few microseconds, and as the yardstick for the
//! others.

use super::fold::{self, Search};
use super::refusal_bound::RefusalBound;
use super::window::{SPAN, Windows, link_start};
use super::{LargestDim, Pool, Start, Starts, Strategy, Undecided};
use crate::bits::algebra::{count, keep};
use crate::bits::{Word, bit, ones, padding_is_clear, words_for};
use crate::cube::{Dim, Node, Subcube};

/// How many word operations a search for a free subcube may take.
///
/// What a search has not found by then is neither granted nor known not to be there:
/// [`Refusal::Undecided`](super::Refusal::Undecided). The default is what the worst of all states
/// of a machine of 16 dimensions can take, so that no answer there is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Effort(pub u64);

impl Effort {
    /// Decides everything, however long it takes.
    pub const EXACT: Self = Self(u64::MAX);

    /// Decides everything on a machine of so many dimensions.
    pub const fn exact_up_to(dims: Dim) -> Self {
        Self(fold::most_operations(dims))
    }
}

impl Default for Effort {
    fn default() -> Self {
        DEFAULT_EFFORT
    }
}

const DEFAULT_EFFORT: Effort = Effort::exact_up_to(fold::DECIDED);

impl<S> Pool<Complete, S> {
    /// Sets how long searches may take, from now on.
    pub const fn set_effort(&mut self, effort: Effort) {
        let strategy = &mut self.core.strategy;
        let decides = Complete::decides(strategy.dims, effort);
        strategy.effort = effort;
        strategy.bound = RefusalBound::new(strategy.dims, decides);
    }
}

/// The complete strategy: a map of the free nodes, a bit a node, the scratch of a search, and the links.
///
/// # Invariants
///
/// - Bits beyond the last node are clear, since searches fold whole words.
/// - There is a bit vector of links for each dimension of a window. A node's bit is set exactly if
///   the neighbour along that dimension came out of the free nodes together with it, and neither
///   has come back.
#[derive(Clone, Copy, Debug)]
pub struct Complete {
    dims: Dim,
    effort: Effort,
    bound: RefusalBound,
}

impl Complete {
    /// How it starts on a machine of this size.
    pub const fn start(dims: Dim) -> Start<Self> {
        let nodes = dims.nodes() as usize;
        let words = Self::links(dims) + words_for(nodes) * SPAN as usize;
        let bound = RefusalBound::new(dims, Self::decides(dims, DEFAULT_EFFORT));
        Start::new(Self { dims, effort: DEFAULT_EFFORT, bound }, words, [(0, nodes)])
    }

    /// The word at which the links start.
    const fn links(dims: Dim) -> usize {
        words_for(dims.nodes() as usize) + fold::ample_scratch_words(dims)
    }

    /// Whether no search of so much effort is given up.
    const fn decides(dims: Dim, effort: Effort) -> bool {
        let by_default = effort.0 >= DEFAULT_EFFORT.0 && dims.get() <= fold::DECIDED.get();
        by_default || effort.0 >= Effort::exact_up_to(dims).0
    }

    /// A search of the free nodes.
    fn search<'a>(&self, words: &'a mut [Word]) -> Search<'a> {
        let scratch = words_for(self.dims.nodes() as usize)..Self::links(self.dims);
        Search::in_words(words, self.dims, 0, scratch).with_effort(self.effort.0)
    }

    /// The subcube to take for a request of dimension `dim`, if it lies well.
    fn choose(&self, words: &[Word], dim: Dim) -> Option<Subcube> {
        let dim = u32::from(dim.get());
        Windows::new(words, self.dims, Self::links(self.dims)).choose(dim / SPAN, dim % SPAN)
    }

    /// Records whether the nodes of `cube` belong together along the dimensions of `mask`.
    fn link(&self, words: &mut [Word], cube: &Subcube, mask: u32, value: bool) {
        let inside = self.dims.nodes().wrapping_sub(1) & ((1 << SPAN) - 1);
        for dim in ones((mask & inside) as Word) {
            let (base, mask) = (cube.base().0 & !(1 << dim), cube.mask() | 1 << dim);
            let both = Subcube::from_parts(self.dims, base, mask);
            both.fill(words, link_start(self.dims, Self::links(self.dims), dim), value);
        }
    }
}

impl Strategy for Complete {
    const NAME: &'static str = "complete";
    const STARTS: Starts<Self> = crate::starts!(Self::start);

    fn allocate(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        if self.bound.rules_out(dim) {
            return None;
        }
        let cube = match self.choose(words, dim) {
            Some(chosen) => chosen,
            None => self.bound.first(&mut self.search(words), dim)?,
        };
        self.remove(words, &cube, None);
        Some(cube)
    }

    fn free(&mut self, words: &mut [Word], cube: Subcube) {
        cube.fill(words, 0, true);
        self.bound.raise(cube.dim());
        // It may be a part of what was taken.
        self.link(words, &cube, u32::MAX, false);
    }

    fn remove(&mut self, words: &mut [Word], cube: &Subcube, kept: Option<&[Word]>) -> u32 {
        self.bound.lower();
        let Some(kept) = kept else {
            cube.fill(words, 0, false);
            self.link(words, cube, cube.mask(), true);
            return cube.len();
        };
        let map = words.get_mut(..words_for(self.dims.nodes() as usize)).unwrap_or_default();
        count(map).wrapping_sub(keep(map, kept))
    }

    fn is_free(&self, words: &[Word], node: Node) -> bool {
        bit(words, 0, node.0)
    }

    fn largest(&mut self, words: &mut [Word], most: Dim) -> LargestDim {
        if Self::decides(self.dims, self.effort) {
            return match self.bound.known(None, most) {
                Some(known) => Ok(Some(known)),
                None => self.bound.largest(&mut self.search(words), None, most),
            };
        }
        let mut grants = |dim| match self.search(words).first(dim) {
            Err(Undecided) if self.choose(words, dim).is_none() => Err(Undecided),
            found => Ok(found != Ok(None)),
        };
        if grants(most)? {
            return Ok(Some(most));
        }
        // From below: searches that find something end early. One that is given up rules nothing out.
        let mut largest = None;
        for dim in most.up_to() {
            match grants(dim) {
                Ok(true) => largest = Some(dim),
                Ok(false) => break,
                Err(Undecided) => {}
            }
        }
        Ok(largest)
    }

    fn count(&self, words: &mut [Word], totals: &mut [u64; Dim::COUNT]) {
        self.search(words).count(totals);
    }

    fn max_in_service(&self, words: &mut [Word], serving: &[Word], most: Dim) -> LargestDim {
        let scratch = words_for(self.dims.nodes() as usize)..Self::links(self.dims);
        let scratch = words.get_mut(scratch).unwrap_or_default();
        Search::new(self.dims, serving, scratch).max_in_service(most)
    }

    fn check(&self, words: &[Word]) -> bool {
        let nodes = self.dims.nodes();
        let linked = |node: u32, dim: u32| {
            let start = link_start(self.dims, Self::links(self.dims), dim);
            bit(words, start, node)
        };
        // Between two nodes that are not free, or not at all.
        let links = (0..nodes).all(|node| {
            (0..SPAN.min(u32::from(self.dims.get()))).all(|dim| {
                let other = node ^ 1 << dim;
                let free = self.is_free(words, Node(node)) || self.is_free(words, Node(other));
                linked(node, dim) == linked(other, dim) && !(free && linked(node, dim))
            })
        });
        links && padding_is_clear(words, nodes as usize)
    }
}
