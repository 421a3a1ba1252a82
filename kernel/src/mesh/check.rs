//! Figures of a pool of meshes, and its invariants recomputed.

use super::afl::{Core, Place};
use super::auxiliary::AuxiliaryList;
use super::{Leftover, MeshLease, MeshStats};
use crate::bits::{Word, bit};
use crate::cube::{Dim, Node, Subcube};
use crate::invariant::ensure;
use crate::subcube::inventory::largest_of;
use crate::subcube::region_owners::NO_OWNER;
use crate::subcube::{InvariantViolation, Strategy};

impl<T: Strategy> Core<T> {
    pub(super) fn stats(&self, words: &mut [Word]) -> MeshStats {
        let mut nodes = self.inventory.stats(words);
        // A subcube of dimension 0 is a node: all that the strategy does not count are leftover.
        let [own, ..] = nodes.subcubes;
        let mut auxiliary = [0; Dim::COUNT];
        self.count_scattered(words, &mut auxiliary);
        for (count, auxiliary) in nodes.subcubes.iter_mut().zip(auxiliary) {
            *count = count.saturating_add(auxiliary);
        }
        let counted = largest_of(nodes.dims, &auxiliary);
        let lent = |dim: &Dim| {
            self.auxiliary.lists.largest() >= Some(*dim) || self.scattered(words, *dim).is_some()
        };
        let larger = |dim: &Dim| Some(*dim) > nodes.largest;
        let most = counted.map(Dim::up_to).into_iter().flatten().rev();
        nodes.largest = most.take_while(larger).find(lent).or(nodes.largest);
        MeshStats { auxiliary: nodes.free.wrapping_sub(own as u32), asked: self.asked, nodes }
    }

    pub(super) fn check_invariants(&self, words: &mut [Word]) -> Result<(), InvariantViolation> {
        self.inventory.check(words)?;
        let AuxiliaryList { lists, owners, .. } = &self.auxiliary;
        ensure(lists.check(words, Some(owners)), "the derived data of the auxiliary list")?;
        self.check_nodes(words)?;
        self.check_leases(words)?;
        self.check_auxiliary(words)?;
        ensure(self.bound_holds(words), "what refusals have shown of leftovers")
    }

    /// Whether a search without the bound finds the same.
    fn bound_holds(&self, words: &mut [Word]) -> bool {
        let mut unbounded = self.clone();
        unbounded.auxiliary.bound = self.inventory.dims;
        let beyond = |dim: &Dim| Some(*dim) > self.auxiliary.lists.largest();
        let same = |dim| self.scattered(words, dim) == unbounded.scattered(words, dim);
        self.inventory.dims.up_to().filter(beyond).all(same)
    }

    /// Every node is where it belongs, the counts are right, and the bases of live meshes are noted.
    fn check_nodes(&self, words: &[Word]) -> Result<(), InvariantViolation> {
        let (mut free, mut held) = (0u32, 0u32);
        for node in (0..self.inventory.dims.nodes()).map(Node) {
            let serves = self.inventory.service.serves(words, node);
            let found = (
                self.inventory.strategy.is_free(words, node),
                self.auxiliary.owner_at(words, node),
            );
            let place = self.place(words, node);
            let expected = match place {
                Place::Free { owner: NO_OWNER } if serves => (true, None),
                Place::Free { owner } if serves => (false, Some(owner)),
                _ => (false, None),
            };
            let right = found == expected;
            ensure(right, "a node that serves is free with its owner unless it is held")?;
            free = free.wrapping_add(u32::from(found != (false, None)));
            held = held.wrapping_add(u32::from(matches!(place, Place::Held(_))));
            let live = self.inventory.ledger.lease_from(words, node).is_some();
            let noted = bit(words, self.live, node.0) == live;
            ensure(noted, "a base is noted while a mesh with it is live")?;
        }
        let counted = (free, held) == (self.inventory.free, self.inventory.leased);
        ensure(counted, "the counts of free and held nodes")
    }

    /// Live meshes are disjoint or nested, each has its owner, and their nodes are counted.
    fn check_leases(&self, words: &[Word]) -> Result<(), InvariantViolation> {
        let (mut asked, mut held) = (0u32, 0u32);
        for lease in self.leases(words) {
            let base = lease.cube().base();
            let fills = lease.shape().dim() == lease.cube().dim();
            ensure(fills, "the shape of a live mesh fills its subcube's dimensions")?;
            let around = self.leftover_around(words, &lease);
            let owner = around.map_or(NO_OWNER, |cube| cube.base().0);
            let owned = owner == self.auxiliary.owners.of(words, base.0);
            ensure(owned, "a mesh's owner is the leftover around it")?;
            let inside = around.is_none_or(|leftover| leftover.contains_cube(&lease.cube()));
            ensure(inside, "a mesh inside another lies in one of its leftovers")?;
            self.check_leftovers(words, &lease)?;
            asked = asked.wrapping_add(lease.shape().nodes());
            held = held.wrapping_add(self.held_by(&lease.mesh()));
        }
        // Nodes that were held twice would have been counted once.
        let counted = (asked, held) == (self.asked, self.inventory.leased);
        ensure(counted, "the counts of nodes asked for and held")
    }

    /// What is free in the leftovers of a mesh is counted, and one subcube if it is all.
    fn check_leftovers(&self, words: &[Word], lease: &MeshLease) -> Result<(), InvariantViolation> {
        let reused = |_: &Subcube| self.leftover == Leftover::Reused;
        for leftover in lease.mesh().leftover().filter(reused) {
            let owner = leftover.base().0;
            let is_free = |&node: &Node| self.auxiliary.owner_at(words, node) == Some(owner);
            let free = leftover.nodes().filter(is_free).count() as u32;
            let counted = free == self.auxiliary.owners.free(words, owner);
            ensure(counted, "the count of free leftover")?;
            let listed = self.auxiliary.lists.cube_from(words, leftover.base());
            let in_fragments = !T::STARTS.recombines() || free != leftover.len();
            ensure(listed == Some(leftover) || in_fragments, "a leftover that is free is whole")?;
        }
        Ok(())
    }

    /// The leftover in which the base of a live mesh lies.
    fn leftover_around(&self, words: &[Word], lease: &MeshLease) -> Option<Subcube> {
        let base = lease.cube().base();
        let outer = self.around(words, base).filter(|other| *other != lease.lease).last()?;
        self.mesh_of(words, outer).mesh().leftover().find(|cube| cube.contains(base))
    }

    /// Each free subcube of the auxiliary list lies in one leftover; while leftover is kept there
    /// is none.
    fn check_auxiliary(&self, words: &[Word]) -> Result<(), InvariantViolation> {
        let lists = &self.auxiliary.lists;
        let none_kept = self.leftover == Leftover::Reused || lists.largest().is_none();
        ensure(none_kept, "leftover that is kept is not free")?;
        let is_listed = |&node: &Node| lists.containing(words, node).is_some();
        let listed = (0..self.inventory.dims.nodes()).map(Node).filter(is_listed).count();
        let disjoint = listed == lists.nodes(words) as usize;
        ensure(disjoint, "the subcubes of the auxiliary list are disjoint")
    }
}
