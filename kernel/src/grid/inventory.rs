//! All of a pool of boxes but its storage: leases, outages, refusals, figures.

use super::boxes::{Boxes, MAPS};
use super::choice::{Among, Placement};
use super::cuboid::Cuboid;
use super::lease::BoxLease;
use super::leftover::Anchors;
use super::machine::Grid;
use super::request::{BoxRequest, Refusal};
use super::rows::{load, rows_of};
use super::sides::Sides;
use crate::cube::Node;
use crate::epochs::Epochs;
use crate::handle::{Generation, Handle, Misuse, PoolId};
use crate::invariant::{InvariantViolation, ensure};
use crate::outage::{BELOW, ClaimError, FAILED, NoSuchNode, NotFree, Outage};
use crate::slices::put;

/// Words of storage for a pool of a machine: one a node, and nine maps of a word a row along the
/// longest axis.
///
/// ```
/// use locox::grid::{Grid, words};
/// assert_eq!(words(Grid::torus(&[16, 16, 16]).unwrap()), 4096 + 9 * 256);
/// ```
pub const fn words(grid: Grid) -> usize {
    rows_of(grid).wrapping_mul(MAPS).wrapping_add(grid.nodes() as usize)
}

/// What a pool keeps beside its words, which are
///
/// - a map of the nodes that leases hold, and one of those that serve;
/// - room for searches, which nothing relies on from one call to the next;
/// - an entry for each node.
///
/// `free`, `leased` and `out` count the nodes that serve without a lease, those that leases hold, and
/// those that do not serve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inventory {
    pub(super) id: PoolId,
    pub(super) epochs: Epochs,
    pub(super) boxes: Boxes,
    pub(super) free: u32,
    pub(super) leased: u32,
    pub(super) out: u32,
}

/// Of the entry of a node: the generation of the leases with this origin, with the mark of [`Epochs`]. It is
/// live exactly while there is such a lease.
const FILED: u64 = u32::MAX as u64;
/// Of the origin of a live lease its sides, of another node that a lease holds its origin, of others
/// anything.
const PLACE: u64 = (BELOW as u64) << 32;
/// Whether the node has failed.
const HAS_FAILED: u64 = (FAILED as u64) << 32;

/// Which maps these are.
pub(super) const HELD: usize = 0;
pub(super) const SERVING: usize = 1;

impl Inventory {
    pub(super) fn new(id: PoolId, grid: Grid, placement: Placement, anchors: Anchors) -> Self {
        let boxes = Boxes::unchecked(grid, placement, anchors);
        Self { id, epochs: Epochs::FIRST, boxes, free: grid.nodes(), leased: 0, out: 0 }
    }

    /// Makes all nodes of words with any content free.
    pub(super) fn start_in(&self, words: &mut [u64]) {
        words.fill(0);
        let rows = self.boxes.rows.count();
        let serving = words.get_mut(rows..rows.wrapping_mul(2)).unwrap_or_default();
        serving.fill(self.boxes.rows.full);
    }

    /// The word of a node's entry.
    const fn entry(&self, node: Node) -> usize {
        self.boxes.rows.count().wrapping_mul(MAPS).wrapping_add(node.0 as usize)
    }

    /// Sets what `part` has of a node's entry.
    fn set(&self, words: &mut [u64], node: Node, part: u64, to: u64) {
        let at = self.entry(node);
        put(words, at, load(words, at) & !part | to & part);
    }

    /// The generation of a node as it is stored.
    pub(super) fn filed(&self, words: &[u64], node: Node) -> Generation {
        Generation::from_raw(load(words, self.entry(node)) as u32)
    }

    /// Stores it.
    pub(super) fn set_filed(&self, words: &mut [u64], node: Node, filed: Generation) {
        self.set(words, node, FILED, filed.raw().into());
    }

    /// The sides or the origin that a node's entry has.
    fn place(&self, words: &[u64], node: Node) -> u32 {
        (load(words, self.entry(node)) >> 32) as u32 & BELOW
    }

    /// The word and the bit of a node in a map.
    fn locate(&self, map: usize, node: Node) -> (usize, u64) {
        let (row, bit) = self.boxes.rows.locate(node);
        (self.boxes.rows.count().wrapping_mul(map).wrapping_add(row), bit)
    }

