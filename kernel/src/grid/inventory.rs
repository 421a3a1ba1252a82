//! All of a pool of boxes but its storage: leases, outages, refusals, figures.

use super::choice::{Among, Placement, Search, Shortlist};
use super::cuboid::Cuboid;
use super::lease::BoxLease;
use super::leftover::Anchors;
use super::machine::Grid;
use super::request::{BoxRequest, Refusal, Visit};
use super::rows::{Rows, Turns, load, rows_of};
use super::sides::Sides;
use super::stats::GridStats;
use crate::cube::Node;
use crate::epochs::{Epochs, Filed};
use crate::handle::{Epoch, Misuse, PoolId};
use crate::invariant::{InvariantViolation, ensure};
use crate::outage::{BELOW, ClaimError, FAILED, NoSuchNode, NodeState, NotFree, Outage};
use crate::slices::put;
use core::ops::ControlFlow;

/// Maps for searches: what is found, room to make it, where boxes are, and the counts of faces.
const ROOM: usize = 7;

/// Words of storage for a pool of a machine: one a node, and nine maps of a word a row along the
/// longest axis.
///
/// ```
/// use locox::grid::{Grid, words};
/// assert_eq!(words(Grid::torus(&[16, 16, 16]).unwrap()), 4096 + 9 * 256);
/// ```
pub const fn words(grid: Grid) -> usize {
    let maps = rows_of(grid).wrapping_mul(2 + ROOM);
    maps.wrapping_add(grid.nodes() as usize)
}

/// What a pool keeps beside its words, which are
///
/// - a map of the nodes that leases hold, and one of those that serve;
/// - an [`Entry`] for each node;
/// - room for searches, which nothing relies on from one call to the next.
///
/// `free`, `leased` and `out` count the nodes that serve without a lease, those that leases hold, and
/// those that do not serve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inventory {
    pub(super) id: PoolId,
    pub(super) epochs: Epochs,
    pub(super) rows: Rows,
    pub(super) placement: Placement,
    pub(super) anchors: Anchors,
    /// Whether shapes that are not isolated are left out of requests.
    pub(super) isolating: bool,
    pub(super) free: u32,
    leased: u32,
    out: u32,
}

/// What is known of a node.
///
/// - The lower half is the generation of the leases with this origin, as [`Filed`]. It is live exactly
///   while there is such a lease.
/// - Above it stand, of the origin of a live lease, its sides; of another node that a lease holds, its
///   origin; of others anything. Above that, whether the node has failed.
#[derive(Clone, Copy)]
struct Entry(u64);

impl Entry {
    const fn filed(self) -> Filed {
        Filed(self.0 as u32)
    }

    /// Sides or origin.
    const fn place(self) -> u32 {
        self.above() & BELOW
    }

    const fn above(self) -> u32 {
        (self.0 >> 32) as u32
    }

    const fn has_failed(self) -> bool {
        self.above() & FAILED != 0
    }

    const fn with_filed(self, filed: Filed) -> Self {
        Self((self.above() as u64) << 32 | filed.0 as u64)
    }

    const fn with_place(self, place: u32) -> Self {
        let above = self.above() & !BELOW | place;
        Self((above as u64) << 32 | self.filed().0 as u64)
    }

    const fn with_failed(self, failed: bool) -> Self {
        let above = if failed { self.above() | FAILED } else { self.above() & !FAILED };
        Self((above as u64) << 32 | self.filed().0 as u64)
    }
}

/// Splits words as far as there are any.
fn split(words: &mut [u64], at: usize) -> (&mut [u64], &mut [u64]) {
    words.split_at_mut_checked(at).unwrap_or_default()
}

impl Inventory {
    pub(super) fn new(id: PoolId, grid: Grid, placement: Placement, anchors: Anchors) -> Self {
        let (epochs, rows, free) = (Epochs::FIRST, Rows::new(grid), grid.nodes());
        let isolating = false;
        Self { id, epochs, rows, placement, anchors, isolating, free, leased: 0, out: 0 }
    }

    /// Makes all nodes of words with any content free.
    pub(super) fn start_in(&self, words: &mut [u64]) {
        words.fill(0);
        let rows = self.rows.count();
        let serving = words.get_mut(rows..rows.wrapping_mul(2)).unwrap_or_default();
        serving.fill(self.rows.full);
    }

    /// Makes the pool as new, but for its epoch.
    pub(super) fn forget(&mut self, words: &mut [u64]) {
        *self = Self { free: self.rows.grid.nodes(), leased: 0, out: 0, ..*self };
        self.start_in(words);
    }

