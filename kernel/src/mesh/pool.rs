//! A pool of meshes over the storage of its caller.

use super::afl::{Core, extra_words};
use super::{MeshAllocator, MeshLease, MeshStats, Shape};
use crate::bits::Word;
use crate::cube::{Dim, Node};
use crate::handle::{Misuse, PoolId};
use crate::subcube::{
    Broken, NoSuchNode, NodeState, Outage, Pool, Refusal, StorageTooSmall, Strategy,
};

/// What becomes of the nodes that a mesh leaves over in its subcube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Leftover {
    /// Others may use them: the auxiliary free list.
    Reused,
    /// They stay with the mesh, so that each mesh holds a whole subcube: the plain strategy.
    Kept,
}

/// A pool of meshes in one n-cube under strategy `T`, over the caller's storage `S`.
///
/// It is made from a plain pool of that strategy and used through the trait [`MeshAllocator`]. This
/// shell only hands the storage to `Core`, so that the algorithms are compiled once and not once
/// for each size of storage.
#[derive(Clone, Debug)]
pub struct MeshPool<T, S> {
    core: Core<T>,
    storage: S,
}

/// Words of storage for meshes in an n-cube, over a strategy whose plain pool takes `plain` words.
///
/// ```
/// use locox::bits::Word;
/// use locox::cube::Dim;
/// use locox::{mesh, subcube};
/// let ten = Dim::new(10).unwrap();
/// let words = mesh::words(ten, subcube::buddy::words(ten));
/// assert!(words * size_of::<Word>() < 16 * 1024);
/// ```
pub const fn words(dims: Dim, plain: usize) -> usize {
    plain + extra_words(dims)
}

/// A plain pool that no pool of meshes can be made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unsuited {
    /// Its storage is shorter than [`words`].
    StorageTooSmall(StorageTooSmall),
    /// It has live leases, which a pool of meshes could not take back.
    Leased,
}

impl core::fmt::Display for Unsuited {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::StorageTooSmall(too_small) => too_small.fmt(f),
            Self::Leased => f.write_str("the pool has live leases; release them first"),
        }
    }
}

impl core::error::Error for Unsuited {}

impl<T: Strategy + Copy, S: AsRef<[Word]> + AsMut<[Word]>> MeshPool<T, S> {
    /// A pool of the nodes of `plain`, some of which may be out of service.
    ///
    /// # Errors
    ///
    /// [`Unsuited`] if the storage is too small or `plain` has live leases.
    pub fn over(plain: Pool<T, S>, leftover: Leftover) -> Result<Self, Unsuited> {
        let Pool { core, storage } = plain;
        let core = Core::over(core, leftover);
        match core.suits(storage.as_ref().len()) {
            Ok(()) => Ok(Self { core, storage }),
            Err(unsuited) => Err(unsuited),
        }
    }
}

impl<T: Strategy + Copy, const N: usize> MeshPool<T, [Word; N]> {
    /// As [`MeshPool::over`], for a `static`.
    ///
    /// ```
    /// use locox::bits::Word;
    /// use locox::cube::Dim;
    /// use locox::handle::PoolId;
    /// use locox::mesh::{self, Leftover, MeshPool};
    /// use locox::subcube::{Buddy, buddy};
    ///
    /// const CUBE: Dim = Dim::new(8).unwrap();
    /// const WORDS: usize = mesh::words(CUBE, buddy::words(CUBE));
    /// const PLAIN: Buddy<[Word; WORDS]> = match Buddy::new_static(PoolId(0), CUBE) {
    ///     Ok(pool) => pool,
    ///     Err(_) => panic!("the storage is as long as the strategy asks"),
    /// };
    /// static POOL: MeshPool<buddy::Blocks, [Word; WORDS]> =
    ///     match MeshPool::over_static(PLAIN, Leftover::Reused) {
    ///         Ok(pool) => pool,
    ///         Err(_) => panic!("the storage is as long as the pool asks"),
    ///     };
    /// ```
    ///
    /// # Errors
    ///
    /// [`Unsuited`] if `N` is too small or `plain` has live leases.
    pub const fn over_static(
        plain: Pool<T, [Word; N]>,
        leftover: Leftover,
    ) -> Result<Self, Unsuited> {
        let Pool { core, storage } = plain;
        let core = Core::over(core, leftover);
        match core.suits(N) {
            Ok(()) => Ok(Self { core, storage }),
            Err(unsuited) => Err(unsuited),
        }
    }
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> MeshAllocator for MeshPool<T, S> {
    fn strategy(&self) -> &'static str {
        T::NAME
    }

    fn leftover(&self) -> Leftover {
        self.core.leftover
    }

    fn id(&self) -> PoolId {
        self.core.plain.ledger.pool()
    }

    fn dims(&self) -> Dim {
        self.core.plain.dims
    }

    fn free(&self) -> u32 {
        self.core.plain.free
    }

    fn allocate(&mut self, shape: Shape) -> Result<MeshLease, Refusal> {
        self.core.allocate(self.storage.as_mut(), shape)
    }

    fn would_fit(&mut self, shape: Shape) -> Result<(), Refusal> {
        self.core.would_fit(self.storage.as_mut(), shape.dim())
    }

    fn release(&mut self, lease: MeshLease) -> Result<(), Misuse> {
        self.core.release(self.storage.as_mut(), &lease)
    }

    fn withdraw(
        &mut self,
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(MeshLease),
    ) -> Result<(), NoSuchNode> {
        self.core.withdraw(self.storage.as_mut(), nodes, outage, hit)
    }

    fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.core.repair(self.storage.as_mut(), nodes)
    }

    fn lease_at(&self, node: Node) -> Option<MeshLease> {
        self.core.lease_at(self.storage.as_ref(), node)
    }

    fn state(&self, node: Node) -> Result<NodeState, NoSuchNode> {
        self.core.state(self.storage.as_ref(), node)
    }

    fn stats(&mut self) -> MeshStats {
        self.core.stats(self.storage.as_mut())
    }

    fn check_invariants(&mut self) -> Result<(), Broken> {
        self.core.check_invariants(self.storage.as_mut())
    }
}
