//! Meshes in a hypercube, whose leftover others use.

use crate::interface::{Numbered, faults, interface, numbered, opaque, structures};
use crate::memory::*;
use crate::pool::{
    Words, cube_of, locox_lease, locox_node_state, locox_pool_stats, node_list, starts,
    words_by_strategy,
};
use crate::status::locox_status::*;
use core::ffi::c_void;
use locox::cube::{Node, Subcube};
use locox::handle::{Epoch, Handle, PoolId};
use locox::mesh::{
    BadShape, Embedding, Leftover, MeshAllocator, MeshLease, MeshPool, MeshStats, Shape, words,
};
use locox::subcube::{Buddy, Complete, FreeList, FreeListPlain, GrayCode, Strategy};

numbered! {
    Leftover {
        /// What becomes of the nodes that a mesh leaves over in its subcube: they stay with the mesh.
        LOCOX_LEFTOVER_KEPT = Kept = 0,
        /// See `LOCOX_LEFTOVER_KEPT`: others may use them.
        LOCOX_LEFTOVER_REUSED = Reused = 1,
    }
}

opaque! {
    /// A pool of the nodes of a hypercube that grants meshes. Opaque, small, and may be moved; its
    /// storage may not.
    locox_mesh_pool: [u64; LOCOX_MESH_POOL_LENGTH], locox_size_of_mesh_pool, as Body, b"MESH";
}

structures! {
    /// Nodes along each axis, at least one; the last axis runs fastest.
    pub struct locox_shape {
        /// Of one, two or three axes; 1 for those that are not wanted.
        pub sides: [u32; 3],
    }

    /// A mesh granted to somebody.
    pub struct locox_mesh_lease {
        /// The subcube that it lies in.
        pub cube: locox_lease,
        /// Its sides.
        pub shape: locox_shape,
    }

    /// Figures of a pool of meshes.
    pub struct locox_mesh_stats {
        /// As of a pool of subcubes.
        pub nodes: locox_pool_stats,
        /// Free nodes that are leftover of a live mesh.
        pub auxiliary: u32,
        /// Nodes of the live meshes.
        pub asked: u32,
    }
}

/// Called for each lease that a call has to name.
pub type locox_mesh_lease_fn =
    Option<unsafe extern "C" fn(lease: *const locox_mesh_lease, user: *mut c_void)>;

/// A pool of any strategy, as the functions below see it.
pub(crate) trait Meshes: MeshAllocator {
    fn each_lease(&self, visit: &mut dyn FnMut(MeshLease));
    fn begin(&mut self, epoch: Epoch);
}

impl<T: Strategy> Meshes for MeshPool<T, Words> {
    fn each_lease(&self, visit: &mut dyn FnMut(MeshLease)) {
        self.leases().for_each(visit);
    }

    fn begin(&mut self, epoch: Epoch) {
        self.begin(epoch);
    }
}

type Of<T> = MeshPool<T, Words>;

pub(crate) enum AnyPool {
    Buddy(Of<Buddy>),
    GrayCode(Of<GrayCode>),
    FreeList(Of<FreeList>),
    FreeListPlain(Of<FreeListPlain>),
    Complete(Of<Complete>),
}

pub(crate) type Body = ErasedBody<AnyPool, dyn Meshes>;

/// # Safety
///
/// The contract of `memory`.
unsafe fn start_with<T: Strategy>(
    (pool, id, machine, leftover): (*mut locox_mesh_pool, u16, u32, u32),
    (storage, len): (*mut usize, usize),
    body: impl FnOnce(MeshPool<T, Words>) -> Body,
) -> Answer {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let (place, dims, leftover) =
            (place(pool)?, dims(machine)?, Numbered::from_number(leftover)?);
        let words = crate::memory::words(storage, len, words::<T>(dims.get()))?.cleared(0);
        let needed = words.len();
        let pool = MeshPool::new(PoolId(id), dims, words, leftover);
        place.start(body(pool.map_err(|_| LOCOX_TOO_SHORT.with_len(needed))?))
    }
}

