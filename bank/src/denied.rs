//! Why a command is not taken.

use core::fmt;
use locox::subcube::NoSuchNode;
use locox::{cluster, denied, handle, reserve, station, subcube};

/// Why a command is not taken. Nothing has changed, not even the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
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
    Reserve(reserve::Denied),
    /// That of the workstations' coordinator.
    Station(denied::Denied<station::Refusal, station::Misuse>),
    /// That of the shared hosts' coordinator.
    Shared(denied::Denied<cluster::Refusal, cluster::Misuse>),
}

impl Denied {
    /// Whether it is a state of affairs: the same may be taken later. Otherwise the caller is wrong.
    pub const fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Untold
                | Self::Lease(_)
                | Self::Reserve(reserve::Denied::No(_))
                | Self::Station(denied::Denied::No(_))
                | Self::Shared(denied::Denied::No(_))
        )
    }
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeWentBack => f.write_str("now is before a time given earlier"),
            Self::Untold => f.write_str("hits wait to be told: take them first"),
            Self::Lease(refusal) => refusal.fmt(f),
            Self::Name(misuse) => misuse.fmt(f),
            Self::Node(misuse) => misuse.fmt(f),
            Self::Reserve(denied) => denied.fmt(f),
            Self::Station(denied) => denied.fmt(f),
            Self::Shared(denied) => denied.fmt(f),
        }
    }
}

impl core::error::Error for Denied {}

impl From<reserve::Misuse> for Denied {
    fn from(misuse: reserve::Misuse) -> Self {
        Self::Reserve(reserve::Denied::Wrong(misuse))
    }
}
