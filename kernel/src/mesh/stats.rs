//! Figures of a pool of meshes.

use crate::cube::Dim;

/// Counts of nodes and of free subcubes at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MeshStats {
    /// Dimensions of the machine.
    pub dims: Dim,
    /// Nodes that a new lease may take.
    pub free: u32,
    /// Those of them that are leftover of a live mesh.
    pub auxiliary: u32,
    /// Nodes of the live meshes.
    pub asked: u32,
    /// Nodes that no other lease may take because of them: more than `asked` only while leftover
    /// is kept.
    pub held: u32,
    /// Nodes out of service, held or not.
    pub out: u32,
    /// The largest dimension that would be granted now; `None` if no node is free.
    pub largest: Option<Dim>,
    /// For each dimension, the free subcubes that the auxiliary list and the strategy recognise.
    /// They overlap.
    pub subcubes: [u64; Dim::COUNT],
}

impl MeshStats {
    /// Internal fragmentation in thousandths: the share of the held nodes that nobody asked for.
    pub const fn internal_permille(&self) -> u16 {
        permille(self.held.saturating_sub(self.asked), self.held)
    }

    /// External fragmentation in thousandths: the share of the free nodes that lies outside the
    /// largest free subcube. 0 if that one holds all free nodes, or if none is free.
    pub const fn external_permille(&self) -> u16 {
        let Some(largest) = self.largest else { return 0 };
        permille(self.free.saturating_sub(largest.nodes()), self.free)
    }
}

impl core::fmt::Display for MeshStats {
    /// As `free 39 of 64, asked 25, held 25, out 0, largest 5, internal fragmentation 0 permille,
    /// external 179`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { dims, free, asked, held, out, largest, .. } = self;
        write!(f, "free {free} of {}, asked {asked}, held {held}, out {out}, ", dims.nodes())?;
        match largest {
            Some(dim) => write!(f, "largest {dim}, ")?,
            None => f.write_str("largest none, ")?,
        }
        let (internal, external) = (self.internal_permille(), self.external_permille());
        write!(f, "internal fragmentation {internal} permille, external {external}")
    }
}

/// `part` of `whole` in thousandths, rounded down; 0 of nothing.
const fn permille(part: u32, whole: u32) -> u16 {
    match (part as u64 * 1000).checked_div(whole as u64) {
        Some(share) => share as u16,
        None => 0,
    }
}
