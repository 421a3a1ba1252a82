//! Nodes out of service: failed, drained, repaired.

use crate::cube::Node;
use core::fmt;

/// Why a node is taken out of service.
///
/// Both withhold the node from new leases until it is repaired. A lease that holds the node goes
/// on until its holder releases it; only then is the node really out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Outage {
    /// It broke. A drained node may fail; a failed one stays failed if it is drained.
    Failed,
    /// It shall do no new work, for maintenance.
    Drained,
}

/// What a node is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NodeState {
    /// Whether a lease holds it.
    pub leased: bool,
    /// Whether, and why, it is out of service.
    pub outage: Option<Outage>,
}

impl NodeState {
    /// Whether a new lease may take it.
    pub const fn is_free(self) -> bool {
        !self.leased && self.outage.is_none()
    }
}

/// The machine has no node of this address. The call has changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoSuchNode(pub Node);

impl fmt::Display for NoSuchNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the machine has no node {}", self.0)
    }
}

impl core::error::Error for NoSuchNode {}
