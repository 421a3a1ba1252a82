//! Operations on a pool, written down without knowledge of its state.

use crate::digits::Digits;
use locox::cube::{Dim, Node, Subcube};
use locox::subcube::Outage;

/// An operation, sensible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Asks for a subcube.
    Allocate(Dim),
    /// Asks for this very subcube, which may be one of a larger machine.
    Claim(Subcube),
    /// Asks whether it would be granted.
    WouldFit(Dim),
    /// Gives a lease back; nothing happens if there is none to pick.
    Release(Pick),
    /// Takes nodes out of service.
    Withdraw(Vec<Node>, Outage),
    /// Puts nodes back into service.
    Repair(Vec<Node>),
    /// Writes an image, and goes on from it in another epoch.
    Restart,
    /// Looks at everything that can be looked at.
    Observe,
}

/// Which lease, counted modulo how many of the kind there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// One that is live.
    Live(usize),
    /// One that was released: a double release, or a stale one if its base is in use again.
    Gone(usize),
    /// One of another pool, or of another machine with the same number.
    Foreign(usize),
}

/// A mixture in which the machine fills up, fails now and then, and is misused sometimes.
pub const EVEN: Weights = Weights::new([12, 2, 9, 1, 1, 1, 2, 2, 3, 1, 3, 1]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<12>;

impl Digits {
    fn dim(&mut self, dims: Dim) -> Dim {
        let beyond = u64::from(dims.get()) + 2;
        Dim::new(self.below(beyond) as u8).unwrap_or(Dim::MAX)
    }

    /// A subcube, rather a small one; seldom one of a larger machine.
    fn subcube(&mut self, dims: Dim) -> Subcube {
        let larger = dims.up().filter(|_| self.one_in(16));
        let dims = larger.unwrap_or(dims);
        let mut address = || self.below(dims.nodes().into()) as u32;
        let (base, mask) = (Node(address()), address() & address());
        Subcube::new(dims, base, mask).unwrap_or(Subcube::whole(dims))
    }

    /// One to four nodes, seldom one outside the machine.
    pub(crate) fn nodes(&mut self, dims: Dim) -> Vec<Node> {
        let count = self.below(4) + 1;
        let beyond = u64::from(dims.nodes()) + u64::from(self.one_in(16));
        (0..count).map(|_| Node(self.below(beyond) as u32)).collect()
    }
}

impl Command {
    /// The command for a machine of n dimensions that `number` stands for. Zero is a small
    /// allocation, and smaller numbers tend to be simpler commands.
    pub fn decode(dims: Dim, number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        match weights.kind(&mut digits) {
            0 => Self::Allocate(digits.dim(dims)),
            1 => Self::WouldFit(digits.dim(dims)),
            2 => Self::Release(Pick::Live(digits.pick())),
            3 => Self::Release(Pick::Gone(digits.pick())),
            4 => Self::Release(Pick::Foreign(digits.pick())),
            5 => Self::Withdraw(vec![], Outage::Failed),
            6 => Self::Withdraw(digits.nodes(dims), Outage::Failed),
            7 => Self::Withdraw(digits.nodes(dims), Outage::Drained),
            8 => Self::Repair(digits.nodes(dims)),
            9 => Self::Observe,
            10 => Self::Claim(digits.subcube(dims)),
            _ => Self::Restart,
        }
    }
}
