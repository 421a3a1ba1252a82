//! A pool of nodes with quantities: places that are granted and taken back.

use super::amounts::Amounts;
use super::lease::{NodeLease, NodeRow, Refusal};
use super::machine::Nodes;
use super::place::NodePlace;
use super::request::NodeRequest;
use crate::bits::{Word, bit, ones_of, set_bit};
use crate::cube::Node;
use crate::handle::{Handle, Misuse, PoolId};
use crate::machine::Machine;
use crate::outage::{NoSuchNode, NodeState, Outage};
use crate::require::StorageTooSmall;
use crate::slab::Slab;

/// What is free of a machine of [`Nodes`], and the leases on it.
///
/// A job that is to start *now* gets a lease. For jobs that wait there is a queue with
/// [promises](crate::dispatch::Promises) over the same machine.
///
/// ```
/// use locox::cube::Node;
/// use locox::handle::PoolId;
/// use locox::nodes::{Amounts, NodePool, NodeRequest, NodeRow, Nodes, Outage, Placement, Refusal};
///
/// let classes = [Amounts::of(&[64, 256]), Amounts::of(&[32, 512, 4])];
/// let machine = Nodes::<1>::new(&classes, &[0, 1], Placement::Best)?.with_parts(2, 100)?;
/// let words = vec![0; machine.pool_words()];
/// let mut pool = NodePool::new(PoolId(1), machine, vec![NodeRow::EMPTY; 10], words)?;
///
/// let half = pool.allocate(&NodeRequest::part(50, Amounts::of(&[4, 16])))?;
/// let two = NodeRequest::of(2, Amounts::of(&[30, 64]));
/// // The second node has 28 cores left.
/// assert_eq!(pool.allocate(&two), Err(Refusal::Fragmented));
/// assert_eq!(pool.free(Node(1)), Ok(Amounts::of(&[28, 496, 3])));
/// pool.release(half)?;
/// pool.withdraw(&[Node(0)], Outage::Drained, |_| ())?;
/// assert_eq!(pool.allocate(&two), Err(Refusal::Faulty));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Invariants
///
/// - The places of the leases fit on the machine together.
/// - If `is_drawn`, the map is what leases and outages leave: a map is never given anything back.
/// - A failed node is out of service.
#[derive(Clone, Debug)]
pub struct NodePool<'n, const W: usize, R, S> {
    pub(super) machine: Nodes<'n, W>,
    pub(super) slab: Slab,
    pub(super) rows: R,
    /// A map, and room for a search.
    words: S,
    pub(super) is_drawn: bool,
    pub(super) out: [Word; W],
    pub(super) failed: [Word; W],
}

