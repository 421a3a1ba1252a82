//! What can be wrong with a file of outages, and where.

use crate::memory::Full;
use crate::swf::MOST_IN_A_ROW;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// A file of outages that cannot be read, in one line: what, where, what to do.
#[derive(Debug)]
pub struct OutageFileError {
    /// The file, as it was named to the reader.
    pub path: PathBuf,
    /// The line in the uncompressed text, from 1; `None` if the whole file is meant.
    pub line: Option<u64>,
    /// The column, by its name.
    pub column: Option<&'static str>,
    /// What is wrong.
    pub kind: OutageFileErrorKind,
}

/// What is wrong with a file of outages.
#[derive(Debug, thiserror::Error)]
pub enum OutageFileErrorKind {
    /// The file cannot be read to its end.
    #[error("cannot be read ({0})")]
    Read(io::Error),
    /// A line is longer than any outage may be.
    #[error("the line has over {0} bytes")]
    LongLine(u64),
    /// More outages, or more processors out of service at a time, than there is room for.
    #[error(transparent)]
    NoRoom(Full),
    /// Too few columns.
    #[error(
        "{0} columns where at least 6 belong (announced, start and end time, type, nodes affected, \
         then each node or -1)"
    )]
    Columns(usize),
    /// Text where a number belongs, or a number out of range.
    #[error("`{text}` is not a whole number from {least} to {most}")]
    NotWhole {
        /// What stands there.
        text: String,
        /// The smallest value that the column can have.
        least: i64,
        /// The largest one.
        most: i64,
    },
    /// It ends before it begins.
    #[error("{end} is earlier than the start, {start}")]
    EndsBefore {
        /// When it begins.
        start: i64,
        /// When it ends.
        end: i64,
    },
    /// More nodes than the machine has.
    #[error("{affected} nodes are affected, but the machine has {processors}")]
    TooMany {
        /// Nodes affected.
        affected: i64,
        /// Those of the machine.
        processors: u32,
    },
    /// More nodes listed, or fewer, than there are to be.
    #[error("{listed} nodes are listed, but {affected} are affected")]
    Listed {
        /// Nodes listed.
        listed: usize,
        /// Nodes affected.
        affected: u32,
    },
    /// A node stands there twice.
    #[error("node {0} is listed twice")]
    Twice(u32),
    /// More bad lines in a row than are skipped, and what is wrong with the last.
    #[error("{0} (the last of {MOST_IN_A_ROW} bad lines in a row)")]
    AllBad(Box<OutageFileErrorKind>),
}

impl OutageFileErrorKind {
    /// What to do about it.
    fn remedy(&self) -> &'static str {
        match self {
            Self::Read(_) => "check the name, and that the file is whole",
            Self::LongLine(_) | Self::AllBad(_) => "check that it is a file of outages",
            Self::NoRoom(_) => "leave outages out, or use a host with more memory",
            _ => "correct the line, or skip such lines with --lenient",
        }
    }
}

impl fmt::Display for OutageFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, column, kind } = self;
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        let column = column.map(|column| format!(" column \"{column}\":")).unwrap_or_default();
        write!(f, "{}{line}:{column} {kind}; {}", path.display(), kind.remedy())
    }
}

impl std::error::Error for OutageFileError {}
