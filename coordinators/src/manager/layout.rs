//! How the nodes of a machine lie, and which of those that are free a job gets.
//!
//! A map has a bit for each node, whether it is free; on a machine of meshes also what they [leave over](super::map).

use super::config::{self, Config};
use super::map::{self, Owners};
use super::nodes::members;
use super::storage::JobRow;
use super::{Misuse, Tree};
use core::cell::Cell;
use locox::bits::{Word, words_for};
use locox::cube::{Dim, Node, Subcube};
use locox::grid::{Anchors, BoxRequest, Boxes, Cuboid, Grid, Placement, Sides};
use locox::ground::{DECIDED, Search, clear, copy, count, scratch_words, set_bit};
use locox::machine::{Domain, Machine, Numbered, Words};
use locox::mesh::{Embedding, Shape};
use locox::subcube::{Complete, Subcubes};

/// What a job asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Nodes(u32),
    Cube(Dim),
    Box(BoxRequest<'static>),
    Domain(Domain),
}

/// How the nodes of a machine lie.
pub(super) enum Layout<'a> {
    /// So many nodes, any of which will do.
    Any(u32),
    Subcubes(Subcubes<Complete>),
    Meshes(Subcubes<Complete>),
    Boxes(Boxes),
    Tree(Tree<'a>),
}

/// The dimensions of a cube of so many nodes, if there is one in which each search finds an answer.
pub(super) const fn dims_of(nodes: usize) -> Option<Dim> {
    match Dim::holding(nodes as u32) {
        Some(dims) if dims.nodes() as usize == nodes && dims.get() <= DECIDED.get() => Some(dims),
        _ => None,
    }
}

/// The words in which a place in a cube is looked for: those of the answer, of a map, and of a search.
pub(super) const fn cube_room(dims: Dim) -> usize {
    let maps = words_for(dims.nodes() as usize).saturating_mul(2);
    let (complete, fold) = (Complete::start(dims).words, scratch_words(dims));
    maps.saturating_add(if complete > fold { complete } else { fold })
}

/// Boxes anywhere, each where the most faces are against something.
pub(super) fn boxes(grid: Grid) -> Option<Boxes> {
    Boxes::new(grid, Placement::Corner, Anchors::Any)
}

impl<'a> Layout<'a> {
    /// Of so many nodes.
    pub(super) fn of(
        config: &Config,
        nodes: usize,
        tree: Option<Tree<'a>>,
    ) -> Result<Self, Misuse> {
        let count = nodes as u32;
        if tree.is_some() != (config.places == config::Places::Tree) {
            return Err(Misuse::NoTree);
        }
        let cubes =
            || dims_of(nodes).and_then(Subcubes::new).ok_or(Misuse::NoCube { nodes: count });
        Ok(match config.places {
            config::Places::Any => Self::Any(count),
            config::Places::Subcubes => Self::Subcubes(cubes()?),
            config::Places::Meshes => Self::Meshes(cubes()?),
            config::Places::Boxes(grid) => {
                let machine = self::boxes(grid).filter(|_| grid.nodes() == count);
                Self::Boxes(machine.ok_or(Misuse::OtherNodes { nodes: count })?)
            }
            config::Places::Tree => {
                let tree = tree.filter(|tree| tree.nodes() == count);
                Self::Tree(tree.ok_or(Misuse::OtherNodes { nodes: count })?)
            }
        })
    }

    pub(super) const fn is_any(&self) -> bool {
        matches!(self, Self::Any(_))
    }

    const fn nodes(&self) -> u32 {
        match self {
            Self::Any(nodes) => *nodes,
            Self::Subcubes(cubes) | Self::Meshes(cubes) => cubes.dims().nodes(),
            Self::Boxes(boxes) => boxes.grid().nodes(),
            Self::Tree(tree) => tree.nodes(),
        }
    }

