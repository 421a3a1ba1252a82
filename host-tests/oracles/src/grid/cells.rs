//! Machines and boxes, cell by cell.

use locox::cube::Node;
use locox::grid::{Cuboid, Grid, Sides};

/// A coordinate of each of four axes.
pub type At = [usize; 4];

/// A machine as nodes and rings along four axes.
#[derive(Clone, Debug)]
pub struct Cells {
    /// Nodes along each axis, 1 along those that it does not have.
    pub nodes: At,
    /// Whether the ends of each are neighbours.
    pub ring: [bool; 4],
    grid: Grid,
}

impl Cells {
    /// The cells of a machine.
    pub fn new(grid: Grid) -> Self {
        let (mut nodes, mut ring) = ([1; 4], [false; 4]);
        for (at, axis) in grid.axes().iter().enumerate() {
            nodes[at] = axis.nodes().into();
            ring[at] = axis.is_ring();
        }
        Self { nodes, ring, grid }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.nodes.iter().product()
    }

    /// The number of a cell.
    pub fn number(&self, at: At) -> usize {
        let [a, b, c, _] = self.nodes;
        at[0] + a * (at[1] + b * (at[2] + c * at[3]))
    }

    /// The coordinates of a number.
    pub fn at(&self, number: usize) -> At {
        let [a, b, c, d] = self.nodes;
        [number % a, number / a % b, number / a / b % c, number / a / b / c % d]
    }

    /// All coordinates in the order of rows: along the longest axis first, then along the others.
    pub fn by_rows(&self) -> Vec<At> {
        let longest = *self.nodes.iter().max().unwrap();
        let along = self.nodes.iter().position(|&nodes| nodes == longest).unwrap();
        let order = |at: &At| {
            let others = (0..4).rev().filter(|&axis| axis != along).map(|axis| at[axis]);
            others.chain([at[along]]).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = (0..self.count()).map(|number| self.at(number)).collect();
        all.sort_by_key(order);
        all
    }

    /// The numbers of a box, if it lies in the machine and, along a ring that it fills, begins at 0.
    pub fn of_box(&self, from: At, sides: At) -> Option<Vec<usize>> {
        for axis in 0..4 {
            let (nodes, side) = (self.nodes[axis], sides[axis]);
            let beyond = from[axis] + side > nodes;
            if side > nodes || beyond && !self.ring[axis] || side == nodes && from[axis] != 0 {
                return None;
            }
        }
        let mut cells = vec![];
        for number in 0..sides.iter().product() {
            let step = Self { nodes: sides, ..self.clone() }.at(number);
            let at = [0, 1, 2, 3].map(|axis| (from[axis] + step[axis]) % self.nodes[axis]);
            cells.push(self.number(at));
        }
        Some(cells)
    }

    /// The box as the kernel names it.
    pub fn cuboid(&self, from: At, sides: At) -> Cuboid {
        let origin = Node(self.number(from) as u32);
        Cuboid::new(self.grid, origin, sides_of(sides)).expect("it lies in the machine")
    }

    /// All shapes that there are in the machine.
    pub fn shapes(&self) -> Vec<At> {
        let all = |most: usize| 1..=most;
        let [a, b, c, d] = self.nodes;
        let mut shapes = vec![];
        for (x, y) in all(a).flat_map(|x| all(b).map(move |y| (x, y))) {
            for (z, w) in all(c).flat_map(|z| all(d).map(move |w| (z, w))) {
                shapes.push([x, y, z, w]);
            }
        }
        shapes
    }

    /// Twice what a cut across each axis that a box does not fill has of its nodes.
    pub fn surface(&self, sides: At) -> usize {
        let all: usize = sides.iter().product();
        let open = (0..4).filter(|&axis| sides[axis] < self.nodes[axis]);
        open.map(|axis| 2 * all / sides[axis]).sum()
    }
}

/// Sides as the kernel has them.
pub fn sides_of(sides: At) -> Sides {
    Sides::new(&sides.map(|side| side as u8)).expect("they are sides")
}

/// Sides as plain numbers.
pub fn plain(sides: Sides) -> At {
    sides.all().map(usize::from)
}
