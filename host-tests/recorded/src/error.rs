//! Why a recorded run cannot be replayed.

use alloc::string::String;
use locox_storage::BadHistory;

/// Why a file cannot be replayed, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRun {
    /// It does not begin as such a file does.
    #[error("line 1: it is no recorded run; make one with locox record")]
    NoRun,
    /// A line before the history.
    #[error("line {line}: {what}; record the run again")]
    Head {
        /// Its number.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The history.
    #[error("{0}; copy the file anew, or record the run again")]
    History(BadHistory),
}
