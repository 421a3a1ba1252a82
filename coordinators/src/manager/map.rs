//! A map of the nodes of a hypercube that jobs can have, and what meshes leave over in it.
//!
//! A job is a mesh in a subcube of which all nodes were free; what it leaves over there falls into a few subcubes, see
//! [`Embedding::leftover`]. No two jobs share a channel under E-cube routing if each free subcube that is given lies
//! in one of these, or in none: theorem 1 of Turner 1995, chapter 3. So a node that is free has an owner, the innermost
//! of them that it lies in, and nodes of unlike owners are never given together. That hangs on the jobs alone
//! and not on the order in which they came, so a map that is drawn anew is the same. Those that lie in none
//! are the [`Complete`] strategy's.
//!
//! An owner is known by the lowest node of its subcube. That is a node of nothing farther in; and what lies farther in has a higher
//! one: so the owner of a node is the highest.

use locox::bits::{Word, words_for};
use locox::cube::{Dim, Node, Subcube};
use locox::ground::{Lanes, Packed, Search, bit, clear, scratch_words, set_bit};
use locox::mesh::{Embedding, Shape};
use locox::subcube::{Complete, Strategy};

/// Words of a map.
pub(super) const fn words(dims: Dim) -> usize {
    Layout::of(dims).end
}

/// What lies from which word on; first comes what the strategy needs.
#[derive(Clone, Copy)]
struct Layout {
    /// A bit for each node: whether it is free.
    free: usize,
    /// The owner of each node, 0 if it has none.
    owners: Lanes,
    /// The mask of the subcube of the owner of this number.
    masks: Lanes,
    /// Room for the map of one owner's nodes, and to search it.
    room: usize,
    end: usize,
}

impl Layout {
    const fn of(dims: Dim) -> Self {
        let nodes = dims.nodes() as usize;
        let free = Complete::start(dims).words;
        let owners = free.saturating_add(words_for(nodes));
        let masks = owners.saturating_add(Packed::HALVES.words(nodes));
        let room = masks.saturating_add(Packed::HALVES.words(nodes));
        let end = room.saturating_add(words_for(nodes)).saturating_add(scratch_words(dims));
        Self { free, owners: Lanes::Halves(owners), masks: Lanes::Halves(masks), room, end }
    }
}

/// Which nodes are free, and to whom they belong.
pub(super) struct Map<'a> {
    dims: Dim,
    strategy: Complete,
    words: &'a mut [Word],
}

impl<'a> Map<'a> {
    /// In so many [`words`].
    pub(super) fn new(dims: Dim, words: &'a mut [Word]) -> Self {
        Self { dims, strategy: Complete::start(dims).strategy, words }
    }

    /// All nodes are free, and belong to nobody.
    pub(super) fn clear(&mut self) {
        let start = Complete::start(self.dims);
        self.words.fill(0);
        start.set_ones(self.words);
        self.strategy = start.strategy;
        Subcube::whole(self.dims).fill(self.words, Layout::of(self.dims).free, true);
    }

    pub(super) fn copy(&mut self, other: &Map<'_>) {
        self.strategy = other.strategy;
        self.words.iter_mut().zip(&*other.words).for_each(|(to, from)| *to = *from);
    }

    /// Whether what lies here belongs to nobody.
    pub(super) fn is_outermost(&self, mesh: &Embedding) -> bool {
        Layout::of(self.dims).owners.get(self.words, mesh.cube().base().0) == 0
    }

    /// What a mesh leaves over is given as parts of it.
    pub(super) fn lend(&mut self, mesh: &Embedding) {
        let Layout { owners, masks, .. } = Layout::of(self.dims);
        for leftover in mesh.leftover() {
            let owner = leftover.base().0;
            masks.set(self.words, owner, leftover.mask());
            for node in leftover.nodes() {
                let known = owners.get(self.words, node.0);
                owners.set(self.words, node.0, known.max(owner));
            }
        }
    }

    /// The nodes of a mesh's subcube are not those of the strategy any more.
    pub(super) fn enclose(&mut self, cube: &Subcube) {
        if cube.nodes().all(|node| self.strategy.is_free(self.words, node)) {
            self.strategy.remove(self.words, cube, None);
        } else {
            cube.nodes().for_each(|node| self.remove_outside(node));
        }
    }

    /// Nodes are not free.
    pub(super) fn remove(&mut self, nodes: impl Iterator<Item = Node>) {
        let free = Layout::of(self.dims).free;
        for node in nodes {
            set_bit(self.words, free, node.0, false);
            self.remove_outside(node);
        }
    }

    fn remove_outside(&mut self, node: Node) {
        if self.strategy.is_free(self.words, node) {
            self.strategy.remove(self.words, &Subcube::from_parts(self.dims, node.0, 0), None);
        }
    }

    /// The nodes of the largest subcube up to a dimension that can be given; 0 if none can.
    pub(super) fn largest(&mut self, most: Dim) -> u32 {
        let outside = self.strategy.largest(self.words, most);
        let mut largest = outside.ok().flatten();
        self.search(&mut |mut search, leftover| {
            let (found, _) = search.largest(largest, most.min(leftover.dim()));
            largest = largest.max(found);
            largest == Some(most)
        });
        largest.map_or(0, Dim::nodes)
    }

    /// A subcube that can be given: of what meshes leave over, by rising owners, the one of the smallest mask and base, else
    /// the strategy's choice.
    pub(super) fn choose(&mut self, dim: Dim) -> Option<Subcube> {
        let mut first = None;
        self.search(&mut |mut search, leftover| {
            first = search.first(dim).ok().flatten().map(|cube| cube.placed_in(leftover));
            first.is_some()
        });
        first.or_else(|| self.strategy.allocate(self.words, dim))
    }

    /// Gives a mesh its nodes, all of whose subcube are free and have one owner.
    pub(super) fn give(&mut self, mesh: &Embedding) {
        self.enclose(&mesh.cube());
        self.lend(mesh);
        self.remove(mesh.nodes());
    }

    /// Visits a search of the free nodes of each owner, until a visit says that it was the last.
    fn search(&mut self, visit: &mut dyn FnMut(Search<'_>, &Subcube) -> bool) {
        let Layout { free, owners, masks, room, end } = Layout::of(self.dims);
        for owner in 1..self.dims.nodes() {
            if owners.get(self.words, owner) != owner {
                continue;
            }
            let leftover = Subcube::from_parts(self.dims, owner, masks.get(self.words, owner));
            let map = words_for(leftover.len() as usize);
            clear(self.words, room, map);
            let mut any = false;
            for (at, node) in (0..).zip(leftover.nodes()) {
                let is_own =
                    owners.get(self.words, node.0) == owner && bit(self.words, free, node.0);
                set_bit(self.words, room, at, is_own);
                any |= is_own;
            }
            let scratch = room.saturating_add(map)..end;
            let search = Search::in_words(self.words, leftover.dim(), room, scratch);
            if any && visit(search, &leftover) {
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
    Embedding::new(Subcube::new(dims, Node(base), mask)?, shape)
}
