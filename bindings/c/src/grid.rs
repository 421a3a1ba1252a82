//! Boxes in meshes and tori.

use crate::interface::{Numbered, faults, interface, numbered, opaque, structures};
use crate::memory::*;
use crate::pool::{locox_node_state, node_list};
use crate::status::locox_status::*;
use core::ffi::c_void;
use locox::cube::Node;
use locox::grid::{
    Anchors, Axis, BoxLease, BoxRequest, Cuboid, Grid, GridPool, GridStats, Leftover, MOST_MOVES,
    NoPlan, Placement, Refusal, Sides, StorageTooSmall, words,
};
use locox::handle::{Handle, PoolId};

/// The most moves of a plan.
pub const LOCOX_MOVES_MOST: usize = 16;
const _: () = assert!(LOCOX_MOVES_MOST == MOST_MOVES);
/// The most shapes of which a request may name any.
pub const LOCOX_SHAPES_MOST: usize = 16;

numbered! {
    Placement {
        /// Which of the free boxes a request gets: the first one.
        LOCOX_BOX_FIRST = First = 0,
        /// See `LOCOX_BOX_FIRST`: the one with the most faces against what is not free.
        LOCOX_BOX_CORNER = Corner = 1,
        /// See `LOCOX_BOX_FIRST`: of 16 such the one that destroys the fewest larger boxes.
        LOCOX_BOX_FEWEST = Fewest = 2,
    }
}

/// Kinds of `locox_box_request`: these sides along these axes.
pub const LOCOX_BOX_FIXED: u32 = 0;
/// See `LOCOX_BOX_FIXED`: in any rotation.
pub const LOCOX_BOX_TURNED: u32 = 1;
/// See `LOCOX_BOX_FIXED`: just so many nodes, in any box.
pub const LOCOX_BOX_NODES: u32 = 2;
/// See `LOCOX_BOX_FIXED`: the first of these shapes that fits.
pub const LOCOX_BOX_ANY_OF: u32 = 3;

opaque! {
    /// A pool of the nodes of a mesh or torus that grants boxes. Opaque, small, and may be moved; its
    /// storage may not.
    locox_grid_pool: [u64; LOCOX_GRID_POOL_LENGTH], locox_size_of_grid_pool, as Body, b"GRID";
}

structures! {
    /// A machine of one to four axes, 65,536 nodes at most. The node at (x, y, z) has the number
    /// x + X (y + Y z).
    pub struct locox_grid {
        /// Nodes along each axis, 1 to 64; 1 along those that it does not have.
        pub sides: [u8; 4],
        /// Bit i: axis i is a ring; else it is a line.
        pub rings: u32,
    }

    /// Nodes along each axis, 1 to 64; 1 along those that are not wanted.
    pub struct locox_sides {
        /// Along each axis.
        pub sides: [u8; 4],
    }

    /// What is asked for.
    pub struct locox_box_request {
        /// `LOCOX_BOX_FIXED`, `LOCOX_BOX_TURNED`, `LOCOX_BOX_NODES` or `LOCOX_BOX_ANY_OF`.
        pub kind: u32,
        /// The number of nodes, for `LOCOX_BOX_NODES`.
        pub nodes: u32,
        /// The sides, for `LOCOX_BOX_FIXED` and `LOCOX_BOX_TURNED`; for `LOCOX_BOX_ANY_OF` so many shapes.
        pub shapes: *const locox_sides,
        /// How many shapes there are, at most `LOCOX_SHAPES_MOST`; 1 for fixed and turned ones.
        pub count: usize,
    }

    /// Where boxes may begin.
    pub struct locox_anchors {
        /// At which step along each axis; 0 is the side of the box itself.
        pub step: [u8; 4],
        /// At which offset.
        pub offset: [u8; 4],
        /// What becomes of what boxes leave over of the blocks between steps: `LOCOX_LEFTOVER_KEPT`, which is zero,
        /// or `LOCOX_LEFTOVER_REUSED`.
        pub leftover: u32,
    }

    /// A box granted to somebody.
    pub struct locox_box_lease {
        /// Its name; the index is its first node.
        pub handle: locox_handle,
        /// Its sides.
        pub sides: locox_sides,
    }

    /// A box moves to another place.
    pub struct locox_box_move {
        /// The first node of the box that moves.
        pub from: u32,
        /// The first node of where it goes.
        pub to: u32,
        /// Its sides.
        pub sides: locox_sides,
    }

    /// Counts of nodes.
    pub struct locox_grid_stats {
        /// Nodes that a new lease may take.
        pub free: u32,
        /// Nodes held by leases.
        pub leased: u32,
        /// Nodes out of service, leased or not.
        pub out: u32,
    }
}

