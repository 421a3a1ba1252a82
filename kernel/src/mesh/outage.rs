//! Nodes of meshes out of service, and who is hit.
//!
//! A node that a mesh holds stays with it until the release, as in a plain pool. A free one leaves
//! its list. Hit is every mesh whose routes the node may carry: the one that it belongs to, and,
//! because routes pass through leftover, perhaps the owner of the leftover that it lies in, and
//! the owner of the leftover around that one. While leftover is kept, a mesh holds all nodes of its
//! subcube, and each of them hits it.

use super::afl::{Core, Place};
use super::homes::NONE;
use super::{Leftover, MeshLease};
use crate::bits::{Word, bit, set_bit};
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
        self.inventory.service.check_nodes(nodes)?;
        let (mut changed, together) = (false, nodes.len() > 1);
        self.inventory.ledger.clear_room(words);
        for &node in nodes {
            let innermost = self.tell_hit(words, node, hit);
            if !self.inventory.service.change(words, node, Some(outage)) {
                continue;
            }
            changed = true;
            match self.place_in(innermost, node) {
                // Of several the strategy loses all at once.
                Place::Free { home: NONE } if together => {}
                Place::Free { home } => self.remove_node(words, node, home),
                Place::Held(_) => {}
            }
        }
        if changed && together {
            self.inventory.remove_out(words);
        }
        if changed {
            self.inventory.assess_after(words, nodes, false);
        }
        Ok(())
    }

    /// Tells of the meshes that `node` hits and that are not noted in the ledger's room, and notes them.
    /// The innermost of those whose subcubes it lies in.
    fn tell_hit(
        &self,
        words: &mut [Word],
        node: Node,
        hit: &mut dyn FnMut(MeshLease),
    ) -> Option<MeshLease> {
        let (mut bases, mut innermost) = (self.bases_around(words, node), None);
        while let Some(lease) = self.next_around(words, &mut bases, node) {
            let mesh = self.mesh_of(words, lease);
            let (room, base) = (self.inventory.ledger.room, lease.cube().base().0);
            if self.hits(&mesh, node) && !bit(words, room, base) {
                set_bit(words, room, base, true);
                hit(mesh);
            }
            innermost = Some(mesh);
        }
        innermost
    }

    fn hits(&self, lease: &MeshLease, node: Node) -> bool {
        let mesh = lease.mesh();
        match self.leftover {
            Leftover::Reused => mesh.may_route_through(node),
            Leftover::Kept => mesh.cube().contains(node),
        }
    }

    pub(super) fn repair(&mut self, words: &mut [Word], nodes: &[Node]) -> Result<(), NoSuchNode> {
        self.inventory.service.check_nodes(nodes)?;
        let mut changed = false;
        for &node in nodes {
            if !self.inventory.service.change(words, node, None) {
                continue;
            }
            changed = true;
            if let Place::Free { home } = self.place(words, node) {
                self.return_node(words, node, home);
            }
        }
        if changed {
            self.inventory.assess_after(words, nodes, true);
        }
        Ok(())
    }

    /// Takes a node out of service, but for what is possible without it.
    pub(super) fn withdraw_node(&mut self, words: &mut [Word], node: Node, outage: Outage) {
        if !self.inventory.service.change(words, node, Some(outage)) {
            return;
        }
        if let Place::Free { home } = self.place(words, node) {
            self.remove_node(words, node, home);
        }
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
