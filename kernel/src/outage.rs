//! Nodes out of service: failed, drained, repaired.

use crate::cube::Node;

crate::data::data! {
    /// Why a node is taken out of service.
    ///
    /// Both withhold the node from new leases until it is repaired. A lease that holds the node goes
    /// on until its holder releases it; only then is the node really out.
    pub enum Outage {
        /// It broke. A drained node may fail; a failed one stays failed if it is drained.
        Failed,
        /// It shall do no new work, for maintenance.
        Drained,
    }

    /// What a node is doing.
    pub struct NodeState {
        /// Whether a lease holds it.
        pub leased: bool,
        /// Whether, and why, it is out of service.
        pub outage: Option<Outage>,
    }

    /// The machine has no node of this address. The call has changed nothing.
    pub struct NoSuchNode(pub Node);

    /// This node is not free: `state` of its pool says why. The call has changed nothing.
    pub struct NotFree(pub Node);
}

/// In an image: a node is out of service.
const OUT: u32 = 1 << 24;
/// It has failed.
pub(crate) const FAILED: u32 = 1 << 25;
/// What an image has in the same word below.
pub(crate) const BELOW: u32 = OUT - 1;

/// Whether, and why, a node is out of service, in the bits above [`BELOW`].
pub(crate) const fn bits_of(outage: Option<Outage>) -> u32 {
    match outage {
        None => 0,
        Some(Outage::Drained) => OUT,
        Some(Outage::Failed) => OUT | FAILED,
    }
}

/// What the bits above [`BELOW`] say.
pub(crate) const fn outage_of(bits: u32) -> Option<Outage> {
    match (bits & OUT, bits & FAILED) {
        (0, _) => None,
        (_, 0) => Some(Outage::Drained),
        _ => Some(Outage::Failed),
    }
}

crate::display::display! { Outage:
    Self::Failed => "failed",
    Self::Drained => "drained",
}

impl NodeState {
    /// Whether a new lease may take it.
    pub const fn is_free(self) -> bool {
        !self.leased && self.outage.is_none()
    }
}

// As `leased, failed`, or `free`.
crate::display::display! { NodeState:
    Self { leased: false, outage: None } => "free",
    Self { leased: true, outage: None } => "leased",
    Self { leased: false, outage: Some(outage) } => "{outage}",
    Self { leased: true, outage: Some(outage) } => "leased, {outage}",
}

crate::display::error! { NoSuchNode: it => "the machine has no node {}" (it.0) }

crate::display::error! { NotFree: it => "node {} is not free" (it.0) }

/// Why nodes are not claimed: one is not free, or the machine does not have it. Nothing has changed.
pub type ClaimError = crate::error::Error<NotFree, NoSuchNode>;