/// Called for each lease that a call has to name.
pub type locox_box_lease_fn =
    Option<unsafe extern "C" fn(lease: *const locox_box_lease, user: *mut c_void)>;

type Body = GridPool<&'static mut [u64]>;

/// Words of 64 bits of storage for a pool of this machine; zero if `grid` is null or no machine.
/// `LOCOX_GRID_WORDS` is the same as a constant.
///
/// # Safety
///
/// The contract of the library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locox_grid_words(grid: *const locox_grid) -> usize {
    // SAFETY: the caller keeps the contract of `memory`.
    let grid = unsafe { input(grid) }.and_then(grid_of);
    grid.map_or(0, words)
}

interface! {
    /// Starts a pool of all nodes of a machine over `len` words of storage with any content. `placement` is
    /// `LOCOX_BOX_FIRST`, `LOCOX_BOX_CORNER` or `LOCOX_BOX_FEWEST`. Boxes begin at any node if `anchors`
    /// is null. If `isolated` is not zero only boxes are granted that keep their routes to themselves.
    /// Its leases carry `id`: to other pools they are foreign.
    fn locox_grid_start(
        pool: *mut locox_grid_pool, id: u16, grid: *const locox_grid, placement: u32,
        anchors: *const locox_anchors, isolated: u32, storage: *mut u64, len: usize; detail
    ) {
        let (place, grid) = (place(pool)?, grid_of(input(grid)?)?);
        let placement = Numbered::from_number(placement)?;
        let anchors = if anchors.is_null() { Anchors::Any } else { anchors_of(input(anchors)?)? };
        let needed = words(grid);
        let words = crate::memory::storage::<u64, u64>(storage, len, needed)?.first(needed).cleared(0);
        let pool = GridPool::new(PoolId(id), grid, words, placement, anchors)?;
        place.start(if isolated == 0 { pool } else { pool.isolating() })
    }

    /// Grants a box. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`, `LOCOX_TOO_FEW_FREE` or
    /// `LOCOX_FRAGMENTED`.
    fn locox_grid_allocate(
        pool: *mut locox_grid_pool, request: *const locox_box_request, lease: *mut locox_box_lease;
        detail
    ) {
        let shapes = shapes_of(input(request)?)?;
        obtain(pool, lease, |it| Ok(it.allocate(shapes.request()?)?))
    }

    /// Whether `locox_grid_allocate` would grant a box; refused as there.
    fn locox_grid_would_fit(
        pool: *const locox_grid_pool, request: *const locox_box_request; detail
    ) {
        let shapes = shapes_of(input(request)?)?;
        of(pool, |it| Ok(it.would_fit(shapes.request()?)?))
    }

    /// Grants the box with this first node and these sides, wherever it begins, if all its nodes are free:
    /// `LOCOX_NOT_FREE` names one that is not. `LOCOX_NO_SUCH_NODE` if it does not lie in the machine.
    fn locox_grid_claim(
        pool: *mut locox_grid_pool, origin: u32, sides: *const locox_sides,
        lease: *mut locox_box_lease; detail
    ) {
        let sides = sides_of(input(sides)?)?;
        obtain(pool, lease, |it| {
            let place = Cuboid::new(it.grid(), Node(origin), sides);
            Ok(it.claim(place.ok_or(LOCOX_NO_SUCH_NODE.with(origin))?)?)
        })
    }

    /// Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
    fn locox_grid_release(pool: *mut locox_grid_pool, lease: *const locox_box_lease) {
        let lease = input(lease)?;
        on(pool, |it| Ok(it.release(lease_of(it.grid(), lease)?)?))
    }

