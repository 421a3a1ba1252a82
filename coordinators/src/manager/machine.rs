//! The nodes as a [`Machine`]: a place is the row of the job that has it, or of an outage.

use super::layout::{Asked, Layout};
use super::map;
use super::nodes::{Nodes, members};
use super::storage::{JobRow, OutageRow, Spot, StakeRow, State};
use core::cell::Cell;
use core::ops::Range;
use locox::bits::Word;
use locox::cube::{Dim, Node, Subcube};
use locox::grid::{Cuboid, Grid, Sides};
use locox::ground::{bit, copy, count, set_bit};
use locox::machine::{Cost, Count, Machine, MakeRoom, Numbered, Words, least_sum};
use locox::mesh::Embedding;
use locox::subcube::{Complete, Subcubes};

/// What is found lies in the first words of the room, and is nobody's yet.
const FOUND: Spot = Spot(u32::MAX);

/// The place of the first job in line.
pub(super) const PROMISED: Spot = Spot(u32::MAX - 1);

/// The nodes in service.
pub(super) struct NodeMachine<'p, 'a> {
    pub(super) layout: &'p Layout<'a>,
    pub(super) serving: &'p [Word],
    /// What is promised to the first job in line.
    pub(super) promised: &'p [Word],
    pub(super) nodes: &'p Nodes<'a>,
    pub(super) jobs: &'p [JobRow],
    pub(super) outages: &'p [OutageRow],
    /// In which boxes are looked for.
    pub(super) rows: Cell<&'p mut [u64]>,
}

impl NodeMachine<'_, '_> {
    fn numbers(&self, it: &JobRow) -> impl Iterator<Item = u32> {
        it.nodes.iter(&*self.nodes.rows).map(|(node, _)| node)
    }

    fn outage(&self, row: u32) -> Range<u32> {
        let at = (row as usize).checked_sub(self.jobs.len());
        at.and_then(|at| self.outages.get(at)).map_or(0..0, OutageRow::numbers)
    }

    /// The nodes of some outages are not free.
    pub(super) fn take_outages(&self, map: &mut [Word], which: impl Fn(&OutageRow) -> bool) {
        remove(map, self.outages.iter().filter(|it| which(it)).flat_map(OutageRow::numbers));
    }

    /// The nodes of a job are not free.
    pub(super) fn take_job(&self, map: &mut [Word], it: &JobRow) {
        self.layout.lend(map, it, || self.numbers(it));
        remove(map, self.numbers(it));
    }
}

fn remove(map: &mut [Word], nodes: impl Iterator<Item = u32>) {
    nodes.for_each(|node| set_bit(map, 0, node, false));
}

impl Machine for NodeMachine<'_, '_> {
    type Request = Asked;
    type Place = Spot;
    type Word = Word;

    fn words(&self) -> Words {
        self.layout.words()
    }

    fn open(&self, map: &mut [Word]) {
        map.fill(0);
        copy(map, self.serving);
    }

    fn take(&self, map: &mut [Word], at: &Spot) {
        match self.jobs.get(at.0 as usize) {
            Some(it) if it.state == State::Comes => remove(map, self.nodes.kept_for(at.0)),
            Some(it) => self.take_job(map, it),
            None if *at == PROMISED => remove(map, members(self.promised)),
            None => remove(map, self.outage(at.0)),
        }
    }

    fn has(&self, map: &[Word], at: &Spot) -> bool {
        let is_free = |node| bit(map, 0, node);
        match self.jobs.get(at.0 as usize) {
            Some(it) if it.state == State::Comes => self.nodes.kept_for(at.0).all(is_free),
            Some(it) => self.numbers(it).all(is_free),
            None if *at == PROMISED => members(self.promised).all(is_free),
            None => self.outage(at.0).all(is_free),
        }
    }

    fn find(&self, map: &[Word], of: &Asked, room: &mut [Word]) -> Option<Spot> {
        self.layout.find(map, of, room, &self.rows).then_some(FOUND)
    }

    fn size(&self, of: &Asked) -> u32 {
        self.layout.size(of)
    }

    fn covers(&self, one: &Asked, other: &Asked) -> bool {
        self.layout.covers(one, other)
    }
}

/// A cost that nobody has.
const NEVER: u64 = 1 << 46;

/// Additions in which the cheapest subcube is looked for.
const BUDGET: u64 = 1 << 22;

impl NodeMachine<'_, '_> {
    fn of_stake(&self, Spot(row): Spot) -> &JobRow {
        self.jobs.get(row as usize).unwrap_or(&JobRow::EMPTY)
    }

    /// The mesh that a job is by decision.
    fn mesh(&self, it: &JobRow) -> Option<Embedding> {
        let Layout::Meshes(cubes) = self.layout else { return None };
        let mesh = map::loaded(cubes.dims(), it.mesh)?;
        let is_own = mesh.shape().nodes() == it.has
            && self.numbers(it).all(|node| mesh.contains(Node(node)));
        is_own.then_some(mesh)
    }

