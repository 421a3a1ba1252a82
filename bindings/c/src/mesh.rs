//! Meshes in a hypercube, whose leftover others use.

use crate::pool::{
    Words, any_pool, cube_of, locox_lease, locox_node_state, locox_pool_stats, node_list, starts,
};
use crate::prelude::*;
use locox::cube::Subcube;
use locox::mesh::*;
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

callbacks! {
    /// Called for each lease that a call has to name.
    pub type locox_mesh_lease_fn(lease: *const locox_mesh_lease);
}

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

any_pool!(MeshPool as Meshes);

plain! {
    /// Words of storage for a pool of meshes of an n-cube under a strategy; zero for numbers that stand
    /// for none. `LOCOX_MESH_WORDS` is the same as a constant.
    fn locox_mesh_words(strategy: u32, dims: u32) -> usize { words_of(strategy, dims) }
}

starts! {
    locox_mesh_pool as Meshes:
    /// Starts a pool of all nodes of an n-cube (`dims` up to 24) that finds subcubes for its meshes by
    /// the buddy strategy, over `len` words of storage with any content. `leftover` is
    /// `LOCOX_LEFTOVER_...`. Its leases carry `id`: to other pools they are foreign.
    locox_mesh_start_buddy(leftover) = MeshPool<Buddy>;
    /// As `locox_mesh_start_buddy`, by the Gray code strategy.
    locox_mesh_start_gray_code(leftover) = MeshPool<GrayCode>;
    /// As `locox_mesh_start_buddy`, by the free list with a search behind it: the strategy to start
    /// from.
    locox_mesh_start_free_list(leftover) = MeshPool<FreeList>;
    /// As `locox_mesh_start_buddy`, by the free list of the literature.
    locox_mesh_start_free_list_plain(leftover) = MeshPool<FreeListPlain>;
    /// As `locox_mesh_start_buddy`, by complete recognition.
    locox_mesh_start_complete(leftover) = MeshPool<Complete>;
}

methods! { pool: locox_mesh_pool |it| it.get() =>
    /// Grants a mesh. Refused as `locox_pool_allocate` refuses the subcube that it needs.
    act fn locox_mesh_allocate(shape: *const locox_shape) -> (lease: locox_mesh_lease; detail) {
        it.allocate(FromC::from_c(shape)?)?
    }

    /// Whether `locox_mesh_allocate` would grant a mesh; refused as there.
    look fn locox_mesh_would_fit(shape: *const locox_shape) -> (; detail) { it.would_fit(FromC::from_c(shape)?)? }

    /// Grants the mesh of this shape in the subcube of this base and mask, if all its nodes are free:
    /// `LOCOX_NOT_FREE` and `LOCOX_NO_SUCH_NODE` name one that is not. `LOCOX_BAD_ARGUMENT` if it is
    /// not a subcube of the shape's dimension.
    act fn locox_mesh_claim(base: u32, mask: u32, shape: *const locox_shape) -> (lease: locox_mesh_lease; detail) {
        let cube = Subcube::new(it.dims(), Node(base), mask);
        let cube = cube.ok_or(LOCOX_NO_SUCH_NODE.with(base | mask))?;
        it.claim(Embedding::new(cube, FromC::from_c(shape)?).ok_or(LOCOX_BAD_ARGUMENT)?)?
    }

    /// Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
    act fn locox_mesh_release(lease: *const locox_mesh_lease) { it.release(lease_of(lease)?)? }

    /// Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
    /// null, is called once for each lease that has one of them.
    /// None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
    /// While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    act fn locox_mesh_withdraw(
        nodes: *const u32, count: usize, outage: u32, hit: locox_mesh_lease_fn, user: *mut c_void
    ) -> (; detail) {
        it.withdraw(node_list(nodes, count)?, FromC::from_c(outage)?, &mut |one| tell(hit, one, user))?
    }

    /// Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
    act fn locox_mesh_repair(nodes: *const u32, count: usize) -> (; detail) { it.repair(node_list(nodes, count)?)? }

    /// The lease that holds a node; `LOCOX_NONE` if there is none.
    look fn locox_mesh_lease_at(node: u32) -> (lease: locox_mesh_lease) { it.lease_at(Node(node)).ok_or(LOCOX_NONE)? }

    /// Calls `visit` for each live lease, by rising base.
    /// While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_mesh_leases(visit: locox_mesh_lease_fn, user: *mut c_void) {
        it.each_lease(&mut |lease| tell(visit, lease, user))
    }
}

interface! {
    /// The node at a coordinate of each axis of a mesh; `LOCOX_NO_SUCH_NODE` outside it.
    fn locox_mesh_node_at(lease: *const locox_mesh_lease, x: u32, y: u32, z: u32, node: *mut u32) {
        let (node, lease) = (out(node)?, lease_of(input(lease)?)?);
        node.put(lease.mesh().node([x, y, z]).ok_or(LOCOX_NO_SUCH_NODE)?.0)
    }
}

methods! { pool: locox_mesh_pool |it| it.get() =>
    /// What a node is doing.
    look fn locox_mesh_node(node: u32) -> (state: locox_node_state; detail) { it.state(Node(node))? }

    /// How many nodes are free.
    look fn locox_mesh_free() -> (free: u32) { it.free() }

    /// Figures of the moment; passes over all nodes.
    look fn locox_mesh_figures() -> (stats: locox_mesh_stats) { it.stats() }
}

crate::image::restarts! {
    locox_mesh_pool: locox_mesh_begin, locox_mesh_export, locox_mesh_restore, locox_mesh_check; |it| it.get()
}

/// Numbers that are no mesh are of no pool.
fn lease_of(lease: locox_mesh_lease) -> Answer<MeshLease> {
    let shape = Shape::from_c(lease.shape).map_err(|_| LOCOX_FOREIGN)?;
    let mesh = Embedding::new(cube_of(lease.cube)?, shape).ok_or(LOCOX_FOREIGN)?;
    let handle = Handle::from(lease.cube.handle);
    MeshLease::from_parts(mesh, handle).ok_or(LOCOX_FOREIGN.into())
}

values! {
    Shape as locox_shape: |it| locox_shape { sides: it.sides() },
        else { let [x, y, z] = it.sides; Self::cuboid(x, y, z)? };
    MeshLease as locox_mesh_lease: |it| {
        let (handle, mask, dims) = (it.handle().into_c(), it.cube().mask(), it.cube().dims().get().into());
        locox_mesh_lease { cube: locox_lease { handle, mask, dims }, shape: it.shape().into_c() }
    };
}
mirrors! { locox_mesh_stats <- MeshStats { nodes, auxiliary, asked } }

faults! {
    BadShape { ZeroSide => LOCOX_ZERO, TooLarge => LOCOX_TOO_LARGE }
}
