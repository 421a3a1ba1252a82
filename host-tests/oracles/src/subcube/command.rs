//! Operations on a pool, written down without knowledge of its state.

use crate::digits::Digits;
use locox::cube::{Dim, Node};
use locox::subcube::Outage;

/// An operation, sensible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Asks for a subcube.
    Allocate(Dim),
    /// Asks whether it would be granted.
    WouldFit(Dim),
    /// Gives a lease back; nothing happens if there is none to pick.
    Release(Pick),
    /// Takes nodes out of service.
    Withdraw(Vec<Node>, Outage),
    /// Puts nodes back into service.
    Repair(Vec<Node>),
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
pub const EVEN: Weights = Weights::new([12, 2, 9, 1, 1, 1, 2, 2, 3, 1]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<10>;

impl Digits {
    fn dim(&mut self, dims: Dim) -> Dim {
        let beyond = u64::from(dims.get()) + 2;
        Dim::new(self.below(beyond) as u8).unwrap_or(Dim::MAX)
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
            _ => Self::Observe,
        }
    }
}
