//! Operations on a pool, written down without knowledge of its state.

use super::ask::Ask;
use crate::digits::Digits;
pub use crate::subcube::Pick;
use locox::cube::Node;
use locox::grid::{Axis, Cuboid, Grid, Outage, Sides};

/// An operation, sensible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Asks for a box.
    Allocate(Ask),
    /// Asks for this very box, which may be one of another machine.
    Claim(Cuboid),
    /// Asks whether it would be granted, and how many nodes are of no use to it.
    WouldFit(Ask),
    /// Gives a lease back; nothing happens if there is none to pick.
    Release(Pick),
    /// Gives a live lease back by the name that it had in the epoch before.
    ReleaseOld(usize),
    /// Takes nodes out of service.
    Withdraw(Vec<Node>, Outage),
    /// Puts nodes back into service.
    Repair(Vec<Node>),
    /// Writes an image, and goes on from it in another epoch.
    Restart,
    /// Begins another epoch.
    Begin,
    /// Looks at everything that can be looked at.
    Observe,
}

/// A mixture in which the machine fills up, fails now and then, and is misused sometimes.
pub const EVEN: Weights = Weights::new([12, 3, 9, 1, 1, 1, 2, 2, 3, 1, 3, 1, 1, 1]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<14>;

impl Digits {
    fn side(&mut self, most: u8) -> u8 {
        let all = self.below(u64::from(most.min(63)) + 1) as u8 + 1;
        let some = self.below(4) as u8 + 1;
        if self.one_in(3) { all } else { some.min(most + 1) }
    }

    /// Rather small sides, seldom larger than the machine.
    fn sides(&mut self, grid: Grid) -> Sides {
        let sides: Vec<_> = grid.axes().iter().map(|axis| self.side(axis.nodes())).collect();
        Sides::new(&sides).expect("one to four sides")
    }

    fn ask(&mut self, grid: Grid) -> Ask {
        match self.below(4) {
            0 => Ask::Fixed(self.sides(grid)),
            1 => Ask::Turned(self.sides(grid)),
            2 => Ask::AnyOf((0..self.below(4)).map(|_| self.sides(grid)).collect()),
            _ if self.one_in(4) => Ask::Nodes(self.below(u64::from(grid.nodes()) + 2) as u32),
            _ => Ask::Nodes(self.below(17) as u32),
        }
    }

    fn place(&mut self, grid: Grid) -> Cuboid {
        let other = Grid::new(&[grid.axes(), &[Axis::line(2).expect("a line")]].concat());
        let grid = other.filter(|_| self.one_in(16)).unwrap_or(grid);
        let origin = Node(self.below(grid.nodes().into()) as u32);
        let single = Sides::new(&[1]).expect("one node");
        let sides = self.sides(grid);
        let single = Cuboid::new(grid, origin, single).expect("a node of the machine");
        Cuboid::new(grid, origin, sides).unwrap_or(single)
    }

    /// One to four nodes, seldom one outside the machine.
    fn nodes_of(&mut self, grid: Grid) -> Vec<Node> {
        let count = self.below(4) + 1;
        let beyond = u64::from(grid.nodes()) + u64::from(self.one_in(16));
        (0..count).map(|_| Node(self.below(beyond) as u32)).collect()
    }
}

impl Command {
    /// The command for a machine that `number` stands for. Zero is a small allocation, and smaller
    /// numbers tend to be simpler commands.
    pub fn decode(grid: Grid, number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        match weights.kind(&mut digits) {
            0 => Self::Allocate(digits.ask(grid)),
            1 => Self::WouldFit(digits.ask(grid)),
            2 => Self::Release(Pick::Live(digits.pick())),
            3 => Self::Release(Pick::Gone(digits.pick())),
            4 => Self::Release(Pick::Foreign(digits.pick())),
            5 => Self::Withdraw(vec![], Outage::Failed),
            6 => Self::Withdraw(digits.nodes_of(grid), Outage::Failed),
            7 => Self::Withdraw(digits.nodes_of(grid), Outage::Drained),
            8 => Self::Repair(digits.nodes_of(grid)),
            9 => Self::Observe,
            10 => Self::Claim(digits.place(grid)),
            11 => Self::Begin,
            12 => Self::ReleaseOld(digits.pick()),
            _ => Self::Restart,
        }
    }
}
