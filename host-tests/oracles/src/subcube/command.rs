//! Operations on a pool, written down without knowledge of its state.

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

/// How often commands of each kind are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights([u8; KINDS]);

const KINDS: usize = 10;

impl Weights {
    /// A mixture in which the machine fills up, fails now and then, and is misused sometimes.
    pub const EVEN: Self = Self([12, 2, 9, 1, 1, 1, 2, 2, 3, 1]);

    /// The mixture with some kinds left out, another choice for each number: a defect that needs
    /// many releases, or no repair at all, is found sooner that way. Allocation stays.
    pub fn swarm(number: u16) -> Self {
        let mut weights = Self::EVEN;
        for (kind, weight) in weights.0.iter_mut().enumerate().skip(1) {
            *weight *= u8::from(number >> kind & 1 == 0);
        }
        weights
    }
}

/// A number taken apart into smaller ones, as digits to changing bases. Spent, it gives zeros.
struct Digits(u64);

impl Digits {
    fn below(&mut self, bound: u64) -> u64 {
        let digit = self.0 % bound;
        self.0 /= bound;
        digit
    }

    fn dim(&mut self, dims: Dim) -> Dim {
        let beyond = u64::from(dims.get()) + 2;
        Dim::new(self.below(beyond) as u8).unwrap_or(Dim::MAX)
    }

    /// One to four nodes, seldom one outside the machine.
    fn nodes(&mut self, dims: Dim) -> Vec<Node> {
        let count = self.below(4) + 1;
        let beyond = u64::from(dims.nodes()) + u64::from(self.below(16) == 15);
        (0..count).map(|_| Node(self.below(beyond) as u32)).collect()
    }

    fn pick(&mut self) -> usize {
        self.below(1 << 16) as usize
    }
}

impl Command {
    /// The command for a machine of n dimensions that `number` stands for. Zero is a small
    /// allocation, and smaller numbers tend to be simpler commands.
    pub fn decode(dims: Dim, number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        let mut at = digits.below(weights.0.iter().map(|&weight| u64::from(weight)).sum());
        let kind = weights.0.iter().position(|&weight| {
            let here = at < u64::from(weight);
            at = at.wrapping_sub(u64::from(weight));
            here
        });
        match kind.unwrap_or(0) {
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
