//! The auxiliary free list: meshes that leave part of their subcube to others.
//!
//! Source: Turner 1995, section 3.3. A request looks for a subcube of its dimension in the
//! auxiliary list, then asks the strategy; a larger subcube is split, and the rest stays where it
//! was. What the mesh leaves over goes to the auxiliary list. A release takes the leftover back;
//! if nobody uses any of it, the subcube returns in one piece, otherwise the mesh's own region and
//! the free leftover return piece by piece.
//!
//! Where neither has a subcube, the pieces of each leftover are searched for one that lies across
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
//! So each free subcube and each mesh has a home, the leftover that it lies in. When a mesh is
//! released, what lies in its leftovers, and its own region, moves to the home of the mesh: the
//! leftover around it, or the strategy.
//!
//! Cost: that of the strategy, and a few words for each subcube of the leftover, at most quadratic
//! in the dimension for two axes. A release that finds its leftover in use also looks at a word
//! for each 64 nodes of it, and clears a map of the mesh's subcube for the strategy.

use super::homes::{Homes, NONE};
use super::largest::Largest;
use super::pieces::Pieces;
use super::shapes::Shapes;
use super::{Embedding, Leftover, MeshLease, Shape};
use crate::bits::{Word, bit, set_bit, words_for};
use crate::coordinate::BadImage;
use crate::cube::{Dim, Marked, Node, Subcube};
use crate::error::Error;
use crate::handle::{Misuse, PoolId};
use crate::invariant::ensure;
use crate::subcube::cube_lists::CubeLists;
use crate::subcube::image::{Restore, Take};
use crate::subcube::inventory::Inventory;
use crate::subcube::{
    InvariantViolation, Lease, NoSuchNode, NotFree, Outage, Refusal, Start, Strategy,
};

/// All of a pool of meshes but its storage.
///
/// - The subcubes of live meshes are disjoint or nested, and a nested one lies in a leftover.
/// - Every node is exactly one of these: held by a mesh, free in the auxiliary list, free in the
///   strategy, out of service without being held.
/// - A mesh holds its own nodes and, while leftover is kept, all nodes of its subcube.
/// - A node is in the auxiliary list exactly if it serves, no mesh holds it, and it lies in the
///   subcube of a mesh. Its home is then the leftover of the innermost such mesh.
/// - A leftover whose nodes are all free is one subcube of the auxiliary list, if the strategy
///   recombines.
/// - From word `live` on a bit a node says whether a mesh with this base is live: a search passes
///   over many in a word.
/// - What is known of the `largest` holds of all leftovers; where searches may be given up, only what
///   counts of free nodes say.
/// - `asked` counts the nodes of meshes, the inventory the free ones and the held ones.
#[derive(Clone, Debug)]
pub(super) struct Core<T> {
    pub(super) inventory: Inventory<T>,
    pub(super) auxiliary: CubeLists,
    pub(super) homes: Homes,
    pub(super) shapes: Shapes,
    live: usize,
    pub(super) leftover: Leftover,
    pub(super) largest: Largest,
    pub(super) asked: u32,
}

/// Words beyond those of a pool of subcubes: the auxiliary list, homes, shapes.
pub(super) const fn extra_words(dims: Dim) -> usize {
    let live = words_for(dims.nodes() as usize);
    CubeLists::words(dims) + Homes::words(dims) + Shapes::words(dims) + live
}

impl<T: Strategy> Core<T> {
    /// What a pool of subcubes needs comes first, then zeros.
    #[inline]
    pub(super) const fn new(id: PoolId, dims: Dim, start: &Start<T>, leftover: Leftover) -> Self {
        let inventory = Inventory::new(id, dims, start);
        let lists = inventory.words();
        let homes_start = lists + CubeLists::words(dims);
        let homes = Homes::new(dims, homes_start);
        let shapes_start = homes_start + Homes::words(dims);
        let shapes = Shapes::new(dims, shapes_start);
        let live = shapes_start + Shapes::words(dims);
        let auxiliary = CubeLists::empty(dims, lists, inventory.ledger.masks);
        let largest = Largest::NONE;
        Self { inventory, auxiliary, homes, shapes, live, leftover, largest, asked: 0 }
    }

    pub(super) const fn words(&self) -> usize {
        self.inventory.words() + extra_words(self.inventory.dims)
    }
}

impl<T> Core<T> {
    /// The mesh that a live lease is of.
    pub(super) fn mesh_of(&self, words: &[Word], lease: Lease) -> MeshLease {
        MeshLease::new(lease, self.shapes.get(words, lease.cube().base().0))
    }

