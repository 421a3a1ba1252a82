//! The auxiliary free list: meshes that leave part of their subcube to others.
//!
//! Source: Turner 1995, section 3.3. A request looks for a subcube of its dimension in the
//! auxiliary list, then asks the strategy; a larger subcube is split, and the rest stays where it
//! was. What the mesh leaves over goes to the auxiliary list. A release takes the leftover back;
//! if nobody uses any of it, the subcube returns in one piece, otherwise the mesh's own region and
//! the free leftover return piece by piece.
//!
//! Where neither has a subcube, the fragments of each leftover are searched for one that lies across
//! them (see `search`), and a leftover whose nodes are all free is one subcube again. So a request
//! is refused only if no leftover has what it asks for. Both are left out over a strategy that does not
//! recombine, the free list of the literature.
//!
//! Two rules are ours. As printed, the algorithm can break theorem 1, by which the routes of one
//! mesh never use a channel inside another:
//!
//! - Subcubes of different leftovers are never joined in the auxiliary list, even if they are
//!   complements; those of one leftover are.
//! - Whatever came out of the leftover of a live mesh returns to it. The printed algorithm (figure
//!   3.9, step 4) puts it into the ordinary free list, where it is joined with other subcubes.
//!
//! So each free subcube and each mesh has an owner, the leftover that it lies in. When a mesh is
//! released, its nodes and what lies in its leftovers go to the owner of the mesh: the leftover
//! around it, or the strategy if there is none.
//!
//! A node that a mesh holds stays with it when it goes out of service, as in a plain pool, until the
//! release. A free one leaves its list. Hit is every mesh whose routes the node may carry: the one
//! that it belongs to and, because routes pass through leftover, perhaps the mesh around it, and the
//! mesh around that one. While leftover is kept, a mesh holds all nodes of its subcube, and each of
//! them hits it.
//!
//! Cost: that of the strategy, and a few words for each subcube of the leftover, at most quadratic
//! in the dimension for two axes. A release that finds its leftover in use also looks at a word
//! for each 64 nodes of it, and clears a map of the mesh's subcube for the strategy.

use super::auxiliary::AuxiliaryList;
use super::shapes::Shapes;
use super::{Embedding, Leftover, MeshLease, Shape};
use crate::bits::{Word, bit, set_bit, words_for};
use crate::cube::{Dim, Marked, Node, Subcube};
use crate::handle::{Generation, Misuse, PoolId};
use crate::image::{BadImage, Take};
use crate::subcube::image::Restore;
use crate::subcube::inventory::Inventory;
use crate::subcube::region_owners::{Fragments, NO_OWNER};
use crate::subcube::{ClaimError, Lease, NoSuchNode, NotFree, Outage, Refusal, Start, Strategy};

/// All of a pool of meshes but its storage.
///
/// - The subcubes of live meshes are disjoint or nested, and a nested one lies in a leftover.
/// - Every node is exactly one of these: held by a mesh, free in the auxiliary list, free in the
///   strategy, out of service without being held.
/// - A mesh holds its own nodes and, while leftover is kept, all nodes of its subcube.
/// - A node is in the auxiliary list exactly if it serves, no mesh holds it, and it lies in the
///   subcube of a mesh. Its owner is then the leftover of the innermost such mesh.
/// - A leftover whose nodes are all free is one subcube of the auxiliary list, if the strategy
///   recombines.
/// - From word `live` on a bit a node says whether a live mesh has this base: a search passes over
///   many in a word.
/// - `asked` counts the nodes of meshes, the inventory the free ones and the held ones.
#[derive(Clone, Debug)]
pub(super) struct Core<T> {
    pub(super) inventory: Inventory<T>,
    pub(super) auxiliary: AuxiliaryList,
    shapes: Shapes,
    pub(super) live: usize,
    pub(super) leftover: Leftover,
    pub(super) asked: u32,
}

/// Words beyond those of a pool of subcubes: the auxiliary list, shapes, a bit for each live mesh.
pub(super) const fn extra_words(dims: Dim) -> usize {
    AuxiliaryList::words(dims) + Shapes::words(dims) + words_for(dims.nodes() as usize)
}

/// Where a node belongs.
pub(super) enum Place {
    /// To a mesh.
    Held(MeshLease),
    /// To nobody; if it serves, it is free with this owner.
    Free { owner: u32 },
}

