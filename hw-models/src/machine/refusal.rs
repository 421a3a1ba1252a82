//! Why a job cannot start now.

use locox::{grid, subcube};

/// The reason that a machine gives: that of the kernel's allocator under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Of subcubes, or of processors without topology.
    #[error(transparent)]
    Subcube(#[from] subcube::Refusal),
    /// Of boxes.
    #[error(transparent)]
    Box(#[from] grid::Refusal),
    /// Enough nodes are free, but not in one domain.
    #[error("fragmented: enough nodes are free, but not in one rack or block")]
    Apart,
    /// Enough cores are free, but not on nodes that have what the job needs.
    #[error("fragmented: enough cores are free, but not on nodes with all that the job needs")]
    Nodes,
}