    /// The live leases whose subcubes contain `node`, from the outermost to the innermost: an inner
    /// one has a higher base.
    pub(super) fn around(&self, words: &[Word], node: Node) -> impl Iterator<Item = Lease> {
        let mut bases = self.bases_around(words, node);
        core::iter::from_fn(move || self.next_around(words, &mut bases, node))
    }

    /// The next of them, for those who change words between two.
    pub(super) fn next_around(
        &self,
        words: &[Word],
        bases: &mut Marked,
        node: Node,
    ) -> Option<Lease> {
        loop {
            let base = bases.next(words)?;
            // Most are told by the mask alone.
            if (base.0 ^ node.0) & !self.inventory.ledger.masks.get(words, base.0) == 0 {
                return self.inventory.ledger.lease_from(words, base);
            }
        }
    }

    /// The bases of live leases that `node` can lie in: its address with some ones made zeros.
    pub(super) fn bases_around(&self, words: &[Word], node: Node) -> Marked {
        let dims = self.inventory.dims;
        let bases = match self.alone_at(words, node) {
            Some(alone) => Subcube::from_parts(dims, alone.cube().base().0, 0),
            None => Subcube::from_parts(dims, 0, node.0 & dims.nodes().wrapping_sub(1)),
        };
        bases.marked(self.live, 0)
    }

    /// The bases of all live leases.
    pub(super) fn bases(&self) -> Marked {
        Subcube::whole(self.inventory.dims).marked(self.live, 0)
    }

    /// The live lease with the next of some bases.
    pub(super) fn next_lease(&self, words: &[Word], bases: &mut Marked) -> Option<Lease> {
        self.inventory.ledger.lease_from(words, bases.next(words)?)
    }

    /// The leftover with this base, and its place among all: the base of its mesh's subcube, and how
    /// many leftovers of that come before.
    pub(super) fn leftover_from(&self, words: &[Word], base: Node) -> Option<(Rank, Subcube)> {
        // No lease of this base lies alone: what has it lies in the leftover.
        let mut bases = Subcube::from_parts(self.inventory.dims, 0, base.0).marked(self.live, 0);
        while let Some(owner) = self.next_around(words, &mut bases, base) {
            let leftovers = self.mesh_of(words, owner).mesh().partition();
            let found = (0..).zip(leftovers.leftover()).find(|(_, it)| it.base() == base);
            if let Some((before, leftover)) = found {
                return Some(((owner.cube().base(), before), leftover));
            }
        }
        None
    }

    /// The lease with base `node` if it lies in no leftover: no other mesh is around it then.
    pub(super) fn alone_at(&self, words: &[Word], node: Node) -> Option<Lease> {
        let own = Some(node).filter(|node| node.0 < self.inventory.dims.nodes());
        let own = own.and_then(|base| self.inventory.ledger.lease_from(words, base));
        own.filter(|_| self.homes.get(words, node.0) == NONE)
    }

    /// The live meshes, by rising base.
    pub(super) fn leases(&self, words: &[Word]) -> impl Iterator<Item = MeshLease> {
        let mut bases = self.bases();
        let leases = core::iter::from_fn(move || self.next_lease(words, &mut bases));
        leases.map(|lease| self.mesh_of(words, lease))
    }

    pub(super) fn check_live(&self, words: &[Word]) -> Result<(), InvariantViolation> {
        let noted = |base: Node| bit(words, self.live, base.0);
        let live = |base| self.inventory.ledger.lease_from(words, base).is_some() == noted(base);
        let all = (0..self.inventory.dims.nodes()).map(Node).all(live);
        ensure(all, "a base is noted while a mesh with it is live")
    }

    /// Where `node` belongs.
    pub(super) fn place(&self, words: &[Word], node: Node) -> Place {
        let lease = Some(self).filter(|it| it.inventory.leased > 0);
        let innermost = lease.and_then(|it| it.around(words, node).last());
        self.place_in(innermost.map(|lease| self.mesh_of(words, lease)), node)
    }

    /// Where `node` belongs, if this is the innermost of the live meshes whose subcubes it lies in.
    pub(super) fn place_in(&self, innermost: Option<MeshLease>, node: Node) -> Place {
        let Some(lease) = innermost else { return Place::Free { home: NONE } };
        if self.leftover == Leftover::Kept || lease.mesh().contains(node) {
            return Place::Held(lease);
        }
        let leftover = lease.mesh().partition().leftover().find(|cube| cube.contains(node));
        Place::Free { home: leftover.map_or(NONE, |cube| cube.base().0) }
    }

