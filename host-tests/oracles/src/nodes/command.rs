//! Calls of a pool, written down without knowledge of its state.

use crate::digits::Digits;
use locox::nodes::Outage;

/// A call, sensible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// One of the wishes is asked for, counted modulo how many there are.
    Allocate(usize),
    /// A live lease is given back, counted modulo how many there are.
    Release(usize),
    /// One that was given back is given back again.
    ReleaseGone(usize),
    /// One of another pool is.
    ReleaseForeign,
    /// A node leaves service.
    Withdraw(usize, Outage),
    /// A node comes back.
    Repair(usize),
    /// Room is kept for a wish, too.
    Learn(usize),
    /// A wish is made room for, at the expense of leases that cost so much.
    MakeRoom(usize, u64),
    /// An image is written, and the pool goes on from it in another epoch.
    Restart,
    /// A pool is built from an image with another word, under checksums that fit.
    Forge(usize, u32),
}

/// A mixture in which nodes fill up, fail now and then, and are misused sometimes.
pub const EVEN: Weights = Weights::new([12, 7, 1, 1, 1, 2, 2, 2, 1, 2]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<10>;

impl Command {
    /// The command for so many nodes that `number` stands for. Seldom it is about a node that there is not.
    pub fn decode(nodes: usize, number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        let kind = weights.kind(&mut digits);
        let node = |digits: &mut Digits| digits.below(nodes as u64 + 1) as usize;
        match kind {
            0 => Self::Allocate(digits.pick()),
            1 => Self::Release(digits.pick()),
            2 => Self::ReleaseGone(digits.pick()),
            3 => Self::ReleaseForeign,
            4 => {
                let why = if digits.one_in(2) { Outage::Failed } else { Outage::Drained };
                Self::Withdraw(node(&mut digits), why)
            }
            5 => Self::Repair(node(&mut digits)),
            6 => Self::Learn(digits.pick()),
            7 => Self::MakeRoom(digits.pick(), digits.0),
            8 => Self::Restart,
            _ => Self::Forge(digits.pick(), digits.below(1 << 32) as u32),
        }
    }
}