impl<T: Strategy> Core<T> {
    /// What a pool of subcubes needs comes first, then zeros.
    #[inline]
    pub(super) const fn new(id: PoolId, dims: Dim, start: &Start<T>, leftover: Leftover) -> Self {
        let inventory = Inventory::new(id, dims, start);
        let lists = inventory.words();
        let auxiliary = AuxiliaryList::new(dims, lists, &inventory.ledger);
        let shapes_start = lists + AuxiliaryList::words(dims);
        let shapes = Shapes::new(dims, shapes_start);
        let live = shapes_start + Shapes::words(dims);
        Self { inventory, auxiliary, shapes, live, leftover, asked: 0 }
    }

    pub(super) const fn words(&self) -> usize {
        self.inventory.words() + extra_words(self.inventory.dims)
    }

    /// The mesh that a live lease is of.
    pub(super) fn mesh_of(&self, words: &[Word], lease: Lease) -> MeshLease {
        MeshLease::new(lease, self.shapes.get(words, lease.cube().base().0))
    }

    /// The bases of all live leases.
    pub(super) fn bases(&self) -> Marked {
        Subcube::whole(self.inventory.dims).marked(self.live, 0)
    }

    /// The live lease with the next of some bases.
    pub(super) fn next_lease(&self, words: &[Word], bases: &mut Marked) -> Option<Lease> {
        self.inventory.ledger.lease_from(words, bases.next(words)?)
    }

    /// The live meshes, by rising base.
    pub(super) fn leases(&self, words: &[Word]) -> impl Iterator<Item = MeshLease> {
        let mut bases = self.bases();
        let leases = core::iter::from_fn(move || self.next_lease(words, &mut bases));
        leases.map(|lease| self.mesh_of(words, lease))
    }

    /// The bases of live leases that `node` can lie in: its address with some ones made zeros.
    fn bases_around(&self, node: Node) -> Marked {
        let dims = self.inventory.dims;
        Subcube::from_parts(dims, 0, node.0 & dims.nodes().wrapping_sub(1)).marked(self.live, 0)
    }

    /// Of the live leases with the next of these bases, the first whose subcube contains `node`.
    fn next_around(&self, words: &[Word], bases: &mut Marked, node: Node) -> Option<Lease> {
        loop {
            let base = bases.next(words)?;
            // Most are told by the mask alone.
            if (base.0 ^ node.0) & !self.inventory.ledger.masks.get(words, base.0) == 0 {
                return self.inventory.ledger.lease_from(words, base);
            }
        }
    }

    /// The live leases whose subcubes contain `node`, from the outermost to the innermost: an inner
    /// one has a higher base.
    pub(super) fn around(&self, words: &[Word], node: Node) -> impl Iterator<Item = Lease> {
        let mut bases = self.bases_around(node);
        core::iter::from_fn(move || self.next_around(words, &mut bases, node))
    }

    /// Where `node` belongs.
    pub(super) fn place(&self, words: &[Word], node: Node) -> Place {
        let innermost = self.around(words, node).last();
        self.place_in(innermost.map(|lease| self.mesh_of(words, lease)), node)
    }

    /// Where `node` belongs, if this is the innermost of the live meshes whose subcubes it lies in.
    fn place_in(&self, innermost: Option<MeshLease>, node: Node) -> Place {
        let Some(lease) = innermost else { return Place::Free { owner: NO_OWNER } };
        if self.leftover == Leftover::Kept || lease.mesh().contains(node) {
            return Place::Held(lease);
        }
        let leftover = lease.mesh().leftover().find(|cube| cube.contains(node));
        Place::Free { owner: leftover.map_or(NO_OWNER, |cube| cube.base().0) }
    }

    pub(super) fn lease_at(&self, words: &[Word], node: Node) -> Option<MeshLease> {
        if self.inventory.strategy.is_free(words, node) {
            return None;
        }
        let Place::Held(lease) = self.place(words, node) else { return None };
        Some(lease)
    }

    /// Nodes that a mesh holds.
    pub(super) fn held_by(&self, mesh: &Embedding) -> u32 {
        match self.leftover {
            Leftover::Reused => mesh.shape().nodes(),
            Leftover::Kept => mesh.cube().len(),
        }
    }