    /// Nodes that a mesh holds.
    pub(super) fn held_by(&self, mesh: &Embedding) -> u32 {
        match self.leftover {
            Leftover::Reused => mesh.shape().nodes(),
            Leftover::Kept => mesh.cube().len(),
        }
    }
}

/// What comes back with a mesh: its region, and what is free in its leftovers. The meshes in these move
/// to another home meanwhile.
struct Returned<R, L> {
    region: R,
    leftovers: L,
    home: u32,
    /// So many leftovers are free as a whole, and not listed any more.
    taken: usize,
    /// The leftover at hand, and its pieces to come.
    open: Option<(Subcube, Option<Pieces>)>,
}

impl<R: Iterator<Item = Subcube>, L: Iterator<Item = Subcube>> Returned<R, L> {
    fn next(
        &mut self,
        auxiliary: &mut CubeLists,
        homes: Homes,
        words: &mut [Word],
    ) -> Option<Subcube> {
        if let Some(cube) = self.region.next() {
            return Some(cube);
        }
        loop {
            if let Some((leftover, pieces)) = &mut self.open {
                while let Some(base) = pieces.as_mut().and_then(|pieces| pieces.next(words)) {
                    if let Some(cube) = auxiliary.cube_from(words, base) {
                        auxiliary.remove_if_listed(words, &cube, Some(&homes.0));
                        return Some(cube);
                    }
                    homes.0.set(words, base.0, self.home);
                }
                homes.close(words, leftover);
            }
            let leftover = self.leftovers.next()?;
            if self.taken > 0 || auxiliary.remove_if_listed(words, &leftover, Some(&homes.0)) {
                self.taken = self.taken.saturating_sub(1);
                self.open = Some((leftover, None));
                return Some(leftover);
            }
            self.open = Some((leftover, Some(homes.pieces(&leftover))));
        }
    }
}

/// Where a leftover stands among all.
pub(super) type Rank = (Node, u32);

/// Where a node belongs.
pub(super) enum Place {
    /// To a mesh.
    Held(MeshLease),
    /// To nobody; if it serves, it is free at this home.
    Free { home: u32 },
}

impl<T: Strategy> Core<T> {
    pub(super) fn allocate(
        &mut self,
        words: &mut [Word],
        shape: Shape,
    ) -> Result<MeshLease, Refusal> {
        let dim = shape.dim();
        if !self.inventory.has_enough(dim) {
            return Err(self.reason(words, dim));
        }
        let Some((cube, home)) = self.take(words, dim) else {
            return Err(self.reason(words, dim));
        };
        let lease = self.inventory.ledger.open(words, cube);
        Ok(self.settle(words, lease, shape, home))
    }

    /// Notes all of a mesh that has just been filed under `lease` and lies at this home.
    fn settle(&mut self, words: &mut [Word], lease: Lease, shape: Shape, home: u32) -> MeshLease {
        let lease = MeshLease::new(lease, shape);
        let base = lease.cube().base().0;
        set_bit(words, self.live, base, true);
        self.shapes.set(words, base, shape);
        self.homes.0.set(words, base, home);
        let mesh = lease.mesh();
        if self.leftover == Leftover::Reused {
            for cube in mesh.partition().leftover() {
                self.homes.open(words, &cube);
                self.largest.given(cube.len().wrapping_sub(1));
                self.auxiliary.put(words, &cube, cube.base().0, Some(&self.homes.0));
            }
        }
        let held = self.held_by(&mesh);
        self.inventory.count_granted(held);
        self.asked = self.asked.wrapping_add(shape.nodes());
        lease
    }

    /// Takes the nodes of `cube` out of their home, if all are free at the same.
    fn take_out(&mut self, words: &mut [Word], cube: &Subcube) -> Result<u32, NotFree> {
        let Place::Free { home } = self.place(words, cube.base()) else {
            return Err(NotFree(cube.base()));
        };
        let at_home = |cube: Subcube| self.homes.get(words, cube.base().0) == home;
        let is_taken = |&node: &Node| match home {
            NONE => !self.inventory.strategy.is_free(words, node),
            _ => !self.auxiliary.containing(words, node).is_some_and(at_home),
        };
        if let Some(taken) = cube.nodes().find(is_taken) {
            return Err(NotFree(taken));
        }
        if home == NONE {
            self.inventory.strategy.remove(words, cube, None);
        } else {
            self.auxiliary.remove(words, cube, self.inventory.ledger.room, Some(&self.homes.0));
            self.count_taken(words, home, cube.len());
        }
        Ok(home)
    }

