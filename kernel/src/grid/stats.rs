//! Figures of a pool of boxes.

use super::machine::Grid;

/// Counts of nodes at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GridStats {
    /// The machine.
    pub grid: Grid,
    /// Nodes that a new lease may take.
    pub free: u32,
    /// Nodes held by leases, those out of service among them included.
    pub leased: u32,
    /// Nodes out of service, leased or not.
    pub out: u32,
}

// As `free 4000 of 4096, leased 64, out 32`.
crate::display::display! { GridStats:
    it => "free {} of {}, leased {}, out {}" (it.free, it.grid.nodes(), it.leased, it.out),
}
