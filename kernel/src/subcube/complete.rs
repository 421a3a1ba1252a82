//! The complete strategy: every free subcube is seen, and the one is taken that spoils least.
//!
//! Source: recognition by folding, worked out for this project (see `fold`); of the free
//! k-subcubes that one is taken whose nodes belong to the fewest free (k+1)-subcubes, so that the
//! fewest of these are destroyed. Ties go to the smallest mask (lowest dimensions), then to the
//! smallest base.
//!
//! - Recognises all C(n, k) * 2^(n-k) k-subcubes: a refusal as fragmented is given exactly if no
//!   free k-subcube exists.
//! - Cost: a query up to about 3^n / 64 word operations; a placement three such searches for
//!   every 32 candidates it compares, whose number is bounded by [`Effort`].
//! - Bits: 1 a node for the map, 6 for scratch (5 on a 32-bit target).
//!
//! Choose it on machines up to some 12 dimensions where being refused costs more than a few
//! microseconds, and as the yardstick for the others.

use super::candidates::Candidates;
use super::cube_lists::fill_cube;
use super::fold::{self, Search};
use super::{Pool, Start, Strategy};
use crate::bits::{Word, all_set, fill, padding_is_clear, words_for};
use crate::cube::{Dim, Node, Subcube};

/// How many free subcubes a placement compares at most, in the order in which ties are broken.
///
/// The best of all is found if there are no more candidates than that; [`Effort::EXACT`] compares
/// all. If no larger subcube is free, the first candidate is the best and no other is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Effort(pub u32);

impl Effort {
    /// Compares all candidates.
    pub const EXACT: Self = Self(u32::MAX);
}

impl Default for Effort {
    fn default() -> Self {
        DEFAULT_EFFORT
    }
}

const DEFAULT_EFFORT: Effort = Effort(64);

impl<S> Pool<Complete, S> {
    /// Sets how hard placements try, from now on.
    pub const fn set_effort(&mut self, effort: Effort) {
        self.strategy_mut().effort = effort;
    }
}

/// The complete strategy: a map of the free nodes, a bit a node, and after it the scratch of a search.
///
/// - Bits beyond the last node are clear, since searches fold whole words.
#[derive(Clone, Copy, Debug)]
pub struct Complete {
    dims: Dim,
    effort: Effort,
}

impl Complete {
    const fn start(dims: Dim) -> Start<Self> {
        let nodes = dims.nodes() as usize;
        let words = words_for(nodes) + fold::ample_scratch_words(dims);
        Start::new(Self { dims, effort: DEFAULT_EFFORT }, words, [(0, nodes)])
    }

    fn search<'a>(&self, words: &'a mut [Word]) -> Option<Search<'a>> {
        Search::at(words, 0, self.dims, fold::ample_scratch_words(self.dims))
    }

    /// The free subcube of dimension `dim` to take.
    fn choose(&self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let mut search = self.search(words)?;
        let larger = dim.up().filter(|&up| up <= self.dims);
        let Some(up) = larger.filter(|&up| search.first(up).is_some()) else {
            return search.first(dim);
        };
        let effort = self.effort.0.max(1);
        let mut compared = 0;
        let mut best: Option<(u32, u32, u32)> = None;
        while compared < effort {
            let most = effort.wrapping_sub(compared);
            let mut candidates = candidates(&mut search, dim, compared, most);
            search.visit(up, |fold| {
                fold.subcubes().for_each(|larger| candidates.count(&larger));
                false
            });
            // The first of equals stays: `min_by_key` returns it.
            best = best.into_iter().chain(candidates.best()).min_by_key(|it| it.2);
            compared = compared.saturating_add(candidates.len());
            if candidates.len() < Candidates::MOST as u32 {
                break;
            }
        }
        best.map(|(base, mask, _)| Subcube::from_parts(self.dims, base, mask))
    }
}

impl Strategy for Complete {
    const NAME: &'static str = "complete";
    const START: &'static [Start<Self>; Dim::COUNT] = crate::by_dimension!(Self::start);

    fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<Subcube> {
        let cube = self.choose(words, dim)?;
        fill_cube(words, 0, &cube, false);
        Some(cube)
    }

    fn give(&mut self, words: &mut [Word], cube: Subcube) {
        fill_cube(words, 0, &cube, true);
    }

    fn remove(&mut self, words: &mut [Word], node: Node) {
        fill(words, node.0 as usize, 1, false);
    }

    fn holds(&self, words: &[Word], node: Node) -> bool {
        all_set(words, node.0 as usize, 1)
    }

    fn largest(&self, words: &mut [Word], below: Dim) -> Option<Dim> {
        self.search(words)?.largest(Dim::ZERO, below)
    }

    fn fits(&self, words: &mut [Word], dim: Dim) -> bool {
        self.search(words).is_some_and(|mut search| search.first(dim).is_some())
    }

    fn count(&self, words: &mut [Word], dim: Dim) -> u64 {
        self.search(words).map_or(0, |mut search| search.count(dim))
    }

    fn possible(&self, words: &mut [Word], serving: &[Word]) -> Option<Dim> {
        Search { map: serving, ..self.search(words)? }.largest(Dim::ZERO, self.dims)
    }

    /// Nothing is derived.
    fn check(&self, words: &[Word]) -> bool {
        padding_is_clear(words, self.dims.nodes() as usize)
    }
}

/// The free subcubes of dimension `dim` after the first `skip`, at most `most`.
fn candidates(search: &mut Search<'_>, dim: Dim, skip: u32, most: u32) -> Candidates {
    let mut candidates = Candidates::new();
    let mut skip = u64::from(skip);
    search.visit(dim, |fold| {
        let here = fold.count();
        if skip >= here {
            skip = skip.wrapping_sub(here);
            return false;
        }
        let from = skip as usize;
        skip = 0;
        let mut cubes = fold.subcubes().skip(from);
        cubes.any(|cube| !candidates.push(&cube) || candidates.len() >= most)
    });
    candidates
}