    pub(super) fn allocate(
        &mut self,
        words: &mut [Word],
        shape: Shape,
    ) -> Result<MeshLease, Refusal> {
        let dim = shape.dim();
        let taken = if self.inventory.has_enough(dim) { self.take(words, dim) } else { None };
        let Some((cube, owner)) = taken else { return Err(self.reason(words, dim)) };
        let lease = self.inventory.ledger.open(words, cube);
        Ok(self.settle(words, lease, shape, owner))
    }

    /// A subcube and its owner: out of the auxiliary list if it has one, else from the strategy, else
    /// out of the fragments of a leftover.
    fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<(Subcube, u32)> {
        if let Some(listed) = self.auxiliary.take(words, dim) {
            return Some(listed);
        }
        if let Some(cube) = self.inventory.choose(words, dim) {
            return Some((cube, NO_OWNER));
        }
        let (cube, owner) = self.scattered(words, dim)?;
        self.auxiliary.remove(words, &cube, owner);
        Some((cube, owner))
    }

    /// Notes all of a mesh that has just been filed under `lease` and has this owner.
    fn settle(&mut self, words: &mut [Word], lease: Lease, shape: Shape, owner: u32) -> MeshLease {
        let lease = MeshLease::new(lease, shape);
        let (mesh, base) = (lease.mesh(), lease.cube().base());
        set_bit(words, self.live, base.0, true);
        self.shapes.set(words, base.0, shape);
        self.auxiliary.owners.set(words, base.0, owner);
        if self.leftover == Leftover::Reused {
            mesh.leftover().for_each(|cube| self.auxiliary.open(words, &cube));
        }
        self.inventory.count_granted(self.held_by(&mesh));
        self.asked = self.asked.wrapping_add(shape.nodes());
        lease
    }

    pub(super) fn claim(
        &mut self,
        words: &mut [Word],
        mesh: &Embedding,
    ) -> Result<MeshLease, ClaimError> {
        let cube = self.inventory.own(&mesh.cube()).map_err(ClaimError::Misused)?;
        let owner = self.take_out(words, &cube).map_err(ClaimError::Refused)?;
        let lease = self.inventory.ledger.open(words, cube);
        Ok(self.settle(words, lease, mesh.shape(), owner))
    }

    /// Takes the nodes of `cube` away from their owner, if all are free and have the same.
    fn take_out(&mut self, words: &mut [Word], cube: &Subcube) -> Result<u32, NotFree> {
        let Place::Free { owner } = self.place(words, cube.base()) else {
            return Err(NotFree(cube.base()));
        };
        let taken = match owner {
            NO_OWNER => self.inventory.strategy.first_taken(words, cube.nodes()),
            _ => cube.nodes().find(|&node| self.auxiliary.owner_at(words, node) != Some(owner)),
        };
        if let Some(taken) = taken {
            return Err(NotFree(taken));
        }
        match owner {
            NO_OWNER => _ = self.inventory.strategy.remove(words, cube, None),
            _ => self.auxiliary.remove(words, cube, owner),
        }
        Ok(owner)
    }

    pub(super) fn would_fit(&mut self, words: &mut [Word], shape: Shape) -> Result<(), Refusal> {
        let dim = shape.dim();
        let fits = self.inventory.has_enough(dim)
            && (self.auxiliary.lists.largest() >= Some(dim)
                || self.inventory.fits(words, dim)
                || self.scattered(words, dim).is_some());
        if fits { Ok(()) } else { Err(self.reason(words, dim)) }
    }

    /// Why `dim`, which is not granted, is not.
    fn reason(&mut self, words: &mut [Word], dim: Dim) -> Refusal {
        match self.inventory.reason(words, dim) {
            Refusal::Fragmented { .. } if self.gave_up(words, dim) => Refusal::Undecided,
            Refusal::Fragmented { largest } => {
                let largest = largest.max(self.auxiliary.lists.largest().unwrap_or_default());
                let below = dim.down().unwrap_or_default();
                Refusal::Fragmented { largest: self.largest_scattered(words, largest, below) }
            }
            other => other,
        }
    }

