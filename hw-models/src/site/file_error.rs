//! What is wrong with a file of a site or of times, and where.

use super::NoTime;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a file, and where.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// Line and column of the first character, both from 1, if it is a place in the file.
    pub place: Option<(u64, usize)>,
    /// What it is.
    pub fault: Fault,
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The file cannot be read.
    #[error("cannot be read: {0}; check the name, and that it is a text file")]
    Read(io::Error),
    /// It is not TOML, or has other fields.
    #[error("{0}; see locox map --help for what a site file has")]
    Toml(String),
    /// It is no time.
    #[error(
        "{what}: `{text}` {why}; write a number from 0 on, or in a table - where a job cannot run"
    )]
    NoTime {
        /// Where it stands.
        what: String,
        /// What stands there.
        text: String,
        /// Why it is none.
        why: NoTime,
    },
    /// A line has too few values, or too many.
    #[error("{found} values where {wanted} belong; write one for each column")]
    Values {
        /// So many are there.
        found: usize,
        /// So many should be.
        wanted: String,
    },
    /// There are more machines than a site has.
    #[error("{found} machines; a site has at most {most}")]
    Machines {
        /// So many are there.
        found: usize,
        /// The most.
        most: usize,
    },
    /// A file has not as many numbers as jobs and machines have.
    #[error("{found} numbers where {jobs} x {machines} belong; check --size")]
    Size {
        /// So many are there.
        found: usize,
        /// Rows.
        jobs: usize,
        /// Columns.
        machines: usize,
    },
    /// A column is named that the site does not have, or twice.
    #[error("column `{0}` is no machine, cluster or class of the site, or is there twice")]
    Column(String),
    /// A machine or cluster has no column.
    #[error("no column for `{0}`; name it, its class, or leave the first line out")]
    NoColumn(String),
    /// Nothing can run the job.
    #[error("no machine can run job {0}; give it a time on one")]
    NoMachine(String),
    /// A job is of a kind that there is not.
    #[error("`{0}` is no kind of jobs of the site; add [[kind]] with this name, or write -")]
    Kind(String),
    /// A time cannot be computed.
    #[error("kind {kind} has no work, or {on} no speed; add both, or a column for {on}")]
    NoSpeed {
        /// The kind of the job.
        kind: String,
        /// The machine.
        on: String,
    },
    /// A computed time is beyond any clock.
    #[error("kind {kind} takes too long on {on}; check speeds, and units of work and bytes")]
    TooLong {
        /// The kind of the job.
        kind: String,
        /// The machine or cluster.
        on: String,
    },
    /// There is nothing.
    #[error("{0}")]
    Empty(&'static str),
    /// The name is there already.
    #[error("`{0}` is there twice; names of machines, clusters and classes are all different")]
    Twice(String),
    /// A cluster names a machine that there is not.
    #[error("cluster {cluster} names machine `{machine}`, which the site does not have")]
    UnknownMachine {
        /// The cluster.
        cluster: String,
        /// What it names.
        machine: String,
    },
    /// A cluster names a machine twice.
    #[error("cluster {cluster} names machine `{machine}` twice")]
    MemberTwice {
        /// The cluster.
        cluster: String,
        /// What it names.
        machine: String,
    },
    /// A cluster wants more members than it has, or none.
    #[error("cluster {0} needs 1 to as many members as it has")]
    Members(String),
    /// A cluster is served by what is not described.
    #[error("`{0}` is no interconnect of the site; add [[interconnect]] with this name")]
    Interconnect(String),
}

impl FileError {
    pub(super) fn whole(path: &Path, fault: Fault) -> Self {
        Self { path: path.into(), place: None, fault }
    }

    pub(super) fn at(path: &Path, place: (u64, usize), fault: Fault) -> Self {
        Self { path: path.into(), place: Some(place), fault }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.fault)
    }
}

impl std::error::Error for FileError {}
