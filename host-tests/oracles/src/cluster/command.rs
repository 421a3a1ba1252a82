//! Commands, written down without knowledge of the coordinator's state.

use crate::digits::Digits;
use crate::dispatch::order::key;
use locox::timeshare::{HostId, Load, Speed, UserId};
use locox_coordinators::cluster::Terms;

/// Something said to the coordinator, sensible or not. Jobs are picked among the latest names that
/// there have been, and a foreign one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A job is submitted: its user, its hosts, whether it synchronises, its terms.
    Submit(UserId, u32, bool, Terms),
    /// A job that waits is wanted no more.
    Cancel(usize),
    /// A job that runs is to be killed.
    Kill(usize),
    /// A job has ended.
    Ended(usize),
    /// A host reports, and what it has heard.
    Report(HostId, Load, Speed, Heard),
    /// All hosts report that they are idle, and have heard all.
    ReportAll,
    /// A host is gone.
    Lost(HostId),
    /// So much time passes.
    Tick(u64),
    /// A command comes with a time before the last one.
    TimeGoesBack,
    /// So many effects are taken.
    TakeEffects(usize),
    /// The coordinator is restored from its image.
    Restart,
    /// A host has so much memory.
    Memory(HostId, u32),
    /// Hosts are put into a set or taken out: the first one, how many, which of both.
    Name(u16, HostId, u32, bool),
    /// A set is to have so many hosts.
    Choose(u16, u32),
}

/// Which batch a host says that it has heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The newest one.
    All,
    /// The one before.
    Behind,
    /// One that the coordinator does not know of.
    Ahead,
    /// None, after another start.
    Restarted,
    /// One of the start before the latest, if there was one.
    Late,
    /// One of which there is one more alone.
    Last,
}

/// A mixture in which hosts fill up and come and go.
pub const EVEN: Weights = Weights::new([8, 2, 3, 6, 8, 3, 2, 4, 1, 6, 1, 2, 2, 1]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<14>;

impl Command {
    /// The command that `number` stands for, on so many hosts.
    pub fn decode(hosts: u64, number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        let kind = weights.kind(&mut digits);
        let host = HostId(digits.below(hosts + 1) as u32);
        let job = digits.pick();
        let larger = if digits.one_in(4) { hosts + 2 } else { hosts.div_ceil(2) + 1 };
        match kind {
            0 => {
                let (user, wanted) = (UserId(digits.below(3) as u32), digits.below(larger) as u32);
                Self::Submit(user, wanted, digits.one_in(3), terms(&mut digits))
            }
            1 => Self::Cancel(job),
            2 => Self::Kill(job),
            3 => Self::Ended(job),
            4 => Self::Report(
                host,
                Load::from_thousandths(digits.below(6) as u16 * 200),
                Speed(16 + digits.below(5) as u8 / 3 * 8),
                match digits.below(40) {
                    0..15 => Heard::All,
                    15..25 => Heard::Behind,
                    25..30 => Heard::Ahead,
                    30..35 => Heard::Restarted,
                    35..39 => Heard::Late,
                    _ => Heard::Last,
                },
            ),
            5 => Self::ReportAll,
            6 => Self::Lost(host),
            7 => Self::Tick(digits.below(6)),
            8 => Self::TimeGoesBack,
            9 => Self::TakeEffects(digits.below(12) as usize),
            10 => Self::Restart,
            11 => Self::Memory(host, digits.below(8) as u32),
            12 => {
                let (set, hosts) = (digits.below(4) as u16, digits.below(larger) as u32);
                Self::Name(set, host, hosts, !digits.one_in(3))
            }
            _ => Self::Choose(digits.below(4) as u16, digits.below(larger) as u32),
        }
    }
}

/// Mostly none.
fn terms(digits: &mut Digits) -> Terms {
    let set = if digits.one_in(3) { digits.below(4) as u16 } else { 0 };
    let memory = if digits.one_in(3) { digits.below(5) as u32 } else { 0 };
    Terms { set, key: key(digits) as u16, memory }
}
