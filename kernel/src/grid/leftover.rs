//! Where boxes may begin: anywhere, or at steps; and what they leave over of the blocks between steps.
//!
//! Boxes that begin anywhere leave holes of any shape. At steps, as Slurm's `topology/torus3d` has
//! them, the machine falls into blocks between one step and the next, and a box begins where a block
//! does. What it does not use of its blocks is left over. While that is [kept](Leftover::Kept) it waits
//! for boxes that begin at a step; [reused](Leftover::Reused), a box may also lie anywhere inside one
//! broken block, of which a node is leased or out of service already. So small boxes need not break
//! another block.

use super::machine::Axis;
use super::rows::{Rows, Span, low, spans_with, stretch};
use super::sides::Sides;
use crate::leftover::Leftover;
use crate::slices::copy;

crate::data::data! {
    /// Where boxes may begin.
    ///
    /// Claims are not bound by it: they say where they lie.
    ///
    /// ```
    /// use locox::grid::{Anchors, Axis};
    /// let anchors = Anchors::steps(&[4, 2], &[1]).unwrap();
    /// let line = Axis::line(10).unwrap();
    /// assert!(anchors.along(0, 3, line).eq([1, 5, 9]));
    /// let ring = Axis::ring(10).unwrap(); // by 4 around: 1, 5, 9, 3, 7, and 1 again
    /// assert!(anchors.along(0, 3, ring).eq([1, 3, 5, 7, 9]));
    /// assert!(anchors.along(1, 3, ring).eq([0, 2, 4, 6, 8]));
    /// ```
    pub enum Anchors {
        /// At any node.
        Any,
        /// At coordinates that are the offset and a multiple of the step, along each axis.
        ///
        /// The rules are those of Slurm's `topology/torus3d`, where the offset is the `anchor_seed`, the step
        /// the `anchor_spacing`: rings are stepped around until the offset comes again, so that a step
        /// that does not divide the ring counts as the greatest divisor of both; and a step of 0 is the
        /// side of the box itself, as where no spacing is given. Lines, which that plugin does not have, are
        /// stepped in both directions from the offset.
        ///
        /// Source: Slurm's manual page `topology.yaml`(5), its topology guide, and
        /// `src/plugins/topology/torus3d/torus3d_record.c`, as of August 2026.
        Steps {
            /// The step along each axis.
            step: [u8; 4],
            /// The offset along each axis.
            offset: [u8; 4],
            /// What becomes of what boxes leave over of the blocks between steps. A block begins at a
            /// step and ends before the next one, or with a line; what a line has before its first
            /// step is in none. Along an axis whose step is 0 a block is the whole axis.
            leftover: Leftover,
        },
    }
}

impl Anchors {
    /// Steps and offsets along the first axes, and along the others steps of 1 and no offset; leftover
    /// is kept. `None` of more than four.
    pub fn steps(step: &[u8], offset: &[u8]) -> Option<Self> {
        let mut all = ([1; 4], [0; 4]);
        copy(all.0.get_mut(..step.len())?, step);
        copy(all.1.get_mut(..offset.len())?, offset);
        Some(Self::Steps { step: all.0, offset: all.1, leftover: Leftover::Kept })
    }

    /// The same with what boxes leave over lent to others.
    #[must_use]
    pub const fn reused(mut self) -> Self {
        if let Self::Steps { leftover, .. } = &mut self {
            *leftover = Leftover::Reused;
        }
        self
    }

    /// At which coordinates along axis number `at`, which is `axis`, a box of this side may begin; also at those where
    /// it would go beyond the end of a line. The only coordinate of an axis of one node is always one.
    pub fn along(&self, at: usize, side: u8, axis: Axis) -> impl Iterator<Item = u8> + use<> {
        let steps = self.along_axis(at, axis.nodes(), axis.is_ring());
        let mask = steps.map_or(u64::MAX, |steps| steps.mask(side));
        (0..axis.nodes()).filter(move |&at| mask.wrapping_shr(at.into()) & 1 == 1)
    }

