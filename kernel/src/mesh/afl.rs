//! The auxiliary free list: meshes that leave part of their subcube to others.
//!
//! Source: Turner 1995, section 3.3. A request looks for a subcube of its dimension in the
//! auxiliary list, then asks the strategy; a larger subcube is split, and the rest stays where it
//! was. What the mesh leaves over goes to the auxiliary list. A release takes the leftover back;
//! if nobody uses any of it, the subcube returns in one piece, otherwise the mesh's own region and
//! the free leftover return piece by piece.
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
//! for each 64 nodes of it.

use super::homes::{Homes, NONE};
use super::shapes::Shapes;
use super::{Embedding, Leftover, MeshLease, Shape};
use crate::bits::Word;
use crate::cube::{Dim, Node, Subcube};
use crate::handle::{Misuse, PoolId};
use crate::subcube::cube_lists::{CubeLists, Labels};
use crate::subcube::inventory::Inventory;
use crate::subcube::{Refusal, Strategy};

/// All of a pool of meshes but its storage.
///
/// - The subcubes of live meshes are disjoint or nested, and a nested one lies in a leftover.
/// - Every node is exactly one of these: held by a mesh, free in the auxiliary list, free in the
///   strategy, out of service without being held.
/// - A mesh holds its own nodes and, while leftover is kept, all nodes of its subcube.
/// - A node is in the auxiliary list exactly if it serves, no mesh holds it, and it lies in the
///   subcube of a mesh. Its home is then the leftover of the innermost such mesh.
/// - `asked` counts the nodes of meshes, the inventory the free ones and the held ones.
#[derive(Clone, Debug)]
pub(super) struct Core<T> {
    pub(super) inventory: Inventory<T>,
    pub(super) auxiliary: CubeLists<Homes>,
    pub(super) homes: Homes,
    pub(super) shapes: Shapes,
    pub(super) leftover: Leftover,
    pub(super) asked: u32,
}

/// Words beyond those of a pool of subcubes: the auxiliary list, homes, shapes.
pub(super) const fn extra_words(dims: Dim) -> usize {
    CubeLists::<Homes>::words(dims) + Homes::words(dims) + Shapes::words(dims)
}

impl<T: Strategy> Core<T> {
    /// What a pool of subcubes needs comes first, then zeros.
    #[inline]
    pub(super) const fn new(id: PoolId, dims: Dim, leftover: Leftover) -> Self {
        let inventory = Inventory::new(id, dims);
        let lists = inventory.words();
        let homes_start = lists + CubeLists::<Homes>::words(dims);
        let homes = Homes::new(dims, homes_start);
        let shapes = Shapes::new(dims, homes_start + Homes::words(dims));
        let auxiliary = CubeLists::empty(dims, lists, inventory.ledger.masks, homes);
        Self { inventory, auxiliary, homes, shapes, leftover, asked: 0 }
    }

    pub(super) const fn words(&self) -> usize {
        self.inventory.words() + extra_words(self.inventory.dims)
    }
}

impl<T> Core<T> {
    /// The live meshes whose subcubes contain `node`, from the outermost to the innermost: an
    /// inner one has a higher base.
    pub(super) fn around(&self, words: &[Word], node: Node) -> impl Iterator<Item = MeshLease> {
        let leases = self.inventory.ledger.leases_around(words, node);
        leases.map(|lease| MeshLease::new(lease, self.shapes.get(words, lease.cube().base().0)))
    }

    /// Where `node` belongs.
    pub(super) fn place(&self, words: &[Word], node: Node) -> Place {
        let Some(lease) = self.around(words, node).last() else {
            return Place::Free { home: NONE };
        };
        if self.leftover == Leftover::Kept || lease.mesh().contains(node) {
            return Place::Held(lease);
        }
        let leftover = lease.mesh().leftover().find(|cube| cube.contains(node));
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
        let lease = MeshLease::new(self.inventory.ledger.open(words, cube), shape);
        self.shapes.set(words, cube.base().0, shape);
        self.homes.set(words, cube.base().0, home);
        let mesh = lease.mesh();
        if self.leftover == Leftover::Reused {
            mesh.leftover().for_each(|cube| self.auxiliary.put(words, cube, cube.base().0));
        }
        let held = self.held_by(&mesh);
        self.inventory.count_granted(held);
        self.asked = self.asked.wrapping_add(shape.nodes());
        Ok(lease)
    }