    pub(super) fn claim(
        &mut self,
        words: &mut [Word],
        mesh: &Embedding,
    ) -> Result<MeshLease, Error<NotFree, NoSuchNode>> {
        let cube = self.inventory.own(&mesh.cube()).map_err(Error::Misused)?;
        let home = self.take_out(words, &cube).map_err(Error::Refused)?;
        let lease = self.inventory.ledger.open(words, cube);
        Ok(self.settle(words, lease, mesh.shape(), home))
    }

    /// A subcube and its home: out of the auxiliary list if it has one, else from the strategy, else
    /// out of the pieces of a leftover.
    fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<(Subcube, u32)> {
        let listed = self.auxiliary.take(words, dim, Some(&self.homes.0));
        let (cube, home) = match listed {
            Some(listed) => listed,
            None => match self.inventory.strategy.allocate(words, dim) {
                Some(cube) => return Some((cube, NONE)),
                None => self.take_scattered(words, dim)?,
            },
        };
        self.count_taken(words, home, dim.nodes());
        Some((cube, home))
    }

    /// So many nodes less are free in a leftover.
    fn count_taken(&mut self, words: &mut [Word], home: u32, nodes: u32) {
        self.homes.count(words, home, nodes.wrapping_neg());
        self.largest.taken();
    }

    fn take_scattered(&mut self, words: &mut [Word], dim: Dim) -> Option<(Subcube, u32)> {
        let (cube, home) = self.scattered(words, dim)?;
        self.auxiliary.remove(words, &cube, self.inventory.ledger.room, Some(&self.homes.0));
        Some((cube, home))
    }

    pub(super) fn would_fit(&mut self, words: &mut [Word], dim: Dim) -> Result<(), Refusal> {
        let fits = self.inventory.has_enough(dim)
            && (self.auxiliary.largest() >= Some(dim)
                || self.inventory.fits(words, dim)
                || self.scattered(words, dim).is_some());
        if fits { Ok(()) } else { Err(self.reason(words, dim)) }
    }

    /// Why `dim`, which is not granted, is not.
    fn reason(&mut self, words: &mut [Word], dim: Dim) -> Refusal {
        match self.inventory.reason(words, dim) {
            Refusal::Fragmented { .. } if self.gave_up(words, dim) => Refusal::Undecided,
            Refusal::Fragmented { largest } => {
                let below = dim.down().unwrap_or_default();
                let largest = largest.max(self.auxiliary.largest().unwrap_or_default());
                Refusal::Fragmented { largest: self.largest_scattered(words, largest, below) }
            }
            other => other,
        }
    }

    pub(super) fn release(&mut self, words: &mut [Word], lease: &MeshLease) -> Result<(), Misuse> {
        let base = lease.cube().base().0;
        self.inventory.ledger.check(words, lease.lease())?;
        if self.shapes.get(words, base) != lease.shape() {
            return Err(Misuse::Stale);
        }
        self.inventory.ledger.close_checked(words, lease.lease());
        let home = self.homes.get(words, base);
        self.homes.0.clear(words, base);
        set_bit(words, self.live, base, false);
        let mesh = lease.mesh();
        match self.leftover {
            Leftover::Kept => self.give(words, mesh.cube(), home),
            Leftover::Reused => self.give_with_leftover(words, &mesh, home),
        }
        let held = self.held_by(&mesh);
        self.inventory.count_released(held);
        self.asked = self.asked.wrapping_sub(mesh.shape().nodes());
        if self.inventory.leased == 0 {
            self.largest = Largest::NONE;
        }
        self.remove_what_is_out(words, &mesh, home);
        Ok(())
    }

    /// Gives the subcube of `mesh` back, in one piece if all its leftover is free. Otherwise the
    /// mesh's own region goes back, and what lies in its leftovers moves to its home.
    fn give_with_leftover(&mut self, words: &mut [Word], mesh: &Embedding, home: u32) {
        let parts = mesh.partition();
        self.largest.taken();
        let mut taken = 0usize;
        let busy = parts.leftover().any(|cube| {
            let free = self.auxiliary.remove_if_listed(words, &cube, Some(&self.homes.0));
            if free {
                self.homes.close(words, &cube);
                taken = taken.wrapping_add(1);
            }
            !free
        });
        if !busy {
            return self.give(words, mesh.cube(), home);
        }
        let (block, room) = (mesh.cube().block_around(), self.inventory.ledger.room);
        let (region, leftovers) = (parts.region(), parts.leftover());
        let mut returned = Returned { region, leftovers, home, taken, open: None };
        if home == NONE {
            let Self { inventory, auxiliary, homes, .. } = self;
            let mut next = |words: &mut [Word]| returned.next(auxiliary, *homes, words);
            inventory.strategy.free_pieces(words, &block, room, &mut next);
        } else {
            while let Some(cube) = returned.next(&mut self.auxiliary, self.homes, words) {
                self.give(words, cube, home);
            }
        }
    }

