//! Whose nodes a job needs, at the least cost.
//!
//! A job that has all nodes of a subcube or a box is in the way as that, and any other with each of its nodes. A mesh is in the way with
//! its whole subcube, but for places within one part of what it leaves over, which is lent.

use super::layout::{Asked, Layout};
use super::machine::NodeMachine;
use super::map;
use super::storage::{JobRow, Lies, StakeRow};
use core::ops::Range;
use locox::bits::Word;
use locox::cube::{Dim, Node, Subcube};
use locox::grid::{BoxRequest, Boxes, Cuboid};
use locox::ground::{bit, count};
use locox::machine::{Numbered, Stake, least_sum};
use locox::mesh::Embedding;
use locox::subcube::{Complete, Subcubes};

/// What those cost who must not be touched: more than all others together.
const NEVER: u64 = 1 << 46;

/// Additions in which the cheapest subcube is looked for.
const BUDGET: u64 = 1 << 22;

impl NodeMachine<'_, '_> {
    fn job(&self, row: u32) -> &JobRow {
        self.jobs.get(row as usize).unwrap_or(&JobRow::EMPTY)
    }

    /// The mesh that a job is by decision, if it has the nodes of that.
    fn mesh(&self, it: &JobRow) -> Option<Embedding> {
        let Layout::Meshes(cubes) = self.layout else { return None };
        let mesh = map::loaded(cubes.dims(), it.mesh)?;
        let is_own = |node| mesh.contains(Node(node));
        (mesh.shape().nodes() == it.has && self.numbers(it).all(is_own)).then_some(mesh)
    }

    /// How the nodes of a job lie.
    pub(super) fn lies(&self, row: u32) -> Lies {
        let it = self.job(row);
        let found = match self.layout {
            Layout::Any(_) | Layout::Tree(_) => None,
            Layout::Boxes(boxes) => {
                Cuboid::of_nodes(boxes.grid(), self.numbers(it).map(Node)).map(Lies::Box)
            }
            Layout::Subcubes(cubes) | Layout::Meshes(cubes) => {
                let both =
                    self.numbers(it).fold((u32::MAX, 0), |(all, any), it| (all & it, any | it));
                let cube = Subcube::new(cubes.dims(), Node(both.0), both.0 ^ both.1);
                let whole = cube.filter(|cube| cube.len() == it.has).map(Lies::Cube);
                self.mesh(it).map(|mesh| Lies::Mesh(mesh.cube())).or(whole)
            }
        };
        found.unwrap_or(Lies::Apart)
    }

    /// Meshes in the way of which nobody may stop.
    pub(super) fn blocked(&self, row: u32) -> Option<StakeRow> {
        let lies = Lies::Mesh(self.mesh(self.job(row))?.cube());
        Some(Stake::new(lies, row, NEVER))
    }

    /// What the mesh of a stake leaves over.
    fn leftover(&self, stake: &StakeRow) -> impl Iterator<Item = Subcube> {
        let is_mesh = matches!(stake.place, Lies::Mesh(_));
        let dims = Dim::holding(self.nodes.len()).filter(|_| is_mesh);
        let mesh = dims.and_then(|dims| map::loaded(dims, self.job(stake.of).mesh));
        mesh.into_iter().flat_map(|mesh| mesh.leftover())
    }

    fn cheapest_cube(
        &self,
        cubes: &Subcubes<Complete>,
        (map, of): (&[Word], Dim),
        stakes: &mut [StakeRow],
        sums: &mut [u64],
    ) -> Option<u64> {
        let dims = cubes.dims();
        let pieces = |stake: &StakeRow| {
            let whole = match stake.place {
                Lies::Cube(cube) | Lies::Mesh(cube) => Some(cube),
                Lies::Apart | Lies::Box(_) => None,
            };
            let nodes =
                self.numbers(self.job(stake.of)).take(if whole.is_some() { 0 } else { usize::MAX });
            whole.into_iter().chain(nodes.map(move |node| Subcube::from_parts(dims, node, 0)))
        };
        let places = || stakes.iter().flat_map(|it| pieces(it).map(|cube| (it.of, cube, it.cost)));
        let spared = || stakes.iter().flat_map(|it| self.leftover(it).map(|part| (part, it.cost)));
        let (goal, cost) = cubes.cheapest(map, of, places, spared, BUDGET, sums)?;
        let is_lent = |it: &StakeRow| self.leftover(it).any(|part| part.contains_cube(&goal));
        let meets = |it: &StakeRow| pieces(it).any(|cube| cube.intersection(&goal).is_some());
        for at in 0..stakes.len() {
            let yields = stakes.get(at).is_some_and(|it| meets(it) && !is_lent(it));
            stakes.get_mut(at).into_iter().for_each(|it| it.yields = yields);
        }
        Some(cost.sum)
    }

    fn cheapest_box(
        &self,
        boxes: &Boxes,
        (map, of): (&[Word], &BoxRequest<'static>),
        stakes: &mut [StakeRow],
        sums: &mut [u64],
    ) -> Option<u64> {
        let node = |node| Cuboid::of_nodes(boxes.grid(), core::iter::once(Node(node)));
        let pieces = |stake: &StakeRow| {
            let whole = if let Lies::Box(whole) = stake.place { Some(whole) } else { None };
            let nodes =
                self.numbers(self.job(stake.of)).take(if whole.is_some() { 0 } else { usize::MAX });
            whole.into_iter().chain(nodes.filter_map(node))
        };
        let places =
            || stakes.iter().flat_map(|it| pieces(it).map(|place| (it.of, place, it.cost)));
        let rows = self.rows.take();
        boxes.draw(rows, map);
        let found = boxes.cheapest(rows, of, places, sums);
        self.rows.set(rows);
        let (goal, cost) = found?;
        for at in 0..stakes.len() {
            let yields =
                stakes.get(at).is_some_and(|it| pieces(it).any(|place| place.meets(&goal)));
            stakes.get_mut(at).into_iter().for_each(|it| it.yields = yields);
        }
        Some(cost.sum)
    }

    /// Marks who stops so that a job can start in what is free then, at the least cost; whether that is possible. `map` has as free
    /// what is free and what the stakes hold.
    pub(super) fn choose(
        &self,
        map: &[Word],
        of: &Asked,
        stakes: &mut [StakeRow],
        sums: &mut [u64],
    ) -> bool {
        let inside = |stake: &StakeRow, among: &Range<u32>| {
            let nodes = self.numbers(self.job(stake.of));
            nodes.filter(|node| among.contains(node) && bit(map, 0, *node)).count() as u32
        };
        let sum = match (self.layout, of) {
            (Layout::Any(all), Asked::Nodes(nodes)) => {
                let size = |stake: &StakeRow| inside(stake, &(0..*all));
                let held = stakes.iter().map(size).fold(0, u32::saturating_add);
                let free = count(map).saturating_sub(held);
                least_sum(stakes, nodes.saturating_sub(free), size, sums)
            }
            (Layout::Tree(tree), Asked::Domain(of)) => tree.least(map, of, stakes, inside, sums),
            (Layout::Subcubes(cubes) | Layout::Meshes(cubes), Asked::Cube(dim)) => {
                self.cheapest_cube(cubes, (map, *dim), stakes, sums)
            }
            (Layout::Boxes(boxes), Asked::Box(of)) => {
                self.cheapest_box(boxes, (map, of), stakes, sums)
            }
            _ => None,
        };
        sum.is_some_and(|sum| sum < NEVER)
    }
}