    /// The subcubes in which a job is in the way.
    fn cubes(&self, dims: Dim, it: &JobRow) -> impl Iterator<Item = Subcube> {
        let nodes = self.numbers(it).map(move |node| Subcube::from_parts(dims, node, 0));
        let both = self.numbers(it).fold((u32::MAX, 0), |(all, any), it| (all & it, any | it));
        let whole =
            Subcube::new(dims, Node(both.0), both.0 ^ both.1).filter(|cube| cube.len() == it.has);
        let whole = self.mesh(it).map(|mesh| mesh.cube()).or(whole);
        let alone = if whole.is_some() { 0 } else { usize::MAX };
        whole.into_iter().chain(nodes.take(alone))
    }

    /// The boxes of which a job has all nodes.
    fn boxes(&self, grid: Grid, it: &JobRow) -> impl Iterator<Item = Cuboid> {
        let whole = Cuboid::of_nodes(grid, self.numbers(it).map(Node));
        let one = Sides::factorizations(1, grid).next();
        let nodes = self.numbers(it).filter_map(move |node| Cuboid::new(grid, Node(node), one?));
        let alone = if whole.is_some() { 0 } else { usize::MAX };
        whole.into_iter().chain(nodes.take(alone))
    }

    /// Meshes that are in the way, and cannot be stopped.
    fn others(&self, stakes: &[StakeRow]) -> impl Iterator<Item = (u32, &JobRow)> {
        let is_meshes = matches!(self.layout, Layout::Meshes(_));
        let jobs = (0..).zip(self.jobs).filter(move |_| is_meshes);
        jobs.filter(|(row, it)| it.has > 0 && stakes.iter().all(|stake| stake.of != *row))
    }

    fn cheapest_cube(
        &self,
        cubes: &Subcubes<Complete>,
        map: &[Word],
        of: Dim,
        stakes: &mut [StakeRow],
        sums: &mut [u64],
    ) -> Option<Cost> {
        let dims = cubes.dims();
        let pieces = || {
            let own = stakes.iter().map(|stake| (stake.of, self.of_stake(stake.place), stake.cost));
            let others = self.others(stakes).map(|(row, it)| (row, it, NEVER));
            own.chain(others)
        };
        let spared = || pieces().filter_map(|(_, it, cost)| Some((self.mesh(it)?, cost)));
        let spared = || spared().flat_map(|(mesh, cost)| mesh.leftover().map(move |it| (it, cost)));
        let places = || {
            pieces()
                .flat_map(|(row, it, cost)| self.cubes(dims, it).map(move |cube| (row, cube, cost)))
        };
        let (goal, cost) = cubes.cheapest(map, of, places, spared, BUDGET, sums)?;
        let meets = |it: &JobRow| {
            let is_lent = self
                .mesh(it)
                .is_some_and(|mesh| mesh.leftover().any(|part| part.contains_cube(&goal)));
            !is_lent && self.cubes(dims, it).any(|cube| cube.intersection(&goal).is_some())
        };
        stakes.iter_mut().for_each(|stake| stake.yields = meets(self.of_stake(stake.place)));
        (cost.sum < NEVER).then_some(cost)
    }
}

impl MakeRoom for NodeMachine<'_, '_> {
    fn sums(&self) -> usize {
        match self.layout {
            Layout::Any(nodes) => Count(*nodes).sums(),
            Layout::Tree(tree) => tree.sums(),
            Layout::Subcubes(cubes) | Layout::Meshes(cubes) => cubes.sums(),
            Layout::Boxes(boxes) => boxes.sums(),
        }
    }

    fn choose(
        &self,
        map: &[Word],
        of: &Asked,
        stakes: &mut [StakeRow],
        sums: &mut [u64],
    ) -> Option<Cost> {
        let inside = |stake: &StakeRow, among: &Range<u32>| {
            let nodes = self.numbers(self.of_stake(stake.place));
            nodes.filter(|node| among.contains(node) && bit(map, 0, *node)).count() as u32
        };
        let least = |sum| Cost { sum, least: true };
        match (self.layout, of) {
            (Layout::Any(all), Asked::Nodes(nodes)) => {
                let size = |stake: &StakeRow| inside(stake, &(0..*all));
                let held = stakes.iter().map(size).fold(0, u32::saturating_add);
                let free = count(map).saturating_sub(held);
                least_sum(stakes, nodes.saturating_sub(free), size, sums).map(least)
            }
            (Layout::Tree(tree), Asked::Domain(of)) => {
                tree.least(map, of, stakes, inside, sums).map(least)
            }
            (Layout::Subcubes(cubes) | Layout::Meshes(cubes), Asked::Cube(dim)) => {
                self.cheapest_cube(cubes, map, *dim, stakes, sums)
            }
            (Layout::Boxes(boxes), Asked::Box(of)) => {
                let places = || {
                    stakes.iter().flat_map(|stake| {
                        let pieces = self.boxes(boxes.grid(), self.of_stake(stake.place));
                        pieces.map(move |piece| (stake.of, piece, stake.cost))
                    })
                };
                let rows = self.rows.take();
                boxes.draw(rows, map);
                let found = boxes.cheapest(rows, of, places, sums);
                self.rows.set(rows);
                let (goal, cost) = found?;
                let meets = |it: &JobRow| self.numbers(it).any(|node| goal.contains(Node(node)));
                stakes
                    .iter_mut()
                    .for_each(|stake| stake.yields = meets(self.of_stake(stake.place)));
                Some(cost)
            }
            _ => None,
        }
    }
}
