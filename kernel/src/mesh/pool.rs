//! A pool of meshes over the storage of its caller.

use super::afl::{Core, extra_words};
use super::{Embedding, Leftover, MeshAllocator, MeshLease, MeshStats, Shape};
use crate::bits::Word;
use crate::coordinate::BadImage;
use crate::cube::{Dim, Node};
use crate::error::Error;
use crate::handle::{Epoch, Misuse, PoolId};
use crate::subcube::image::Restore;
use crate::subcube::{
    self, Allocator, InvariantViolation, NoSuchNode, NodeState, NotFree, Outage, Refusal,
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
        let start = T::STARTS.compute(dims);
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
        const { assert!(N >= words::<T>(DIMS), "the array is too short for the machine") };
        let dims = const { Dim::new(DIMS).unwrap() };
        let start = T::STARTS.row(dims);
        let core = Core::new(id, dims, &start, leftover);
        let mut storage = [0; N];
        core.inventory.start(&mut storage, &start);
        Self { core, storage }
    }
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> MeshPool<T, S> {
    /// The name of the strategy under the auxiliary list.
    pub fn name(&self) -> &'static str {
        T::NAME
    }

    /// What becomes of leftover.
    pub fn leftover(&self) -> Leftover {
        self.core.leftover
    }

    /// The number that tells this pool's leases from those of others.
    pub fn id(&self) -> PoolId {
        self.core.inventory.ledger.pool
    }

    /// The dimensions n of the machine.
    pub fn dims(&self) -> Dim {
        self.core.inventory.dims
    }

    /// Nodes that a new lease may take, leftover of live meshes included.
    pub fn free(&self) -> u32 {
        self.core.inventory.free
    }

    /// Grants a mesh.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] says why not; it speaks of the subcube that the mesh needs.
    /// [`Refusal::Faulty`] judges by the strategy alone: the auxiliary list may come to hold a
    /// subcube that the strategy would not recognise.
    pub fn allocate(&mut self, shape: Shape) -> Result<MeshLease, Refusal> {
        self.core.allocate(self.storage.as_mut(), shape)
    }

    /// Grants this very mesh, in the very subcube. All of that must be free and lie in the same
    /// leftover, or in none.
    ///
    /// # Errors
    ///
    /// [`NotFree`] names its first node that is not free together with its base, since it is leased, out
    /// of service, or in another subcube of a leftover; [`NoSuchNode`] its last one if the machine is
    /// smaller.
    pub fn claim(&mut self, mesh: Embedding) -> Result<MeshLease, Error<NotFree, NoSuchNode>> {
        self.core.claim(self.storage.as_mut(), &mesh)
    }

    /// The live leases, by rising base.
    pub fn leases(&self) -> impl Iterator<Item = MeshLease> {
        self.core.leases(self.storage.as_ref())
    }

    /// [`Pool::epoch`](subcube::Pool::epoch).
    pub fn epoch(&self) -> Epoch {
        self.core.inventory.ledger.epoch
    }

    /// [`Pool::begin`](subcube::Pool::begin).
    pub fn begin(&mut self, epoch: Epoch) {
        self.core.inventory.ledger.begin(self.storage.as_mut(), epoch);
    }

    /// [`Pool::export`](subcube::Pool::export), 3 words more for each mesh.
    pub fn export(&self, mut put: impl FnMut(u32)) {
        let Self { core, storage } = self;
        let words = storage.as_ref();
        core.inventory.export(
            words,
            (Core::<T>::KIND, core.configuration()),
            &mut put,
            &|base, put| {
                core.shapes.get(words, base.0).sides().into_iter().for_each(put);
            },
        );
    }

    /// [`Pool::restore`](subcube::Pool::restore). An image fits pools that treat leftover alike.
    ///
    /// # Errors
    ///
    /// [`BadImage`], as there.
    pub fn restore(
        &mut self,
        image: impl IntoIterator<Item = u32>,
        epoch: Epoch,
    ) -> Result<(), BadImage> {
        self.core.restore(self.storage.as_mut(), &mut image.into_iter(), epoch)
    }

    /// What [`MeshPool::allocate`] would answer, without doing it. Mutable because an exact
    /// search needs scratch in the caller's storage; no later answer changes.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] that `allocate` would return.
    pub fn would_fit(&mut self, shape: Shape) -> Result<(), Refusal> {
        self.core.would_fit(self.storage.as_mut(), shape.dim())
    }

    /// Takes a lease back. Its nodes are free again, but for those withdrawn meanwhile. Leases in
    /// its leftover stay.
    ///
    /// # Errors
    ///
    /// [`Misuse::Foreign`] of a lease of another pool, also if it has this one's number but a machine
    /// of more or fewer dimensions; [`Misuse::Stale`] of one that is not live any more.
    pub fn release(&mut self, lease: MeshLease) -> Result<(), Misuse> {
        self.core.release(self.storage.as_mut(), &lease)
    }

    /// Takes nodes out of service, several at once, and then calls `hit` once for each lease that
    /// holds one of them or whose routes one of them may carry. Nodes that are out already may be
    /// named again.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine; no node was withdrawn then.
    pub fn withdraw<F: FnMut(MeshLease)>(
        &mut self,
        nodes: &[Node],
        outage: Outage,
        mut hit: F,
    ) -> Result<(), NoSuchNode> {
        self.core.withdraw(self.storage.as_mut(), nodes, outage, &mut hit)
    }

    /// Puts nodes back into service. Nodes that serve may be named too.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first address outside the machine; no node was repaired then.
    pub fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.core.repair(self.storage.as_mut(), nodes)
    }

    /// The lease that holds `node`: as one of its mesh or, while leftover is kept, as one of its
    /// subcube. Cost: that of [`Pool::lease_at`](subcube::Pool::lease_at).
    pub fn lease_at(&self, node: Node) -> Option<MeshLease> {
        self.core.lease_at(self.storage.as_ref(), node)
    }

    /// Whether `node` is held by a lease, and whether it is out of service.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] outside the machine.
    pub fn state(&self, node: Node) -> Result<NodeState, NoSuchNode> {
        self.core.state(self.storage.as_ref(), node)
    }

    /// Counts and fragmentation. Not for hot paths: it counts the free subcubes of every
    /// dimension.
    pub fn stats(&mut self) -> MeshStats {
        self.core.stats(self.storage.as_mut())
    }

    /// Recomputes all derived data and compares; for tests and fuzzers. Cost: 3^n.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] names the invariant that does not hold.
    pub fn check_invariants(&mut self) -> Result<(), InvariantViolation> {
        self.core.check_invariants(self.storage.as_mut())
    }
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> Allocator<Shape> for MeshPool<T, S> {
    crate::delegate::delegate! {
        fn name(&self) -> &'static str;
        fn id(&self) -> PoolId;
        fn dims(&self) -> Dim;
        fn free(&self) -> u32;
        fn allocate(&mut self, shape: Shape) -> Result<MeshLease, Refusal>;
        fn claim(&mut self, mesh: Embedding) -> Result<MeshLease, Error<NotFree, NoSuchNode>>;
        fn would_fit(&mut self, shape: Shape) -> Result<(), Refusal>;
        fn release(&mut self, lease: MeshLease) -> Result<(), Misuse>;
        fn withdraw(
            &mut self,
            nodes: &[Node],
            outage: Outage,
            hit: &mut dyn FnMut(MeshLease),
        ) -> Result<(), NoSuchNode>;
        fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode>;
        fn lease_at(&self, node: Node) -> Option<MeshLease>;
        fn state(&self, node: Node) -> Result<NodeState, NoSuchNode>;
        fn export(&self, put: &mut dyn FnMut(u32));
        fn restore(
            &mut self,
            image: &mut dyn Iterator<Item = u32>,
            epoch: Epoch,
        ) -> Result<(), BadImage>;
        fn stats(&mut self) -> MeshStats;
        fn check_invariants(&mut self) -> Result<(), InvariantViolation>;
    }
}

impl<T: Strategy, S: AsRef<[Word]> + AsMut<[Word]>> MeshAllocator for MeshPool<T, S> {
    crate::delegate::delegate! {
        fn leftover(&self) -> Leftover;
    }
}