    /// Words of a map, and those in which a place is looked for: of the answer, and of a search.
    pub(super) const fn words(&self) -> Words {
        let nodes = words_for(self.nodes() as usize);
        let two = nodes.saturating_mul(2);
        match self {
            Self::Subcubes(cubes) => Words { map: nodes, room: cube_room(cubes.dims()) },
            Self::Meshes(cubes) => {
                let dims = cubes.dims();
                Words { map: Owners::of(dims).end, room: cube_room(dims) }
            }
            Self::Any(_) | Self::Boxes(_) | Self::Tree(_) => Words { map: nodes, room: two },
        }
    }

    /// What a job asks for that takes so many nodes.
    pub(super) fn asked_of(&self, it: &JobRow, size: u32) -> Option<Asked> {
        match self {
            // Which number has a box need not be found again.
            Self::Boxes(_) if own_box(it).is_none() => Some(Asked::Box(BoxRequest::Nodes(size))),
            _ => self.asked(it),
        }
    }

    /// What a job asks for; `None` if there is no machine on which it would have that.
    pub(super) fn asked(&self, it: &JobRow) -> Option<Asked> {
        match self {
            Self::Any(_) => Some(Asked::Nodes(it.wants)),
            Self::Subcubes(_) => Dim::holding(it.wants).map(Asked::Cube),
            Self::Meshes(_) => Some(Asked::Cube(self.shape(it)?.dim())),
            Self::Boxes(boxes) => own_box(it)
                .map(BoxRequest::Turned)
                .filter(|own| boxes.size(own) == it.wants)
                .or_else(|| {
                    let is_there = |nodes: &u32| boxes.size(&BoxRequest::Nodes(*nodes)) == *nodes;
                    (it.wants..=self.nodes()).find(is_there).map(BoxRequest::Nodes)
                })
                .map(Asked::Box),
            Self::Tree(_) => Some(Asked::Domain(Domain::of(it.wants))),
        }
    }

    /// How many nodes that takes.
    pub(super) fn size(&self, of: &Asked) -> u32 {
        match (self, of) {
            (_, Asked::Nodes(nodes)) => *nodes,
            (_, Asked::Cube(dim)) => dim.nodes(),
            (Self::Boxes(boxes), Asked::Box(of)) => boxes.size(of),
            (_, Asked::Box(_)) => u32::MAX,
            (_, Asked::Domain(of)) => of.nodes,
        }
    }

    /// Whether the second fits wherever the first one does.
    pub(super) fn covers(&self, one: &Asked, other: &Asked) -> bool {
        match (self, one, other) {
            (_, Asked::Nodes(one), Asked::Nodes(other)) => other <= one,
            (_, Asked::Cube(one), Asked::Cube(other)) => other <= one,
            (Self::Boxes(boxes), Asked::Box(one), Asked::Box(other)) => boxes.covers(one, other),
            (Self::Tree(tree), Asked::Domain(one), Asked::Domain(other)) => tree.covers(one, other),
            _ => false,
        }
    }

    /// What a job is to be in its subcube, on a cube.
    fn shape(&self, it: &JobRow) -> Option<Shape> {
        match self {
            Self::Subcubes(_) => Shape::line(it.wants.checked_next_power_of_two()?).ok(),
            Self::Meshes(_) => {
                let own = Shape::try_from(it.sides).ok().filter(|own| own.nodes() == it.wants);
                own.or_else(|| Shape::of_nodes(it.wants).ok())
            }
            Self::Any(_) | Self::Boxes(_) | Self::Tree(_) => None,
        }
    }

    /// The mesh that a job is in the subcube of these nodes, on a cube.
    pub(super) fn mesh(&self, it: &JobRow, nodes: impl Iterator<Item = u32>) -> Option<Embedding> {
        let (Self::Subcubes(cubes) | Self::Meshes(cubes)) = self else { return None };
        let both = nodes.fold((u32::MAX, 0), |(all, any), it| (all & it, any | it));
        Embedding::new(Subcube::new(cubes.dims(), Node(both.0), both.0 ^ both.1)?, self.shape(it)?)
    }

    /// What a job that runs leaves over is lent, if it is the mesh that was decided for it.
    pub(super) fn lend<I: Iterator<Item = u32>>(
        &self,
        map: &mut [Word],
        it: &JobRow,
        nodes: impl Fn() -> I,
    ) {
        let Self::Meshes(cubes) = self else { return };
        let Some(mesh) = map::loaded(cubes.dims(), it.mesh) else { return };
        if mesh.shape().nodes() == it.has && nodes().all(|node| mesh.contains(Node(node))) {
            Owners::of(cubes.dims()).lend(map, &mesh);
        }
    }

