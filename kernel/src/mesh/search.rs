//! Subcubes that lie across the pieces of a leftover.
//!
//! Any subcube of free nodes inside one leftover is as safe as the leftover itself (theorem 1 speaks
//! of it as a whole), but the auxiliary list joins pairs only. So the free nodes of a leftover are
//! drawn as a map of a cube of its own and searched exactly (see `subcube::fold`). The first is taken:
//! meshes count by rising base, leftovers in the order of the partition, subcubes by mask and base.
//!
//! A strategy that does not recombine is the list of the literature, which has no such search.
//!
//! Cost: the words of a bit vector, a step for each leftover, and for each with enough free nodes those of
//! finding its mesh, its pieces and a search in its dimensions; nothing where a refusal has shown enough
//! (see `largest`). In leftovers of more than 16 the search may be given up.

use super::afl::{Core, Rank};
use super::pieces::FreePieces;
use crate::bits::{Word, clear, words_for};
use crate::cube::{Dim, Subcube};
use crate::subcube::Strategy;
use crate::subcube::cube_lists::count_inside;
use crate::subcube::fold::{DECIDED, Search};

impl<T: Strategy> Core<T> {
    /// Looks at each leftover that has 2^`least` free nodes, by base.
    fn look(
        &self,
        words: &mut [Word],
        least: Dim,
        look: &mut dyn FnMut(&mut [Word], Rank, &Subcube),
    ) {
        let pairs = self.auxiliary.largest().is_some_and(|largest| largest > Dim::ZERO);
        // Of two neighbours that are free in one leftover, one would lie in a larger cube.
        if !T::STARTS.recombines() || !(pairs || least == Dim::ZERO) {
            return;
        }
        let mut bases = self.homes.leftovers(self.inventory.dims);
        while let Some(base) = bases.next(words) {
            if self.homes.free(words, base.0) < least.nodes() {
                continue;
            }
            if let Some((rank, leftover)) = self.leftover_from(words, base) {
                look(words, rank, &leftover);
            }
        }
    }

