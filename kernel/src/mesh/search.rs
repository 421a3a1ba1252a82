//! Subcubes that lie across the fragments of a leftover.
//!
//! Any subcube of free nodes inside one leftover is as safe as the leftover itself (theorem 1 speaks
//! of it as a whole), but the auxiliary list joins pairs only. So the free nodes of a leftover are
//! drawn as a map of a cube of its own and searched exactly (see `subcube::fold`). The first is taken:
//! meshes count by rising base, leftovers in the order of the partition, subcubes by mask and base.
//!
//! A strategy that does not recombine is the list of the literature, which has no such search.
//!
//! Cost: a step for each mesh and each leftover, and for each with enough free nodes those of its
//! fragments and of a search in its dimensions; nothing where a refusal has shown enough (the bound of
//! the auxiliary list). In leftovers of more than 16 dimensions the search may be given up.

use super::afl::Core;
use crate::bits::{Word, clear, words_for};
use crate::cube::{Dim, Subcube};
use crate::subcube::Strategy;
use crate::subcube::fold::{DECIDED, Search};

impl<T: Strategy> Core<T> {
    /// Visits a search of each leftover that has 2^`least` free nodes, until a visit says that it was
    /// the last.
    fn search_leftovers(
        &self,
        words: &mut [Word],
        least: Dim,
        visit: &mut dyn FnMut(Search<'_>, &Subcube) -> bool,
    ) {
        // If only single nodes are listed, no two neighbours are free in one leftover.
        let listed = self.auxiliary.lists.largest();
        let enough = listed > Some(Dim::ZERO) || listed.is_some() && least == Dim::ZERO;
        if !T::STARTS.recombines() || !enough {
            return;
        }
        let mut bases = self.bases();
        while let Some(lease) = self.next_lease(words, &mut bases) {
            // A leftover is a quarter of the subcube at most.
            if lease.cube().len() < 4 {
                continue;
            }
            for leftover in self.mesh_of(words, lease).mesh().leftover() {
                if self.auxiliary.owners.free(words, leftover.base().0) < least.nodes() {
                    continue;
                }
                if visit(self.drawn(words, &leftover), &leftover) {
                    return;
                }
            }
        }
    }

    /// A search of what is free in `leftover`, drawn as a map of a cube of its own. A leftover is a
    /// quarter of the cube at most, so behind the map there is as much room for scratch; none is
    /// needed within a word.
    fn drawn<'a>(&self, words: &'a mut [Word], leftover: &Subcube) -> Search<'a> {
        let (room, dims) = (self.inventory.ledger.room, self.inventory.dims);
        let map = words_for(leftover.len() as usize);
        clear(words, room, map);
        let mut fragments = self.auxiliary.owners.fragments(leftover);
        while let Some(cube) = self.auxiliary.next_free(words, &mut fragments) {
            cube.seen_from(leftover).fill(words, room, true);
        }
        let scratch = words_for(dims.nodes() as usize).wrapping_sub(map).min(map);
        let behind = room.wrapping_add(map);
        let scratch = behind..behind.wrapping_add(scratch);
        Search::in_words(words, leftover.dim(), room, scratch)
    }

    /// A subcube whose nodes are free in one leftover, and the base of that.
    pub(super) fn scattered(&self, words: &mut [Word], dim: Dim) -> Option<(Subcube, u32)> {
        if dim > self.auxiliary.bound {
            return None;
        }
        let mut first = None;
        self.search_leftovers(words, dim, &mut |mut search, leftover| {
            let found = search.first(dim).ok().flatten();
            first = found.map(|cube| (cube.placed_in(leftover), leftover.base().0));
            first.is_some()
        });
        first
    }

    /// Whether no search of a leftover is given up: the largest is a quarter of the machine.
    fn decides(&self) -> bool {
        self.inventory.dims.get() <= DECIDED.get().wrapping_add(2)
    }

    /// Whether a search for a subcube of `dim` dimensions in a leftover is given up.
    pub(super) fn gave_up(&self, words: &mut [Word], dim: Dim) -> bool {
        let mut gave_up = false;
        if !self.decides() {
            self.search_leftovers(words, dim, &mut |mut search, _| {
                gave_up = search.first(dim).is_err();
                gave_up
            });
        }
        gave_up
    }

    /// The largest dimension of a subcube in a leftover, if that is between these, and `from` if it
    /// is smaller; none is larger than `to`. What it shows is noted as a bound.
    pub(super) fn largest_scattered(&mut self, words: &mut [Word], from: Dim, to: Dim) -> Dim {
        let to = to.min(self.auxiliary.bound);
        let mut largest = from;
        if from < to {
            self.search_leftovers(words, from.up().unwrap_or(to), &mut |mut search, leftover| {
                let most = to.min(leftover.dim());
                largest = search.largest(Some(largest), most).0.unwrap_or(largest);
                largest == to
            });
        }
        if self.decides() {
            self.auxiliary.bound = self.auxiliary.bound.min(largest);
        }
        largest
    }

    /// Adds the subcubes of each dimension whose nodes are free in one leftover, as far as they are
    /// seen, to `totals`.
    pub(super) fn count_scattered(&self, words: &mut [Word], totals: &mut [u64; Dim::COUNT]) {
        if !T::STARTS.recombines() {
            return self.auxiliary.lists.count_inside(words, totals);
        }
        self.search_leftovers(words, Dim::ZERO, &mut |mut search, _| {
            search.count(totals);
            false
        });
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
            let start = (T::STARTS.compute)(dims);
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
                other.auxiliary.bound = dims;
                let line = Shape::line(dim.nodes()).unwrap();
                let expected = other.would_fit(&mut self.words, line);
                assert_eq!(self.core.would_fit(&mut self.words, line), expected);
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
            let beyond = pool.core.auxiliary.lists.largest().and_then(Dim::up);
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
            let (sound, Some(beyond)) = (pool.core.auxiliary.bound, beyond) else { return };
            pool.core.auxiliary.bound = beyond.down().unwrap();
            assert!(!pool.is_sound(), "a bound that is too low");
            pool.core.auxiliary.bound = sound;
            assert!(pool.is_sound());
        };
        assert!(change(6, plant));
    }
}