    /// Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
    /// null, is called once for each lease that has one of them.
    /// None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
    /// While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_grid_withdraw(
        pool: *mut locox_grid_pool, nodes: *const u32, count: usize, outage: u32,
        hit: locox_box_lease_fn, user: *mut c_void; detail
    ) {
        let (nodes, outage) = (node_list(nodes, count)?, Numbered::from_number(outage)?);
        on(pool, |it| Ok(it.withdraw(nodes, outage, |one| tell(hit, one, user))?))
    }

    /// Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
    fn locox_grid_repair(pool: *mut locox_grid_pool, nodes: *const u32, count: usize; detail) {
        let nodes = node_list(nodes, count)?;
        on(pool, |it| Ok(it.repair(nodes)?))
    }

    /// The lease that holds a node; `LOCOX_NONE` if there is none.
    fn locox_grid_lease_at(pool: *const locox_grid_pool, node: u32, lease: *mut locox_box_lease) {
        get(pool, lease, |it| it.lease_at(Node(node)).ok_or(LOCOX_NONE.into()))
    }

    /// Calls `visit` for each live lease, by rising first node.
    /// While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_grid_leases(
        pool: *const locox_grid_pool, visit: locox_box_lease_fn, user: *mut c_void
    ) {
        of(pool, |it| {
            it.leases().for_each(|lease| tell(visit, lease, user));
            Ok(())
        })
    }

    /// The node at a coordinate of each axis of a granted box, from its first node on, around the ends of
    /// rings; `LOCOX_NO_SUCH_NODE` outside it, `LOCOX_FOREIGN` if the box does not lie in the machine.
    fn locox_grid_node_at(
        pool: *const locox_grid_pool, lease: *const locox_box_lease, at: *const locox_place_in_box,
        node: *mut u32
    ) {
        let (lease, at) = (input(lease)?, input(at)?.at);
        get(pool, node, |it| {
            let cuboid = lease_of(it.grid(), lease)?.cuboid();
            let inside = at.iter().zip(lease.sides.sides).all(|(&at, side)| at < side);
            let [x, y, z, w] = at.map(usize::from);
            let [a, b, c, _] = lease.sides.sides.map(usize::from);
            let place = x.saturating_add(a * (y.saturating_add(b * (z.saturating_add(c * w)))));
            let found = cuboid.nodes().nth(place).filter(|_| inside);
            Ok(found.ok_or(LOCOX_NO_SUCH_NODE)?.0)
        })
    }

    /// What a node is doing.
    fn locox_grid_node(
        pool: *const locox_grid_pool, node: u32, state: *mut locox_node_state; detail
    ) {
        get(pool, state, |it| Ok(it.state(Node(node))?))
    }

    /// How many nodes are free.
    fn locox_grid_free(pool: *const locox_grid_pool, free: *mut u32) {
        get(pool, free, |it| Ok(it.free()))
    }

    /// Counts of nodes.
    fn locox_grid_figures(pool: *const locox_grid_pool, stats: *mut locox_grid_stats) {
        get(pool, stats, |it| Ok(it.stats()))
    }

    /// How many free nodes lie in no free box that a request might get.
    fn locox_grid_stranded(
        pool: *const locox_grid_pool, request: *const locox_box_request, stranded: *mut u32
    ) {
        let shapes = shapes_of(input(request)?)?;
        get(pool, stranded, |it| Ok(it.stranded(shapes.request()?)))
    }

    /// The fewest moves of leases after which a request fits, `most` and `LOCOX_MOVES_MOST` at most, in
    /// the order in which they are possible: to `moves`, and how many to `count`, which is zero if it fits already.
    /// `scratch` has a number a node, with any content. The search takes `steps` steps at most. Refused as
    /// `locox_grid_allocate` whatever moves, as `LOCOX_NONE` if there is no plan of so few moves, and as
    /// `LOCOX_UNDECIDED` if the steps did not suffice to know. Nothing is moved.
    fn locox_grid_defragment(
        pool: *const locox_grid_pool, request: *const locox_box_request, most: usize, steps: u32,
        scratch: *mut u32, len: usize, moves: *mut locox_box_move, count: *mut usize; detail
    ) {
        let (count, shapes) = (out(count)?, shapes_of(input(request)?)?);
        let most = most.min(MOST_MOVES);
        let moves = outputs(moves, most)?;
        let scratch = filled(outputs(scratch, len)?, 0);
        let plan = of(pool, |it| Ok(it.defragment(shapes.request()?, most, steps, scratch)?))?;
        let mut written = 0usize;
        for (place, step) in moves.iter_mut().zip(plan.moves()) {
            let (from, to) = (step.from.origin().0, step.to.origin().0);
            place.write(locox_box_move { from, to, sides: step.from.sides().into() });
            written = written.saturating_add(1);
        }
        count.put(written)
    }
}

structures! {
    /// A coordinate along each axis of a box.
    pub struct locox_place_in_box {
        /// Along each axis, from the first node of the box on.
        pub at: [u8; 4],
    }
}

crate::image::restarts! {
    locox_grid_pool: locox_grid_begin, locox_grid_export, locox_grid_restore, locox_grid_check;
    |it| it
}

