//! A pool of boxes: what users call.

use super::boxes::Boxes;
use super::choice::Placement;
use super::cuboid::Cuboid;
use super::inventory::{HELD, Inventory, words};
use super::lease::BoxLease;
use super::leftover::Anchors;
use super::machine::Grid;
use super::request::{BoxRequest, Refusal};
use super::stats::GridStats;
use crate::cube::Node;
use crate::handle::PoolId;
use crate::invariant::InvariantViolation;
use crate::outage::{ClaimError, NoSuchNode, NodeState};
use crate::require::StorageTooSmall;

/// A pool of the nodes of one machine, over the caller's storage `S`.
///
/// The pool itself is small and may be moved. The storage is any slice of [`words`] words, an array
/// in a `static`, boxed or borrowed; what it held does not matter.
///
/// Costs are said in the letters of [`grid`](super#bounds).
///
/// ```
/// use locox::grid::{Anchors, BoxRequest, Grid, GridPool, Placement, Refusal, words};
/// use locox::handle::{Misuse, PoolId};
///
/// const TORUS: Grid = Grid::torus(&[4, 4, 4]).unwrap();
/// // In firmware the storage is a static of zeros, borrowed.
/// let storage = [0; words(TORUS)];
/// let mut pool = GridPool::new(PoolId(1), TORUS, storage, Placement::Corner, Anchors::Any)?;
///
/// let slice = pool.allocate(BoxRequest::Turned("4x2x1".parse()?))?;
/// assert_eq!(slice.to_string(), "4x2x1 at 0,0,0");
/// let half = pool.allocate(BoxRequest::Nodes(32))?;
/// assert_eq!(pool.lease_at(half.cuboid().origin()), Some(half));
///
/// let cube = BoxRequest::Fixed("4x4x4".parse()?);
/// assert_eq!(pool.would_fit(cube), Err(Refusal::TooFewFree { needed: 64, free: 24 }));
/// pool.release(slice)?;
/// assert_eq!(pool.release(slice), Err(Misuse::Stale));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridPool<S> {
    pub(super) core: Inventory,
    pub(super) storage: S,
}

impl<S: AsRef<[u64]> + AsMut<[u64]>> GridPool<S> {
    /// A pool of the whole machine, whose boxes lie where `anchors` allow and `placement` chooses. Words
    /// of `storage` beyond those needed are not touched.
    ///
    /// # Errors
    ///
    /// [`StorageTooSmall`] below [`words`].
    pub fn new(
        id: PoolId,
        grid: Grid,
        mut storage: S,
        placement: Placement,
        anchors: Anchors,
    ) -> Result<Self, StorageTooSmall> {
        let (core, needed) = (Inventory::new(id, grid, placement, anchors), words(grid));
        core.start_in(storage.as_mut().get_mut(..needed).ok_or(StorageTooSmall { needed })?);
        Ok(Self { core, storage })
    }

    /// The same pool, granting none but [isolated](super::Sides::are_isolated) boxes. No two of these use
    /// a common channel. Other shapes are left out of requests, as if the machine were too small for
    /// them; claims are not bound by it.
    ///
    /// ```
    /// use locox::grid::{Anchors, BoxRequest, Grid, GridPool, Placement, Refusal, words};
    /// use locox::handle::PoolId;
    /// const RING: Grid = Grid::torus(&[8]).unwrap();
    /// let storage = [0; words(RING)];
    /// let pool = GridPool::new(PoolId(1), RING, storage, Placement::First, Anchors::Any)?;
    /// let mut pool = pool.isolating();
    /// // From the first of five nodes to the last it is shorter around the other three.
    /// assert_eq!(pool.would_fit(BoxRequest::Nodes(5)), Err(Refusal::TooLarge));
    /// assert_eq!(pool.would_fit(BoxRequest::Nodes(4)), Ok(()));
    /// # Ok::<(), locox::grid::StorageTooSmall>(())
    /// ```
    #[must_use]
    pub fn isolating(mut self) -> Self {
        self.core.boxes.isolating = true;
        self
    }

    /// Whether it grants none but isolated boxes.
    pub const fn is_isolating(&self) -> bool {
        self.core.boxes.isolating
    }

    /// The number that tells this pool's leases from those of others.
    pub const fn id(&self) -> PoolId {
        self.core.id
    }

    /// The machine.
    pub const fn grid(&self) -> Grid {
        self.core.boxes.rows.grid
    }

    /// Which of the free boxes a request gets.
    pub const fn placement(&self) -> Placement {
        self.core.boxes.placement
    }

    /// Where boxes may begin.
    pub const fn anchors(&self) -> Anchors {
        self.core.boxes.anchors
    }

    /// Nodes that a new lease may take.
    pub const fn free(&self) -> u32 {
        self.core.free
    }

    /// Grants what is asked for. Cost: a search of each shape up to those of the rank that is granted,
    /// what the [`Placement`] says for these, and a few operations for each node of the box. A refusal
    /// takes a search of each shape, and while nodes are out of service another one.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] says why not.
    pub fn allocate(&mut self, request: BoxRequest<'_>) -> Result<BoxLease, Refusal> {
        self.core.allocate(self.storage.as_mut(), &request)
    }