    fn along_axis(&self, at: usize, nodes: u8, ring: bool) -> Option<Steps> {
        let Self::Steps { step, offset, .. } = self else { return None };
        let of = |all: &[u8; 4]| all.get(at).copied().unwrap_or_default();
        // The only coordinate of an axis of one node is at a step, whatever the offset.
        let offset = if nodes == 1 { 0 } else { of(offset) };
        Some(Steps { step: of(step), offset, nodes, ring })
    }

    /// The steps along each axis of a machine.
    fn over(&self, rows: &Rows) -> Option<[Steps; 4]> {
        let [a, b, c, d] = rows.spans;
        let along = |at: usize, span: Span| self.along_axis(at, span.nodes, span.ring);
        Some([along(0, a)?, along(1, b)?, along(2, c)?, along(3, d)?])
    }

    /// Whether a box of these sides may ever lie in the machine: at a step, or in a broken block.
    pub(super) fn reach(&self, rows: &Rows, sides: Sides) -> bool {
        let Some(all) = self.over(rows) else { return sides.fits(rows.grid) };
        let spans = || spans_with(rows, sides).into_iter().zip(all);
        let at_step = |((span, side), steps): ((Span, u8), Steps)| {
            let beyond = if span.ring { 0 } else { side.saturating_sub(1) };
            steps.mask(side) & low(span.nodes.saturating_sub(beyond)) != 0
        };
        let in_block = || {
            spans().all(|((_, side), steps)| steps.inside(side) != 0)
                && spans().any(|((_, side), steps)| steps.larger(side) != 0)
        };
        sides.fits(rows.grid) && (spans().all(at_step) || self.lends() && in_block())
    }

    /// Leaves of some origins those that lie at steps.
    ///
    /// Cost: 4 passes.
    pub(super) fn keep(&self, rows: &Rows, sides: Sides, origins: &mut [u64]) {
        self.fill(rows, sides, false, origins, |steps, side| !steps.mask(side));
    }

    /// Leaves of some origins those of boxes that lie inside one block.
    ///
    /// Cost: 4 passes.
    pub(super) fn keep_inside(&self, rows: &Rows, sides: Sides, origins: &mut [u64]) {
        self.fill(rows, sides, false, origins, |steps, side| !steps.inside(side));
    }

    /// Makes of any map the nodes of all blocks that have others than those of one box.
    ///
    /// Cost: 5 passes.
    pub(super) fn make_larger(&self, rows: &Rows, sides: Sides, map: &mut [u64]) {
        map.fill(0);
        self.fill(rows, sides, true, map, Steps::larger);
    }

    /// Puts in or takes out all nodes that have one of such coordinates along an axis.
    fn fill(
        &self,
        rows: &Rows,
        sides: Sides,
        value: bool,
        map: &mut [u64],
        of: impl Fn(&Steps, u8) -> u64,
    ) {
        let Some(steps) = self.over(rows) else { return };
        for ((span, side), steps) in spans_with(rows, sides).iter().zip(&steps) {
            rows.fill(span, of(steps, *side), value, map);
        }
    }

    /// Spreads the nodes that break a block over all of it.
    ///
    /// Cost: 4 passes, and in each row a look at each block along it.
    pub(super) fn spread(&self, rows: &Rows, broken: &mut [u64]) {
        let Some(steps) = self.over(rows) else { return };
        for (span, steps) in rows.spans.iter().zip(steps) {
            let blocks = steps.blocks().map(|(at, length)| stretch(at, length, span.nodes));
            blocks.for_each(|block| span.spread(block, broken));
        }
    }

    /// Whether leftover is lent to others.
    pub(super) const fn lends(&self) -> bool {
        matches!(self, Self::Steps { leftover: Leftover::Reused, .. })
    }

