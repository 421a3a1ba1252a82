//! Calls of a coordinator, written down without knowledge of its state.

use crate::digits::Digits;
use locox_coordinators::site::{Algorithm, Claim, Policy};

/// A call, sensible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A submission: user, queue, class, and by how much its serial is off.
    Submit(u32, u32, u32, i32),
    /// A job's run ends: which job, counted from the one that came last, how many attempts ago,
    /// after how long.
    Finished(usize, u32, u64),
    /// A job's run is gone: as before.
    Vacated(usize, u32),
    /// All runs that are to leave are gone.
    AllVacated,
    /// A machine is lost, and by how much its start is off.
    Lost(u32, i32),
    /// A machine is back, as before.
    Back(u32, i32),
    /// All machines have started.
    AllBack,
    /// An interconnect is down or up.
    Link(u32, bool),
    /// A queue's policy changes.
    SetPolicy(u32, Policy),
    /// A user's limit changes.
    SetLimit(u32, u32),
    /// A user's clearance changes.
    SetClearance(u32, u8),
    /// So much time passes.
    Tick(u64),
    /// The effects are taken.
    Effects,
    /// The state goes out as an image and comes back.
    Restart,
}

/// A mixture in which machines fill up and come and go.
pub const EVEN: Weights = Weights::new([9, 5, 2, 3, 1, 1, 2, 1, 2, 1, 7, 2, 1, 1]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<14>;

impl Command {
    /// The command that `number` stands for.
    pub fn decode(number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        let kind = weights.kind(&mut digits);
        let mut off = |sides| if digits.one_in(sides) { digits.below(4) as i32 - 2 } else { 0 };
        match kind {
            0 => {
                let off = off(8);
                let mut next = |bound| digits.below(bound) as u32;
                Self::Submit(next(17) / 8, next(5), next(4), off)
            }
            1 | 2 => {
                let late = off(5).unsigned_abs();
                let job = digits.below(12) as usize;
                match kind {
                    1 => Self::Finished(job, late, 1 + digits.below(40)),
                    _ => Self::Vacated(job, late),
                }
            }
            3 => Self::AllVacated,
            4 | 5 => {
                let off = off(3);
                let machine = digits.below(6) as u32;
                if kind == 4 { Self::Lost(machine, off) } else { Self::Back(machine, off + 1) }
            }
            6 => Self::AllBack,
            7 => Self::Link([3, 8, 4][digits.below(3) as usize], digits.one_in(2)),
            8 => {
                let queue = digits.below(5) as u32;
                let algorithm = Algorithm::ALL[digits.below(7) as usize];
                let claim = [Claim::Neither, Claim::Takes, Claim::Loses][digits.below(3) as usize];
                // Mostly such that they agree.
                let base = [3, 0, 6][claim as usize];
                let level = if digits.one_in(6) { digits.below(9) } else { base + digits.below(2) };
                let clearance = if digits.one_in(3) { digits.below(3) as u8 } else { 0 };
                Self::SetPolicy(queue, Policy { algorithm, level: level as u8, claim, clearance })
            }
            9 => Self::SetLimit(digits.below(3) as u32, digits.below(5) as u32),
            10 => Self::Tick(digits.below(14)),
            11 => Self::Effects,
            12 => Self::Restart,
            _ => Self::SetClearance(digits.below(3) as u32, digits.below(3) as u8),
        }
    }
}
