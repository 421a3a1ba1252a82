//! A pool of meshes over the storage of its caller.

use super::afl::{Core, extra_words};
use super::{Embedding, Leftover, MeshAllocator, MeshLease, MeshStats, Shape};
use crate::bits::Word;
use crate::cube::{Dim, Node};
use crate::handle::{Epoch, Misuse, PoolId};
use crate::image::BadImage;
use crate::require::require_words;
use crate::subcube::image::Restore;
use crate::subcube::pool_api::pool_api;
use crate::subcube::{
    self, Allocator, ClaimError, InvariantViolation, NoSuchNode, NodeState, Outage, Refusal,
    StorageTooSmall, Strategy,
};

/// A pool of meshes in one n-cube under strategy `T`, over the caller's storage `S`.
///
/// As with a [`Pool`](subcube::Pool) of subcubes, the pool itself is small and may be moved, and the
/// storage is any slice of [`words`] words. This shell only hands it to `Core`, so that the
/// algorithms are compiled once and not once for each size of storage.
#[derive(Clone, Debug)]
pub struct MeshPool<T, S> {
    core: Core<T>,
    storage: S,
}

/// Words of storage for meshes in an n-cube under strategy `T`; more than there can be above
/// [`Dim::MAX`].
///
/// ```
/// use locox::bits::Word;
/// use locox::mesh;
/// use locox::subcube::Buddy;
/// assert!(mesh::words::<Buddy>(10) * size_of::<Word>() < 16 * 1024);
/// ```
pub const fn words<T: Strategy>(dims: u8) -> usize {
    match Dim::new(dims) {
        Some(n) => subcube::words::<T>(dims) + extra_words(n),
        None => usize::MAX,
    }
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> MeshPool<T, S> {
    /// A pool of the whole n-cube. Words of `storage` beyond those needed are not touched.
    ///
    /// # Errors
    ///
    /// [`StorageTooSmall`] below [`words`].
    pub fn new(
        id: PoolId,
        dims: Dim,
        mut storage: S,
        leftover: Leftover,
    ) -> Result<Self, StorageTooSmall> {
        let start = (T::STARTS.compute)(dims);
        let core = Core::new(id, dims, &start, leftover);
        core.inventory.start_in(storage.as_mut(), core.words(), &start)?;
        Ok(Self { core, storage })
    }
}

impl<T: Strategy, const N: usize> MeshPool<T, [Word; N]> {
    /// A pool of the whole n-cube of `DIMS` dimensions, storage included, for a `static`: see
    /// [`Pool::new_static`](subcube::Pool::new_static). Too short an array does not compile.
    ///
    /// ```
    /// use locox::handle::PoolId;
    /// use locox::mesh::{self, Leftover, MeshPool};
    /// use locox::subcube::Buddy;
    /// static POOL: MeshPool<Buddy, [usize; mesh::words::<Buddy>(8)]> =
    ///     MeshPool::new_static::<8>(PoolId(0), Leftover::Reused);
    /// ```
    ///
    /// ```compile_fail
    /// use locox::handle::PoolId;
    /// use locox::mesh::{self, Leftover, MeshPool};
    /// use locox::subcube::Buddy;
    /// static POOL: MeshPool<Buddy, [usize; mesh::words::<Buddy>(8) - 1]> =
    ///     MeshPool::new_static::<8>(PoolId(0), Leftover::Reused);
    /// ```
    pub const fn new_static<const DIMS: u8>(id: PoolId, leftover: Leftover) -> Self {
        const { require_words(N, words::<T>(DIMS)) };
        let dims = const { Dim::new(DIMS).unwrap() };
        let start = T::STARTS.row(dims);
        let core = Core::new(id, dims, &start, leftover);
        let mut storage = [0; N];
        core.inventory.start(&mut storage, &start);
        Self { core, storage }
    }
}

pool_api! { MeshPool: shape: Shape, mesh: Embedding => MeshLease, MeshStats }

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> MeshPool<T, S> {
    /// What becomes of leftover.
    pub fn leftover(&self) -> Leftover {
        self.core.leftover
    }
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> MeshAllocator for MeshPool<T, S> {
    crate::delegate::delegate! { Self:
        fn leftover(&self) -> Leftover;
    }
}