    /// Whether a box that fits still does once more nodes are free. One in a broken block does if the block begins where
    /// boxes may: not if it is a whole line, and they begin elsewhere.
    pub(super) fn keeps_room(&self, rows: &Rows) -> bool {
        let begins = |steps: Steps| steps.ring || steps.step > 0 || steps.offset == 0;
        !self.lends() || self.over(rows).is_none_or(|all| all.into_iter().all(begins))
    }
}

/// The steps along an axis.
#[derive(Clone, Copy)]
struct Steps {
    step: u8,
    offset: u8,
    nodes: u8,
    ring: bool,
}

impl Steps {
    /// From one step to the next, for a box of this side, and the first one.
    fn regular(&self, side: u8) -> (u8, u8) {
        let step = if self.step == 0 { side } else { self.step };
        let step = if self.ring { gcd(step, self.nodes) } else { step };
        (step, self.offset.checked_rem(step).unwrap_or_default())
    }

    /// The coordinates at which a box of this side may begin. One that fills a ring begins at 0.
    fn mask(&self, side: u8) -> u64 {
        if self.ring && side == self.nodes {
            return 1;
        }
        let (step, first) = self.regular(side);
        let all = (first..self.nodes).step_by(usize::from(step).max(1));
        all.fold(0, |all, at| all | 1u64.wrapping_shl(at.into()))
    }

    /// The blocks, each as its first coordinate and its length.
    fn blocks(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let whole = (self.nodes, 0);
        let (step, first) = if self.step == 0 { whole } else { self.regular(1) };
        let (nodes, ring) = (self.nodes, self.ring);
        let starts = (first..nodes).step_by(usize::from(step).max(1));
        starts.map(move |at| (at, if ring { step } else { step.min(nodes.wrapping_sub(at)) }))
    }

    /// The coordinates at which a box of this side lies inside one block.
    fn inside(&self, side: u8) -> u64 {
        let origins = self.blocks().map(|(at, length)| match length.checked_sub(side) {
            // Nothing divides a ring that is one block.
            Some(_) if self.ring && length == self.nodes => u64::MAX,
            Some(more) => stretch(at, more.wrapping_add(1), self.nodes),
            None => 0,
        });
        origins.fold(0, |all, origins| all | origins)
    }

    /// The coordinates in blocks of more nodes than this side.
    fn larger(&self, side: u8) -> u64 {
        let larger = self.blocks().filter(|&(_, length)| length > side);
        larger.fold(0, |all, (at, length)| all | stretch(at, length, self.nodes))
    }
}

