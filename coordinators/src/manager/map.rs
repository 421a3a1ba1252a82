//! What meshes leave over in a map of the free nodes of a hypercube.
//!
//! A job is a mesh in a subcube of which all nodes were free; what it leaves over there falls into a few subcubes, see
//! [`Embedding::leftover`]. No two jobs share a channel under E-cube routing if each free subcube that is given lies
//! in one of these, or in none: theorem 1 of Turner 1995, chapter 3. So a node that is free has an owner, the innermost
//! of them that it lies in, and nodes of unlike owners are never given together. That hangs on the jobs alone
//! and not on the order in which they came, so a map that is drawn anew is the same. Once a mesh has ended, what lies in
//! one of its parts lies in what is around it: with fewer jobs nothing fits worse.
//!
//! An owner is known by the lowest node of its subcube. That is a node of nothing farther in; and what lies farther in has a higher
//! one: so the owner of a node is the highest. It is never node 0, which stands for none.

use locox::bits::{Word, words_for};
use locox::cube::{Dim, Subcube};
use locox::ground::{Lanes, Packed, Search, bit, clear, set_bit};
use locox::mesh::{Embedding, Shape};

/// Where a map has the owners of nodes: behind a bit for each node, whether it is free.
#[derive(Clone, Copy)]
pub(super) struct Owners {
    dims: Dim,
    /// Of each node, 0 if it has none.
    owners: Lanes,
    /// The mask of the subcube of the owner of this number.
    masks: Lanes,
    /// The words of a map.
    pub(super) end: usize,
}

impl Owners {
    pub(super) const fn of(dims: Dim) -> Self {
        let nodes = dims.nodes() as usize;
        let lanes = Packed::HALVES.words(nodes);
        let owners = words_for(nodes);
        let masks = owners.saturating_add(lanes);
        let end = masks.saturating_add(lanes);
        Self { dims, owners: Lanes::Halves(owners), masks: Lanes::Halves(masks), end }
    }

    /// What a mesh leaves over is given as parts of it.
    pub(super) fn lend(&self, map: &mut [Word], mesh: &Embedding) {
        for leftover in mesh.leftover() {
            let owner = leftover.base().0;
            self.masks.set(map, owner, leftover.mask());
            for node in leftover.nodes() {
                let known = self.owners.get(map, node.0);
                self.owners.set(map, node.0, known.max(owner));
            }
        }
    }

    /// The nodes that are free and have no owner.
    pub(super) fn outside(&self, map: &[Word], room: &mut [Word]) {
        clear(room, 0, words_for(self.dims.nodes() as usize));
        for node in 0..self.dims.nodes() {
            let is_outside = bit(map, 0, node) && self.owners.get(map, node) == 0;
            set_bit(room, 0, node, is_outside);
        }
    }

    /// Visits a search of the free nodes of each owner, by rising owners, until a visit says that it was the last. The room is a
    /// bit for each node, and scratch.
    pub(super) fn search(
        &self,
        map: &[Word],
        room: &mut [Word],
        visit: &mut dyn FnMut(Search<'_>, &Subcube) -> bool,
    ) {
        let all = words_for(self.dims.nodes() as usize);
        for owner in 1..self.dims.nodes() {
            if self.owners.get(map, owner) != owner {
                continue;
            }
            let leftover = Subcube::from_parts(self.dims, owner, self.masks.get(map, owner));
            clear(room, 0, all);
            let mut any = false;
            for (at, node) in (0..).zip(leftover.nodes()) {
                let is_own = self.owners.get(map, node.0) == owner && bit(map, 0, node.0);
                set_bit(room, 0, at, is_own);
                any |= is_own;
            }
            let scratch = all..room.len();
            if any && visit(Search::in_words(room, leftover.dim(), 0, scratch), &leftover) {
                return;
            }
        }
    }
}

/// A mesh as a row has it.
pub(super) fn stored(mesh: &Embedding) -> [u32; 5] {
    let ([x, y, z], cube) = (mesh.shape().sides(), mesh.cube());
    [x, y, z, cube.base().0, cube.mask()]
}

/// The mesh that a row has, if there is such a one.
pub(super) fn loaded(dims: Dim, [x, y, z, base, mask]: [u32; 5]) -> Option<Embedding> {
    let shape = Shape::try_from([x, y, z]).ok()?;
    Embedding::new(Subcube::new(dims, locox::cube::Node(base), mask)?, shape)
}
