//! Leases and the ledger that says which are live.
//!
//! The nodes of a lease belong to it alone, and so does its base node: the ledger keeps one entry
//! a node and files a lease under its base.

use crate::bits::{LaneWidth, Lanes, Word};
use crate::cube::{Dim, Node, Subcube};
use crate::handle::{Generation, Handle, Misuse, PoolId};

/// A subcube granted to somebody, until it is released to the pool that granted it.
///
/// A copy is the same lease: after one is released the others are stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Lease {
    cube: Subcube,
    handle: Handle,
}

impl Lease {
    /// The nodes that it grants.
    pub const fn cube(&self) -> Subcube {
        self.cube
    }

    /// Pool, base node and generation.
    pub const fn handle(&self) -> Handle {
        self.handle
    }
}

/// Which leases are live.
///
/// - `generations[b]` is live exactly while a lease with base `b` is.
/// - `masks[b]` is that lease's mask then. Otherwise the entry is the strategy's to use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ledger {
    pool: PoolId,
    dims: Dim,
    generations: Lanes,
    pub(super) masks: Lanes,
}

impl Ledger {
    /// Words for the ledger of an n-cube.
    pub(super) const fn words(dims: Dim) -> usize {
        let nodes = dims.nodes() as usize;
        Lanes::words(LaneWidth::Full, nodes) + Lanes::words(mask_width(dims), nodes)
    }

    pub(super) const fn new(pool: PoolId, dims: Dim, start: usize) -> Self {
        let after = start + Lanes::words(LaneWidth::Full, dims.nodes() as usize);
        Self {
            pool,
            dims,
            generations: Lanes::new(start, LaneWidth::Full),
            masks: Lanes::new(after, mask_width(dims)),
        }
    }

    pub(super) const fn pool(&self) -> PoolId {
        self.pool
    }

    /// Files a new lease of `cube`.
    pub(super) fn open(&self, words: &mut [Word], cube: Subcube) -> Lease {
        let base = cube.base().0 as usize;
        let generation = self.generation(words, cube.base()).next();
        self.generations.set(words, base, generation.raw());
        self.masks.set(words, base, cube.mask());
        self.lease(cube, generation)
    }

    /// Strikes a live lease out.
    pub(super) fn close(&self, words: &mut [Word], lease: &Lease) -> Result<(), Misuse> {
        self.check(words, lease)?;
        let base = lease.cube.base();
        self.generations.set(words, base.0 as usize, self.generation(words, base).next().raw());
        Ok(())
    }

    /// Whether the lease is live here.
    pub(super) fn check(&self, words: &[Word], lease: &Lease) -> Result<(), Misuse> {
        let base = lease.cube.base();
        if lease.cube.dims() != self.dims || lease.handle.index() != base.0 {
            return Err(Misuse::Foreign);
        }
        lease.handle.check(self.pool, self.generation(words, base))?;
        if self.masks.get(words, base.0 as usize) != lease.cube.mask() {
            return Err(Misuse::Stale);
        }
        Ok(())
    }

    /// The live lease that holds `node`. Its base is the address of `node` with some ones made
    /// zeros, so the cost is up to 2^(ones in the address).
    pub(super) fn lease_at(&self, words: &[Word], node: Node) -> Option<Lease> {
        let bases = Subcube::new(self.dims, Node(0), node.0)?.nodes();
        bases.filter_map(|base| self.lease_from(words, base)).find(|it| it.cube.contains(node))
    }

    /// The live lease with this base.
    pub(super) fn lease_from(&self, words: &[Word], base: Node) -> Option<Lease> {
        let generation = self.generation(words, base);
        let mask = self.masks.get(words, base.0 as usize);
        let cube = Subcube::from_parts(self.dims, base.0, mask);
        generation.is_live().then(|| self.lease(cube, generation))
    }

    fn generation(&self, words: &[Word], base: Node) -> Generation {
        Generation::from_raw(self.generations.get(words, base.0 as usize))
    }

    fn lease(&self, cube: Subcube, generation: Generation) -> Lease {
        Lease { cube, handle: Handle::new(self.pool, cube.base().0, generation) }
    }
}

/// Masks of cubes up to 16 dimensions fit into half a word of 32 bits.
const fn mask_width(dims: Dim) -> LaneWidth {
    if dims.get() <= 16 { LaneWidth::Half } else { LaneWidth::Full }
}
