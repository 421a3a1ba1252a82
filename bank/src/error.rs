//! Why a command is not taken.

use core::fmt;
use locox::subcube::NoSuchNode;
use locox::{error, handle, reserve, subcube};
use locox_coordinators::{cluster, station};

/// Why a command is not taken. Nothing has changed, not even the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The time given is before one given earlier.
    TimeWentBack,
    /// Hits have not been taken, and there is no room for more.
    Untold,
    /// No subcube now, or never.
    Lease(subcube::Refusal),
    /// A lease or reservation of this name is gone, or never was.
    Name(handle::Misuse),
    /// There is no such node in the cube.
    Node(NoSuchNode),
    /// The timeline's reason.
    Reserve(reserve::Error),
    /// That of the workstations' coordinator.
    Station(station::Error),
    /// That of the shared hosts' coordinator.
    Shared(cluster::Error),
    /// A grant has a serial that is neither the next one nor, with the same words, the last one.
    Serial {
        /// The next one.
        next: u32,
    },
    /// A job for shared hosts was submitted without room for a serial: [`Command::Run`](crate::Command::Run) has it.
    Unnumbered,
}

impl Error {
    /// Whether it is a state of affairs: the same may be taken later. Otherwise the caller is wrong.
    pub const fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Untold
                | Self::Lease(_)
                | Self::Reserve(reserve::Error::Refused(_))
                | Self::Station(error::Error::Refused(_))
                | Self::Shared(error::Error::Refused(_))
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeWentBack => f.write_str("now is before a time given earlier"),
            Self::Untold => f.write_str("hits wait to be told: take them first"),
            Self::Lease(refusal) => refusal.fmt(f),
            Self::Name(misuse) => misuse.fmt(f),
            Self::Node(misuse) => misuse.fmt(f),
            Self::Reserve(error) => error.fmt(f),
            Self::Station(error) => error.fmt(f),
            Self::Shared(error) => error.fmt(f),
            Self::Serial { next } => write!(f, "serial is out of turn: the next one is {next}"),
            Self::Unnumbered => f.write_str("a job for shared hosts is submitted by `Run`"),
        }
    }
}

impl core::error::Error for Error {}

impl From<reserve::Misuse> for Error {
    fn from(misuse: reserve::Misuse) -> Self {
        Self::Reserve(reserve::Error::Misused(misuse))
    }
}
