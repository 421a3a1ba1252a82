//! The subcube whose nodes cost least to be given up.
//!
//! For each set of free dimensions, in the order of their masks, the cost of each subcube that spans it is added up in a table: a
//! piece adds its cost to all subcubes that it has a node of, and these are a subcube in the table. A holder with several
//! pieces leaves stamps, so that he adds his cost once.
//!
//! Most sets are skipped by a bound. The cost of a piece is divided among its nodes, or the most of them that a subcube can have;
//! what the nodes of a subcube have in all is no more than its cost, and nearly that where each piece lies in it as a whole. These sums are folded depth first, as
//! in [`fold`](super::fold): those of a set are made of those of the set without its lowest dimension. A set is added up only if
//! the bound of one of its subcubes is below the best so far, and folded further only if a subcube that is made of its subcubes
//! can have such a bound.
//!
//! Source: worked out for this project.

use super::{Complete, Subcubes};
use crate::bits::{Word, bit};
use crate::cube::{Dim, Node, Subcube};
use crate::machine::room::{mark, pieces, stamp, stamped};
use crate::machine::{Cost, MakeRoom, Stake};
use crate::slices::{edit, put};

/// Nodes that are not in the map have this bit in their sums, and so has what contains one.
const NEVER: u64 = 1 << 63;

/// Additions that no search on 12 dimensions exceeds: these are fewer than 4 million in tables and 3^12 in folds.
const BUDGET: u64 = 1 << 24;

impl Subcubes<Complete> {
    /// The subcube of dimension `of` in the map that costs least, of equals the first by mask and then by base, and what that
    /// is. `None` if the map has none.
    ///
    /// `pieces` are who holds it, where, and what it costs that he gives up all he has: pieces of one holder come one after the
    /// other and with the same cost. No two have the same node. What lies in a subcube of `spared` as a whole costs so much
    /// less, as a mesh in a subcube lends what it leaves over. `sums` are as many words as [`MakeRoom::sums`] says.
    ///
    /// Cost: at most 3^n additions for bounds, and C(n, d) * (2^(n-d) + the sum of 2^|m \ F| over all pieces) for costs, where F
    /// are the free dimensions of a set and m those of the piece. After `budget` additions it returns the best so far, and
    /// says that it may not be the least. On up to 12 dimensions 2^23 additions are always enough.
    pub fn cheapest<I, J>(
        &self,
        map: &[Word],
        of: Dim,
        pieces: impl Fn() -> I,
        spared: impl Fn() -> J,
        budget: u64,
        sums: &mut [u64],
    ) -> Option<(Subcube, Cost)>
    where
        I: Iterator<Item = (u32, Subcube, u64)>,
        J: Iterator<Item = (Subcube, u64)>,
    {
        if of > self.dims() {
            return None;
        }
        let nodes = self.dims().nodes();
        let (sums, rest) = sums.split_at_mut_checked(nodes as usize)?;
        let (stamps, rest) = rest.split_at_mut_checked(nodes.div_ceil(2) as usize)?;
        let (bounds, scratch) = rest.split_at_mut_checked(nodes as usize)?;
        for (bound, node) in bounds.iter_mut().zip(0..) {
            *bound = if bit(map, 0, node) { 0 } else { NEVER };
        }
        // What a holder costs is divided among the nodes of his first piece.
        let firsts = || stamped(pieces()).filter(|it| it.first);
        let all = firsts().fold(0, |sum: u64, it| sum.saturating_add(it.cost));
        let shift = all.leading_zeros().saturating_sub(2);
        for it in firsts() {
            let most = it.place.dim().min(of);
            let share = it.cost.wrapping_shl(shift).wrapping_shr(most.get().into());
            it.place.nodes().for_each(|node| add(bounds, node, share));
        }
        // What is spared need not cost anything.
        let lent = spared().flat_map(|(part, _)| part.nodes());
        lent.for_each(|node| edit(bounds, node.0, |bound| *bound &= NEVER));
        let mut walk = Walk {
            dims: self.dims(),
            pieces,
            spared,
            sums,
            stamps,
            shift,
            best: None,
            below: NEVER,
            left: budget,
        };
        let all = [self.dims().get().into(), of.get().into()];
        walk.visit(bounds, 0, all, scratch);
        walk.best.map(|(cube, sum)| (cube, Cost { sum, least: walk.left > 0 }))
    }
}

/// Adds to one of the sums.
fn add(sums: &mut [u64], at: Node, cost: u64) {
    edit(sums, at.0, |sum| *sum = sum.wrapping_add(cost));
}