    /// Grants this very box, wherever it begins. Cost: a few operations for each node of it.
    ///
    /// # Errors
    ///
    /// [`NotFree`](super::NotFree) names the first node, in the order of [`Cuboid::nodes`], that is leased
    /// or out of service. [`NoSuchNode`] names the node of the highest number of a box in another machine.
    pub fn claim(&mut self, place: Cuboid) -> Result<BoxLease, ClaimError> {
        self.core.claim(self.storage.as_mut(), &place)
    }

    /// What [`Self::allocate`] would answer, without doing it. Mutable because a search needs room in the
    /// caller's storage; no later answer changes. Cost: a search of each shape up to one that fits, else
    /// that of a refusal.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] that `allocate` would return.
    pub fn would_fit(&mut self, request: BoxRequest<'_>) -> Result<(), Refusal> {
        self.core.would_fit(self.storage.as_mut(), &request)
    }

    /// Whether `node` is held by a lease, and whether it is out of service.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] outside the machine.
    pub fn state(&self, node: Node) -> Result<NodeState, NoSuchNode> {
        self.core.check_nodes(&[node])?;
        let words = self.storage.as_ref();
        let (leased, outage) = (self.core.is_in(words, HELD, node), self.core.outage(words, node));
        Ok(NodeState { leased, outage })
    }

    /// Counts of nodes. Constant cost.
    pub const fn stats(&self) -> GridStats {
        let Inventory { boxes, free, leased, out, .. } = self.core;
        GridStats { grid: boxes.rows.grid, free, leased, out }
    }

    /// Free nodes that are of no use to a request: they lie in no free box that it might get. Cost: a
    /// search and 25 R for each shape.
    ///
    /// ```
    /// use locox::grid::{Anchors, BoxRequest, Cuboid, Grid, GridPool, Placement, words};
    /// use locox::cube::Node;
    /// use locox::handle::PoolId;
    /// const LINE: Grid = Grid::mesh(&[8]).unwrap();
    /// let storage = [0; words(LINE)];
    /// let mut pool = GridPool::new(PoolId(1), LINE, storage, Placement::First, Anchors::Any)?;
    /// pool.claim(Cuboid::new(LINE, Node(2), "2".parse()?).unwrap())?;
    /// // Nodes 0 and 1 are of no use to a box of three; 4 to 7 are.
    /// assert_eq!(pool.stranded(BoxRequest::Fixed("3".parse()?)), 2);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn stranded(&mut self, request: BoxRequest<'_>) -> u32 {
        let Boxes { isolating, .. } = self.core.boxes;
        self.core.boxes.search(self.storage.as_mut()).stranded(&request, isolating)
    }

    /// Recomputes all derived data and compares; for tests and fuzzers. Cost: a few operations for each
    /// node.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] names the invariant that does not hold.
    pub fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.core.check_invariants(self.storage.as_ref())
    }
}

