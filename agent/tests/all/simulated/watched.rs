//! The simulated manager, and somebody who looks at what the agent asks it for.

use locox::cube::{Dim, Node, Subcube};
use locox::grid::{Cuboid, Grid, Sides};
use locox::mesh::{Embedding, Shape};
use locox_agent::backend::{Abilities, Act, Backend, BackendError, JobSeen, Outcome, Snapshot};
use locox_agent::cube::Cube;
use locox_agent::places::Places;
use locox_agent::simulated::{Simulated, check_acts};

/// The simulated manager, and what it told last.
#[derive(Clone)]
pub(crate) struct Watched {
    pub(crate) manager: Simulated,
    pub(crate) told: Snapshot,
    /// Which nodes jobs are to get.
    pub(crate) places: Places,
}

impl Watched {
    pub(crate) fn new(manager: Simulated) -> Self {
        Self { manager, told: Snapshot::default(), places: Places::Any }
    }

    /// What was told leaves these nodes free, and this job waits and is not held.
    fn check(&self, acts: &[Act]) {
        check_acts(&self.told, acts).unwrap();
        for act in acts {
            let Act::Start { job, nodes } = act else { continue };
            let seen = self.told.jobs.iter().find(|seen| seen.name == *job).unwrap();
            let names = self.places.names().unwrap_or_default();
            let numbers = nodes.iter().filter_map(|name| names.number(name));
            let at: Vec<Node> = numbers.map(|node| Node(node.0)).collect();
            match &self.places {
                Places::Any | Places::Tree(_) => assert_eq!(nodes.len(), seen.nodes as usize),
                Places::Subcubes(_) => check_subcube(&at, seen.nodes),
                Places::Meshes(cube) => check_mesh(cube, &at, seen),
                Places::Boxes(boxes) => check_box(boxes.grid(), &at, seen.nodes),
            }
        }
    }
}

/// The nodes are a subcube, and the smallest of so many nodes.
fn check_subcube(at: &[Node], asked: u32) {
    assert_eq!(at.len(), asked.next_power_of_two() as usize);
    let varies = at.iter().fold(0, |varies, node| varies | (node.0 ^ at[0].0));
    assert_eq!(1 << varies.count_ones(), at.len(), "{at:?}");
}

/// The nodes are a mesh of the sides that were asked for, or nearest to a square.
fn check_mesh(cube: &Cube, at: &[Node], seen: &JobSeen) {
    assert_eq!(at.len(), seen.nodes as usize);
    let shape = shape_of(seen.sides, seen.nodes);
    assert!(mesh_of(cube.addresses(), shape, at).is_some(), "{shape} at {at:?}");
}

/// The nodes are a box, and no box of as many nodes as were asked for is smaller.
fn check_box(grid: Grid, at: &[Node], asked: u32) {
    let has_boxes = |nodes: &u32| Sides::factorizations(*nodes, grid).next().is_some();
    let nodes = (asked..=grid.nodes()).find(has_boxes).unwrap();
    let corners = Sides::factorizations(nodes, grid)
        .flat_map(|sides| at.iter().filter_map(move |&corner| Cuboid::new(grid, corner, sides)));
    let is_it = |cuboid: Cuboid| at.iter().all(|node| cuboid.contains(*node));
    assert!(at.len() == nodes as usize && corners.into_iter().any(is_it), "{asked}: {at:?}");
}

/// What a job is to be.
pub(crate) fn shape_of(sides: [u32; 3], nodes: u32) -> Shape {
    let own = Shape::try_from(sides).ok().filter(|shape| shape.nodes() == nodes);
    own.unwrap_or_else(|| Shape::of_nodes(nodes).unwrap())
}

/// The mesh of a shape that these nodes are.
pub(crate) fn mesh_of(addresses: u32, shape: Shape, nodes: &[Node]) -> Option<Embedding> {
    let (all, any) = nodes.iter().fold((u32::MAX, 0), |(all, any), it| (all & it.0, any | it.0));
    let cube = Subcube::new(Dim::holding(addresses)?, Node(all), all ^ any)?;
    let mesh = Embedding::new(cube, shape)?;
    nodes.iter().all(|node| mesh.contains(*node)).then_some(mesh)
}

impl Backend for Watched {
    fn abilities(&self) -> Abilities {
        self.manager.abilities()
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        self.told = self.manager.snapshot()?;
        Ok(self.told.clone())
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        self.check(acts);
        self.manager.act(acts)
    }
}
