//! Recognition: at which origins a box of given sides would lie wholly in a set of nodes.
//!
//! A window of `side` nodes along an axis is made of windows half as wide, by one pass over all rows
//! for each doubling: F_1 is the set itself, F_2k at a node is F_k there and F_k `k` nodes on, and what is
//! left of the side is made of two windows that overlap. After all axes a node is left exactly if the
//! box with this origin lies in the set: nothing is missed. Rings go on around their end, lines have
//! nothing beyond it.
//!
//! Cost: a pass for each doubling, ceil(log2 side) an axis, one for each ring that is filled, and one to
//! begin with: at most 29 passes over the rows.

use super::rows::{Rows, Turns, doublings, spans_with};
use super::sides::Sides;

/// Leaves of the set in `turns` the origins of boxes that lie in it. Along a ring that such a box fills
/// that is the coordinate 0.
pub(super) fn keep_origins(rows: &Rows, sides: Sides, turns: &mut Turns<'_>) {
    for (span, side) in spans_with(rows, sides) {
        for by in doublings(side.min(span.nodes)) {
            turns.step(&span, by, span.ring, |one, other| one & other);
        }
        if turns.now.iter().all(|row| *row == 0) {
            return;
        }
        // Of a line that a box fills nothing else is left anyway.
        if side == span.nodes && span.ring {
            rows.fill(&span, !1, false, turns.now);
        }
    }
}

/// Makes of the origins of boxes in `turns` the nodes of these boxes.
pub(super) fn cover(rows: &Rows, sides: Sides, turns: &mut Turns<'_>) {
    for (span, side) in spans_with(rows, sides) {
        // No box begins where it would go beyond the end of a line, so that lines may go around, too.
        for by in doublings(side.min(span.nodes)) {
            turns.step(&span, span.nodes.wrapping_sub(by), true, |one, other| one | other);
        }
    }
}