    /// A subcube and its home: out of the auxiliary list if it has one, else from the strategy.
    fn take(&mut self, words: &mut [Word], dim: Dim) -> Option<(Subcube, u32)> {
        match self.auxiliary.take(words, dim) {
            None => Some((self.inventory.strategy.take(words, dim)?, NONE)),
            leftover => leftover,
        }
    }

    pub(super) fn would_fit(&self, words: &mut [Word], dim: Dim) -> Result<(), Refusal> {
        let listed = self.auxiliary.largest() >= Some(dim);
        if self.inventory.has_enough(dim) && (listed || self.inventory.strategy.fits(words, dim)) {
            return Ok(());
        }
        Err(self.reason(words, dim))
    }

    /// Why `dim`, which is not granted, is not.
    fn reason(&self, words: &mut [Word], dim: Dim) -> Refusal {
        match self.inventory.reason(words, dim) {
            Refusal::Fragmented { largest } => {
                let auxiliary = self.auxiliary.largest().unwrap_or_default();
                Refusal::Fragmented { largest: largest.max(auxiliary) }
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
        self.inventory.ledger.close(words, lease.lease())?;
        let home = self.homes.get(words, base);
        self.homes.clear(words, base);
        let mesh = lease.mesh();
        match self.leftover {
            Leftover::Kept => self.give(words, mesh.cube(), home),
            Leftover::Reused => self.give_with_leftover(words, &mesh, home),
        }
        let held = self.held_by(&mesh);
        self.inventory.count_released(held);
        self.asked = self.asked.wrapping_sub(mesh.shape().nodes());
        if self.inventory.service.out() > 0 {
            self.remove_what_is_out(words, &mesh, home);
        }
        Ok(())
    }

    /// Gives the subcube of `mesh` back, in one piece if all its leftover is free. Otherwise the
    /// mesh's own region goes back, and what lies in its leftovers moves to its home.
    fn give_with_leftover(&mut self, words: &mut [Word], mesh: &Embedding, home: u32) {
        let parts = mesh.partition();
        let mut taken = 0;
        let busy = parts.leftover().any(|cube| {
            let free = self.auxiliary.remove_if_listed(words, cube);
            taken = usize::from(free).wrapping_add(taken);
            !free
        });
        if !busy {
            return self.give(words, mesh.cube(), home);
        }
        parts.region().for_each(|cube| self.give(words, cube, home));
        let homes = self.homes;
        for (at, cube) in parts.leftover().enumerate() {
            if at < taken || self.auxiliary.remove_if_listed(words, cube) {
                self.give(words, cube, home);
            } else {
                homes.for_each_in(words, cube, |words, base| self.move_home(words, base, home));
            }
        }
    }

    /// Moves the free subcube or the mesh with this base to another home.
    fn move_home(&mut self, words: &mut [Word], base: Node, home: u32) {
        match self.auxiliary.cube_from(words, base) {
            Some(cube) => {
                self.auxiliary.remove(words, cube);
                self.give(words, cube, home);
            }
            None => self.homes.set(words, base.0, home),
        }
    }

    /// Makes a subcube free at its home.
    fn give(&mut self, words: &mut [Word], cube: Subcube, home: u32) {
        match home {
            NONE => self.inventory.strategy.give(words, cube),
            home => self.auxiliary.give(words, cube, home),
        }
    }

    /// Of what a mesh held and its home got back, takes out the nodes that are out of service.
    fn remove_what_is_out(&mut self, words: &mut [Word], mesh: &Embedding, home: u32) {
        for node in mesh.cube().nodes() {
            let held = self.leftover == Leftover::Kept || mesh.contains(node);
            if held && !self.inventory.service.serves(words, node) {
                self.remove_node(words, node, home);
            }
        }
    }

    /// Takes a free node out of its home.
    pub(super) fn remove_node(&mut self, words: &mut [Word], node: Node, home: u32) {
        match home {
            NONE => self.inventory.strategy.remove(words, node),
            _ => self.auxiliary.remove_node(words, node),
        }
        self.inventory.count_removed();
    }

    /// Makes a node free that comes back into service.
    pub(super) fn return_node(&mut self, words: &mut [Word], node: Node, home: u32) {
        self.give(words, Subcube::from_parts(self.inventory.dims, node.0, 0), home);
        self.inventory.count_returned();
    }
}
