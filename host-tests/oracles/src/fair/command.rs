//! Operations on a ranking, written down without knowledge of its state.

use crate::digits::Digits;
use locox::fair::{Demand, StationId};

/// An operation, sensible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// From now on these stations want and hold so much.
    Ask(Vec<(StationId, Demand)>),
    /// The ranking takes note of the demand.
    Update,
    /// A round over so many free processors, in a buffer of so many contenders. What it decides
    /// is done after it.
    Round {
        /// Free processors.
        free: u32,
        /// Contenders that the buffer holds; fewer than four are refused.
        room: usize,
        /// The caller's random number.
        draw: u32,
    },
    /// The same, but each decision is carried out in the demand before the next is asked for.
    RoundCarriedOut {
        /// Free processors.
        free: u32,
        /// Contenders that the buffer holds; fewer than four are refused.
        room: usize,
        /// The caller's random number.
        draw: u32,
    },
    /// The ranking is told of one station more than there are, or of one less, and a round is
    /// asked for with it.
    Miscount {
        /// More, not less.
        more: bool,
    },
    /// A round is asked for on a machine with fewer processors than are held and free.
    Overdraw {
        /// Free processors.
        free: u32,
    },
}

/// A mixture in which demand changes, the past is noted, and rounds are held.
pub const EVEN: Weights = Weights::new([8, 5, 5, 4, 1, 1]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<6>;

impl Command {
    /// The command for so many stations that `number` stands for.
    pub fn decode(stations: usize, number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        match weights.kind(&mut digits) {
            0 => Self::Ask(asked(&mut digits, stations as u64)),
            1 => Self::Update,
            kind @ (2 | 3) => {
                let (free, room) = (free(&mut digits), digits.below(40) as usize + 3);
                let draw = digits.below(1 << 32) as u32;
                match kind {
                    2 => Self::Round { free, room, draw },
                    _ => Self::RoundCarriedOut { free, room, draw },
                }
            }
            4 => Self::Miscount { more: digits.one_in(2) },
            _ => Self::Overdraw { free: free(&mut digits) },
        }
    }
}

fn free(digits: &mut Digits) -> u32 {
    let most = if digits.one_in(6) { 50 } else { 5 };
    digits.below(most) as u32
}

/// One to four stations with what they ask for.
fn asked(digits: &mut Digits, stations: u64) -> Vec<(StationId, Demand)> {
    let count = digits.below(4) + 1;
    let one = |_| {
        let station = StationId(digits.below(stations) as u32);
        (station, Demand { wants: wants(digits), holds: holds(digits) })
    };
    (0..count).map(one).collect()
}

fn wants(digits: &mut Digits) -> u16 {
    match digits.below(8) {
        few @ 0..4 => few as u16,
        4..7 => 0,
        _ => u16::MAX,
    }
}

fn holds(digits: &mut Digits) -> u16 {
    match digits.below(9) {
        few @ 0..5 => few as u16,
        5..8 => 0,
        _ => 5 + digits.below(55) as u16,
    }
}
