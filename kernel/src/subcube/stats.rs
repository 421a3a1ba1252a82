//! Figures of a pool.

use crate::cube::Dim;

/// Counts of nodes and of free subcubes at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stats {
    /// Dimensions of the machine.
    pub dims: Dim,
    /// Nodes that a new lease may take.
    pub free: u32,
    /// Nodes held by leases, those out of service among them included.
    pub leased: u32,
    /// Nodes out of service, leased or not.
    pub out: u32,
    /// The largest dimension that would be granted now, with the effort that searches may take;
    /// `None` if no node is free.
    pub largest: Option<Dim>,
    /// For each dimension, the free subcubes that the strategy recognises. They overlap.
    pub subcubes: [u64; Dim::COUNT],
}

impl Stats {
    /// External fragmentation in thousandths: the share of the free nodes that lies outside the
    /// largest free subcube. 0 if that one holds all free nodes, or if none is free.
    ///
    /// Comparable over time and between strategies, not between machines of different size.
    pub const fn fragmentation_permille(&self) -> u16 {
        let Some(largest) = self.largest else { return 0 };
        permille(self.free.saturating_sub(largest.nodes()), self.free)
    }
}

/// `part` of `whole` in thousandths, rounded down; 0 of nothing.
pub(crate) const fn permille(part: u32, whole: u32) -> u16 {
    match (part as u64 * 1000).checked_div(whole as u64) {
        Some(share) => share as u16,
        None => 0,
    }
}

impl core::fmt::Display for Stats {
    /// As `free 1016 of 1024, leased 8, out 0, largest 9, fragmentation 496 permille`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { dims, free, leased, out, largest, .. } = self;
        write!(f, "free {free} of {}, leased {leased}, out {out}, largest ", dims.nodes())?;
        match largest {
            Some(dim) => write!(f, "{dim}")?,
            None => f.write_str("none")?,
        }
        write!(f, ", fragmentation {} permille", self.fragmentation_permille())
    }
}