/// A search through all sets of dimensions.
///
/// - `sums` are the costs of the subcubes that span the set at hand, each at its base.
/// - `best` is the best so far; what is better costs less than `below`.
/// - Sets are looked at if the bound of one of their subcubes, which is a cost times 2^`shift`, is less than the `bar`.
struct Walk<'a, P, S> {
    dims: Dim,
    pieces: P,
    spared: S,
    sums: &'a mut [u64],
    stamps: &'a mut [u64],
    shift: u32,
    best: Option<(Subcube, u64)>,
    below: u64,
    /// Additions left.
    left: u64,
}

impl<P, S, I, J> Walk<'_, P, S>
where
    P: Fn() -> I,
    S: Fn() -> J,
    I: Iterator<Item = (u32, Subcube, u64)>,
    J: Iterator<Item = (Subcube, u64)>,
{
    /// Looks at the sets that have `wanted` of the dimensions below `below`, and `free`, along which the bounds are folded.
    fn visit(&mut self, bounds: &[u64], free: u32, [below, wanted]: [u32; 2], scratch: &mut [u64]) {
        // Each subcube of those sets is made of 2^wanted of these.
        let least = bounds.iter().fold(NEVER, |least, bound| least.min(*bound));
        if least.saturating_mul(1 << wanted) >= self.bar() {
            return;
        }
        let Some(others) = wanted.checked_sub(1) else { return self.look(bounds, free) };
        let Some((folded, rest)) = scratch.split_at_mut_checked(bounds.len() >> 1) else { return };
        for dim in others..below {
            if self.left == 0 || self.below == 0 {
                return;
            }
            self.left = self.left.saturating_sub(folded.len() as u64);
            fold(bounds, folded, 1 << dim);
            self.visit(folded, free | 1 << dim, [dim, others], rest);
        }
    }

    /// Looks at the subcubes that span a set.
    fn look(&mut self, bounds: &[u64], free: u32) {
        let whole = Subcube::whole(self.dims);
        let fixed = whole.mask() & !free;
        let bases = Subcube::from_parts(self.dims, 0, fixed).nodes();
        self.add_up(fixed, bases.clone());
        for (Node(base), _) in bases.zip(bounds).filter(|(_, bound)| **bound < NEVER) {
            let sum = self.sums.get(base as usize).copied().unwrap_or(NEVER);
            if sum < self.below {
                self.below = sum;
                self.best = Some((Subcube::from_parts(self.dims, base, free), sum));
            }
        }
    }

    /// Adds up the costs of the subcubes at these bases.
    fn add_up(&mut self, fixed: u32, bases: impl Iterator<Item = Node>) {
        let across = |it: &Subcube| {
            Subcube::from_parts(it.dims(), it.base().0 & fixed, it.mask() & fixed).nodes()
        };
        for Node(base) in bases {
            self.left = self.left.saturating_sub(1);
            put(self.sums, base as usize, 0);
            put(self.stamps, base as usize >> 1, 0);
        }
        for it in stamped((self.pieces)()) {
            for base in across(&it.place) {
                self.left = self.left.saturating_sub(1);
                if it.stamp == 0 || stamp(self.stamps, base.0 as usize, it.stamp) {
                    add(self.sums, base, it.cost);
                }
            }
        }
        for (cube, less) in (self.spared)()
            .filter(|(cube, _)| !(fixed | cube.mask()) & self.dims.nodes().wrapping_sub(1) == 0)
        {
            across(&cube).for_each(|base| add(self.sums, base, less.wrapping_neg()));
        }
    }

    const fn bar(&self) -> u64 {
        if self.below == NEVER { NEVER } else { self.below.wrapping_shl(self.shift) }
    }
}

/// Adds up bounds along a dimension whose two nodes lie `run` words apart.
fn fold(bounds: &[u64], folded: &mut [u64], run: usize) {
    let pairs = bounds.chunks_exact(run.wrapping_mul(2).max(1));
    for (pair, sums) in pairs.zip(folded.chunks_exact_mut(run.max(1)).by_ref()) {
        let Some((lower, upper)) = pair.split_at_checked(run) else { return };
        for ((one, other), sum) in lower.iter().zip(upper).zip(sums) {
            *sum = one.wrapping_add(*other) | (one | other) & NEVER;
        }
    }
}

impl MakeRoom for Subcubes<Complete> {
    fn sums(&self) -> usize {
        // Costs, stamps, bounds, and their folds.
        let nodes = self.dims().nodes() as usize;
        nodes.wrapping_mul(4)
    }

    fn choose(
        &self,
        map: &[Word],
        of: &Dim,
        stakes: &mut [Stake<Subcube>],
        sums: &mut [u64],
    ) -> Option<Cost> {
        let spared = core::iter::empty;
        let (goal, cost) = self.cheapest(map, *of, || pieces(stakes), spared, BUDGET, sums)?;
        mark(stakes, |it| it.intersection(&goal).is_some());
        Some(cost)
    }
}
