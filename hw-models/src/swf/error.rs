//! What can be wrong with a trace, and where.

use super::Compression;
use super::columns::COLUMNS;
use super::strictness::MOST_IN_A_ROW;
use crate::memory::Full;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A trace that cannot be read, in one line: what, where, what to do.
///
/// ```
/// use locox_models::swf::{self, Strictness};
/// let text = "1 0 0 60 eight -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1";
/// let mut reader = swf::read("day.swf", text.as_bytes(), Strictness::Strict).unwrap();
/// let error = reader.next().unwrap().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "day.swf:1: column \"processors\": `eight` is not a whole number; \
///      correct the line, or skip such lines with --lenient"
/// );
/// ```
#[derive(Debug, thiserror::Error)]
pub struct SwfError {
    /// The file, as it was named to the reader.
    pub path: PathBuf,
    /// The line in the uncompressed text, from 1; `None` if the whole file is meant.
    pub line: Option<u64>,
    /// The column, by its name in lower case.
    pub column: Option<&'static str>,
    /// What is wrong.
    pub kind: SwfErrorKind,
}

/// What is wrong with a trace.
#[derive(Debug, thiserror::Error)]
pub enum SwfErrorKind {
    /// The file cannot be opened.
    #[error("cannot be opened ({0})")]
    Open(io::Error),
    /// Reading failed under way.
    #[error("reading failed ({0})")]
    Read(io::Error),
    /// Text of two bytes a character.
    #[error("this is text in UTF-16")]
    Utf16,
    /// A file that begins as one of another format does.
    #[error("this is {0}")]
    Foreign(&'static str),
    /// The compressed stream stops before its end.
    #[error("the {0} stream ends too early: the file is truncated")]
    Truncated(Compression),
    /// The compressed stream contradicts itself.
    #[error("the {0} stream is damaged ({1})")]
    Damaged(Compression, String),
    /// The line is longer than any record or comment may be.
    #[error("the line has over {0} bytes")]
    LongLine(u64),
    /// More comments before the first record than are kept.
    #[error("{0}, and these are comments alone")]
    LongHeader(Full),
    /// Not 18 columns.
    #[error("{0} columns where {n} belong", n = COLUMNS.len())]
    Columns(usize),
    /// Text where a whole number belongs.
    #[error("`{0}` is not a whole number")]
    NotWhole(String),
    /// Text where a number belongs.
    #[error("`{0}` is not a number")]
    NotANumber(String),
    /// A number that no column has room for.
    #[error("{0} is too large")]
    TooLarge(String),
    /// A number below -1.
    #[error("{0} is negative, and -1 alone stands for unknown")]
    Negative(i64),
    /// The time of submission is unknown.
    #[error("a job needs a time of submission, but it is unknown (-1)")]
    NoSubmit,
    /// A job without processors.
    #[error("a job needs at least one processor")]
    NoProcessors,
    /// More than any machine of the models can have.
    #[error("{0} is more than {max} processors", max = u32::MAX)]
    TooManyProcessors(i64),
    /// The number of a user or a group for which there is no room.
    #[error("{0} is more than {max}, the last number for a user or a group", max = u32::MAX)]
    OwnerTooLarge(i64),
    /// Submitted before the job in the line before.
    #[error("{submit} is earlier than {previous}, the job before")]
    OutOfOrder {
        /// The time of submission.
        submit: i64,
        /// The latest one before it.
        previous: i64,
    },
    /// The number of a job that was read before; some logs list a job's parts under its number.
    #[error("{number} stands in line {line} already")]
    Repeated {
        /// The number of both.
        number: i64,
        /// Where it stands first.
        line: u64,
    },
    /// A job without a number, where another file names jobs by theirs.
    #[error("the job has no number, by which demands could name it")]
    NoNumber,
    /// More bad lines in a row than are skipped, and what is wrong with the last.
    #[error("{0} (the last of {MOST_IN_A_ROW} bad lines in a row)")]
    AllBad(Box<SwfErrorKind>),
    /// No job at all is left.
    #[error("no job that could be run")]
    NoJobs,
    /// Sound records, but of none is known how large it is and how long it runs.
    #[error("each of its {0} jobs lacks a size or a run time")]
    AllIncomplete(u64),
    /// More jobs than the caller has room for.
    #[error("there are more than {0} jobs")]
    NoRoom(usize),
}

impl SwfErrorKind {
    /// What to do about it.
    fn remedy(&self) -> &'static str {
        match self {
            Self::Open(_) => "check the name",
            Self::Read(_) => "check that it is a file and may be read",
            Self::Utf16 => "convert it to UTF-8",
            Self::Foreign(_) => "unpack it: a trace is plain, gzip or xz",
            Self::AllIncomplete(_) => {
                "use a trace that knows them: columns 4, and 5 or 8, must not be -1"
            }
            Self::NoNumber => "number the jobs",
            Self::NoRoom(_) => "take the first of them with --jobs",
            Self::Truncated(_) | Self::Damaged(..) => "fetch the file again",
            Self::AllBad(last) if matches!(**last, Self::OutOfOrder { .. }) => {
                "sort the jobs with --sort"
            }
            Self::LongLine(_) | Self::LongHeader(_) | Self::NoJobs | Self::AllBad(_) => {
                "check that it is a trace in the Standard Workload Format"
            }
            Self::OutOfOrder { .. } => {
                "sort the jobs with --sort, or skip such lines with --lenient"
            }
            Self::Columns(_)
            | Self::NotWhole(_)
            | Self::NotANumber(_)
            | Self::TooLarge(_)
            | Self::Repeated { .. }
            | Self::Negative(_)
            | Self::NoSubmit
            | Self::NoProcessors
            | Self::TooManyProcessors(_)
            | Self::OwnerTooLarge(_) => "correct the line, or skip such lines with --lenient",
        }
    }
}

/// For readers of other formats, whose files may be compressed as traces are.
impl From<SwfErrorKind> for io::Error {
    fn from(kind: SwfErrorKind) -> Self {
        match kind {
            SwfErrorKind::Read(error) => error,
            other => Self::other(other.to_string()),
        }
    }
}

impl SwfError {
    /// Of the file as a whole.
    pub fn of_file(path: &Path, kind: SwfErrorKind) -> Self {
        Self { path: path.to_owned(), line: None, column: None, kind }
    }

    /// Where and what, without the remedy.
    pub fn finding(&self) -> String {
        let Self { path, line, column, kind } = self;
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        let column = column.map(|column| format!(" column \"{column}\":")).unwrap_or_default();
        format!("{}{line}:{column} {kind}", path.display())
    }
}

impl fmt::Display for SwfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.finding(), self.kind.remedy())
    }
}