    pub(super) fn release(&mut self, words: &mut [Word], lease: &MeshLease) -> Result<(), Misuse> {
        let base = lease.cube().base();
        self.inventory.ledger.check(words, &lease.lease)?;
        if self.shapes.get(words, base.0) != lease.shape() {
            return Err(Misuse::Stale);
        }
        self.inventory.ledger.close(words, &lease.lease);
        let (mesh, owner) = (lease.mesh(), self.auxiliary.owners.of(words, base.0));
        self.auxiliary.owners.clear(words, base.0);
        set_bit(words, self.live, base.0, false);
        match self.leftover {
            Leftover::Kept => self.give(words, mesh.cube(), owner),
            Leftover::Reused => self.give_with_leftover(words, &mesh, owner),
        }
        self.inventory.count_released(self.held_by(&mesh));
        self.asked = self.asked.wrapping_sub(mesh.shape().nodes());
        if self.inventory.leased == 0 {
            self.auxiliary.bound = Dim::ZERO;
        }
        self.remove_what_is_out(words, &mesh, owner);
        Ok(())
    }

    /// Gives the subcube of `mesh` back, in one piece if all its leftover is free. Otherwise the
    /// mesh's own nodes go back in pieces, and the regions in its leftovers get the owner of the mesh.
    fn give_with_leftover(&mut self, words: &mut [Word], mesh: &Embedding, owner: u32) {
        let parts = mesh.partition();
        let mut free = 0usize;
        let all_free = parts.leftover().all(|cube| {
            let listed = self.auxiliary.unlist(words, &cube);
            free = free.wrapping_add(usize::from(listed));
            listed
        });
        if all_free {
            return self.give(words, mesh.cube(), owner);
        }
        for cube in parts.leftover().take(free) {
            self.auxiliary.list(words, &cube, cube.base().0);
        }
        let (mut own, mut leftovers) = (parts.region(), parts.leftover());
        let mut fragments: Option<Fragments> = None;
        let mut next = |auxiliary: &mut AuxiliaryList, words: &mut [Word]| {
            if let Some(cube) = own.next() {
                return Some(cube);
            }
            loop {
                while let Some(base) = fragments.as_mut().and_then(|it| it.next(words)) {
                    if let Some(cube) = auxiliary.lists.cube_from(words, base) {
                        auxiliary.unlist(words, &cube);
                        return Some(cube);
                    }
                    auxiliary.owners.set(words, base.0, owner);
                }
                fragments = Some(auxiliary.owners.fragments(&leftovers.next()?));
            }
        };
        if owner == NO_OWNER {
            let Self { inventory, auxiliary, .. } = self;
            let (block, room) = (mesh.cube().block_around(), inventory.ledger.room);
            let mut next = |words: &mut [Word]| next(auxiliary, words);
            inventory.strategy.free_pieces(words, &block, room, &mut next);
        } else {
            while let Some(cube) = next(&mut self.auxiliary, words) {
                self.give(words, cube, owner);
            }
        }
    }

    /// Makes a subcube free with this owner. A leftover whose nodes are all free is one subcube again,
    /// whatever its fragments were.
    fn give(&mut self, words: &mut [Word], cube: Subcube, owner: u32) {
        if owner == NO_OWNER {
            return self.inventory.strategy.free(words, cube);
        }
        let scattered = self.auxiliary.give(words, &cube, owner);
        if let Some(free) =
            scattered.filter(|free| T::STARTS.recombines() && free.is_power_of_two())
        {
            self.make_whole(words, owner, free);
        }
    }

    /// Makes this leftover one subcube if it has so many nodes, all of which are free.
    #[cold]
    fn make_whole(&mut self, words: &mut [Word], owner: u32, free: u32) {
        let leftover = self.around(words, Node(owner)).find_map(|lease| {
            self.mesh_of(words, lease).mesh().leftover().find(|cube| cube.base().0 == owner)
        });
        let Some(leftover) = leftover.filter(|it| it.len() == free) else { return };
        let mut fragments = self.auxiliary.owners.fragments(&leftover);
        while let Some(cube) = self.auxiliary.next_free(words, &mut fragments) {
            self.auxiliary.unlist(words, &cube);
        }
        self.auxiliary.list(words, &leftover, owner);
    }

    /// Of what a mesh held and its owner got back, takes out the nodes that are out of service.
    fn remove_what_is_out(&mut self, words: &mut [Word], mesh: &Embedding, owner: u32) {
        let service = self.inventory.service;
        service.visit_out(words, &mesh.cube(), &mut |words, node| {
            if self.leftover == Leftover::Kept || mesh.contains(node) {
                self.remove_node(words, node, owner);
            }
        });
    }