fn grid_of(grid: locox_grid) -> Answer<Grid> {
    let mut axes = [Axis::line(1); 4];
    for ((place, side), at) in axes.iter_mut().zip(grid.sides).zip(0u32..) {
        *place = if grid.rings >> at & 1 == 1 { Axis::ring(side) } else { Axis::line(side) };
    }
    let [Some(a), Some(b), Some(c), Some(d)] = axes else { return Err(LOCOX_BAD_ARGUMENT.into()) };
    let known = grid.rings < 1 << 4;
    Grid::new(&[a, b, c, d]).filter(|_| known).ok_or(LOCOX_BAD_ARGUMENT.into())
}

fn sides_of(sides: locox_sides) -> Answer<Sides> {
    Sides::new(&sides.sides).ok_or(LOCOX_BAD_ARGUMENT.into())
}

fn anchors_of(anchors: locox_anchors) -> Answer<Anchors> {
    let locox_anchors { step, offset, leftover } = anchors;
    let leftover: Leftover = Numbered::from_number(leftover)?;
    Ok(Anchors::Steps { step, offset, leftover })
}

/// A request, with the shapes that it names.
struct Shapes {
    kind: u32,
    nodes: u32,
    shapes: [Sides; LOCOX_SHAPES_MOST],
    count: usize,
}

/// # Safety
///
/// The contract of `memory`.
unsafe fn shapes_of(request: locox_box_request) -> Answer<Shapes> {
    let locox_box_request { kind, nodes, .. } = request;
    let mut all = [Sides::new(&[1]).ok_or(LOCOX_UNKNOWN)?; LOCOX_SHAPES_MOST];
    let count = if kind == LOCOX_BOX_NODES { 0 } else { request.count };
    let places = all.get_mut(..count).ok_or(LOCOX_BAD_ARGUMENT)?;
    // SAFETY: the caller keeps the contract.
    let shapes = unsafe { inputs(request.shapes, count) }?;
    for (place, &shape) in places.iter_mut().zip(shapes) {
        *place = sides_of(shape)?;
    }
    Ok(Shapes { kind, nodes, shapes: all, count })
}

impl Shapes {
    fn request(&self) -> Answer<BoxRequest<'_>> {
        let shapes = self.shapes.get(..self.count).unwrap_or_default();
        match (self.kind, shapes) {
            (LOCOX_BOX_FIXED, &[sides]) => Ok(BoxRequest::Fixed(sides)),
            (LOCOX_BOX_TURNED, &[sides]) => Ok(BoxRequest::Turned(sides)),
            (LOCOX_BOX_NODES, _) => Ok(BoxRequest::Nodes(self.nodes)),
            (LOCOX_BOX_ANY_OF, shapes) => Ok(BoxRequest::AnyOf(shapes)),
            _ => Err(LOCOX_BAD_ARGUMENT.into()),
        }
    }
}

/// Numbers that are no box of this machine are of no pool.
fn lease_of(grid: Grid, lease: locox_box_lease) -> Answer<BoxLease> {
    let sides = sides_of(lease.sides).map_err(|_| LOCOX_FOREIGN)?;
    let cuboid = Cuboid::new(grid, Node(lease.handle.index), sides).ok_or(LOCOX_FOREIGN)?;
    BoxLease::from_parts(cuboid, Handle::from(lease.handle)).ok_or(LOCOX_FOREIGN.into())
}

impl From<Sides> for locox_sides {
    fn from(sides: Sides) -> Self {
        Self { sides: sides.into() }
    }
}

impl From<BoxLease> for locox_box_lease {
    fn from(lease: BoxLease) -> Self {
        Self { handle: lease.handle().into(), sides: lease.cuboid().sides().into() }
    }
}

impl From<GridStats> for locox_grid_stats {
    fn from(stats: GridStats) -> Self {
        Self { free: stats.free, leased: stats.leased, out: stats.out }
    }
}

impl From<StorageTooSmall> for Fault {
    fn from(short: StorageTooSmall) -> Self {
        LOCOX_TOO_SHORT.with_len(short.needed)
    }
}

faults! {
    Refusal {
        Refusal::TooLarge => LOCOX_TOO_LARGE,
        Refusal::Faulty => LOCOX_FAULTY,
        Refusal::TooFewFree { free, .. } => LOCOX_TOO_FEW_FREE.with(free),
        Refusal::Fragmented => LOCOX_FRAGMENTED,
    }
    NoPlan {
        NoPlan::Refused(refusal) => Fault::from(refusal),
        NoPlan::Impossible => LOCOX_NONE,
        NoPlan::Undecided => LOCOX_UNDECIDED,
    }
}