    /// A search of what is free in `leftover`.
    fn searched<'a>(&self, words: &'a mut [Word], leftover: &Subcube) -> Search<'a> {
        self.drawn(words, leftover, None, self.free_pieces(words, leftover))
    }

    /// A search of these pieces of `leftover`, drawn as a map of a cube of its own. A leftover is a
    /// quarter of the cube at most, so behind the map there is as much room for scratch; none is
    /// needed within a word.
    fn drawn<'a>(
        &self,
        words: &'a mut [Word],
        leftover: &Subcube,
        first: Option<Subcube>,
        mut others: FreePieces,
    ) -> Search<'a> {
        let (ledger, dims) = (self.inventory.ledger, self.inventory.dims);
        let map = words_for(leftover.len() as usize);
        clear(words, ledger.room, map);
        let draw = |words: &mut [Word], piece: Subcube| {
            piece.seen_from(leftover).fill(words, ledger.room, true);
        };
        if let Some(first) = first {
            draw(words, first);
        }
        while let Some(piece) = self.next_free(words, &mut others) {
            draw(words, piece);
        }
        let scratch = words_for(dims.nodes() as usize).wrapping_sub(map).min(map);
        let behind = ledger.room.wrapping_add(map);
        let scratch = behind..behind.wrapping_add(scratch);
        Search::in_words(words, leftover.dim(), ledger.room, scratch)
    }

    /// A subcube whose nodes are free in one leftover, and the base of that.
    pub(super) fn scattered(&self, words: &mut [Word], dim: Dim) -> Option<(Subcube, u32)> {
        let mut first: Option<(Rank, Subcube, u32)> = None;
        if dim <= self.largest.most() {
            self.look(words, dim, &mut |words, rank, leftover| {
                if first.is_some_and(|(found, ..)| found < rank) {
                    return;
                }
                if let Ok(Some(cube)) = self.searched(words, leftover).first(dim) {
                    first = Some((rank, cube.placed_in(leftover), leftover.base().0));
                }
            });
        }
        first.map(|(_, cube, home)| (cube, home))
    }

    /// Whether no search of a leftover is given up: the largest is a quarter of the machine.
    fn decides(&self) -> bool {
        self.inventory.dims.get() <= DECIDED.get().wrapping_add(2)
    }

    /// Whether a search for a subcube of `dim` dimensions in a leftover is given up.
    pub(super) fn gave_up(&self, words: &mut [Word], dim: Dim) -> bool {
        let mut gave_up = false;
        if !self.decides() {
            self.look(words, dim, &mut |words, _, leftover| {
                gave_up |= self.searched(words, leftover).first(dim).is_err();
            });
        }
        gave_up
    }

    /// The largest dimension of a subcube in a leftover, if that is between these, and `from` if it
    /// is smaller; none is larger than `to`.
    pub(super) fn largest_scattered(&mut self, words: &mut [Word], from: Dim, to: Dim) -> Dim {
        let mut largest = self.largest.least().map_or(from, |least| from.max(least));
        let to = to.min(self.largest.most());
        if largest < to {
            let least = largest.up().unwrap_or(to);
            self.look(words, least, &mut |words, _, leftover| {
                let to = to.min(leftover.dim());
                let found = self.searched(words, leftover).largest(Some(largest), to).0;
                largest = found.unwrap_or(largest);
            });
        }
        if self.decides() {
            self.largest.shown(largest, from);
        }
        largest
    }

    /// Adds the subcubes of each dimension whose nodes are free in one leftover, as far as they are
    /// seen, to `totals`.
    pub(super) fn count_scattered(&self, words: &mut [Word], totals: &mut [u64; Dim::COUNT]) {
        if !T::STARTS.recombines() {
            return self.auxiliary.count_inside(words, totals);
        }
        // All of them: by mesh, so that none has to be found by its base.
        let mut bases = self.bases();
        while let Some(lease) = self.next_lease(words, &mut bases) {
            // A leftover is a quarter of the subcube at most.
            if lease.cube().len() < 4 {
                continue;
            }
            for leftover in self.mesh_of(words, lease).mesh().partition().leftover() {
                self.count_in(words, &leftover, totals);
            }
        }
    }

    fn count_in(&self, words: &mut [Word], leftover: &Subcube, totals: &mut [u64; Dim::COUNT]) {
        let mut pieces = self.free_pieces(words, leftover);
        let Some(first) = self.next_free(words, &mut pieces) else { return };
        if pieces.is_over() {
            count_inside(first.dim(), 1, totals);
        } else {
            self.drawn(words, leftover, Some(first), pieces).count(totals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::PoolId;
    use crate::mesh::{Leftover, MeshLease, Shape};
    use crate::subcube::{Buddy, FreeList, Refusal};
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    /// A pool of meshes with its storage.
    struct Pool<T> {
        core: Core<T>,
        words: Vec<Word>,
    }

    impl<T: Strategy> Pool<T> {
        /// With as many meshes of 5x5 as fit, and nodes of their leftover, each leased alone.
        fn crowded(dims: u8) -> (Self, Vec<MeshLease>) {
            let dims = Dim::new(dims).unwrap();
            let start = T::STARTS.compute(dims);
            let core = Core::new(PoolId(1), dims, &start, Leftover::Reused);
            let mut pool = Self { words: vec![0; core.words()], core };
            pool.core.inventory.start(&mut pool.words, &start);
            while pool.allocate(Shape::rectangle(5, 5).unwrap()).is_ok() {}
            let one = Shape::line(1).unwrap();
            let tenants = core::iter::from_fn(|| pool.allocate(one).ok()).collect();
            (pool, tenants)
        }

        fn allocate(&mut self, shape: Shape) -> Result<MeshLease, Refusal> {
            self.core.allocate(&mut self.words, shape)
        }

        fn release(&mut self, lease: MeshLease) {
            self.core.release(&mut self.words, &lease).unwrap();
        }

        fn is_sound(&mut self) -> bool {
            self.core.check_invariants(&mut self.words).is_ok()
        }

        /// Requests of all dimensions, each twice, are answered as by a pool that knows nothing beforehand.
        fn answers(&mut self) {
            let (mut other, dims) = (self.core.clone(), self.core.inventory.dims);
            for dim in dims.up_to().rev().flat_map(|dim| [dim, dim]) {
                other.largest.forget(dims);
                let expected = other.would_fit(&mut self.words, dim);
                assert_eq!(self.core.would_fit(&mut self.words, dim), expected);
            }
        }
    }

    /// Releases and grants tenants of leftovers one by one, and shows the pool after each. It returns
    /// whether what lies across pieces was ever larger than what is listed.
    fn change<T: Strategy>(dims: u8, mut look: impl FnMut(&mut Pool<T>, Option<Dim>)) -> bool {
        let (mut pool, mut tenants) = Pool::<T>::crowded(dims);
        let (mut state, mut any) = (1u64, false);
        for _ in 0..300 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let drawn = (state >> 33) as usize;
            if !drawn.is_multiple_of(4) && !tenants.is_empty() {
                pool.release(tenants.swap_remove(drawn / 4 % tenants.len()));
            } else {
                let line = Shape::line(1 << (drawn / 4 % 4)).unwrap();
                tenants.extend(pool.allocate(line));
            }
            let beyond = pool.core.auxiliary.largest().and_then(Dim::up);
            let beyond = beyond.filter(|&it| pool.core.scattered(&mut pool.words, it).is_some());
            any |= beyond.is_some();
            look(&mut pool, beyond);
        }
        any
    }

    #[test]
    fn what_refusals_have_shown_changes_no_answer() {
        fn look<T: Strategy>(pool: &mut Pool<T>, _: Option<Dim>) {
            pool.answers();
            assert!(pool.is_sound());
        }
        assert!(change::<FreeList>(6, look));
        assert!(change::<Buddy>(7, look));
    }

    #[test]
    fn a_stale_bound_is_caught() {
        let plant = |pool: &mut Pool<FreeList>, beyond: Option<Dim>| {
            let (sound, Some(beyond)) = (pool.core.largest, beyond) else { return };
            let dims = pool.core.inventory.dims;
            pool.core.largest.shown(beyond.down().unwrap(), dims);
            assert!(!pool.is_sound(), "a bound that is too low");
            pool.core.largest.forget(dims);
            pool.core.largest.shown(dims, Dim::ZERO);
            assert!(!pool.is_sound(), "a subcube that is not there");
            pool.core.largest = sound;
            assert!(pool.is_sound());
        };
        assert!(change(6, plant));
    }
}