    /// Makes the nodes that a job gets the first words of the room; whether it gets any. Boxes are looked for in `rows`.
    pub(super) fn find(
        &self,
        map: &[Word],
        of: &Asked,
        room: &mut [Word],
        rows: &Cell<&mut [u64]>,
    ) -> bool {
        let words = words_for(self.nodes() as usize);
        clear(room, 0, words);
        let Some((answer, room)) = room.split_at_mut_checked(words) else { return false };
        let mut add = |node: Node| set_bit(answer, 0, node.0, true);
        match (self, of) {
            (Self::Any(_), Asked::Nodes(nodes)) => {
                members(map).take(*nodes as usize).for_each(|at| add(Node(at)));
                count(map) >= *nodes
            }
            (Self::Subcubes(cubes), Asked::Cube(dim)) => {
                cubes.find(map, dim, room).map(|cube| cube.nodes().for_each(add)).is_some()
            }
            (Self::Meshes(cubes), Asked::Cube(dim)) => {
                choose(cubes, map, *dim, room).map(|cube| cube.nodes().for_each(add)).is_some()
            }
            (Self::Boxes(boxes), Asked::Box(of)) => {
                let own = rows.take();
                let found = find_box(boxes, own, map, of);
                rows.set(own);
                found.map(|found| boxes.nodes_of(&found).for_each(&mut add)).is_some()
            }
            (Self::Tree(tree), Asked::Domain(of)) => tree.choose(map, of, room, answer).is_some(),
            _ => false,
        }
    }

    /// The nodes of the largest subcube of a map; all where that says nothing.
    pub(super) fn largest(&self, map: &[Word], room: &mut [Word]) -> u32 {
        let (Self::Subcubes(cubes) | Self::Meshes(cubes)) = self else { return self.nodes() };
        let (dims, mut largest) = (cubes.dims(), None);
        if let Self::Meshes(_) = self {
            Owners::of(dims).search(map, room, &mut |mut search, leftover| {
                largest = largest.max(search.largest(largest, leftover.dim()).0);
                false
            });
            Owners::of(dims).outside(map, room);
        } else {
            copy(room, map);
        }
        let scratch = words_for(dims.nodes() as usize)..room.len();
        let outside = Search::in_words(room, dims, 0, scratch).largest(largest, dims).0;
        largest.max(outside).map_or(0, Dim::nodes)
    }
}

/// A subcube that a job gets beside meshes: of what these leave over the first one, by rising owners, else one that lies in none.
fn choose(
    cubes: &Subcubes<Complete>,
    map: &[Word],
    dim: Dim,
    room: &mut [Word],
) -> Option<Subcube> {
    let owners = Owners::of(cubes.dims());
    let mut first = None;
    owners.search(map, room, &mut |mut search, leftover| {
        first = search.first(dim).ok().flatten().map(|cube| cube.placed_in(leftover));
        first.is_some()
    });
    let nodes = words_for(cubes.dims().nodes() as usize);
    let (outside, room) = room.split_at_mut_checked(nodes)?;
    first.or_else(|| {
        owners.outside(map, outside);
        cubes.find(outside, &dim, room)
    })
}

fn find_box(
    boxes: &Boxes,
    words: &mut [u64],
    free: &[Word],
    of: &BoxRequest<'static>,
) -> Option<Cuboid> {
    let (map, room) = words.split_at_mut_checked(boxes.words().map)?;
    boxes.draw(map, free);
    boxes.find(map, of, room)
}

/// The box that a job asks for, if it is of as many nodes.
fn own_box(it: &JobRow) -> Option<Sides> {
    let mut sides = [0; 3];
    for (to, from) in sides.iter_mut().zip(it.sides) {
        *to = u8::try_from(from).ok()?;
    }
    Sides::new(&sides).filter(|sides| sides.nodes() == it.wants)
}