/// Words of storage for a pool of meshes of an n-cube under a strategy; zero for numbers that stand
/// for none. `LOCOX_MESH_WORDS` is the same as a constant.
#[unsafe(no_mangle)]
pub extern "C" fn locox_mesh_words(strategy: u32, dims: u32) -> usize {
    words_of(strategy, dims)
}

words_by_strategy!();

starts! {
    locox_mesh_pool as Meshes:
    /// Starts a pool of all nodes of an n-cube (`dims` up to 24) that finds subcubes for its meshes by
    /// the buddy strategy, over `len` words of storage with any content. `leftover` is
    /// `LOCOX_LEFTOVER_...`. Its leases carry `id`: to other pools they are foreign.
    locox_mesh_start_buddy(leftover) = Buddy;

    /// As `locox_mesh_start_buddy`, by the Gray code strategy.
    locox_mesh_start_gray_code(leftover) = GrayCode;

    /// As `locox_mesh_start_buddy`, by the free list with a search behind it: the strategy to start
    /// from.
    locox_mesh_start_free_list(leftover) = FreeList;

    /// As `locox_mesh_start_buddy`, by the free list of the literature.
    locox_mesh_start_free_list_plain(leftover) = FreeListPlain;

    /// As `locox_mesh_start_buddy`, by complete recognition.
    locox_mesh_start_complete(leftover) = Complete;
}

interface! {
    /// Grants a mesh. Refused as `locox_pool_allocate` refuses the subcube that it needs.
    fn locox_mesh_allocate(
        pool: *mut locox_mesh_pool, shape: *const locox_shape, lease: *mut locox_mesh_lease; detail
    ) {
        let (lease, shape) = (out(lease)?, shape_of(input(shape)?)?);
        lease.put(on(pool, |it| Ok(it.get().allocate(shape)?))?)
    }

    /// Whether `locox_mesh_allocate` would grant a mesh; refused as there.
    fn locox_mesh_would_fit(pool: *const locox_mesh_pool, shape: *const locox_shape; detail) {
        let shape = shape_of(input(shape)?)?;
        of(pool, |it| Ok(it.get().would_fit(shape)?))
    }

    /// Grants the mesh of this shape in the subcube of this base and mask, if all its nodes are free:
    /// `LOCOX_NOT_FREE` and `LOCOX_NO_SUCH_NODE` name one that is not. `LOCOX_BAD_ARGUMENT` if it is
    /// not a subcube of the shape's dimension.
    fn locox_mesh_claim(
        pool: *mut locox_mesh_pool, base: u32, mask: u32, shape: *const locox_shape,
        lease: *mut locox_mesh_lease; detail
    ) {
        let (lease, shape) = (out(lease)?, shape_of(input(shape)?)?);
        let granted = on(pool, |it| {
            let pool = it.get();
            let cube = Subcube::new(pool.dims(), Node(base), mask);
            let cube = cube.ok_or(LOCOX_NO_SUCH_NODE.with(base | mask))?;
            let mesh = Embedding::new(cube, shape).ok_or(LOCOX_BAD_ARGUMENT)?;
            Ok(pool.claim(mesh)?)
        })?;
        lease.put(granted)
    }

    /// Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
    fn locox_mesh_release(pool: *mut locox_mesh_pool, lease: *const locox_mesh_lease) {
        let lease = lease_of(input(lease)?)?;
        on(pool, |it| Ok(it.get().release(lease)?))
    }

