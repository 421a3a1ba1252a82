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

    /// This node is not free: [`Pool::state`](super::Pool::state) says why. The call has changed nothing.
    pub struct NotFree(pub Node);
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