    /// The maps of these words.
    pub(super) fn search<'a>(&'a self, words: &'a mut [u64]) -> Search<'a> {
        let count = self.rows.count();
        let (held, rest) = split(words, count);
        let (serving, rest) = split(rest, count);
        let (_, rest) = split(rest, self.rows.grid.nodes() as usize);
        let (now, rest) = split(rest, count);
        let (next, rest) = split(rest, count);
        let (origins, rest) = split(rest, count);
        let (ones, rest) = split(rest, count);
        let (twos, rest) = split(rest, count);
        let (fours, rest) = split(rest, count);
        let (eights, _) = split(rest, count);
        let (turns, spare) = (Turns { now, next }, [ones, twos, fours, eights]);
        Search { rows: &self.rows, anchors: &self.anchors, held, serving, turns, origins, spare }
    }

    fn entry(&self, words: &[u64], node: Node) -> Entry {
        Entry(load(words, self.place_of(node)))
    }

    fn set_entry(&self, words: &mut [u64], node: Node, entry: Entry) {
        put(words, self.place_of(node), entry.0);
    }

    /// The word of a node's entry.
    const fn place_of(&self, node: Node) -> usize {
        self.rows.count().wrapping_mul(2).wrapping_add(node.0 as usize)
    }

    pub(super) fn is_held(&self, words: &[u64], node: Node) -> bool {
        let (row, bit) = self.rows.locate(node);
        load(words, row) & bit != 0
    }

    fn serves(&self, words: &[u64], node: Node) -> bool {
        let (row, bit) = self.rows.locate(node);
        load(words, self.rows.count().wrapping_add(row)) & bit != 0
    }

    fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.rows.grid.nodes()).map(Node)
    }

    /// The live lease with this origin.
    pub(super) fn lease_from(&self, words: &[u64], origin: Node) -> Option<BoxLease> {
        let entry = self.entry(words, origin);
        if !entry.filed().is_live() {
            return None;
        }
        let cuboid = Cuboid::new(self.rows.grid, origin, Sides::unpacked(entry.place()))?;
        self.lease(cuboid, entry.filed())
    }

    fn lease(&self, cuboid: Cuboid, filed: Filed) -> Option<BoxLease> {
        let handle = crate::handle::Handle::new(self.id, cuboid.origin().0, filed.generation());
        BoxLease::from_parts(cuboid, handle.in_epoch(self.epochs.now))
    }

    pub(super) fn lease_at(&self, words: &[u64], node: Node) -> Option<BoxLease> {
        if !self.is_held(words, node) {
            return None;
        }
        let entry = self.entry(words, node);
        let origin = if entry.filed().is_live() { node } else { Node(entry.place()) };
        self.lease_from(words, origin)
    }

    pub(super) fn leases(&self, words: &[u64]) -> impl Iterator<Item = BoxLease> {
        self.nodes().filter_map(|origin| self.lease_from(words, origin))
    }

    /// Passes the shapes that this pool grants to `visit`, ranked as the request has them.
    fn visit(&self, request: &BoxRequest<'_>, visit: &mut Visit<'_>) {
        let grid = self.rows.grid;
        request.visit(grid, &mut |rank, sides| match self.isolating && !sides.are_isolated(grid) {
            true => ControlFlow::Continue(()),
            false => visit(rank, sides),
        });
    }

    pub(super) fn allocate(
        &mut self,
        words: &mut [u64],
        request: &BoxRequest<'_>,
    ) -> Result<BoxLease, Refusal> {
        let Some(cuboid) = self.choose(words, request) else {
            return Err(self.reason(words, request));
        };
        self.grant(words, &cuboid).ok_or(Refusal::Fragmented)
    }

    /// The box that a request gets.
    fn choose(&self, words: &mut [u64], request: &BoxRequest<'_>) -> Option<Cuboid> {
        let mut search = self.search(words);
        let mut list = Shortlist::new(self.placement);
        let mut last = None;
        self.visit(request, &mut |rank, sides| {
            let settled = self.placement == Placement::First || last != Some(rank);
            if settled && !list.is_empty() {
                return ControlFlow::Break(());
            }
            last = Some(rank);
            if sides.nodes() <= self.free && search.find(sides, Among::Free) {
                search.offer(sides, self.placement, &mut list);
            }
            ControlFlow::Continue(())
        });
        search.best(list)
    }

    pub(super) fn would_fit(
        &self,
        words: &mut [u64],
        request: &BoxRequest<'_>,
    ) -> Result<(), Refusal> {
        let mut search = self.search(words);
        let mut found = false;
        self.visit(request, &mut |_, sides| {
            found = sides.nodes() <= self.free && search.find(sides, Among::Free);
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if found { Ok(()) } else { Err(self.reason(words, request)) }
    }

    /// Why a request that is not granted is not.
    fn reason(&self, words: &mut [u64], request: &BoxRequest<'_>) -> Refusal {
        let mut search = self.search(words);
        let (mut reached, mut needed) = (false, u32::MAX);
        self.visit(request, &mut |_, sides| {
            let reaches = self.anchors.reach(&self.rows, sides);
            reached |= reaches;
            let smaller = sides.nodes() < needed;
            if reaches && smaller && (self.out == 0 || search.find(sides, Among::Serving)) {
                needed = sides.nodes();
            }
            ControlFlow::Continue(())
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
        let filed = Filed::of(self.entry(words, cuboid.origin()).filed().generation().next());
        self.free = self.free.wrapping_sub(cuboid.len());
        self.file(words, cuboid, filed);
        self.lease(*cuboid, filed)
    }

    /// Files the lease of a box that no lease holds any node of.
    pub(super) fn file(&mut self, words: &mut [u64], cuboid: &Cuboid, filed: Filed) {
        let origin = cuboid.origin();
        self.hold(words, cuboid, true);
        self.leased = self.leased.wrapping_add(cuboid.len());
        for node in cuboid.nodes().skip(1) {
            let entry = self.entry(words, node).with_place(origin.0);
            self.set_entry(words, node, entry);
        }
        let entry = self.entry(words, origin).with_place(cuboid.sides().packed());
        self.set_entry(words, origin, entry.with_filed(filed));
    }

    /// Makes the nodes of a box held, or not held any more.
    pub(super) fn hold(&self, words: &mut [u64], cuboid: &Cuboid, held: bool) {
        let mask = self.rows.mask(cuboid);
        for row in self.rows.rows(cuboid) {
            let before = load(words, row);
            put(words, row, if held { before | mask } else { before & !mask });
        }
    }

    /// Nodes of a box that a lease holds, out of service if `out`, or neither.
    fn taken(&self, words: &[u64], cuboid: &Cuboid, out: bool) -> bool {
        let (mask, serving) = (self.rows.mask(cuboid), self.rows.count());
        self.rows.rows(cuboid).any(|row| {
            let lost = if out { !load(words, serving.wrapping_add(row)) } else { 0 };
            (load(words, row) | lost) & mask != 0
        })
    }

    /// Whether a lease holds a node of a box.
    pub(super) fn is_leased(&self, words: &[u64], cuboid: &Cuboid) -> bool {
        self.taken(words, cuboid, false)
    }

    pub(super) fn claim(
        &mut self,
        words: &mut [u64],
        cuboid: &Cuboid,
    ) -> Result<BoxLease, ClaimError> {
        let last = || cuboid.nodes().max().unwrap_or_default();
        if cuboid.grid() != self.rows.grid {
            return Err(ClaimError::Misused(NoSuchNode(last())));
        }
        if self.taken(words, cuboid, true) {
            let is_taken = |&node: &Node| self.is_held(words, node) || !self.serves(words, node);
            let first = cuboid.nodes().find(is_taken).unwrap_or_default();
            return Err(ClaimError::Refused(NotFree(first)));
        }
        self.grant(words, cuboid).ok_or(ClaimError::Refused(NotFree(cuboid.origin())))
    }

    pub(super) fn release(&mut self, words: &mut [u64], lease: &BoxLease) -> Result<(), Misuse> {
        let cuboid = lease.cuboid();
        if cuboid.grid() != self.rows.grid {
            return Err(Misuse::Foreign);
        }
        let entry = self.entry(words, cuboid.origin());
        entry.filed().check(lease.handle(), self.id, self.epochs)?;
        if entry.place() != cuboid.sides().packed() {
            return Err(Misuse::Stale);
        }
        let closed = Filed::of(entry.filed().generation().next());
        self.set_entry(words, cuboid.origin(), entry.with_filed(closed));
        self.hold(words, &cuboid, false);
        self.leased = self.leased.wrapping_sub(cuboid.len());
        self.free = self.free.wrapping_add(self.serving_in(words, &cuboid));
        Ok(())
    }

    /// Nodes of a box that serve.
    fn serving_in(&self, words: &[u64], cuboid: &Cuboid) -> u32 {
        let mask = self.rows.mask(cuboid);
        let serving = self.rows.rows(cuboid).map(|row| self.rows.count().wrapping_add(row));
        serving.fold(0, |all, row| all.wrapping_add((load(words, row) & mask).count_ones()))
    }

    /// Names the first of `nodes` that lies outside the machine.
    fn check_nodes(&self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        let stranger = nodes.iter().find(|node| node.0 >= self.rows.grid.nodes());
        stranger.map_or(Ok(()), |&stranger| Err(NoSuchNode(stranger)))
    }

    /// Takes `node` out of service, or puts it back into it.
    pub(super) fn change(&mut self, words: &mut [u64], node: Node, to: Option<Outage>) {
        let entry = self.entry(words, node);
        // A failed node stays failed if it is drained.
        if to != Some(Outage::Drained) {
            self.set_entry(words, node, entry.with_failed(to.is_some()));
        }
        if self.serves(words, node) == to.is_none() {
            return;
        }
        let (row, bit) = self.rows.locate(node);
        let at = self.rows.count().wrapping_add(row);
        put(words, at, load(words, at) ^ bit);
        let by = if to.is_some() { 1 } else { u32::MAX };
        self.out = self.out.wrapping_add(by);
        if !self.is_held(words, node) {
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
        // In the room for searches: the origins of leases that were hit.
        let told = self.place_of(Node(self.rows.grid.nodes()));
        let end = told.wrapping_add(self.rows.count());
        words.get_mut(told..end).unwrap_or_default().fill(0);
        for &node in nodes {
            let Some(lease) = self.lease_at(words, node) else { continue };
            let (row, bit) = self.rows.locate(lease.cuboid().origin());
            let at = told.wrapping_add(row);
            let before = load(words, at);
            if before & bit == 0 {
                put(words, at, before | bit);
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
        match (self.serves(words, node), self.entry(words, node).has_failed()) {
            (true, _) => None,
            (false, true) => Some(Outage::Failed),
            (false, false) => Some(Outage::Drained),
        }
    }

    pub(super) fn state(&self, words: &[u64], node: Node) -> Result<NodeState, NoSuchNode> {
        self.check_nodes(&[node])?;
        Ok(NodeState { leased: self.is_held(words, node), outage: self.outage(words, node) })
    }

    pub(super) fn begin(&mut self, words: &mut [u64], epoch: Epoch) {
        self.epochs.begin(epoch);
        for node in self.nodes() {
            let entry = self.entry(words, node);
            self.set_entry(words, node, entry.with_filed(entry.filed().begun()));
        }
    }

    /// The generation of a node as it is stored.
    pub(super) fn filed(&self, words: &[u64], node: Node) -> Filed {
        self.entry(words, node).filed()
    }

    /// Stores the generation of a node without a lease.
    pub(super) fn set_filed(&self, words: &mut [u64], node: Node, filed: Filed) {
        let entry = self.entry(words, node);
        self.set_entry(words, node, entry.with_filed(filed));
    }

    /// After leases and outages have been filed: what is free.
    pub(super) fn recount(&mut self, words: &[u64]) {
        let rows = 0..self.rows.count();
        let free =
            rows.map(|row| load(words, self.rows.count().wrapping_add(row)) & !load(words, row));
        self.free = free.fold(0, |all, row| all.wrapping_add(row.count_ones()));
    }

    pub(super) const fn stats(&self) -> GridStats {
        GridStats { grid: self.rows.grid, free: self.free, leased: self.leased, out: self.out }
    }

    pub(super) fn stranded(&self, words: &mut [u64], request: &BoxRequest<'_>) -> u32 {
        let mut search = self.search(words);
        search.begin_covering();
        self.visit(request, &mut |_, sides| {
            search.cover(sides);
            ControlFlow::Continue(())
        });
        search.uncovered()
    }

    pub(super) fn check_invariants(&self, words: &[u64]) -> Result<(), InvariantViolation> {
        for row in 0..self.rows.count() {
            let both = load(words, row) | load(words, self.rows.count().wrapping_add(row));
            ensure(both & !self.rows.full == 0, "what is no node is neither held nor serves")?;
        }
        let (mut free, mut leased, mut out) = (0u32, 0u32, 0u32);
        for node in self.nodes() {
            let (serves, held) = (self.serves(words, node), self.is_held(words, node));
            let failed = self.entry(words, node).has_failed();
            ensure(!(serves && failed), "a failed node is out of service")?;
            let lease = self.lease_at(words, node).map(|lease| lease.cuboid());
            let right = held == lease.is_some_and(|cuboid| cuboid.contains(node));
            ensure(right, "a node that is held lies in its lease")?;
            free = free.wrapping_add(u32::from(serves && !held));
            leased = leased.wrapping_add(u32::from(held));
            out = out.wrapping_add(u32::from(!serves));
        }
        let counted = (free, leased, out) == (self.free, self.leased, self.out);
        ensure(counted, "the counts of nodes that are free, leased, out of service")?;
        let mut sum = 0u32;
        for origin in self.nodes().filter(|&node| self.filed(words, node).is_live()) {
            let lease = self.lease_from(words, origin);
            let lies = lease.is_some_and(|lease| self.is_held(words, lease.cuboid().origin()));
            ensure(lies, "a live lease is a box of held nodes")?;
            sum = sum.saturating_add(lease.map_or(0, |lease| lease.cuboid().len()));
        }
        // A node of two leases counts twice.
        ensure(sum == self.leased, "leases are disjoint")
    }
}