crate::lease_api::lease_api! {
    [S: AsRef<[u64]> + AsMut<[u64]>] GridPool<S> => BoxLease;
    /// Cost: three operations for each row of the box.
    release
    /// Cost: a few operations for each node named, and R.
    withdraw
    /// Cost: a few operations for each.
    repair
    /// Constant cost.
    lease_at
    /// 12 words, and 2 for each node.
    export
    /// Placement and anchors may be others than they were, and whether it is isolating.
    restore
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::tally::during;
    use crate::grid::{NotFree, Outage, Sides};
    use crate::handle::Epoch;
    use crate::image::BadImage;
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    type Pool = GridPool<Vec<u64>>;

    fn fresh(machine: &str, placement: Placement, anchors: Anchors) -> Pool {
        let grid: Grid = machine.parse().unwrap();
        GridPool::new(PoolId(1), grid, vec![7; words(grid)], placement, anchors).unwrap()
    }

    fn sides(text: &str) -> Sides {
        text.parse().unwrap()
    }

    #[test]
    fn storage_that_is_too_short_is_refused_with_what_is_needed() {
        let grid = Grid::torus(&[4, 4]).unwrap();
        let needed = words(grid);
        let new = |length: usize| {
            GridPool::new(PoolId(1), grid, vec![0; length], Placement::First, Anchors::Any)
        };
        assert_eq!(new(needed - 1).err(), Some(StorageTooSmall { needed }));
        assert!(new(needed).is_ok());
    }

    /// Flips each bit of what the pool keeps, in a state with leases and outages.
    #[test]
    fn a_flipped_bit_is_reported_or_makes_no_difference() {
        let mut pool = fresh("mesh:3x4r", Placement::First, Anchors::Any);
        let pair = pool.allocate(BoxRequest::Turned(sides("2x2"))).unwrap();
        pool.allocate(BoxRequest::Nodes(3)).unwrap();
        pool.release(pair).unwrap();
        pool.allocate(BoxRequest::Nodes(2)).unwrap();
        pool.withdraw(&[Node(0), Node(11)], Outage::Failed, |_| ()).unwrap();
        pool.check_invariants().unwrap();
        let shown = |pool: &Pool| -> Vec<_> {
            let nodes = (0..12).map(Node);
            let cuboid = |node| pool.lease_at(node).map(|lease| lease.cuboid());
            let out = |node| pool.state(node).unwrap().outage.is_some();
            nodes.map(|node| (cuboid(node), out(node))).collect()
        };
        let before = shown(&pool);
        let mut reported = 0;
        for bit in 0..pool.storage.len() * 64 {
            let mut flipped = pool.clone();
            flipped.storage[bit / 64] ^= 1 << (bit % 64);
            match flipped.check_invariants() {
                Err(_) => reported += 1,
                Ok(()) => assert_eq!(shown(&flipped), before, "bit {bit}"),
            }
        }
        // At least both maps, and whether a lease is live.
        assert!(reported >= 2 * 3 * 64, "{reported}");
    }

    #[test]
    fn a_damaged_image_leaves_the_pool_as_new() {
        let mut pool = fresh("torus:4x4", Placement::First, Anchors::Any);
        pool.allocate(BoxRequest::Nodes(4)).unwrap();
        let mut image = vec![];
        pool.export(|word| image.push(word));
        assert_eq!(image.len(), 12 + 2 * 16);
        for at in 0..image.len() {
            let mut damaged = image.clone();
            damaged[at] ^= 1 << 7;
            let mut other = pool.clone();
            let read = other.restore(damaged, Epoch(1));
            assert!(read.is_err(), "word {at}");
            other.check_invariants().unwrap();
            // Its head says whose it is, and then nothing changes.
            assert_eq!(other.free(), if at < 10 { 12 } else { 16 });
        }
        let mut other = fresh("mesh:4x4", Placement::First, Anchors::Any);
        assert_eq!(other.restore(image, Epoch(1)), Err(BadImage::OtherConfiguration));
    }

    #[test]
    fn a_box_of_another_machine_is_not_claimed() {
        let mut pool = fresh("torus:4x4", Placement::First, Anchors::Any);
        let mesh = Grid::mesh(&[4, 4]).unwrap();
        let square = Cuboid::new(mesh, Node(5), sides("2x2")).unwrap();
        assert_eq!(pool.claim(square), Err(ClaimError::Misused(NoSuchNode(Node(10)))));
        let square = Cuboid::new(pool.grid(), Node(5), sides("2x2")).unwrap();
        pool.withdraw(&[Node(9)], Outage::Drained, |_| ()).unwrap();
        assert_eq!(pool.claim(square), Err(ClaimError::Refused(NotFree(Node(9)))));
    }

    #[test]
    fn leftover_of_a_broken_block_goes_first_to_small_boxes() {
        let anchors = Anchors::steps(&[4, 4], &[]).unwrap();
        let place = |anchors: Anchors| {
            let mut pool = fresh("torus:8x8", Placement::First, anchors);
            pool.allocate(BoxRequest::Fixed(sides("3x4"))).unwrap();
            pool.allocate(BoxRequest::Fixed(sides("1x4"))).unwrap().cuboid().corner()
        };
        assert_eq!(place(anchors), [4, 0, 0, 0]);
        assert_eq!(place(anchors.reused()), [3, 0, 0, 0]);
    }

    /// The bounds in the documentation, in states of all kinds.
    #[test]
    fn searches_stay_within_their_bounds() {
        let steps = Anchors::steps(&[3, 2, 4, 1], &[1, 1]).unwrap();
        for machine in
            ["torus:16x16x16", "mesh:63x7x63r", "torus:15x15x15x15", "mesh:64", "torus:8x8"]
        {
            for (anchors, more) in [(Anchors::Any, 0), (steps, 4), (steps.reused(), 14 + 64)] {
                for (placement, rest) in [
                    (Placement::First, 9),
                    (Placement::Corner, 4 * (29 + 12) + 9),
                    (Placement::Fewest, 4 * (29 + 12) + 81 + 4 * (29 + more) + 64),
                ] {
                    let mut pool = fresh(machine, placement, anchors);
                    let rows = pool.core.boxes.rows.count() as u64;
                    for step in 0..40u32 {
                        let all = pool
                            .grid()
                            .sides()
                            .map(|side| (step * 7 % u32::from(side.min(9))) as u8 + 1);
                        let request = BoxRequest::Fixed(Sides::new(&all).unwrap());
                        let asked = during(|| pool.would_fit(request));
                        assert!(asked <= (29 + more) * rows, "{asked} in {machine}");
                        let asked = during(|| pool.allocate(request));
                        assert!(asked <= (29 + more + rest) * rows, "{asked} in {machine}");
                        let asked = during(|| pool.stranded(request));
                        assert!(asked <= (29 + more + 25) * rows, "{asked} in {machine}");
                    }
                    // A refusal looks for boxes among what serves, too.
                    let largest = BoxRequest::Fixed(Sides::new(&pool.grid().sides()).unwrap());
                    pool.withdraw(&[Node(0)], Outage::Failed, |_| ()).unwrap();
                    let asked = during(|| assert!(pool.would_fit(largest).is_err()));
                    assert!(asked <= 2 * (29 + more) * rows, "{asked} in {machine}");
                }
            }
        }
    }
}
