//! Commands, written down without knowledge of the coordinator's state.

use crate::digits::Digits;
use locox::fair::StationId;
use locox_coordinators::station::{NodeId, Nodes};

/// Something said to the coordinator, sensible or not. Runs are picked among all that effects have
/// named, modulo their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A job is submitted.
    Submit(StationId, Serial),
    /// A processor is available.
    NodeIdle(NodeId),
    /// An owner is there.
    OwnerBack(StationId),
    /// A run goes on.
    Continued(usize),
    /// A run has a checkpoint of this name.
    Checkpointed(usize, u32),
    /// A run is no longer where it was.
    Vacated(usize),
    /// A run has finished its job.
    Finished(usize),
    /// A processor is gone.
    NodeLost(NodeId),
    /// So much time passes.
    Tick(u64),
    /// A command comes with a time before the last one.
    TimeGoesBack,
    /// So many effects are taken.
    TakeEffects(usize),
    /// The coordinator is restored from its image.
    Restart,
    /// A run was heard of.
    Heard(usize),
    /// The job of a run is cancelled.
    Cancel(usize),
    /// The job of a run is held.
    Hold(usize),
    /// The job of a run is released.
    Release(usize),
    /// The job of a run has a limit.
    Limit(usize, u64),
    /// Processors are drained.
    Drain(Nodes),
    /// Processors are restored.
    Restore(Nodes),
    /// A station has another weight.
    SetWeight(StationId, u16),
    /// The next command is a message of this processor, in turn, repeated, early, or of another
    /// boot.
    From(NodeId, Turn),
}

/// Which message of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The next one.
    Next,
    /// The last one again.
    Again,
    /// The one after the next.
    Early,
    /// The first one of the next boot.
    Restarted,
    /// One of the boot before.
    Late,
    /// One that is not numbered.
    Unnumbered,
}

/// The number of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Serial {
    /// The station's next.
    Next,
    /// Its last one again.
    Again,
    /// One that is out of turn.
    Wrong(u32),
}

/// A mixture in which jobs come, run, and go.
pub const EVEN: Weights =
    Weights::new([16, 16, 4, 2, 4, 6, 10, 2, 8, 2, 16, 2, 4, 1, 1, 2, 1, 1, 2, 3, 12]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<21>;

impl Command {
    /// The command for so many stations and nodes that `number` stands for.
    pub fn decode(stations: u64, nodes: u64, number: u64, weights: &Weights) -> Self {
        let digits = &mut Digits(number);
        match weights.kind(digits) {
            0 => {
                let home = StationId(or_beyond(digits, stations));
                Self::Submit(
                    home,
                    match digits.below(10) {
                        8 => Serial::Again,
                        9 => Serial::Wrong(digits.below(100) as u32 + 2),
                        _ => Serial::Next,
                    },
                )
            }
            1 => Self::NodeIdle(NodeId(or_beyond(digits, nodes))),
            2 => Self::OwnerBack(StationId(or_beyond(digits, stations))),
            3 => Self::Continued(digits.pick()),
            4 => Self::Checkpointed(digits.pick(), digits.below(1 << 16) as u32),
            5 => Self::Vacated(digits.pick()),
            6 => Self::Finished(digits.pick()),
            7 => Self::NodeLost(NodeId(or_beyond(digits, nodes))),
            8 => Self::Tick(digits.below(12)),
            9 => Self::TimeGoesBack,
            10 => Self::TakeEffects(digits.below(5) as usize),
            11 => Self::Restart,
            12 => Self::Heard(digits.pick()),
            13 => Self::Cancel(digits.pick()),
            14 => Self::Hold(digits.pick()),
            15 => Self::Release(digits.pick()),
            16 => Self::Limit(digits.pick(), digits.below(40)),
            17 => Self::Drain(some(digits, nodes)),
            18 => Self::Restore(some(digits, nodes)),
            19 => {
                let weight = [0, 1, 1, 2, 3, 5, 8, u16::MAX][digits.below(8) as usize];
                Self::SetWeight(StationId(or_beyond(digits, stations)), weight)
            }
            _ => Self::From(
                NodeId(or_beyond(digits, nodes)),
                match digits.below(16) {
                    0 => Turn::Again,
                    1 => Turn::Early,
                    2 => Turn::Restarted,
                    3 => Turn::Late,
                    4 => Turn::Unnumbered,
                    _ => Turn::Next,
                },
            ),
        }
    }
}

fn some(digits: &mut Digits, nodes: u64) -> Nodes {
    if digits.one_in(4) {
        Nodes::Bank
    } else {
        Nodes::One { node: NodeId(or_beyond(digits, nodes)) }
    }
}

/// Seldom one more than there are.
fn or_beyond(digits: &mut Digits, count: u64) -> u32 {
    if digits.one_in(16) { count as u32 } else { digits.below(count) as u32 }
}
