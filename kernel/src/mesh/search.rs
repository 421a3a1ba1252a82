//! Subcubes that lie across the pieces of a leftover.
//!
//! Any subcube of free nodes inside one leftover is as safe as the leftover itself (theorem 1 speaks
//! of it as a whole), but the auxiliary list joins pairs only. So the free nodes of a leftover are
//! drawn as a map of a cube of its own and searched exactly (see `subcube::fold`). Meshes come by
//! rising base, leftovers in the order of the partition, subcubes by mask and base.
//!
//! A strategy that does not recombine is the list of the literature, which has no such search.
//!
//! Cost: the words of a bit vector, a partition for each mesh large enough, and for each leftover
//! with enough free nodes its pieces and a search in its dimensions. In leftovers of more than 16 the
//! search may be given up.

use super::afl::Core;
use crate::bits::{Word, words_for};
use crate::cube::{Dim, Subcube};
use crate::subcube::Strategy;
use crate::subcube::cube_lists::{clear_bits, fill_cube};
use crate::subcube::fold::{Counter, DECIDED, MapAt, Search};

/// Whether other leftovers are to be looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    GoOn,
    Stop,
}

impl Then {
    const fn stop_if(done: bool) -> Self {
        if done { Self::Stop } else { Self::GoOn }
    }
}

impl<T: Strategy> Core<T> {
    /// Looks at each leftover that has 2^`least` free nodes, until it is told to stop.
    fn look(
        &self,
        words: &mut [Word],
        least: Dim,
        look: &mut dyn FnMut(Search<'_>, &Subcube) -> Then,
    ) {
        let pairs = self.auxiliary.largest().is_some_and(|largest| largest > Dim::ZERO);
        // Of two neighbours that are free in one leftover, one would lie in a larger cube.
        if !T::RECOMBINES || !(pairs || least == Dim::ZERO) {
            return;
        }
        let mut bases = self.bases();
        while let Some(lease) = self.next_lease(words, &mut bases) {
            // A leftover is a quarter of the subcube at most.
            if lease.cube().len() >> 2 < least.nodes() {
                continue;
            }
            for leftover in self.mesh_of(words, lease).mesh().partition().leftover() {
                let free = self.homes.free(words, leftover.base().0);
                if free < least.nodes() || leftover.dim() < least {
                    continue;
                }
                let Some(search) = self.drawn(words, &leftover) else { continue };
                if look(search, &leftover) == Then::Stop {
                    return;
                }
            }
        }
    }

    /// A search of what is free in `leftover`, drawn as a map of a cube of its own. A leftover is a
    /// quarter of the cube at most, so behind the map there is as much room for scratch; none is
    /// needed within a word.
    fn drawn<'a>(&self, words: &'a mut [Word], leftover: &Subcube) -> Option<Search<'a>> {
        let (ledger, dims) = (self.inventory.ledger, self.inventory.dims);
        clear_bits(words, ledger.room, leftover.dim());
        let mut pieces = self.homes.pieces(leftover);
        while let Some(base) = pieces.next(words) {
            if let Some(cube) = self.auxiliary.cube_from(words, base) {
                fill_cube(words, ledger.room, &cube.seen_from(leftover), true);
            }
        }
        let map = words_for(leftover.len() as usize);
        let scratch = words_for(dims.nodes() as usize).wrapping_sub(map).min(map);
        MapAt { start: ledger.room, dims: leftover.dim(), scratch }.search(words)
    }

    /// A subcube whose nodes are free in one leftover, and that leftover.
    pub(super) fn scattered(&self, words: &mut [Word], dim: Dim) -> Option<(Subcube, u32)> {
        let mut found = None;
        self.look(words, dim, &mut |mut search, leftover| {
            let cube = search.first(dim).ok().flatten();
            found = cube.map(|cube| (cube.placed_in(leftover), leftover.base().0));
            Then::stop_if(found.is_some())
        });
        found
    }

    /// Whether a search for a subcube of `dim` dimensions in a leftover is given up.
    pub(super) fn gave_up(&self, words: &mut [Word], dim: Dim) -> bool {
        // The largest leftover is a quarter of the machine.
        let decided = self.inventory.dims.get() <= DECIDED.get().wrapping_add(2);
        let mut gave_up = false;
        if !decided {
            self.look(words, dim, &mut |mut search, _| {
                gave_up = search.first(dim).is_err();
                Then::stop_if(gave_up)
            });
        }
        gave_up
    }

    /// The largest dimension of a subcube in a leftover, if that is between these, and `from` if it
    /// is smaller.
    pub(super) fn largest_scattered(&self, words: &mut [Word], from: Dim, to: Dim) -> Dim {
        let mut largest = from;
        if from >= to {
            return from;
        }
        let least = from.up().unwrap_or(to);
        self.look(words, least, &mut |mut search, leftover| {
            let to = to.min(leftover.dim());
            largest = search.largest(Some(largest), to).0.unwrap_or(largest);
            Then::GoOn
        });
        largest
    }

    /// Adds the subcubes of each dimension whose nodes are free in one leftover, as far as they are
    /// seen, to `totals`.
    pub(super) fn count_scattered(&self, words: &mut [Word], totals: &mut [u64; Dim::COUNT]) {
        if !T::RECOMBINES {
            return self.auxiliary.count_inside(words, totals);
        }
        let counter = Counter::new();
        self.look(words, Dim::ZERO, &mut |mut search, _| {
            search.count(&counter, totals);
            Then::GoOn
        });
    }
}
