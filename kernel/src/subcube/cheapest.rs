//! The subcube whose nodes cost least to be given up.
//!
//! For each set of free dimensions, in the order of their masks, the cost of each subcube that spans it is added up in a table: a
//! piece adds its cost to all subcubes that it has a node of, and these are a subcube in the table. A holder with several
//! pieces leaves stamps, so that he adds his cost once.
//!
//! Source: worked out for this project.

use super::fold::combinations;
use super::{Complete, Subcubes};
use crate::bits::{Word, bit};
use crate::cube::{Dim, Subcube};
use crate::machine::room::{Piece, mark, pieces, stamp, stamped};
use crate::machine::{Cost, MakeRoom, Stake};

/// In the sums of subcubes with a node that is not in the map.
const NEVER: u64 = 1 << 63;

/// Additions that no machine of 12 dimensions exceeds.
const BUDGET: u64 = 1 << 24;

impl Subcubes<Complete> {
    /// The subcube of dimension `of` in the map that costs least, of equals the first by mask and then by base, and what that
    /// is. `None` if the map has none.
    ///
    /// `pieces` are who holds it, where, and what it costs that he gives up all he has: pieces of one holder come one after the
    /// other and with the same cost. What lies in a subcube of `spared` as a whole costs so much less, as a mesh in a
    /// subcube lends what it leaves over. `sums` are as many words as [`MakeRoom::sums`] says.
    ///
    /// Cost: C(n, d) * (2^(n-d) + the sum of 2^|m \ F| over all pieces) additions. After `budget` additions the best
    /// so far is told, and that it may not be the least.
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
        let (sums, stamps) = sums.split_at_mut_checked(nodes as usize)?;
        let (mut best, mut left) = (None, budget);
        for free in combinations(self.dims().get().into(), of.get().into()) {
            if left == 0 {
                break;
            }
            sums.fill(0);
            stamps.fill(0);
            let fixed = Subcube::whole(self.dims()).mask() & !free;
            let across = |cube: &Subcube| {
                Subcube::from_parts(self.dims(), cube.base().0 & fixed, cube.mask() & fixed).nodes()
            };
            for Piece { place, cost, stamp: own } in stamped(pieces()) {
                for at in across(&place) {
                    left = left.saturating_sub(1);
                    let at = at.0 as usize;
                    if own == 0 || stamp(stamps, at, own) {
                        sums.get_mut(at).into_iter().for_each(|sum| *sum = sum.wrapping_add(cost));
                    }
                }
            }
            for (cube, less) in spared().filter(|(cube, _)| free & !cube.mask() == 0) {
                for at in across(&cube) {
                    sums.get_mut(at.0 as usize)
                        .into_iter()
                        .for_each(|sum| *sum = sum.saturating_sub(less));
                }
            }
            for at in (0..nodes).filter(|&at| !bit(map, 0, at)) {
                sums.get_mut((at & fixed) as usize).into_iter().for_each(|sum| *sum |= NEVER);
            }
            for at in Subcube::from_parts(self.dims(), 0, fixed).nodes() {
                left = left.saturating_sub(1);
                let sum = sums.get(at.0 as usize).copied().unwrap_or(NEVER);
                if sum < best.map_or(NEVER, |(_, sum)| sum) {
                    best = Some((Subcube::from_parts(self.dims(), at.0, free), sum));
                }
            }
        }
        best.map(|(cube, sum)| (cube, Cost { sum, least: left > 0 }))
    }
}

impl MakeRoom for Subcubes<Complete> {
    fn sums(&self) -> usize {
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
