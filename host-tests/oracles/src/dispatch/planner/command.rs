//! Calls of a planner, written down without knowledge of its state.

use crate::digits::Digits;
use crate::dispatch::order::key;
use crate::reserve::Restart;

/// A call, sensible or not. Picks are counted modulo how many jobs there have been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A job of so many PEs for so long, with a key.
    Push(u32, u64, u64),
    /// A job of so many PEs for so long, time until ready, and slack until the deadline: a call of
    /// conservative backfilling.
    Reserve(u32, u64, u64, u64),
    /// A job of so many PEs for so long, with a key, that runs since so long.
    Adopt(u32, u64, u64, u64),
    /// All that may start does, and then so much time passes.
    Advance(u64),
    /// Any job ends.
    Finish(usize),
    /// Any jobs end together.
    FinishTogether([usize; 3]),
    /// Any job is cancelled.
    Cancel(usize),
    /// Any job is given another key.
    Rekey(usize, u64),
    /// Any job waits again.
    Requeue(usize),
    /// Any job is held, or released if not.
    Hold(usize, bool),
    /// So many PEs go out of service.
    Withdraw(u32),
    /// So many PEs come back.
    Repair(u32),
    /// When will any job start?
    Estimate(usize),
    /// Another epoch begins, perhaps after a restart.
    Restart(Restart),
    /// The machine refuses those of eight jobs whose bits are set.
    Refuse(u8),
}

/// A mixture in which machine and queue fill up, empty, and are misused sometimes.
pub const EVEN: Weights = Weights::new([12, 4, 10, 12, 2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<15>;

impl Command {
    /// The command for a machine of so many PEs that `number` stands for.
    pub fn decode(pes: u32, number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        match weights.kind(&mut digits) {
            0 => {
                let (pes, time) = (size(&mut digits, pes), time(&mut digits));
                Self::Push(pes, time, key(&mut digits))
            }
            1 => {
                let (pes, time) = (size(&mut digits, pes), time(&mut digits));
                Self::Reserve(pes, time, digits.below(10), digits.below(15))
            }
            2 => Self::Advance(digits.below(5)),
            3 => Self::Finish(digits.pick()),
            4 => Self::Cancel(digits.pick()),
            5 => Self::Rekey(digits.pick(), key(&mut digits)),
            6 => Self::Requeue(digits.pick()),
            7 => Self::Withdraw(digits.below(u64::from(pes / 2) + 2) as u32),
            8 => Self::Repair(digits.below(u64::from(pes / 2) + 2) as u32),
            9 => Self::Estimate(digits.pick()),
            10 => Self::Hold(digits.pick(), digits.one_in(2)),
            11 => {
                let (pes, time) = (size(&mut digits, pes), time(&mut digits));
                Self::Adopt(pes, time, key(&mut digits), digits.below(14))
            }
            12 => Self::Restart(Restart::decode(&mut digits)),
            // None half of the time, so that all start some day.
            13 if digits.one_in(2) => Self::Refuse(0),
            13 => Self::Refuse(digits.below(256) as u8),
            _ => Self::FinishTogether([digits.pick(), digits.pick(), digits.pick()]),
        }
    }
}

/// Seldom none, or one more than there are.
fn size(digits: &mut Digits, pes: u32) -> u32 {
    match digits.below(14) {
        12 => 0,
        13 => pes + 1,
        _ => 1 + digits.below(u64::from(pes)) as u32,
    }
}

/// Seldom none.
fn time(digits: &mut Digits) -> u64 {
    if digits.one_in(13) { 0 } else { 1 + digits.below(11) }
}
