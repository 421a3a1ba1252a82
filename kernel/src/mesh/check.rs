//! Figures of a pool of meshes, and its invariants recomputed.

use super::afl::{Core, Place};
use super::homes::NONE;
use super::{Leftover, MeshLease, MeshStats};
use crate::bits::Word;
use crate::cube::{Dim, Node, Subcube};
use crate::invariant::ensure;
use crate::subcube::{InvariantViolation, Strategy};

impl<T: Strategy> Core<T> {
    pub(super) fn stats(&self, words: &mut [Word]) -> MeshStats {
        let mut nodes = self.inventory.stats(words);
        // A subcube of dimension 0 is a node: all that the strategy does not count are leftover.
        let [own, ..] = nodes.subcubes;
        let mut auxiliary = [0; Dim::COUNT];
        self.count_scattered(words, &mut auxiliary);
        for ((dim, count), auxiliary) in nodes.dims.up_to().zip(&mut nodes.subcubes).zip(auxiliary)
        {
            *count = count.saturating_add(auxiliary);
            nodes.largest = nodes.largest.max((auxiliary > 0).then_some(dim));
        }
        MeshStats { auxiliary: nodes.free.wrapping_sub(own as u32), asked: self.asked, nodes }
    }

    pub(super) fn check_invariants(&self, words: &mut [Word]) -> Result<(), InvariantViolation> {
        self.inventory.check(words)?;
        self.check_live(words)?;
        ensure(
            self.auxiliary.check(words, Some(&self.homes.0)),
            "the derived data of the auxiliary list",
        )?;
        self.check_nodes(words)?;
        self.check_leases(words)?;
        self.check_homes(words)?;
        self.check_auxiliary(words)?;
        ensure(self.remembers_well(words), "what refusals have shown of leftovers")
    }

    /// Whether a search finds the same that knows nothing beforehand.
    fn remembers_well(&self, words: &mut [Word]) -> bool {
        let mut other = self.clone();
        other.largest.forget(self.inventory.dims);
        let same = |dim| self.scattered(words, dim) == other.scattered(words, dim);
        let beyond = |dim: &Dim| Some(*dim) > self.auxiliary.largest();
        let same = self.inventory.dims.up_to().filter(beyond).all(same);
        same && self.largest.least().is_none_or(|it| other.scattered(words, it).is_some())
    }

    /// Every node is where it belongs, and the counts are right.
    fn check_nodes(&self, words: &[Word]) -> Result<(), InvariantViolation> {
        let (mut free, mut held) = (0u32, 0u32);
        for node in (0..self.inventory.dims.nodes()).map(Node) {
            let serves = self.inventory.service.serves(words, node);
            let auxiliary = self.auxiliary.containing(words, node);
            let home = auxiliary.map(|cube| self.homes.get(words, cube.base().0));
            let listed = (self.inventory.strategy.is_free(words, node), home);
            let place = self.place(words, node);
            let expected = match place {
                Place::Free { home: NONE } if serves => (true, None),
                Place::Free { home } if serves => (false, Some(home)),
                _ => (false, None),
            };
            let at_home = listed == expected;
            ensure(at_home, "a node that serves is free at its home unless it is held")?;
            free = free.wrapping_add(u32::from(listed != (false, None)));
            held = held.wrapping_add(u32::from(matches!(place, Place::Held(_))));
        }
        let counted = (free, held) == (self.inventory.free, self.inventory.leased);
        ensure(counted, "the counts of free and held nodes")
    }

    /// Live meshes are disjoint or nested, each at its home, and their nodes are counted.
    fn check_leases(&self, words: &[Word]) -> Result<(), InvariantViolation> {
        let (mut asked, mut held) = (0u32, 0u32);
        for lease in self.leases(words) {
            let base = lease.cube().base();
            let fills = lease.shape().dim() == lease.cube().dim();
            ensure(fills, "the shape of a live mesh fills its subcube's dimensions")?;
            let home = self.leftover_around(words, &lease);
            let at_home = home.map_or(NONE, |cube| cube.base().0) == self.homes.get(words, base.0);
            ensure(at_home, "a mesh's home is the leftover around it")?;
            let inside = home.is_none_or(|home| home.contains_cube(&lease.cube()));
            ensure(inside, "a mesh inside another lies in one of its leftovers")?;
            self.check_leftovers(words, &lease)?;
            asked = asked.wrapping_add(lease.shape().nodes());
            held = held.wrapping_add(self.held_by(&lease.mesh()));
        }
        // Nodes that were held twice would have been counted once.
        let counted = (asked, held) == (self.asked, self.inventory.leased);
        ensure(counted, "the counts of nodes asked for and held")
    }

    /// The walk over leftovers finds all of them, and nothing else.
    fn check_homes(&self, words: &[Word]) -> Result<(), InvariantViolation> {
        let found = (0..self.inventory.dims.nodes()).map(Node).all(|base| {
            self.leftover_from(words, base).is_some() == self.homes.is_leftover(words, base.0)
        });
        ensure(found || self.leftover == Leftover::Kept, "a walk over leftovers finds all of them")
    }

    /// What is free in the leftovers of a mesh is counted, and one subcube if it is all.
    fn check_leftovers(&self, words: &[Word], lease: &MeshLease) -> Result<(), InvariantViolation> {
        let reused = |_: &Subcube| self.leftover == Leftover::Reused;
        for leftover in lease.mesh().leftover().filter(reused) {
            let home = leftover.base().0;
            let listed = |&node: &Node| self.auxiliary.containing(words, node);
            let at_home = |cube: Subcube| self.homes.get(words, cube.base().0) == home;
            let free = leftover.nodes().filter(|node| listed(node).is_some_and(at_home)).count();
            ensure(free as u32 == self.homes.free(words, home), "the count of free leftover")?;
            let whole = self.auxiliary.cube_from(words, leftover.base()) == Some(leftover);
            let in_pieces = !T::STARTS.recombines() || free as u32 != leftover.len();
            ensure(whole || in_pieces, "a leftover that is free is whole")?;
        }
        Ok(())
    }

    /// The leftover in which the base of a live mesh lies.
    fn leftover_around(&self, words: &[Word], lease: &MeshLease) -> Option<Subcube> {
        let base = lease.cube().base();
        let outer = self.around(words, base).filter(|other| other != lease.lease()).last()?;
        self.mesh_of(words, outer).mesh().leftover().find(|cube| cube.contains(base))
    }

    /// Each free subcube of the auxiliary list lies in one leftover; while leftover is kept there
    /// is none.
    fn check_auxiliary(&self, words: &[Word]) -> Result<(), InvariantViolation> {
        let none_kept = self.leftover == Leftover::Reused || self.auxiliary.largest().is_none();
        ensure(none_kept, "leftover that is kept is not free")?;
        let is_listed = |&node: &Node| self.auxiliary.containing(words, node).is_some();
        let listed = (0..self.inventory.dims.nodes()).map(Node).filter(is_listed).count();
        let disjoint = listed == self.auxiliary.nodes(words) as usize;
        ensure(disjoint, "the subcubes of the auxiliary list are disjoint")
    }
}
