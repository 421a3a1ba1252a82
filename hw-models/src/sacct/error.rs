//! Why nothing could be imported.

use super::format::FORMAT;
use super::report::Drop;
use crate::memory::Full;
use crate::swf::MOST_IN_A_ROW;
use locox::nodes::Amounts;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// A file of which nothing can be imported, in one line: what, where, what to do.
#[derive(Debug, thiserror::Error)]
pub struct SacctError {
    /// The file, as it was named to the reader.
    pub path: PathBuf,
    /// What is wrong.
    pub kind: SacctErrorKind,
}

/// What is wrong with the file as a whole.
#[derive(Debug, thiserror::Error)]
pub enum SacctErrorKind {
    /// It cannot be opened, read or unpacked.
    #[error("cannot be read ({0})")]
    Read(io::Error),
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// The first line is no header.
    #[error("the first line names no columns with `|` between them")]
    NoHeader,
    /// Columns that nothing can be said without.
    #[error("the columns {0} are missing")]
    Missing(String),
    /// No job that ran and ended; what was in the file instead.
    #[error("none of its {lines} lines is of a job that ran and ended{}", first(.why))]
    NoJobs {
        /// Lines behind the header.
        lines: u64,
        /// The commonest reason to drop one, with the number of its first line.
        why: Option<(Drop, u64)>,
    },
    /// More lines in a row that cannot be read than are dropped.
    #[error("line {line}: {why} (the last of {MOST_IN_A_ROW} bad lines in a row)")]
    AllBad {
        /// The number of the last.
        line: u64,
        /// Why it is dropped.
        why: Drop,
    },
    /// A line is longer than any job's.
    #[error("line {line} has over {most} bytes")]
    LongLine {
        /// Its number.
        line: u64,
        /// Bytes of the longest.
        most: u64,
    },
    /// The names of users, groups and partitions are too many, or too long.
    #[error("of users, groups and partitions {0}")]
    Names(Full),
    /// What jobs ask for of nodes differs in too many ways, or is too long.
    #[error("of what jobs ask for of nodes {0}")]
    Lists(Full),
    /// Jobs ask for more quantities than nodes can have.
    #[error("jobs ask for {0} quantities beside cores, and nodes have at most {most}", most = Amounts::MOST - 1)]
    Quantities(usize),
    /// More jobs than the caller has room for.
    #[error("there are more than {0} jobs")]
    NoRoom(usize),
}

fn first(why: &Option<(Drop, u64)>) -> String {
    why.map(|(drop, line)| format!("; line {line}: {drop}")).unwrap_or_default()
}

impl fmt::Display for SacctError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, kind } = self;
        let path = path.display();
        match kind {
            SacctErrorKind::Read(_) => {
                write!(f, "{path}: {kind}; check that it is a file and may be read")
            }
            SacctErrorKind::NoJobs { why: Some((drop, _)), .. }
            | SacctErrorKind::AllBad { why: drop, .. } => {
                write!(f, "{path}: {kind}; {}", drop.remedy())
            }
            SacctErrorKind::LongLine { .. } => {
                write!(f, "{path}: {kind}; check that it is what sacct -P printed")
            }
            SacctErrorKind::NoRoom(_)
            | SacctErrorKind::NoJobs { .. }
            | SacctErrorKind::Names(_)
            | SacctErrorKind::Lists(_) => {
                write!(f, "{path}: {kind}; ask sacct for less with -S and -E")
            }
            SacctErrorKind::Quantities(_) => {
                write!(f, "{path}: {kind}; take some out of AllocTRES and ReqTRES in the file")
            }
            _ => write!(f, "{path}: {kind}; ask for sacct -a -D -P --format={FORMAT}"),
        }
    }
}
