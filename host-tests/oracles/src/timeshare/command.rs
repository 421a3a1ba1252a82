//! Calls of a table, written down without knowledge of its state.

use crate::digits::Digits;
use locox::timeshare::{HostId, JobNumber, Load, Request, Speed, UserId};

/// A call, sensible or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A job is placed.
    Place(JobNumber, Request),
    /// It is asked whether one would be.
    WouldPlace(Request),
    /// A host reports.
    Report(HostId, Load, Speed),
    /// All hosts report that they are idle.
    ReportAll,
    /// A job ends.
    Remove(JobNumber),
    /// A job is to be killed.
    Doom(JobNumber),
    /// A host is gone.
    Lose(HostId),
    /// So much time passes.
    Tick(u64),
}

/// A mixture in which hosts fill up and come and go.
pub const EVEN: Weights = Weights::new([8, 2, 6, 3, 4, 1, 1, 4]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<8>;

impl Command {
    /// The command that `number` stands for, on so many hosts and rows for jobs.
    pub fn decode(hosts: u64, rows: u64, number: u64, weights: &Weights) -> Self {
        let mut digits = Digits(number);
        let kind = weights.kind(&mut digits);
        let host = HostId(digits.below(hosts + 1) as u32);
        let job = JobNumber(digits.below(rows + 1) as u32);
        let mut request = Request::new(UserId(digits.below(3) as u32), 0);
        request.synchronising = digits.one_in(3);
        let larger = if digits.one_in(3) { hosts + 2 } else { hosts.div_ceil(2) + 1 };
        request.hosts = digits.below(larger) as u32;
        match kind {
            0 => Self::Place(job, request),
            1 => Self::WouldPlace(request),
            2 => Self::Report(
                host,
                Load::from_thousandths(digits.below(6) as u16 * 200),
                Speed(16 + digits.below(5) as u8 / 3 * 8),
            ),
            3 => Self::ReportAll,
            4 => Self::Remove(job),
            5 => Self::Doom(job),
            6 => Self::Lose(host),
            _ => Self::Tick(digits.below(5)),
        }
    }
}
