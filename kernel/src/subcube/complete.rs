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
//! - Bits: 7 a node for the map and the links, one for the map as it was, 5 for scratch (4 on a 32-bit target).
//!
//! Choose it where being refused costs more than a few microseconds, and as the yardstick for the
//! others.

use super::cube_lists::fill_cube;
use super::fold::{self, MapAt, Search};
use super::known::Known;
use super::through::Near;
use super::window::{SPAN, Windows, link_start};
use super::{Pool, Start, Strategy, Undecided};
use crate::bits::{WORD_LOG2, Word, all_set, fill, ones, padding_is_clear, tally, words_for};
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
        let strategy = self.strategy_mut();
        strategy.effort = effort;
        strategy.known = Known::nothing(strategy.dims);
    }
}

/// The complete strategy: a map of the free nodes, a bit a node, after it the map as it was at
/// the last refusal, the scratch of a search, and the links.
///
/// - Bits beyond the last node are clear, since searches fold whole words.
/// - There is a bit vector of links for each dimension of a window. A node's bit is set exactly if
///   the neighbour along that dimension came out of the free nodes together with it, and neither
///   has come back.
/// - What is `known` holds of all free nodes; nothing is where a search may be given up.
#[derive(Clone, Copy, Debug)]
pub struct Complete {
    dims: Dim,
    effort: Effort,
    known: Known,
}

impl Complete {
    const fn start(dims: Dim) -> Start<Self> {
        let nodes = dims.nodes() as usize;
        let words = Self::links(dims) + words_for(nodes) * SPAN as usize;
        let known = Known::nothing(dims);
        Start::new(Self { dims, effort: DEFAULT_EFFORT, known }, words, [(0, nodes)])
    }

    /// The word at which the links start.
    const fn links(dims: Dim) -> usize {
        words_for(dims.nodes() as usize) * 2 + fold::ample_scratch_words(dims)
    }

    /// The map of the free nodes.
    const fn map(&self) -> MapAt {
        let scratch = words_for(self.dims.nodes() as usize) * 2;
        MapAt { start: 0, dims: self.dims, scratch, len: fold::ample_scratch_words(self.dims) }
    }

    /// The first free subcube of dimension `dim` by mask and base, or whether there is none.
    fn first(&self, words: &mut [Word], dim: Dim) -> Result<Option<Subcube>, Undecided> {
        self.drawn(words).map_or(Ok(None), |mut search| search.first(dim))
    }

    /// A search of the free nodes.
    fn drawn<'a>(&self, words: &'a mut [Word]) -> Option<Search<'a>> {
        let effort = i64::try_from(self.effort.0).unwrap_or(i64::MAX);
        let mut search = self.map().search(words)?;
        (search.near, search.effort) = (self.known.near, effort);
        Some(search)
    }

    /// Whether no search is given up.
    fn decides(&self) -> bool {
        let by_default = self.effort >= DEFAULT_EFFORT && self.dims <= fold::DECIDED;
        by_default || self.effort >= Effort::exact_up_to(self.dims)
    }

    /// The largest dimension up to `below` that is free, and where it was found.
    fn found(&self, words: &mut [Word], below: Dim) -> Option<(Dim, Near)> {
        let mut search = self.drawn(words)?;
        let largest = search.largest(self.known.least(), self.known.most(below)).0?;
        Some((largest.min(below), search.near))
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
            fill_cube(words, link_start(self.dims, Self::links(self.dims), dim), &both, value);
        }
    }
}

impl Strategy for Complete {
    const NAME: &'static str = "complete";
    const START: &'static [Start<Self>; Dim::COUNT] = crate::by_dimension!(Self::start);

    fn start(dims: Dim) -> Start<Self> {
        Self::start(dims)
    }

    fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        // If there was none, a search around what was given takes less than the windows.
        let since = if self.known.was_beyond(dim) {
            if self.known.rules_out(words, self.map(), dim) {
                return None;
            }
            Some(self.first(words, dim).ok().flatten()?)
        } else {
            None
        };
        let chosen = self.choose(words, dim).or(since);
        let cube = chosen.or_else(|| self.first(words, dim).ok().flatten())?;
        self.remove_cube(words, &cube);
        Some(cube)
    }

    fn give(&mut self, words: &mut [Word], cube: Subcube) {
        fill_cube(words, 0, &cube, true);
        self.known.give();
        // It may be a part of what was taken.
        self.link(words, &cube, u32::MAX, false);
    }

    fn remove(&mut self, words: &mut [Word], node: Node) {
        tally::add(1);
        fill(words, node.0 as usize, 1, false);
        self.known.take();
    }

    fn remove_cube(&mut self, words: &mut [Word], cube: &Subcube) {
        fill_cube(words, 0, cube, false);
        self.link(words, cube, cube.mask(), true);
        self.known.take();
    }

    fn remove_out(&mut self, words: &mut [Word], _: &[Node], serving: &[Word]) -> u32 {
        tally::add(words_for(self.dims.nodes() as usize));
        self.known.take();
        let nodes = words.iter_mut().take(words_for(self.dims.nodes() as usize)).zip(serving);
        nodes.fold(0, |removed, (free, serving)| {
            let out = *free & !serving;
            *free &= serving;
            removed.wrapping_add(out.count_ones())
        })
    }

    fn holds(&self, words: &[Word], node: Node) -> bool {
        all_set(words, node.0 as usize, 1)
    }

    fn largest(&self, words: &mut [Word], below: Dim) -> Option<Dim> {
        if self.decides() {
            return self.found(words, below).map(|(largest, _)| largest);
        }
        // From below: searches that find something end early, so one at most is exhaustive.
        below.up_to().take_while(|&dim| self.fits(words, dim)).last()
    }

    fn settle(&mut self, words: &mut [Word], below: Dim) -> Option<Dim> {
        if !self.decides() {
            return self.largest(words, below);
        }
        let (found, map) = (self.found(words, below)?, self.map());
        self.known.settle(words, map, found);
        Some(found.0)
    }

    fn fits(&self, words: &mut [Word], dim: Dim) -> bool {
        if { self.known }.rules_out(words, self.map(), dim) {
            return false;
        }
        match self.first(words, dim) {
            Ok(found) => found.is_some(),
            Err(Undecided) => self.choose(words, dim).is_some(),
        }
    }

    fn is_decided(&self, words: &mut [Word], dim: Dim) -> bool {
        self.decides() || self.first(words, dim).is_ok()
    }

    fn count(&self, words: &mut [Word], dim: Dim) -> u64 {
        let mut totals = [0; Dim::COUNT];
        self.count_all(words, self.dims, &mut totals);
        totals.get(usize::from(dim.get())).copied().unwrap_or(0)
    }

    fn count_all(&self, words: &mut [Word], _: Dim, totals: &mut [u64; Dim::COUNT]) {
        if let Some(mut search) = self.map().search(words) {
            search.count(totals);
        }
    }

    fn possible(&self, words: &mut [Word], serving: &[Word]) -> Result<Option<Dim>, Undecided> {
        let Some(mut search) = self.map().search(words) else { return Ok(None) };
        search.map = serving;
        search.possible()
    }

    fn possible_after(
        &self,
        words: &mut [Word],
        serving: &[Word],
        before: Option<Dim>,
        change: (Node, bool),
    ) -> Result<Option<Dim>, Undecided> {
        let Some(mut search) = self.map().search(words) else { return Ok(None) };
        search.map = serving;
        search.possible_after(before, change)
    }

    fn check(&self, words: &[Word]) -> bool {
        let nodes = self.dims.nodes();
        let linked = |node: u32, dim: u32| {
            let start = link_start(self.dims, Self::links(self.dims), dim);
            all_set(words, (start << WORD_LOG2).wrapping_add(node as usize), 1)
        };
        // Between two nodes that are not free, or not at all.
        let links = (0..nodes).all(|node| {
            (0..SPAN.min(u32::from(self.dims.get()))).all(|dim| {
                let other = node ^ 1 << dim;
                let free = self.holds(words, Node(node)) || self.holds(words, Node(other));
                linked(node, dim) == linked(other, dim) && !(free && linked(node, dim))
            })
        });
        links && padding_is_clear(words, nodes as usize)
    }
}
