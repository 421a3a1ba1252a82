//! What is asked for, and why it is refused.

use super::machine::Grid;
use super::sides::Sides;

/// What a pool of boxes is asked for: any of these shapes.
///
/// Shapes of one *rank* are as good as each other, and the placement chooses among all of them; a shape
/// of a higher rank is taken only if none of a lower one fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum BoxRequest<'a> {
    /// These sides along these axes.
    Fixed(Sides),
    /// These sides in any [rotation](Sides::rotations), all of one rank.
    Turned(Sides),
    /// Any of these, as they stand, each of a higher rank than the one before.
    AnyOf(&'a [Sides]),
    /// Just so many nodes: all [boxes of that many](Sides::factorizations), ranked by surface.
    Nodes(u32),
}

impl BoxRequest<'_> {
    /// Passes the shapes that there are in this machine, those that are not isolated left out if
    /// `isolating`, to `visit` with their ranks, by rank, until it says that this is enough.
    pub(super) fn visit(
        &self,
        grid: Grid,
        isolating: bool,
        visit: &mut dyn FnMut(u32, Sides) -> bool,
    ) {
        let may = |sides: &Sides| sides.fits(grid) && (!isolating || sides.are_isolated(grid));
        _ = match *self {
            Self::Fixed(sides) => may(&sides) && visit(0, sides),
            Self::Turned(sides) => sides.rotations(grid).filter(may).any(|it| visit(0, it)),
            Self::AnyOf(all) => {
                let mut ranked = (0..).zip(all).filter(|(_, it)| may(it));
                ranked.any(|(rank, it)| visit(rank, *it))
            }
            Self::Nodes(nodes) => {
                let mut all = Sides::factorizations(nodes, grid).filter(may);
                all.any(|it| visit(it.surface(grid), it))
            }
        };
    }
}

crate::display::errors! {
    /// Why a request was refused. The pool is as it was before.
    ///
    /// Reasons are tried in this order, the first that holds is given, and it is so: nothing that the
    /// request allows would have been granted.
    #[derive(Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Refusal {
        /// Never possible: none of these shapes lies in the machine where boxes may begin. Where leftover is
        /// lent, none would lie in a broken block either.
        TooLarge => "no such box in the machine",
        /// Not possible until nodes are repaired: whatever is released or leased, each such box has a failed
        /// or drained node.
        Faulty => "impossible until nodes are repaired",
        /// Not now: the smallest shape that is possible has `needed` nodes, and `free` are free.
        TooFewFree { needed: u32, free: u32 } => "too few free nodes: {free} of the {needed} needed",
        /// Not now: enough nodes are free, but no box of the shapes asked for lies wholly in them where
        /// boxes may begin. With no lease live this is said only where leftover is lent, of a box that fits
        /// in broken blocks alone.
        Fragmented => "fragmented: no such box is free",
    }
}