    pub(super) fn is_in(&self, words: &[u64], map: usize, node: Node) -> bool {
        let (row, bit) = self.locate(map, node);
        load(words, row) & bit != 0
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.boxes.rows.grid.nodes()).map(Node)
    }

    /// The live lease with this origin.
    pub(super) fn lease_from(&self, words: &[u64], origin: Node) -> Option<BoxLease> {
        let generation = self.filed(words, origin).unmarked();
        let sides = Sides::unpacked(self.place(words, origin));
        let cuboid =
            Cuboid::new(self.boxes.rows.grid, origin, sides).filter(|_| generation.is_live())?;
        let handle = Handle::new(self.id, origin.0, generation).in_epoch(self.epochs.now);
        BoxLease::from_parts(cuboid, handle)
    }

    pub(super) fn lease_at(&self, words: &[u64], node: Node) -> Option<BoxLease> {
        if node.0 >= self.boxes.rows.grid.nodes() || !self.is_in(words, HELD, node) {
            return None;
        }
        let own = self.filed(words, node).is_live();
        self.lease_from(words, if own { node } else { Node(self.place(words, node)) })
    }

    pub(super) fn leases(&self, words: &[u64]) -> impl Iterator<Item = BoxLease> {
        self.nodes().filter_map(|origin| self.lease_from(words, origin))
    }

    pub(super) fn allocate(
        &mut self,
        words: &mut [u64],
        request: &BoxRequest<'_>,
    ) -> Result<BoxLease, Refusal> {
        let Some(cuboid) = self.boxes.choose(words, self.free, request) else {
            return Err(self.reason(words, request));
        };
        self.grant(words, &cuboid).ok_or(Refusal::Fragmented)
    }

    pub(super) fn would_fit(
        &self,
        words: &mut [u64],
        request: &BoxRequest<'_>,
    ) -> Result<(), Refusal> {
        let mut search = self.boxes.search(words);
        let mut found = false;
        request.visit(self.boxes.rows.grid, self.boxes.isolating, &mut |_, sides| {
            found = sides.nodes() <= self.free && search.find(sides, Among::Free);
            found
        });
        if found { Ok(()) } else { Err(self.reason(words, request)) }
    }

    /// Why a request that is not granted is not.
    fn reason(&self, words: &mut [u64], request: &BoxRequest<'_>) -> Refusal {
        let mut search = self.boxes.search(words);
        let (mut reached, mut needed) = (false, u32::MAX);
        request.visit(self.boxes.rows.grid, self.boxes.isolating, &mut |_, sides| {
            let reaches = self.boxes.anchors.reach(&self.boxes.rows, sides);
            reached |= reaches;
            let smaller = sides.nodes() < needed;
            if reaches && smaller && (self.out == 0 || search.find(sides, Among::Serving)) {
                needed = sides.nodes();
            }
            false
        });
        match (reached, needed) {
            (false, _) => Refusal::TooLarge,
            (true, u32::MAX) => Refusal::Faulty,
            (true, needed) if needed > self.free => Refusal::TooFewFree { needed, free: self.free },
            _ => Refusal::Fragmented,
        }
    }

    /// Opens a lease of free nodes.
    fn grant(&mut self, words: &mut [u64], cuboid: &Cuboid) -> Option<BoxLease> {
        let filed = self.filed(words, cuboid.origin()).turned();
        self.free = self.free.wrapping_sub(cuboid.sides().nodes());
        self.file(words, cuboid, filed);
        self.lease_from(words, cuboid.origin())
    }

    /// Files the lease of a box that no lease holds any node of.
    pub(super) fn file(&mut self, words: &mut [u64], cuboid: &Cuboid, filed: Generation) {
        let origin = cuboid.origin();
        self.hold(words, cuboid, true);
        self.leased = self.leased.wrapping_add(cuboid.sides().nodes());
        cuboid.nodes().for_each(|node| self.set(words, node, PLACE, u64::from(origin.0) << 32));
        self.set(words, origin, PLACE, u64::from(cuboid.sides().packed()) << 32);
        self.set_filed(words, origin, filed);
    }

    /// Makes the nodes of a box held, or not held any more.
    pub(super) fn hold(&self, words: &mut [u64], cuboid: &Cuboid, held: bool) {
        let mask = self.boxes.rows.mask(cuboid);
        self.boxes.rows.rows(cuboid).for_each(|row| {
            let before = load(words, row);
            put(words, row, if held { before | mask } else { before & !mask });
        });
    }

    /// Nodes of a box that a map has.
    pub(super) fn count(&self, words: &[u64], map: usize, cuboid: &Cuboid) -> u32 {
        let first = self.boxes.rows.count().wrapping_mul(map);
        self.boxes.rows.count_in(words.get(first..).unwrap_or_default(), cuboid)
    }

    pub(super) fn claim(
        &mut self,
        words: &mut [u64],
        cuboid: &Cuboid,
    ) -> Result<BoxLease, ClaimError> {
        if cuboid.grid() != self.boxes.rows.grid {
            let last = cuboid.nodes().max().unwrap_or_default();
            return Err(ClaimError::Misused(NoSuchNode(last)));
        }
        let held = self.count(words, HELD, cuboid);
        let is_free = held == 0 && self.count(words, SERVING, cuboid) == cuboid.sides().nodes();
        let granted = if is_free { self.grant(words, cuboid) } else { None };
        granted.ok_or_else(|| {
            let taken =
                |&node: &Node| self.is_in(words, HELD, node) || !self.is_in(words, SERVING, node);
            ClaimError::Refused(NotFree(cuboid.nodes().find(taken).unwrap_or_default()))
        })
    }

    pub(super) fn release(&mut self, words: &mut [u64], lease: &BoxLease) -> Result<(), Misuse> {
        let (cuboid, origin) = (lease.cuboid(), lease.cuboid().origin());
        if cuboid.grid() != self.boxes.rows.grid {
            return Err(Misuse::Foreign);
        }
        let filed = self.filed(words, origin);
        self.epochs.check(lease.handle(), self.id, filed)?;
        if self.place(words, origin) != cuboid.sides().packed() {
            return Err(Misuse::Stale);
        }
        self.set_filed(words, origin, filed.turned());
        self.hold(words, &cuboid, false);
        self.leased = self.leased.wrapping_sub(cuboid.sides().nodes());
        self.free = self.free.wrapping_add(self.count(words, SERVING, &cuboid));
        Ok(())
    }

    /// Names the first of `nodes` that lies outside the machine.
    pub(super) fn check_nodes(&self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        let stranger = nodes.iter().find(|node| node.0 >= self.boxes.rows.grid.nodes());
        stranger.map_or(Ok(()), |&stranger| Err(NoSuchNode(stranger)))
    }

    /// Takes `node` out of service, or puts it back into it.
    pub(super) fn change(&mut self, words: &mut [u64], node: Node, to: Option<Outage>) {
        // A failed node stays failed if it is drained.
        if to != Some(Outage::Drained) {
            self.set(words, node, HAS_FAILED, if to.is_some() { HAS_FAILED } else { 0 });
        }
        if self.is_in(words, SERVING, node) == to.is_none() {
            return;
        }
        let (at, bit) = self.locate(SERVING, node);
        put(words, at, load(words, at) ^ bit);
        let by = if to.is_some() { 1 } else { u32::MAX };
        self.out = self.out.wrapping_add(by);
        if !self.is_in(words, HELD, node) {
            self.free = self.free.wrapping_sub(by);
        }
    }

    pub(super) fn withdraw(
        &mut self,
        words: &mut [u64],
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(BoxLease),
    ) -> Result<(), NoSuchNode> {
        self.check_nodes(nodes)?;
        nodes.iter().for_each(|&node| self.change(words, node, Some(outage)));
        self.boxes.search(words).origins.fill(0);
        for &node in nodes {
            let Some(lease) = self.lease_at(words, node) else { continue };
            // What was hit is noted by its origin.
            let (row, bit) = self.boxes.rows.locate(lease.cuboid().origin());
            let Some(told) = self.boxes.search(words).origins.get_mut(row) else { continue };
            if *told & bit == 0 {
                *told |= bit;
                hit(lease);
            }
        }
        Ok(())
    }

    pub(super) fn repair(&mut self, words: &mut [u64], nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.check_nodes(nodes)?;
        nodes.iter().for_each(|&node| self.change(words, node, None));
        Ok(())
    }

    pub(super) fn outage(&self, words: &[u64], node: Node) -> Option<Outage> {
        match (self.is_in(words, SERVING, node), load(words, self.entry(node)) & HAS_FAILED) {
            (true, _) => None,
            (false, 0) => Some(Outage::Drained),
            _ => Some(Outage::Failed),
        }
    }

    pub(super) fn check_invariants(&self, words: &[u64]) -> Result<(), InvariantViolation> {
        let mut maps = words.iter().take(self.boxes.rows.count().wrapping_mul(2));
        let only_nodes = maps.all(|row| row & !self.boxes.rows.full == 0);
        ensure(only_nodes, "what is no node is neither held nor serves")?;
        let (mut free, mut leased, mut out, mut sum) = (0u32, 0u32, 0u32, 0u32);
        for node in self.nodes() {
            let (serves, held) = (self.is_in(words, SERVING, node), self.is_in(words, HELD, node));
            let failed = load(words, self.entry(node)) & HAS_FAILED != 0;
            ensure(!(serves && failed), "a failed node is out of service")?;
            let lease = self.lease_at(words, node).map(|lease| lease.cuboid());
            let right = held == lease.is_some_and(|cuboid| cuboid.contains(node));
            ensure(right, "a node that is held lies in its lease")?;
            free = free.wrapping_add((serves && !held).into());
            leased = leased.wrapping_add(held.into());
            out = out.wrapping_add((!serves).into());
            if self.filed(words, node).is_live() {
                let own = lease.filter(|cuboid| cuboid.origin() == node);
                ensure(own.is_some(), "a live lease holds its origin")?;
                sum = sum.saturating_add(own.map_or(0, |cuboid| cuboid.sides().nodes()));
            }
        }
        let counted = (free, leased, out) == (self.free, self.leased, self.out);
        ensure(counted, "the counts of nodes that are free, leased, out of service")?;
        // A node of two leases counts twice.
        ensure(sum == self.leased, "leases are disjoint")
    }
}
