//! Boxes in meshes and tori.

use crate::pool::{locox_node_state, node_list};
use crate::prelude::*;
use locox::grid::*;

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

numbers! {
    /// Kinds of `locox_box_request`: these sides along these axes.
    LOCOX_BOX_FIXED = 0;
    /// See `LOCOX_BOX_FIXED`: in any rotation.
    LOCOX_BOX_TURNED = 1;
    /// See `LOCOX_BOX_FIXED`: just so many nodes, in any box.
    LOCOX_BOX_NODES = 2;
    /// See `LOCOX_BOX_FIXED`: the first of these shapes that fits.
    LOCOX_BOX_ANY_OF = 3;
}

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

    /// A coordinate along each axis of a box.
    pub struct locox_place_in_box {
        /// Along each axis, from the first node of the box on.
        pub at: [u8; 4],
    }
}

callbacks! {
    /// Called for each lease that a call has to name.
    pub type locox_box_lease_fn(lease: *const locox_box_lease);
}

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

methods! { pool: locox_grid_pool |it| it =>
    /// Starts a pool of all nodes of a machine over `len` words of storage with any content. `placement` is
    /// `LOCOX_BOX_FIRST`, `LOCOX_BOX_CORNER` or `LOCOX_BOX_FEWEST`. Boxes begin at any node if `anchors`
    /// is null. If `isolated` is not zero only boxes are granted that keep their routes to themselves.
    /// Its leases carry `id`: to other pools they are foreign.
    start fn locox_grid_start(
        id: u16, grid: *const locox_grid, placement: u32, anchors: *const locox_anchors, isolated: u32,
        storage: *mut u64, len: usize
    ) -> (; detail) {
        let (grid, placement, anchors) = rule_of(grid, placement, anchors)?;
        let needed = words(grid);
        let words = crate::memory::storage::<u64, u64>(storage, len, needed)?.first(needed).cleared(0);
        let pool = GridPool::new(PoolId(id), grid, words, placement, anchors)?;
        if isolated == 0 { pool } else { pool.isolating() }
    }

    /// Grants a box. Refused as `LOCOX_TOO_LARGE`, `LOCOX_FAULTY`, `LOCOX_TOO_FEW_FREE` or
    /// `LOCOX_FRAGMENTED`.
    act fn locox_grid_allocate(request: *const locox_box_request) -> (lease: locox_box_lease; detail) {
        it.allocate(shapes_of(request)?.request()?)?
    }

    /// Whether `locox_grid_allocate` would grant a box; refused as there.
    look fn locox_grid_would_fit(request: *const locox_box_request) -> (; detail) {
        it.would_fit(shapes_of(request)?.request()?)?
    }

    /// Grants the box with this first node and these sides, wherever it begins, if all its nodes are free:
    /// `LOCOX_NOT_FREE` names one that is not. `LOCOX_NO_SUCH_NODE` if it does not lie in the machine.
    act fn locox_grid_claim(origin: u32, sides: *const locox_sides) -> (lease: locox_box_lease; detail) {
        it.claim(cuboid_of(it.grid(), origin, sides)?)?
    }

    /// Takes a lease back. `LOCOX_FOREIGN` or `LOCOX_STALE` if it is not a live one of this pool.
    act fn locox_grid_release(lease: *const locox_box_lease) { it.release(lease_of(it.grid(), lease)?)? }

    /// Takes nodes out of service, as `LOCOX_FAILED` or `LOCOX_DRAINED`. Afterwards `hit`, which may be
    /// null, is called once for each lease that has one of them.
    /// None is withdrawn if `LOCOX_NO_SUCH_NODE` names one.
    /// While `hit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    act fn locox_grid_withdraw(
        nodes: *const u32, count: usize, outage: u32, hit: locox_box_lease_fn, user: *mut c_void
    ) -> (; detail) { it.withdraw(node_list(nodes, count)?, FromC::from_c(outage)?, |one| tell(hit, one, user))? }

    /// Puts nodes back into service; none if `LOCOX_NO_SUCH_NODE` names one.
    act fn locox_grid_repair(nodes: *const u32, count: usize) -> (; detail) { it.repair(node_list(nodes, count)?)? }

    /// The lease that holds a node; `LOCOX_NONE` if there is none.
    look fn locox_grid_lease_at(node: u32) -> (lease: locox_box_lease) { it.lease_at(Node(node)).ok_or(LOCOX_NONE)? }

    /// Calls `visit` for each live lease, by rising first node.
    /// While `visit` runs, every call on this pool, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_grid_leases(visit: locox_box_lease_fn, user: *mut c_void) {
        it.leases().for_each(|lease| tell(visit, lease, user))
    }

    /// The node at a coordinate of each axis of a granted box, from its first node on, around the ends of
    /// rings; `LOCOX_NO_SUCH_NODE` outside it, `LOCOX_FOREIGN` if the box does not lie in the machine.
    look fn locox_grid_node_at(lease: *const locox_box_lease, at: *const locox_place_in_box) -> (node: u32) {
        let (cuboid, at) = (lease_of(it.grid(), lease)?.cuboid(), at.at);
        let inside = at.iter().zip(lease.sides.sides).all(|(&at, side)| at < side);
        let [x, y, z, w] = at.map(usize::from);
        let [a, b, c, _] = lease.sides.sides.map(usize::from);
        let place = x.saturating_add(a * (y.saturating_add(b * (z.saturating_add(c * w)))));
        cuboid.nodes().nth(place).filter(|_| inside).ok_or(LOCOX_NO_SUCH_NODE)?.0
    }

    /// What a node is doing.
    look fn locox_grid_node(node: u32) -> (state: locox_node_state; detail) { it.state(Node(node))? }

    /// How many nodes are free.
    look fn locox_grid_free() -> (free: u32) { it.free() }

    /// Counts of nodes.
    look fn locox_grid_figures() -> (stats: locox_grid_stats) { it.stats() }

    /// How many free nodes lie in no free box that a request might get.
    look fn locox_grid_stranded(request: *const locox_box_request) -> (stranded: u32) {
        it.stranded(shapes_of(request)?.request()?)
    }

    /// The fewest moves of leases after which a request fits, `most` and `LOCOX_MOVES_MOST` at most, in
    /// the order in which they are possible: to `moves`, and how many to `count`, which is zero if it fits already.
    /// `scratch` has a number a node, with any content. The search takes `steps` steps at most. Refused as
    /// `locox_grid_allocate` whatever moves, as `LOCOX_NONE` if there is no plan of so few moves, and as
    /// `LOCOX_UNDECIDED` if the steps did not suffice to know. Nothing is moved.
    raw_look fn locox_grid_defragment(
        request: *const locox_box_request, most: usize, steps: u32, scratch: *mut u32, len: usize,
        moves: *mut locox_box_move, count: *mut usize
    ) -> (; detail) {
        let (count, shapes) = (out(count)?, shapes_of(input(request)?)?);
        let most = most.min(MOST_MOVES);
        let moves = outputs(moves, most)?;
        let scratch = filled(outputs(scratch, len)?, 0);
        let plan = of(pool, |it| Ok(it.defragment(shapes.request()?, most, steps, scratch)?))?;
        moves.iter_mut().zip(plan.moves()).for_each(|(place, step)| _ = place.write(step.into_c()));
        count.put(plan.moves().count())
    }
}

