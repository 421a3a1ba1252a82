//! What a job asks for of nodes with quantities.

use locox::nodes::{Amounts, NodeRequest};

/// What a job asks for of the nodes of a [`Cluster`](crate::machine::Cluster), where processors and memory do not say it.
/// Quantities and classes are numbered as that cluster has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Demand {
    /// Nodes, at least one; one if it asks for a part of a GPU.
    pub nodes: u32,
    /// Of each of these nodes. At least one core.
    pub each: Amounts,
    /// Of one GPU beside those, in [thousandths](crate::machine::Cluster::PARTS); 0 for none.
    pub part: u32,
    /// Of what the nodes have in common.
    pub common: Amounts,
    /// The classes that the nodes may be of, a bit each.
    pub classes: u64,
}

impl Demand {
    /// So many nodes of any class, and on each so much.
    pub const fn of(nodes: u32, each: Amounts) -> Self {
        Self { nodes, each, part: 0, common: Amounts::NONE, classes: u64::MAX }
    }

    /// Cores of all nodes.
    pub fn processors(&self) -> u32 {
        self.nodes.saturating_mul(self.each.get(0))
    }

    /// As the kernel's machine takes it.
    pub fn request(&self) -> NodeRequest<'static> {
        let request = match self.part {
            0 => NodeRequest::of(self.nodes, self.each),
            part => NodeRequest::part(part, self.each),
        };
        request.with_common(self.common).in_classes(self.classes)
    }
}
