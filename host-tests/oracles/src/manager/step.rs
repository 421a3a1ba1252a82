//! Commands, written down without knowledge of the coordinator's state.

use crate::digits::Digits;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{Command, Key, NodeId, UserId};

/// Something that is done with the coordinator, sensible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A command, after so much time.
    Say(u64, Command),
    /// A command with a time before the last one, or with one that is too late.
    WrongTime(bool),
    /// A job runs where it is to be started.
    Confirm(usize),
    /// A job waits again that is to be stopped.
    Stopped(usize),
    /// So many effects are taken.
    TakeEffects(usize),
    /// The coordinator is restored from its image.
    Restart,
}

/// A mixture in which a machine fills up and jobs wait.
pub const EVEN: Weights =
    Weights::new([14, 3, 3, 3, 2, 2, 6, 2, 3, 1, 1, 12, 1, 6, 8, 3, 1, 3, 2, 1, 3, 1, 1, 1, 2]);

/// Weights of the kinds of steps.
pub type Weights = crate::Weights<25>;

impl Step {
    /// The step that `number` stands for, on so many nodes.
    pub fn decode(nodes: u64, number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        let kind = weights.kind(&mut digits);
        let by = if digits.one_in(3) { digits.below(9) } else { 0 };
        let key = Key { id: digits.below(12), born: digits.below(2) as u32 };
        let first = NodeId(digits.below(nodes + 1) as u32);
        let user = UserId(digits.below(5) as u32 * 1000);
        let command = match kind {
            0 | 1 => {
                let larger = if digits.one_in(6) { nodes + 3 } else { nodes.div_ceil(2) + 1 };
                let nodes = if digits.one_in(40) { u32::MAX } else { digits.below(larger) as u32 };
                let endless = digits.one_in(12);
                let limit =
                    if endless { Duration::MAX } else { Duration::from_ticks(digits.below(30)) };
                let priority = [0, 0, 0, 1, 5, u32::MAX][digits.below(6) as usize];
                match kind {
                    0 => Command::Seen { key, user, nodes, limit, priority },
                    _ => Command::Changed { key, nodes, limit, priority },
                }
            }
            2 => Command::Held { key, held: digits.one_in(2) },
            3 | 4 => {
                let nodes = digits.below(nodes.min(4) + 2) as u32;
                let since = Instant::from_ticks(digits.below(60));
                match kind {
                    3 => Command::Runs { key, since, first, nodes },
                    _ => Command::RunsAlso { key, first, nodes },
                }
            }
            5 => Command::Waits { key },
            6 => Command::Left { key },
            7 => Command::NodeOut { first, nodes: digits.below(nodes.min(3) + 2) as u32 },
            8 => Command::NodeBack { first, nodes: digits.below(nodes + 1) as u32 },
            9 => Command::Weight { user, weight: digits.below(4) as u16 },
            10 => Command::UserGone { user },
            11 => Command::Decide,
            12 => return Self::WrongTime(digits.one_in(2)),
            13 => return Self::Confirm(digits.pick()),
            14 => return Self::TakeEffects(digits.below(6) as usize),
            15 => {
                let none = digits.one_in(4);
                let by = if none { Instant::MAX } else { Instant::from_ticks(digits.below(150)) };
                Command::Deadline { key, by }
            }
            17 => {
                let side = |digits: &mut Digits| digits.below(nodes.min(6) + 1) as u32;
                let sides = [side(&mut digits), side(&mut digits), 1 + u32::from(digits.one_in(4))];
                Command::Shape { key, sides }
            }
            18 | 19 => {
                let from = Instant::from_ticks(digits.below(80));
                let endless = digits.one_in(8);
                let to = Instant::from_ticks(if endless { u64::MAX } else { digits.below(120) });
                let nodes = digits.below(nodes.min(5) + 1) as u32;
                match kind {
                    18 => Command::Outage { first, nodes, from, to },
                    _ => Command::NoOutage { first, nodes, from, to },
                }
            }
            20 => {
                let time = |most| match digits.below(most) {
                    0 => Instant::MAX,
                    ticks => Instant::from_ticks(ticks),
                };
                let [from, by] = [150, 200].map(time);
                Command::Reserve { key, from, by }
            }
            21 => Command::NoReservation { key },
            22 => Command::Stoppable { key, stoppable: digits.one_in(2) },
            23 => Command::Saved { key, at: Instant::from_ticks(digits.below(150)) },
            24 => return Self::Stopped(digits.pick()),
            _ => return Self::Restart,
        };
        Self::Say(by, command)
    }
}
