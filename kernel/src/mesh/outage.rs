//! Nodes of meshes out of service, and who is hit.
//!
//! A node that a mesh holds stays with it until the release, as in a plain pool. A free one leaves
//! its list. Hit is every mesh whose routes the node may carry: the one that it belongs to, and,
//! because routes pass through leftover, perhaps the owner of the leftover that it lies in, and
//! the owner of the leftover around that one. While leftover is kept, a mesh holds all nodes of its
//! subcube, and each of them hits it.

use super::afl::{Core, Place};
use super::{Leftover, MeshLease};
use crate::bits::Word;
use crate::cube::Node;
use crate::subcube::{NoSuchNode, NodeState, Outage, Strategy};

impl<T: Strategy> Core<T> {
    pub(super) fn withdraw(
        &mut self,
        words: &mut [Word],
        nodes: &[Node],
        outage: Outage,
        hit: &mut dyn FnMut(MeshLease),
    ) -> Result<(), NoSuchNode> {
        self.change(words, nodes, Some(outage))?;
        for (at, &node) in nodes.iter().enumerate() {
            for lease in self.around(words, node) {
                let mut earlier = nodes.iter().take(at);
                let reported = earlier.any(|&earlier| self.hits(&lease, earlier));
                if !reported && self.hits(&lease, node) {
                    hit(lease);
                }
            }
        }
        Ok(())
    }

    fn hits(&self, lease: &MeshLease, node: Node) -> bool {
        let mesh = lease.mesh();
        match self.leftover {
            Leftover::Reused => mesh.may_route_through(node),
            Leftover::Kept => mesh.cube().contains(node),
        }
    }

    /// Takes nodes out of service, or puts them back into it.
    pub(super) fn change(
        &mut self,
        words: &mut [Word],
        nodes: &[Node],
        to: Option<Outage>,
    ) -> Result<(), NoSuchNode> {
        self.inventory.service.check_nodes(nodes)?;
        for &node in nodes {
            if !self.inventory.service.change(words, node, to) {
                continue;
            }
            match self.place(words, node) {
                Place::Free { home } if to.is_some() => self.remove_node(words, node, home),
                Place::Free { home } => self.return_node(words, node, home),
                Place::Held(_) => {}
            }
        }
        self.inventory.assess(words);
        Ok(())
    }

    pub(super) fn state(&self, words: &[Word], node: Node) -> Result<NodeState, NoSuchNode> {
        self.inventory.service.check_nodes(&[node])?;
        let leased = self.lease_at(words, node).is_some();
        Ok(NodeState { leased, outage: self.inventory.service.outage(words, node) })
    }

    pub(super) fn lease_at(&self, words: &[Word], node: Node) -> Option<MeshLease> {
        match self.place(words, node) {
            Place::Held(lease) => Some(lease),
            Place::Free { .. } => None,
        }
    }
}
