//! The box whose nodes cost least to be given up.
//!
//! The boxes of the same sides that have a node of a piece begin in a box, so that a piece adds its cost at the corners of that
//! one, and sums along each axis make the cost at each origin of it. A holder with several pieces adds his cost
//! at each origin itself, and leaves stamps there, so that he does once.
//!
//! Source: worked out for this project.

use super::boxes::{Boxes, MAPS};
use super::choice::{Among, around};
use super::cuboid::Cuboid;
use super::request::BoxRequest;
use super::rows::ones;
use crate::machine::room::{Piece, mark, pieces, stamp, stamped};
use crate::machine::{Cost, MakeRoom, Numbered, Stake};
use crate::slices::copy;

impl Boxes {
    /// The box in the map that costs least, of all shapes of a request, and what that is. Of equals it is the first by shape in the
    /// order of the request, then by origin. `None` if the map has none.
    ///
    /// `pieces` are who holds it, where, and what it costs that he gives up all he has: pieces of one holder come one after the
    /// other and with the same cost. `sums` are as many words as [`MakeRoom::sums`] says.
    ///
    /// Where leftover is lent a box may begin in a broken block. Blocks count as broken here only if they would be even if all
    /// pieces were given up. So the request fits then, but another box may cost less.
    ///
    /// Cost: for each shape a search, at most 81 additions for each piece of a holder who has no other, for each other one as many as
    /// there are origins near it, and an addition for each node and axis.
    pub fn cheapest<I: Iterator<Item = (u32, Cuboid, u64)>>(
        &self,
        map: &[u64],
        of: &BoxRequest<'_>,
        pieces: impl Fn() -> I,
        sums: &mut [u64],
    ) -> Option<(Cuboid, Cost)> {
        let grid = self.rows.grid;
        let nodes = grid.nodes() as usize;
        let (sums, rest) = sums.split_at_mut_checked(nodes)?;
        let (stamps, words) = rest.split_at_mut_checked(nodes.div_ceil(2))?;
        let (held, serving) = words.split_at_mut_checked(self.rows.count())?;
        held.fill(0);
        copy(serving, map);
        let mut search = self.search(words);
        let mut best: Option<(Cuboid, u64)> = None;
        of.visit(grid, self.isolating, &mut |_, sides| {
            if !search.find(sides, Among::Free) {
                return false;
            }
            sums.fill(0);
            stamps.fill(0);
            let near = |it: &Piece<Cuboid>| around(&self.rows, &it.place, sides);
            for it in stamped(pieces()).filter(|it| it.stamp == 0) {
                add_corners(&near(&it), it.cost, sums);
            }
            let mut stride = 1;
            for side in grid.sides() {
                sum_along(stride, side.into(), sums);
                stride = stride.wrapping_mul(side.into());
            }
            for it in stamped(pieces()).filter(|it| it.stamp != 0) {
                for at in near(&it).numbers(grid.strides()) {
                    if stamp(stamps, at as usize, it.stamp) {
                        add(sums, at, it.cost);
                    }
                }
            }
            for (row, &origins) in search.turns.now.iter().enumerate() {
                for place in ones(origins) {
                    let goal = Cuboid::from_parts(grid, self.rows.coordinates(row, place), sides);
                    let Some(&sum) = sums.get(goal.origin().0 as usize) else { continue };
                    if best.is_none_or(|(_, least)| sum < least) {
                        best = Some((goal, sum));
                    }
                }
            }
            false
        });
        best.map(|(goal, sum)| (goal, Cost { sum, least: !self.anchors.lends() }))
    }
}

/// Adds to one of the sums.
fn add(sums: &mut [u64], at: u32, cost: u64) {
    sums.get_mut(at as usize).into_iter().for_each(|sum| *sum = sum.wrapping_add(cost));
}

/// Adds a cost to the differences of sums from one node to the next along each axis, so that the nodes of a box have it.
fn add_corners(near: &Cuboid, cost: u64, sums: &mut [u64]) {
    let grid = near.grid();
    let ends = |axis: usize| {
        let of = |all: [u8; 4]| all.get(axis).copied().unwrap_or_default();
        let (at, nodes) = (of(near.corner()), of(grid.sides()));
        let end = at.wrapping_add(of(near.sides().all()));
        let around = end > nodes;
        let end = if around { end.wrapping_sub(nodes) } else { end };
        let stride = grid.strides().get(axis).copied().unwrap_or_default();
        let corners = [Some((at, true)), Some((end, false)), around.then_some((0, true))];
        let inside = corners.into_iter().flatten().filter(move |(at, _)| *at < nodes);
        inside.map(move |(at, adds)| (u32::from(at).wrapping_mul(stride), adds))
    };
    for (w, a) in ends(3) {
        for (z, b) in ends(2) {
            for (y, c) in ends(1) {
                for (x, d) in ends(0) {
                    let adds = a ^ b ^ !(c ^ d);
                    let at = x.wrapping_add(y).wrapping_add(z).wrapping_add(w);
                    add(sums, at, if adds { cost } else { cost.wrapping_neg() });
                }
            }
        }
    }
}

/// Adds to each sum along an axis all before it.
fn sum_along(stride: usize, nodes: usize, sums: &mut [u64]) {
    for block in sums.chunks_mut(stride.wrapping_mul(nodes).max(1)) {
        for at in stride..block.len() {
            let before = block.get(at.wrapping_sub(stride)).copied().unwrap_or_default();
            block.get_mut(at).into_iter().for_each(|sum| *sum = sum.wrapping_add(before));
        }
    }
}

impl MakeRoom for Boxes {
    fn sums(&self) -> usize {
        let nodes = self.nodes() as usize;
        let search = self.rows.count().wrapping_mul(MAPS);
        nodes.wrapping_add(nodes.div_ceil(2)).wrapping_add(search)
    }

    fn choose(
        &self,
        map: &[u64],
        of: &BoxRequest<'static>,
        stakes: &mut [Stake<Cuboid>],
        sums: &mut [u64],
    ) -> Option<Cost> {
        let (goal, cost) = self.cheapest(map, of, || pieces(stakes), sums)?;
        mark(stakes, |it| it.meets(&goal));
        Some(cost)
    }
}
