//! Leases and the ledger that says which are live.
//!
//! The nodes of a lease belong to it alone, and so does its base node: the ledger keeps one entry
//! a node and files a lease under its base.

use crate::bits::{Lanes, Packed, Word};
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
    generation: Generation,
    pool: PoolId,
}

impl Lease {
    /// The nodes that it grants.
    pub const fn cube(&self) -> Subcube {
        self.cube
    }

    /// The nodes that it grants, by rising address.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        self.cube.nodes()
    }

    /// Pool, base node and generation.
    pub const fn handle(&self) -> Handle {
        Handle::new(self.pool, self.cube.base().0, self.generation)
    }
}

// As its subcube: `0***`.
crate::shown::shown! { Lease: it => "{}" (it.cube) }

/// Which leases are live.
///
/// - `generations[b]` is live exactly while a lease with base `b` is.
/// - `masks[b]` is that lease's mask then. Otherwise the entry is the strategy's to use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ledger {
    pub(crate) pool: PoolId,
    dims: Dim,
    start: usize,
    pub(crate) masks: Lanes,
}

impl Ledger {
    /// Words for the ledger of an n-cube.
    pub(crate) const fn words(dims: Dim) -> usize {
        let nodes = dims.nodes() as usize;
        Packed::WHOLES.words(nodes) + words_per_node(dims)
    }

    pub(crate) const fn new(pool: PoolId, dims: Dim, start: usize) -> Self {
        Self { pool, dims, start, masks: Self::masks_in(dims, start) }
    }

    /// The masks of a ledger in the words from `start` on.
    pub(crate) const fn masks_in(dims: Dim, start: usize) -> Lanes {
        per_node(dims, start + Packed::WHOLES.words(dims.nodes() as usize))
    }

    /// Files a new lease of `cube`.
    pub(crate) fn open(&self, words: &mut [Word], cube: Subcube) -> Lease {
        let base = cube.base();
        let generation = self.generation(words, base).next();
        debug_assert!(generation.is_live(), "two leases with one base");
        self.generations().set(words, base.0, generation.raw());
        self.masks.set(words, base.0, cube.mask());
        self.lease(cube, generation)
    }

    /// Closes a live lease.
    pub(crate) fn close(&self, words: &mut [Word], lease: &Lease) -> Result<(), Misuse> {
        let now = self.check(words, lease)?;
        self.generations().set(words, lease.cube.base().0, now.next().raw());
        Ok(())
    }

    /// The generation of a live lease.
    pub(crate) fn check(&self, words: &[Word], lease: &Lease) -> Result<Generation, Misuse> {
        let base = lease.cube.base();
        if lease.cube.dims() != self.dims {
            return Err(Misuse::Foreign);
        }
        let now = self.generation(words, base);
        lease.handle().check(self.pool, now)?;
        if self.masks.get(words, base.0) != lease.cube.mask() {
            return Err(Misuse::Stale);
        }
        Ok(now)
    }

    /// The live lease that holds `node`.
    pub(crate) fn lease_at(&self, words: &[Word], node: Node) -> Option<Lease> {
        self.leases_around(words, node).next()
    }

    /// The live leases whose subcubes contain `node`, by rising base. A base is the address of
    /// `node` with some ones made zeros, so the cost is up to 2^(ones in the address).
    pub(crate) fn leases_around(&self, words: &[Word], node: Node) -> impl Iterator<Item = Lease> {
        let bases = Subcube::new(self.dims, Node(0), node.0).map(|bases| bases.nodes());
        let leases = bases.into_iter().flatten().filter_map(|base| self.lease_from(words, base));
        leases.filter(move |lease| lease.cube.contains(node))
    }

    /// The live lease with this base.
    pub(crate) fn lease_from(&self, words: &[Word], base: Node) -> Option<Lease> {
        let generation = self.generation(words, base);
        let mask = self.masks.get(words, base.0);
        let cube = Subcube::from_parts(self.dims, base.0, mask);
        generation.is_live().then(|| self.lease(cube, generation))
    }

    /// Made at each use, so that the compiler knows the width.
    const fn generations(&self) -> Lanes {
        Lanes::Wholes(self.start)
    }

    fn generation(&self, words: &[Word], base: Node) -> Generation {
        Generation::from_raw(self.generations().get(words, base.0))
    }

    fn lease(&self, cube: Subcube, generation: Generation) -> Lease {
        Lease { cube, generation, pool: self.pool }
    }
}

/// A table of a number below 2^n for each node of an n-cube.
pub(crate) const fn per_node(dims: Dim, start: usize) -> Lanes {
    if is_narrow(dims) { Lanes::Halves(start) } else { Lanes::Wholes(start) }
}

/// Words of a table of [`per_node`].
pub(crate) const fn words_per_node(dims: Dim) -> usize {
    let packed = if is_narrow(dims) { Packed::HALVES } else { Packed::WHOLES };
    packed.words(dims.nodes() as usize)
}

const fn is_narrow(dims: Dim) -> bool {
    dims.get() <= 16
}