    /// Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
    /// null, is called once for each lease that has one of them.
    /// None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
    /// While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_mesh_withdraw(
        pool: *mut locox_mesh_pool, nodes: *const u32, count: usize, outage: u32,
        hit: locox_mesh_lease_fn, user: *mut c_void; detail
    ) {
        let (nodes, outage) = (node_list(nodes, count)?, Numbered::from_number(outage)?);
        on(pool, |it| Ok(it.get().withdraw(nodes, outage, &mut |one| tell(hit, one, user))?))
    }

    /// Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
    fn locox_mesh_repair(pool: *mut locox_mesh_pool, nodes: *const u32, count: usize; detail) {
        let nodes = node_list(nodes, count)?;
        on(pool, |it| Ok(it.get().repair(nodes)?))
    }

    /// The lease that holds a node; `LOCOX_NONE` if there is none.
    fn locox_mesh_lease_at(pool: *const locox_mesh_pool, node: u32, lease: *mut locox_mesh_lease) {
        get(pool, lease, |it| it.get().lease_at(Node(node)).ok_or(LOCOX_NONE.into()))
    }

    /// Calls `visit` for each live lease, by rising base.
    /// While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_mesh_leases(
        pool: *const locox_mesh_pool, visit: locox_mesh_lease_fn, user: *mut c_void
    ) {
        of(pool, |it| {
            it.get().each_lease(&mut |lease| tell(visit, lease, user));
            Ok(())
        })
    }

    /// The node at a coordinate of each axis of a mesh; `LOCOX_NO_SUCH_NODE` outside it.
    fn locox_mesh_node_at(lease: *const locox_mesh_lease, x: u32, y: u32, z: u32, node: *mut u32) {
        let (node, lease) = (out(node)?, lease_of(input(lease)?)?);
        node.put(lease.mesh().node([x, y, z]).ok_or(LOCOX_NO_SUCH_NODE)?.0)
    }

    /// What a node is doing.
    fn locox_mesh_node(
        pool: *const locox_mesh_pool, node: u32, state: *mut locox_node_state; detail
    ) {
        get(pool, state, |it| Ok(it.get().state(Node(node))?))
    }

    /// How many nodes are free.
    fn locox_mesh_free(pool: *const locox_mesh_pool, free: *mut u32) {
        get(pool, free, |it| Ok(it.get().free()))
    }

    /// Figures of the moment; passes over all nodes.
    fn locox_mesh_figures(pool: *const locox_mesh_pool, stats: *mut locox_mesh_stats) {
        get(pool, stats, |it| Ok(it.get().stats()))
    }
}

crate::image::restarts! {
    locox_mesh_pool: locox_mesh_begin, locox_mesh_export, locox_mesh_restore, locox_mesh_check;
    |it| it.get()
}

fn shape_of(shape: locox_shape) -> Answer<Shape> {
    let [x, y, z] = shape.sides;
    Ok(Shape::cuboid(x, y, z)?)
}

/// Numbers that are no mesh are of no pool.
fn lease_of(lease: locox_mesh_lease) -> Answer<MeshLease> {
    let shape = shape_of(lease.shape).map_err(|_| LOCOX_FOREIGN)?;
    let mesh = Embedding::new(cube_of(lease.cube)?, shape).ok_or(LOCOX_FOREIGN)?;
    let handle = Handle::from(lease.cube.handle);
    MeshLease::from_parts(mesh, handle).ok_or(LOCOX_FOREIGN.into())
}

impl From<MeshLease> for locox_mesh_lease {
    fn from(lease: MeshLease) -> Self {
        let (cube, sides) = (lease.cube(), lease.shape().sides());
        let (mask, dims) = (cube.mask(), u32::from(cube.dims().get()));
        let cube = locox_lease { handle: lease.handle().into(), mask, dims };
        Self { cube, shape: locox_shape { sides } }
    }
}

impl From<MeshStats> for locox_mesh_stats {
    fn from(stats: MeshStats) -> Self {
        let (auxiliary, asked) = (stats.auxiliary, stats.asked);
        Self { nodes: stats.nodes.into(), auxiliary, asked }
    }
}

faults! {
    BadShape {
        BadShape::ZeroSide => LOCOX_ZERO,
        BadShape::TooLarge => LOCOX_TOO_LARGE,
    }
}