impl<'n, const W: usize, R, S> NodePool<'n, W, R, S>
where
    R: AsRef<[NodeRow<W>]> + AsMut<[NodeRow<W>]>,
    S: AsRef<[u32]> + AsMut<[u32]>,
{
    /// All nodes of a machine, free, with room for as many leases as there are rows; what rows and words held before does not
    /// matter.
    ///
    /// # Errors
    ///
    /// [`StorageTooSmall`] with fewer words than [`Nodes::pool_words`].
    pub fn new(
        id: PoolId,
        machine: Nodes<'n, W>,
        rows: R,
        words: S,
    ) -> Result<Self, StorageTooSmall> {
        let needed = machine.pool_words();
        if words.as_ref().len() < needed {
            return Err(StorageTooSmall { needed });
        }
        let (slab, is_drawn) = (Slab::new(id), false);
        Ok(Self { machine, slab, rows, words, is_drawn, out: [0; W], failed: [0; W] })
    }

    /// The machine.
    pub const fn machine(&self) -> &Nodes<'n, W> {
        &self.machine
    }

    /// [`Nodes::learn`].
    pub fn learn(&mut self, of: &NodeRequest<'_>) {
        self.machine.learn(of);
    }

    /// Grants the place that the machine's [`Placement`](super::Placement) prefers. Cost: a search, and a look at all leases if
    /// the call before it was no grant.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] says why not.
    pub fn allocate(&mut self, of: &NodeRequest<'_>) -> Result<NodeLease<W>, Refusal> {
        let place = self.would_fit(of)?;
        let row = self.slab.open(self.rows.as_mut()).ok_or(Refusal::Full)?;
        crate::slices::edit(self.rows.as_mut(), row, |it| it.place = place);
        self.machine.take(self.words.as_mut(), &place);
        Ok(NodeLease::from_parts(place, self.slab.handle(self.rows.as_ref(), row)))
    }

    /// The place that [`Self::allocate`] would grant. Cost: as that.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] that `allocate` would return.
    pub fn would_fit(&mut self, of: &NodeRequest<'_>) -> Result<NodePlace<W>, Refusal> {
        self.redraw();
        let Some(place) = self.find(of) else { return Err(self.reason(of)) };
        self.slab.next_row(self.rows.as_ref()).map(|_| place).ok_or(Refusal::Full)
    }

    /// Takes a lease back. What it had is free again, but on nodes withdrawn meanwhile. Cost: constant.
    ///
    /// # Errors
    ///
    /// [`Misuse::Foreign`] of a lease of another pool, [`Misuse::Stale`] of one that is not live any more.
    pub fn release(&mut self, lease: NodeLease<W>) -> Result<(), Misuse> {
        // The handle may be of the epoch before, and the rest of another lease.
        if self.lease(lease.handle())?.place() != lease.place() {
            return Err(Misuse::Stale);
        }
        self.slab.close(self.rows.as_mut(), lease.handle().index());
        self.is_drawn = false;
        Ok(())
    }

    /// The live lease that a handle names.
    ///
    /// # Errors
    ///
    /// As of [`Self::release`].
    pub fn lease(&self, handle: Handle) -> Result<NodeLease<W>, Misuse> {
        let row = self.slab.find(self.rows.as_ref(), handle)?;
        self.of_row(row).ok_or(Misuse::Stale)
    }

    /// The live leases, by the numbers of their handles.
    pub fn leases(&self) -> impl Iterator<Item = NodeLease<W>> {
        self.slab.open_rows(self.rows.as_ref()).filter_map(|row| self.of_row(row))
    }

    fn of_row(&self, row: u32) -> Option<NodeLease<W>> {
        let place = self.rows.as_ref().get(row as usize)?.place;
        Some(NodeLease::from_parts(place, self.slab.handle(self.rows.as_ref(), row)))
    }

    /// Takes nodes out of service, then calls `hit` for each lease that has one of them, in the order of [`Self::leases`].
    /// Nodes that are out already may be named again; a drained one may fail, and a failed one stays failed. Cost: the leases.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first node outside the machine; none was withdrawn then.
    pub fn withdraw(
        &mut self,
        nodes: &[Node],
        outage: Outage,
        hit: impl FnMut(NodeLease<W>),
    ) -> Result<(), NoSuchNode> {
        let named = self.set_of(nodes)?;
        join(&mut self.out, &named);
        if outage == Outage::Failed {
            join(&mut self.failed, &named);
        }
        self.is_drawn = false;
        let has = |lease: &NodeLease<W>| lease.place().nodes().any(|it| bit(&named, 0, it.0));
        self.leases().filter(has).for_each(hit);
        Ok(())
    }

    /// Puts nodes back into service. Nodes that serve may be named too. Cost: the nodes.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] names the first node outside the machine; none was repaired then.
    pub fn repair(&mut self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        let named = self.set_of(nodes)?;
        ones_of(&named).for_each(|node| {
            set_bit(&mut self.out, 0, node, false);
            set_bit(&mut self.failed, 0, node, false);
        });
        self.is_drawn = false;
        Ok(())
    }

    fn set_of(&self, nodes: &[Node]) -> Result<[Word; W], NoSuchNode> {
        let mut set = [0; W];
        for &node in nodes {
            self.check_node(node)?;
            set_bit(&mut set, 0, node.0, true);
        }
        Ok(set)
    }

    fn check_node(&self, node: Node) -> Result<(), NoSuchNode> {
        if node.0 < self.machine.nodes() { Ok(()) } else { Err(NoSuchNode(node)) }
    }

    /// What a node is doing. Cost: the leases.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] beyond the last one.
    pub fn state(&self, node: Node) -> Result<NodeState, NoSuchNode> {
        self.check_node(node)?;
        let outage = match (bit(&self.out, 0, node.0), bit(&self.failed, 0, node.0)) {
            (false, _) => None,
            (_, false) => Some(Outage::Drained),
            _ => Some(Outage::Failed),
        };
        let leased = self.places().any(|it| bit(it.set(), 0, node.0));
        Ok(NodeState { leased, outage })
    }

    /// What a new lease may have of a node: nothing if it is out of service. Cost: a look at all leases if the call before it
    /// was no grant.
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] beyond the last one.
    pub fn free(&mut self, node: Node) -> Result<Amounts, NoSuchNode> {
        self.check_node(node)?;
        self.redraw();
        Ok(self.machine.free(self.words.as_ref(), node.0))
    }

    /// The parts that a new lease may have of a device that is held in parts: none if nobody has a part of it and all devices
    /// that are left are held as a whole, and none of a device that the node does not have. Cost: as [`Self::free`].
    ///
    /// # Errors
    ///
    /// [`NoSuchNode`] beyond the last one.
    pub fn free_parts(&mut self, node: Node, device: u32) -> Result<u32, NoSuchNode> {
        self.check_node(node)?;
        self.redraw();
        let row = self.machine.row(self.words.as_ref(), node.0);
        Ok(row.map_or(0, |row| self.machine.devices.usable(&row, device)))
    }

    /// What is free of what nodes have in common. Cost: as [`Self::free`].
    pub fn free_common(&mut self) -> Amounts {
        self.redraw();
        Amounts::of(self.machine.common_of(self.words.as_ref()))
    }

    /// Draws what outages leave, and what leases do.
    fn redraw(&mut self) {
        if !self.is_drawn {
            self.draw(true, true);
            self.is_drawn = true;
        }
    }

    fn draw(&mut self, with_outages: bool, with_leases: bool) {
        let map = self.words.as_mut();
        self.machine.open(map);
        if with_outages {
            self.machine.take(map, &NodePlace::whole(ones_of(&self.out).map(Node)));
        }
        if with_leases {
            places(&self.slab, self.rows.as_ref()).for_each(|it| self.machine.take(map, it));
        }
    }

    fn find(&mut self, of: &NodeRequest<'_>) -> Option<NodePlace<W>> {
        // A set of nodes in the request need not last as long as the classes.
        let machine: &Nodes<'_, W> = &self.machine;
        let words = self.words.as_mut().split_at_mut_checked(machine.words().map);
        let (map, room) = words.unwrap_or_default();
        machine.find(map, of, room)
    }

    /// Why a request that has no place is refused.
    fn reason(&mut self, of: &NodeRequest<'_>) -> Refusal {
        let rows = self.machine.rows(self.words.as_ref());
        let free = rows.fold(0, |sum: u32, (_, _, row)| {
            sum.saturating_add(row.free.first().copied().unwrap_or(0))
        });
        let needed = self.machine.size(of);
        self.is_drawn = false;
        self.draw(false, false);
        if self.find(of).is_none() {
            return Refusal::NoPlace;
        }
        self.draw(true, false);
        if self.find(of).is_none() {
            return Refusal::Faulty;
        }
        if needed > free { Refusal::TooFewFree { needed, free } } else { Refusal::Fragmented }
    }

    pub(super) fn map(&self) -> &[u32] {
        self.words.as_ref()
    }

    /// The places of the live leases.
    pub(super) fn places(&self) -> impl Iterator<Item = &NodePlace<W>> {
        places(&self.slab, self.rows.as_ref())
    }
}

/// The places of the open rows.
fn places<'r, const W: usize>(
    slab: &Slab,
    rows: &'r [NodeRow<W>],
) -> impl Iterator<Item = &'r NodePlace<W>> {
    slab.open_rows(rows).filter_map(|row| rows.get(row as usize)).map(|row| &row.place)
}

/// Adds the nodes of another set.
fn join<const W: usize>(set: &mut [Word; W], other: &[Word; W]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}
