//! Which nodes are out of service, and why.

use super::NodeSet;
use locox::cube::{Dim, Node};
use locox::subcube::{NoSuchNode, Outage};

/// A reason, or none, for each node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outages {
    dims: Dim,
    reasons: Vec<Option<Outage>>,
}

impl Outages {
    /// All nodes of the n-cube serve.
    pub fn new(dims: Dim) -> Self {
        Self { dims, reasons: vec![None; dims.nodes() as usize] }
    }

    /// Names the first of `nodes` that is none of the machine's.
    pub fn check(&self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        let stranger = nodes.iter().find(|node| node.0 >= self.dims.nodes());
        stranger.map_or(Ok(()), |&node| Err(NoSuchNode(node)))
    }

    /// Why `node` is out of service; `None` if it serves.
    pub fn reason(&self, node: Node) -> Option<Outage> {
        self.reasons[node.0 as usize]
    }

    /// The nodes that serve.
    pub fn serving(&self) -> NodeSet {
        NodeSet::of(self.dims, |node| self.reason(node).is_none())
    }

    /// Takes `node` out, or lets a drained one fail; whether it served until now.
    pub fn withdraw(&mut self, node: Node, why: Outage) -> bool {
        let before = self.reason(node);
        if before != Some(Outage::Failed) {
            self.reasons[node.0 as usize] = Some(why);
        }
        before.is_none()
    }

    /// Lets `node` serve; whether it was out until now.
    pub fn repair(&mut self, node: Node) -> bool {
        self.reasons[node.0 as usize].take().is_some()
    }
}