    /// Takes a free node away from its owner.
    fn remove_node(&mut self, words: &mut [Word], node: Node, owner: u32) {
        match owner {
            NO_OWNER => self.inventory.remove_node(words, node),
            _ => {
                let single = Subcube::from_parts(self.inventory.dims, node.0, 0);
                self.auxiliary.remove(words, &single, owner);
                self.inventory.count_removed();
            }
        }
    }

    pub(super) fn withdraw(
        &mut self,
        words: &mut [Word],
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(MeshLease),
    ) -> Result<(), NoSuchNode> {
        self.inventory.service.check_nodes(nodes)?;
        self.inventory.ledger.clear_room(words);
        let mut changed = false;
        for &node in nodes {
            let innermost = self.tell_hit(words, node, hit);
            if !self.inventory.service.change(words, node, Some(outage)) {
                continue;
            }
            changed = true;
            match self.place_in(innermost, node) {
                // The strategy loses all at once.
                Place::Held(_) | Place::Free { owner: NO_OWNER } => {}
                Place::Free { owner } => self.remove_node(words, node, owner),
            }
        }
        if changed {
            self.inventory.remove_out(words, nodes);
            self.inventory.assess_after(words, nodes, false);
        }
        Ok(())
    }

    /// Tells of the meshes that `node` hits and that are not noted in the ledger's room, and notes them.
    /// The innermost of those whose subcubes it lies in.
    fn tell_hit(
        &self,
        words: &mut [Word],
        node: Node,
        hit: &mut dyn FnMut(MeshLease),
    ) -> Option<MeshLease> {
        let (mut bases, mut innermost) = (self.bases_around(node), None);
        while let Some(lease) = self.next_around(words, &mut bases, node) {
            let (lease, room) = (self.mesh_of(words, lease), self.inventory.ledger.room);
            let (mesh, base) = (lease.mesh(), lease.cube().base().0);
            let hits = self.leftover == Leftover::Kept || mesh.may_route_through(node);
            if hits && !bit(words, room, base) {
                set_bit(words, room, base, true);
                hit(lease);
            }
            innermost = Some(lease);
        }
        innermost
    }

    pub(super) fn repair(&mut self, words: &mut [Word], nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.inventory.service.check_nodes(nodes)?;
        let mut changed = false;
        for &node in nodes {
            if !self.inventory.service.change(words, node, None) {
                continue;
            }
            changed = true;
            if let Place::Free { owner } = self.place(words, node) {
                self.give(words, Subcube::from_parts(self.inventory.dims, node.0, 0), owner);
                self.inventory.count_returned();
            }
        }
        if changed {
            self.inventory.assess_after(words, nodes, true);
        }
        Ok(())
    }
}

impl<T: Strategy> Restore for Core<T> {
    type By = T;

    const KIND: [u8; 4] = *b"MESH";

    fn configuration(&self) -> u64 {
        u64::from(self.leftover == Leftover::Kept)
    }

    fn inventory(&self) -> &Inventory<T> {
        &self.inventory
    }

    fn inventory_mut(&mut self) -> &mut Inventory<T> {
        &mut self.inventory
    }

    fn anew(&self, start: &Start<T>) -> (Self, usize) {
        let Inventory { ledger, dims, .. } = self.inventory;
        let new = Self::new(ledger.pool, dims, start, self.leftover);
        let words = new.words();
        (new, words)
    }

    fn file(
        &mut self,
        words: &mut [Word],
        cube: Subcube,
        filed: Generation,
        take: &mut Take<'_>,
    ) -> Result<bool, BadImage> {
        let shape = Shape::try_from([take()?, take()?, take()?]).ok();
        let shape = shape.filter(|shape| shape.dim() == cube.dim());
        let shape = shape.ok_or(BadImage::Contradiction("the sides of a mesh"))?;
        let Ok(owner) = self.take_out(words, &cube) else { return Ok(false) };
        self.inventory.ledger.file(words, cube, filed);
        if let Some(lease) = self.inventory.ledger.lease_from(words, cube.base()) {
            self.settle(words, lease, shape, owner);
        }
        Ok(true)
    }

    fn remove_if_free(&mut self, words: &mut [Word], node: Node) {
        if let Place::Free { owner } = self.place(words, node) {
            self.remove_node(words, node, owner);
        }
    }

    fn more(&self, words: &[Word], base: Node, put: &mut dyn FnMut(u32)) {
        self.shapes.get(words, base.0).sides().into_iter().for_each(put);
    }
}