crate::image::restarts! {
    locox_grid_pool: locox_grid_begin, locox_grid_export, locox_grid_restore, locox_grid_check; |it| it
}

/// A machine, and which boxes are granted in it.
///
/// # Safety
///
/// The contract of `memory`.
pub(crate) unsafe fn rule_of(
    grid: *const locox_grid,
    placement: u32,
    anchors: *const locox_anchors,
) -> Answer<(Grid, Placement, Anchors)> {
    // SAFETY: the caller keeps the contract.
    let grid = grid_of(unsafe { input(grid) }?)?;
    let placement = FromC::from_c(placement)?;
    if anchors.is_null() {
        return Ok((grid, placement, Anchors::Any));
    }
    // SAFETY: as above.
    Ok((grid, placement, anchors_of(unsafe { input(anchors) }?)?))
}

/// A box that lies in a machine.
pub(crate) fn cuboid_of(grid: Grid, origin: u32, sides: locox_sides) -> Answer<Cuboid> {
    let cuboid = Cuboid::new(grid, Node(origin), FromC::from_c(sides)?);
    cuboid.ok_or(LOCOX_NO_SUCH_NODE.with(origin))
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

fn anchors_of(anchors: locox_anchors) -> Answer<Anchors> {
    let locox_anchors { step, offset, leftover } = anchors;
    let leftover: Leftover = FromC::from_c(leftover)?;
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
        *place = FromC::from_c(shape)?;
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
    let sides = Sides::from_c(lease.sides).map_err(|_| LOCOX_FOREIGN)?;
    let cuboid = Cuboid::new(grid, Node(lease.handle.index), sides).ok_or(LOCOX_FOREIGN)?;
    BoxLease::from_parts(cuboid, Handle::from(lease.handle)).ok_or(LOCOX_FOREIGN.into())
}

values! {
    Sides as locox_sides: |it| locox_sides { sides: it.into() },
        else Self::new(&it.sides).ok_or(LOCOX_BAD_ARGUMENT)?;
    BoxLease as locox_box_lease: |it| locox_box_lease {
        handle: it.handle().into_c(), sides: it.cuboid().sides().into_c()
    };
    Move as locox_box_move: |it| locox_box_move {
        from: it.from.origin().0, to: it.to.origin().0, sides: it.from.sides().into_c()
    };
}
mirrors! { locox_grid_stats <- GridStats { free, leased, out } }

faults! {
    StorageTooSmall = StorageTooSmall { needed } => LOCOX_TOO_SHORT.with_len(needed);
}

faults! {
    Refusal {
        TooLarge => LOCOX_TOO_LARGE, Faulty => LOCOX_FAULTY, TooFewFree { free, .. } => LOCOX_TOO_FEW_FREE.with(free),
        Fragmented => LOCOX_FRAGMENTED,
    }
    NoPlan { Refused(refusal) => Fault::from(refusal), Impossible => LOCOX_NONE, Undecided => LOCOX_UNDECIDED }
}