    /// Makes a subcube free at its home. A leftover whose nodes are all free is one subcube again,
    /// whatever its pieces were.
    fn give(&mut self, words: &mut [Word], cube: Subcube, home: u32) {
        if home == NONE {
            return self.inventory.strategy.free(words, cube);
        }
        let joined = self.auxiliary.give(words, &cube, home, Some(&self.homes.0));
        let free = self.homes.count(words, home, cube.len());
        self.largest.given(free);
        if T::STARTS.recombines() && joined < free && free.is_power_of_two() {
            self.make_whole(words, home, free);
        }
    }

    #[cold]
    fn make_whole(&mut self, words: &mut [Word], home: u32, free: u32) {
        let leftover = self.leftover_from(words, Node(home)).map(|(_, leftover)| leftover);
        let Some(leftover) = leftover.filter(|it| it.len() == free) else { return };
        let mut pieces = self.homes.pieces(&leftover);
        while let Some(base) = pieces.next(words) {
            if let Some(cube) = self.auxiliary.cube_from(words, base) {
                self.auxiliary.remove_if_listed(words, &cube, Some(&self.homes.0));
            }
        }
        self.auxiliary.put(words, &leftover, home, Some(&self.homes.0));
    }

    /// Of what a mesh held and its home got back, takes out the nodes that are out of service.
    fn remove_what_is_out(&mut self, words: &mut [Word], mesh: &Embedding, home: u32) {
        let service = self.inventory.service;
        service.visit_out(words, &mesh.cube(), &mut |words, node| {
            if self.leftover == Leftover::Kept || mesh.contains(node) {
                self.remove_node(words, node, home);
            }
        });
    }

    /// Takes a free node out of its home.
    pub(super) fn remove_node(&mut self, words: &mut [Word], node: Node, home: u32) {
        match home {
            NONE => self.inventory.remove_node(words, node),
            _ => {
                let single = Subcube::from_parts(self.inventory.dims, node.0, 0);
                self.auxiliary.remove(
                    words,
                    &single,
                    self.inventory.ledger.room,
                    Some(&self.homes.0),
                );
                self.count_taken(words, home, 1);
            }
        }
        self.inventory.count_removed();
    }

    /// Makes a node free that comes back into service.
    pub(super) fn return_node(&mut self, words: &mut [Word], node: Node, home: u32) {
        self.give(words, Subcube::from_parts(self.inventory.dims, node.0, 0), home);
        self.inventory.count_returned();
    }
}

impl<T: Strategy> Restore<T> for Core<T> {
    const KIND: [u8; 4] = *b"MESH";

    fn configuration(&self) -> u64 {
        u64::from(self.leftover == Leftover::Kept)
    }

    fn inventory(&mut self) -> &mut Inventory<T> {
        &mut self.inventory
    }

    fn forget(&mut self, words: &mut [Word]) {
        let epoch = self.inventory.ledger.epoch;
        let Inventory { ledger, dims, .. } = self.inventory;
        let start = T::STARTS.compute(dims);
        *self = Self::new(ledger.pool, dims, &start, self.leftover);
        self.inventory.ledger.epoch = epoch;
        _ = self.inventory.start_in(words, self.words(), &start);
    }

    fn file(
        &mut self,
        words: &mut [Word],
        cube: Subcube,
        stored: u32,
        take: &mut Take<'_>,
    ) -> Result<bool, BadImage> {
        let shape = Shape::try_from([take()?, take()?, take()?]).ok();
        let shape = shape.filter(|shape| shape.dim() == cube.dim());
        let shape = shape.ok_or(BadImage::Contradiction("the sides of a mesh"))?;
        let Ok(home) = self.take_out(words, &cube) else { return Ok(false) };
        self.inventory.ledger.file(words, cube, stored);
        if let Some(lease) = self.inventory.ledger.lease_from(words, cube.base()) {
            self.settle(words, lease, shape, home);
        }
        Ok(true)
    }

    fn withdraw_node(&mut self, words: &mut [Word], node: Node, outage: Outage) {
        Self::withdraw_node(self, words, node, outage);
    }
}
