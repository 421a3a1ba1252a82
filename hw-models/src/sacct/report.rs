//! What an import kept, what it dropped, and why.

use super::format::FORMAT;
use std::collections::BTreeMap;
use std::fmt;

/// Why a line is no job of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Drop {
    /// A step: its job has a line of its own.
    Step,
    /// It waits still; tasks of an array that do among them.
    Waiting,
    /// It runs still: how long it will is not known.
    Running,
    /// It was cancelled, or failed, before it started.
    NeverStarted,
    /// The same run of the same job stands in another line.
    Twice,
    /// It was given nothing to run on, though it ran.
    NoSize,
    /// Its times contradict each other.
    Times,
    /// Not as many fields as the header has.
    Fields,
    /// A field that cannot be read.
    Value(&'static str),
    /// A list with a name that a file of demands cannot have.
    Name(&'static str),
    /// A component of a heterogeneous job of which another has not ended, or cannot be read.
    Incomplete,
}

impl fmt::Display for Drop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step => f.write_str("steps, which are parts of jobs"),
            Self::Waiting => f.write_str("waiting still"),
            Self::Running => f.write_str("running still"),
            Self::NeverStarted => f.write_str("ended before they started"),
            Self::Twice => f.write_str("the same run as in another line"),
            Self::NoSize => f.write_str("without processors"),
            Self::Times => f.write_str("an end before the start, or a start before the submission"),
            Self::Fields => f.write_str("not as many fields as the header has"),
            Self::Value(column) => write!(f, "a {column} that cannot be read"),
            Self::Name(column) => {
                write!(
                    f,
                    "names in {column} that a file of demands cannot have, or has for something else"
                )
            }
            Self::Incomplete => f.write_str(
                "parts of heterogeneous jobs of which others have not ended, or cannot be read",
            ),
        }
    }
}

impl Drop {
    /// The line cannot be read.
    pub(super) fn is_bad(self) -> bool {
        matches!(self, Self::Fields | Self::Value(_))
    }

    /// What helps if lines are dropped for this reason.
    pub(super) fn remedy(self) -> String {
        const TIMES: &str = "ask sacct with SLURM_TIME_FORMAT unset, or set to standard or %s";
        match self {
            Self::Waiting | Self::Running | Self::NeverStarted | Self::Incomplete => {
                "ask sacct for another time with -S and -E".into()
            }
            Self::Value("Submit" | "Start" | "End") => TIMES.into(),
            Self::Name(_) => "leave --demands out, or rename them in the file".into(),
            _ => format!("ask for sacct -a -D -P --format={FORMAT}"),
        }
    }
}

/// How many lines were dropped for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// How many.
    pub lines: u64,
    /// The number of the first in the unpacked text; the header is 1.
    pub first: u64,
}

/// Of the jobs that were kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Jobs of the trace.
    pub jobs: u64,
    /// Tasks of arrays among them.
    pub tasks: u64,
    /// Runs of jobs that had run before, and were requeued.
    pub requeued: u64,
    /// Heterogeneous jobs.
    pub heterogeneous: u64,
    /// Their components, each a line.
    pub components: u64,
    /// Jobs that were suspended for some time, which is no part of their run time.
    pub suspended: u64,
    /// Jobs without a limit of time.
    pub unlimited: u64,
}

/// What became of the lines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Lines behind the header; blank ones and repeated headers do not count.
    pub lines: u64,
    /// Of the jobs that were kept.
    pub kept: Kept,
    /// By reason.
    pub dropped: BTreeMap<Drop, Dropped>,
}

impl Report {
    pub(super) fn drop(&mut self, line: u64, why: Drop) {
        let dropped = self.dropped.entry(why).or_insert(Dropped { lines: 0, first: line });
        dropped.lines += 1;
        dropped.first = dropped.first.min(line);
    }

    /// The commonest reason, for errors, with the number of its first line. Steps alone are one only if there is nothing
    /// else: each job has some.
    pub(super) fn commonest(&self) -> Option<(Drop, u64)> {
        let all = self.dropped.iter();
        let most = all.max_by_key(|(why, dropped)| (**why != Drop::Step, dropped.lines));
        most.map(|(&why, dropped)| (why, dropped.first))
    }
}