/// The greatest common divisor; `b` is not 0.
fn gcd(mut a: u8, mut b: u8) -> u8 {
    while let Some(rest) = a.checked_rem(b) {
        (a, b) = (b, rest);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Node;
    use crate::grid::{Cuboid, Grid};
    extern crate std;
    use std::collections::BTreeSet;
    use std::vec::Vec;

    /// The sets of nodes of a placement by the rules of `topology/torus3d`: along each axis from the
    /// seed on by the spacing around the ring until the seed comes again.
    fn torus3d(
        dims: [u8; 3],
        sides: [u8; 3],
        seed: [u8; 3],
        spacing: [u8; 3],
    ) -> BTreeSet<Vec<u32>> {
        let starts = [0, 1, 2].map(|axis| {
            let mut starts = Vec::from([seed[axis]]);
            loop {
                let next = (starts.last().unwrap() + spacing[axis]) % dims[axis];
                if next == seed[axis] {
                    return starts;
                }
                starts.push(next);
            }
        });
        let mut sets = BTreeSet::new();
        for (&x, (&y, &z)) in starts[0]
            .iter()
            .flat_map(|x| starts[1].iter().map(move |y| (x, y)))
            .flat_map(|(x, y)| starts[2].iter().map(move |z| (x, (y, z))))
        {
            let mut nodes = Vec::new();
            for (i, j, k) in (0..sides[0])
                .flat_map(|i| (0..sides[1]).map(move |j| (i, j)))
                .flat_map(|(i, j)| (0..sides[2]).map(move |k| (i, j, k)))
            {
                let at = [(x + i) % dims[0], (y + j) % dims[1], (z + k) % dims[2]].map(u32::from);
                let [a, b, _] = dims.map(u32::from);
                nodes.push(at[0] + a * (at[1] + b * at[2]));
            }
            nodes.sort();
            sets.insert(nodes);
        }
        sets
    }

    fn ours(dims: [u8; 3], sides: [u8; 3], anchors: Anchors) -> BTreeSet<Vec<u32>> {
        let grid = Grid::torus(&dims).unwrap();
        let box_of = Sides::new(&sides).unwrap();
        let axes: [Axis; 4] = grid.all_axes();
        let along = |axis: usize| -> Vec<u8> {
            anchors.along(axis, box_of.all()[axis], axes[axis]).collect()
        };
        let mut sets = BTreeSet::new();
        for x in along(0) {
            for y in along(1) {
                for z in along(2) {
                    let origin = grid.node_at(&[x, y, z]).unwrap();
                    let place = Cuboid::new(grid, origin, box_of).unwrap();
                    let mut nodes: Vec<_> = place.nodes().map(|Node(node)| node).collect();
                    nodes.sort();
                    sets.insert(nodes);
                }
            }
        }
        sets
    }

    /// The placements of both examples in the guide, on a torus of 4x4x2.
    #[test]
    fn the_documented_examples_of_torus3d_have_the_same_sets() {
        let dims = [4, 4, 2];
        for (sides, seed, spacing, count) in [
            ([2, 2, 1], [0; 3], [0; 3], 8),
            ([2, 2, 2], [0; 3], [0; 3], 4),
            ([4, 4, 2], [0; 3], [0; 3], 1),
            ([4, 2, 1], [0; 3], [2, 2, 1], 4),
            ([4, 2, 1], [1, 0, 0], [0; 3], 4),
        ] {
            let spaced = if spacing == [0; 3] { sides } else { spacing };
            let theirs = torus3d(dims, sides, seed, spaced);
            assert_eq!(theirs.len(), count);
            let anchors = Anchors::steps(&spacing, &seed).unwrap();
            assert_eq!(ours(dims, sides, anchors), theirs, "{sides:?}");
        }
    }

    #[test]
    fn all_steps_and_seeds_of_small_rings_have_the_sets_of_torus3d() {
        for nodes in 1..=12 {
            for (step, seed) in
                (1..=nodes).flat_map(|step| (0..nodes).map(move |seed| (step, seed)))
            {
                for side in 1..=nodes {
                    let theirs = torus3d([nodes, 1, 1], [side, 1, 1], [seed, 0, 0], [step, 1, 1]);
                    let anchors = Anchors::steps(&[step], &[seed]).unwrap();
                    assert_eq!(ours([nodes, 1, 1], [side, 1, 1], anchors), theirs);
                }
            }
        }
    }

    #[test]
    fn blocks_lie_between_steps() {
        let blocks = |text: &str, step: u8, offset: u8| -> Vec<_> {
            let rows = Rows::new(text.parse().unwrap());
            let anchors = Anchors::steps(&[step], &[offset]).unwrap();
            let [steps, ..] = anchors.over(&rows).unwrap();
            steps.blocks().collect()
        };
        assert_eq!(blocks("mesh:10", 4, 1), [(1, 4), (5, 4), (9, 1)]);
        assert_eq!(blocks("mesh:10", 4, 6), [(2, 4), (6, 4)]);
        assert_eq!(blocks("torus:8", 4, 3), [(3, 4), (7, 4)]);
        assert_eq!(blocks("torus:10", 4, 3), [(1, 2), (3, 2), (5, 2), (7, 2), (9, 2)]);
        assert_eq!(blocks("mesh:10", 0, 3), [(0, 10)]);
        assert_eq!(blocks("mesh:10", 40, 3), [(3, 7)]);
    }
}
