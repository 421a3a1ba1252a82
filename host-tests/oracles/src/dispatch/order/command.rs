//! Calls of a queue, written down without knowledge of its state.

use crate::digits::Digits;
use crate::reserve::Restart;

/// A call, sensible or not. Picks are counted modulo how many of the kind there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A job of so many PEs, with a key.
    Push(u32, u64),
    /// A job of so many PEs, with a key, that runs already.
    Adopt(u32, u64),
    /// Takes the job offered after so many others.
    Next(usize),
    /// A job that runs ends; if none does, any.
    Finish(usize),
    /// Any job ends, waiting and gone ones among them.
    FinishAny(usize),
    /// Any job is cancelled, running and gone ones among them.
    Cancel(usize),
    /// Any job is given another key, running and gone ones among them.
    Rekey(usize, u64),
    /// A job that runs waits again, or any is told to.
    Requeue(usize),
    /// Any job is held, or released if not.
    Hold(usize, bool),
    /// Another epoch begins, perhaps after a restart.
    Restart(Restart),
}

/// A mixture in which the queue fills up, empties, and is misused sometimes.
pub const EVEN: Weights = Weights::new([6, 6, 4, 1, 1, 1, 1, 1, 1, 1]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<10>;

const LARGEST: u64 = 9;

impl Command {
    /// The command that `number` stands for.
    pub fn decode(number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        match weights.kind(&mut digits) {
            0 => Self::Push(digits.below(LARGEST + 1) as u32, key(&mut digits)),
            1 => Self::Next(digits.below(6) as usize),
            2 => Self::Finish(digits.pick()),
            3 => Self::FinishAny(digits.pick()),
            4 => Self::Cancel(digits.pick()),
            5 => Self::Rekey(digits.pick(), key(&mut digits)),
            6 => Self::Requeue(digits.pick()),
            7 => Self::Hold(digits.pick(), digits.one_in(2)),
            8 => Self::Adopt(digits.below(LARGEST + 1) as u32, key(&mut digits)),
            _ => Self::Restart(Restart::decode(&mut digits)),
        }
    }
}

/// Mostly the same.
pub(crate) fn key(digits: &mut Digits) -> u64 {
    if digits.one_in(3) { digits.below(4) } else { 1 }
}
