//! What is answered on the line.

use crate::text::HELP;
use crate::{Answer, Effect, Error, Fault};
use core::fmt::{self, Write};
use locox_coordinators::station;
use serde::{Deserialize, Serialize};

/// What is answered on the line. Of each request exactly one, the last, [closes](Reply::closes) it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// A host says something by its pins.
    Report {
        /// What.
        report: station::Command,
        /// Whether the bank has taken it; else it is refused or not stored.
        taken: bool,
    },
    /// This is to be done.
    Effect {
        /// Counts the effects; begins anew in the upper half after a reset.
        number: u64,
        /// What.
        effect: Effect,
    },
    /// The command is taken.
    Taken(Answer),
    /// It is not.
    Error(Reason),
    /// The bytes are no request.
    Fault(Fault),
    /// The flash fails. Nobody was told of the command, which may be stored all the same, now or later: whoever says it
    /// again until another answer comes has it done once if it has a serial. Questions are answered so as well, until
    /// all that they would tell of is stored. Help, [faults](Fault) and requests to the [board](crate::Board) are answered as ever.
    NotStored,
    /// What can be said, in words only.
    Help,
    /// How much is in use.
    Figures(Figures),
    /// The digest of the state.
    Digest(u32),
    /// Where a job is.
    Job(station::Status),
    /// Which stations' processors are enabled: a bit each.
    Pins(u32),
    /// As [`Reply::NotStored`], for good: somebody else has taken the flash, and knows whether the command is stored. The bank learns
    /// of it when it next stores something; if the flash fails after that, the answer can be [`Reply::NotStored`].
    OtherOwner,
    /// One of those that were asked for, as it was granted.
    Listed(Answer),
    /// So many were listed.
    Count(u32),
}

impl Reply {
    /// Whether it is the last to a request.
    pub const fn closes(&self) -> bool {
        !self.is_unasked() && !matches!(self, Self::Listed(_))
    }

    /// Whether it belongs to no request, whatever lies before and behind it.
    pub const fn is_unasked(&self) -> bool {
        matches!(self, Self::Report { .. } | Self::Effect { .. })
    }
}

/// Why not, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Whether the same may be taken later; else the caller is wrong.
    pub refusal: bool,
    /// Why.
    pub why: heapless::String<96>,
}

impl From<Error> for Reason {
    fn from(error: Error) -> Self {
        let mut why = heapless::String::new();
        // What does not fit is cut.
        let _: fmt::Result = write!(why, "{error}");
        Self { refusal: error.is_refusal(), why }
    }
}

/// How much is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// The tick of the last command.
    pub now: u64,
    /// Commands so far, restarts included.
    pub commands: u64,
    /// Nodes of the cube that are free.
    pub free_nodes: u32,
    /// Reservations that have not ended.
    pub reservations: u32,
    /// Processors of workstations and bank that are free.
    pub free_processors: u32,
    /// Jobs that wait for shared hosts.
    pub waiting: u32,
    /// Jobs on them.
    pub running: u32,
    /// The serial of the last grant that had one; 0 if none had.
    pub serial: u32,
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Report { report: it, taken } => {
                report(f, it)?;
                f.write_str(if *taken { "" } else { ": not taken" })
            }
            Self::Effect { effect, .. } => effect.fmt(f),
            Self::Taken(Answer::Done) => f.write_str("ok"),
            Self::Taken(answer) => write!(f, "ok {answer}"),
            Self::Listed(answer) => answer.fmt(f),
            Self::Count(count) => write!(f, "ok {count}"),
            Self::Error(Reason { refusal: true, why }) => write!(f, "no: {why}"),
            Self::Error(Reason { refusal: false, why }) => write!(f, "wrong: {why}"),
            Self::Fault(fault) => write!(f, "fault: {fault}"),
            Self::NotStored => f.write_str("fault: the flash fails: say it again"),
            Self::OtherOwner => f.write_str(
                "fault: the flash has another owner: stop one of the two, then reset the other",
            ),
            Self::Help => write!(f, "{HELP}ok"),
            Self::Figures(it) => write!(
                f,
                "ok at {}: {} nodes free, {} reservations, {} processors free, \
                 {} jobs on shared hosts, {} wait, serial {}",
                it.now,
                it.free_nodes,
                it.reservations,
                it.free_processors,
                it.running,
                it.waiting,
                it.serial
            ),
            Self::Digest(digest) => write!(f, "ok {digest:08x}"),
            Self::Job(status) => status_of(f, status),
            Self::Pins(pins) => write!(f, "ok {pins:08b}"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("done"),
            Self::Leased { lease, cube } => write!(f, "lease {lease}: {cube}"),
            Self::Reserved { reservation, start, end, pes } => {
                write!(f, "reservation {reservation}: {start}..{end} on PEs {pes:032b}")
            }
            Self::Job { job } => write!(f, "job {job}"),
        }
    }
}

fn report(f: &mut fmt::Formatter<'_>, command: &station::Command) -> fmt::Result {
    use station::Command::{Checkpointed, Continued, Heard, NodeIdle, OwnerBack, Vacated};
    match command {
        NodeIdle { node } => write!(f, "pins: the owner of {node} left"),
        OwnerBack { station } => write!(f, "pins: the owner of {station} is back"),
        Heard { run } => write!(f, "pins: {run} is there"),
        Continued { run } => write!(f, "pins: {run} goes on"),
        Checkpointed { run, checkpoint } => write!(f, "pins: {run} saved as {}", checkpoint.0),
        Vacated { run } => write!(f, "pins: {run} is gone"),
        _ => f.write_str("pins"),
    }
}

fn status_of(f: &mut fmt::Formatter<'_>, status: &station::Status) -> fmt::Result {
    use station::Status::{Leaving, Placed, Running, Stopped, Waiting};
    match status {
        Waiting => f.write_str("ok waits"),
        Stopped { .. } => f.write_str("ok stopped"),
        Placed { node } => write!(f, "ok waits for node {node}"),
        Running { node } => write!(f, "ok on node {node}"),
        Leaving { node, .. } => write!(f, "ok leaves node {node}"),
    }
}
