//! Figures of a pool of meshes.

use crate::subcube::Stats;
use crate::subcube::stats::permille;

/// Counts of nodes and of free subcubes at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MeshStats {
    /// As of a pool of subcubes. Leased are the nodes that no other lease may take: more than
    /// `asked` only while leftover is kept. Free subcubes are those that the auxiliary list and the
    /// strategy recognise.
    pub nodes: Stats,
    /// Free nodes that are leftover of a live mesh.
    pub auxiliary: u32,
    /// Nodes of the live meshes.
    pub asked: u32,
}

impl MeshStats {
    /// Internal fragmentation in thousandths: the share of the leased nodes that nobody asked for.
    pub const fn internal_permille(&self) -> u16 {
        permille(self.nodes.leased.saturating_sub(self.asked), self.nodes.leased)
    }
}

// As `free 39 of 64, leased 25, out 0, largest 5, fragmentation 179 permille, asked 25, internal
// fragmentation 0 permille`.
crate::display::display! { MeshStats:
    it => "{}, asked {}, internal fragmentation {} permille"
        (it.nodes, it.asked, it.internal_permille()),
}
