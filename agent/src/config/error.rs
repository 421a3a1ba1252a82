//! What is wrong with a configuration, and where.

use locox::grid::{BadGrid, Grid};
use std::fmt;
use std::io;
use std::path::PathBuf;

/// What is wrong with a configuration, and where.
#[derive(Debug)]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// Line and column, both from 1, if it is a place in the file.
    pub place: Option<(usize, usize)>,
    /// What it is.
    pub fault: Fault,
}

/// What is wrong, and from which byte on.
pub(super) type Wrong = (usize, Fault);

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The file cannot be read.
    #[error("cannot be read: {0}; name the configuration by --config")]
    Read(io::Error),
    /// It is too long.
    #[error("is longer than {most} bytes; a configuration is shorter")]
    Long {
        /// The most.
        most: u64,
    },
    /// It is not TOML, or has other fields.
    #[error("{0}; `man locox-agent` says what a configuration has")]
    Toml(String),
    /// A number is out of its range, or none.
    #[error("{field} = {found}; write a number from {least} to {most}")]
    Range {
        /// Of what.
        field: &'static str,
        /// What stands there.
        found: String,
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A text is empty, or has what it must not have.
    #[error("{field} is `{found}`; write {wanted}")]
    Word {
        /// Of what.
        field: &'static str,
        /// What stands there.
        found: String,
        /// What should.
        wanted: &'static str,
    },
    /// There is no such machine.
    #[error("machine is `{found}`; {why}")]
    Machine {
        /// What stands there.
        found: String,
        /// How one is written.
        why: BadGrid,
    },
    /// Coordinates are none of the machine.
    #[error("this is no address in {grid}; write one from {least} to {most}")]
    Address {
        /// The machine.
        grid: Grid,
        /// Its first address.
        least: String,
        /// Its last one.
        most: String,
    },
    /// Domains lie on different levels.
    #[error(
        "domain `{found}` is not as deep as `{first}`; write the domains of the lowest level alone, each with all that it lies in"
    )]
    Levels {
        /// The path of one.
        found: String,
        /// That of another one.
        first: String,
    },
    /// The nodes of a domain are none.
    #[error("{found}; write the nodes of the domain, as in \"n[1-16]\" or [\"n1\", \"n2\"]")]
    Domain {
        /// What stands there.
        found: String,
    },
    /// There are more nodes than the configuration has room for.
    #[error(
        "[domains] names more than nodes = {most}; write a larger number for nodes, up to 65536"
    )]
    Nodes {
        /// Room for so many.
        most: u32,
    },
    /// Something is there twice.
    #[error("{what} is there twice; leave one out")]
    Twice {
        /// What.
        what: String,
    },
    /// There are more shares than users.
    #[error("there are {shares} shares, and users = {users}; write a larger number for users")]
    Shares {
        /// So many shares.
        shares: usize,
        /// So many users.
        users: u32,
    },
    /// There is no section for the manager, or one for another.
    #[error("{0}")]
    Section(&'static str),
    /// It has no meaning without another field.
    #[error("{field} needs preempt = true; write that, or leave {field} out")]
    Alone {
        /// Which.
        field: &'static str,
    },
    /// Two fields contradict each other.
    #[error("{0}")]
    Together(&'static str),
}

impl Fault {
    /// A name that no node can have.
    pub(super) const fn node_name(found: String) -> Self {
        Self::Word {
            field: "a node",
            found,
            wanted: "its name: one line that does not begin with `#`",
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        // What somebody wrote may have ends of lines, and an error is one line.
        write!(f, " {}", self.fault.to_string().replace(char::is_control, "?"))
    }
}

impl std::error::Error for ConfigError {}
