//! Leftist heaps threaded through the stations' rows.
//!
//! A heap of n stations has at most log n of them on its right side, and all work is done there:
//! inserting one and taking any one out cost that much at the worst, without memory of their own.
//!
//! Source: C. A. Crane, *Linear lists and priority queues as balanced binary trees*, 1972.

use super::row::{HeapNode, TimedRow};
use crate::fair::Demand;
use crate::list::Ref;
use core::cmp::Ordering;

/// Which of a rate's two heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Stations that want a processor; the lowest index is on top.
    Wants,
    /// Stations that hold one; the highest index is on top.
    Holds,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Wants, Self::Holds];

    /// Whether a station with this demand is in the heap.
    pub(super) const fn has(self, demand: Demand) -> bool {
        match self {
            Self::Wants => demand.wants > 0,
            Self::Holds => demand.holds > 0,
        }
    }

    /// What a pair has for this side.
    pub(super) const fn of<T>(self, pair: &[T; 2]) -> &T {
        let [wants, holds] = pair;
        match self {
            Self::Wants => wants,
            Self::Holds => holds,
        }
    }

    pub(super) const fn of_mut<T>(self, pair: &mut [T; 2]) -> &mut T {
        let [wants, holds] = pair;
        match self {
            Self::Wants => wants,
            Self::Holds => holds,
        }
    }
}

/// The root of the heap with `station` in it.
pub(super) fn insert(rows: &mut [TimedRow], side: Side, root: Ref, station: u32) -> Ref {
    edit(rows, side, Ref::to(station), |node| *node = HeapNode::ALONE);
    merge(rows, side, root, Ref::to(station))
}

/// The root of the heap without `station`, which is in it.
pub(super) fn remove(rows: &mut [TimedRow], side: Side, root: Ref, station: u32) -> Ref {
    let HeapNode { left, right, parent, .. } = *node(rows, side, Ref::to(station));
    edit(rows, side, Ref::to(station), |node| *node = HeapNode::EMPTY);
    for child in [left, right] {
        edit(rows, side, child, |node| node.parent = Ref::NONE);
    }
    let rest = merge(rows, side, left, right);
    if parent == Ref::NONE {
        return rest;
    }
    edit(rows, side, rest, |node| node.parent = parent);
    edit(rows, side, parent, |node| {
        if node.left == Ref::to(station) {
            node.left = rest;
        } else {
            node.right = rest;
        }
    });
    settle(rows, side, parent, true);
    root
}

/// One heap of two: their right sides are laced together from the top.
fn merge(rows: &mut [TimedRow], side: Side, mut a: Ref, mut b: Ref) -> Ref {
    if a == Ref::NONE || b == Ref::NONE {
        return if a == Ref::NONE { b } else { a };
    }
    let (mut root, mut last) = (Ref::NONE, Ref::NONE);
    while b != Ref::NONE {
        if comes_before(rows, side, b, a) {
            core::mem::swap(&mut a, &mut b);
        }
        link(rows, side, last, a);
        if root == Ref::NONE {
            root = a;
        }
        last = a;
        a = b;
        b = node(rows, side, last).right;
    }
    link(rows, side, last, a);
    settle(rows, side, last, false);
    root
}

fn link(rows: &mut [TimedRow], side: Side, parent: Ref, right: Ref) {
    edit(rows, side, right, |node| node.parent = parent);
    edit(rows, side, parent, |node| node.right = right);
}

/// Sets ranks right from `at` upwards: to the root, or until one was right.
fn settle(rows: &mut [TimedRow], side: Side, mut at: Ref, until_right: bool) {
    while at != Ref::NONE {
        let HeapNode { left, right, parent, rank: before } = *node(rows, side, at);
        let ranks = (node(rows, side, left).rank, node(rows, side, right).rank);
        let rank = ranks.0.min(ranks.1).saturating_add(1);
        if ranks.0 < ranks.1 || rank != before {
            edit(rows, side, at, |node| {
                node.rank = rank;
                if ranks.0 < ranks.1 {
                    (node.left, node.right) = (right, left);
                }
            });
        }
        if until_right && rank == before {
            return;
        }
        at = parent;
    }
}

/// Among equals the lower number.
fn comes_before(rows: &[TimedRow], side: Side, a: Ref, b: Ref) -> bool {
    let row = |it: Ref| it.get().and_then(|station| rows.get(station as usize));
    let (Some(first), Some(second)) = (row(a), row(b)) else { return false };
    match first.order(second) {
        Ordering::Equal => a.get() < b.get(),
        Ordering::Less => side == Side::Wants,
        Ordering::Greater => side == Side::Holds,
    }
}

fn node(rows: &[TimedRow], side: Side, at: Ref) -> &HeapNode {
    let row = at.get().and_then(|station| rows.get(station as usize));
    row.map_or(&HeapNode::EMPTY, |row| side.of(&row.nodes))
}

fn edit(rows: &mut [TimedRow], side: Side, at: Ref, change: impl FnOnce(&mut HeapNode)) {
    if let Some(row) = at.get().and_then(|station| rows.get_mut(station as usize)) {
        change(side.of_mut(&mut row.nodes));
    }
}

/// Whether a station stands where order and ranks want it, and both its neighbours know. As each
/// goes behind its parent, all hang on tops then.
pub(super) fn is_sound(rows: &[TimedRow], side: Side, station: u32, is_top: bool) -> bool {
    let at = Ref::to(station);
    let HeapNode { left, right, parent, rank } = *node(rows, side, at);
    let rate = |it: Ref| Some(rows.get(it.get()? as usize)?.rate_of_station());
    let below = |child: Ref| {
        let follows = node(rows, side, child).parent == at && rate(child) == rate(at);
        child == Ref::NONE || (follows && comes_before(rows, side, at, child))
    };
    let above = node(rows, side, parent);
    let hangs = if is_top { parent == Ref::NONE } else { above.left == at || above.right == at };
    let [left_rank, right_rank] = [left, right].map(|child| node(rows, side, child).rank);
    let leans = right_rank <= left_rank && rank == right_rank.saturating_add(1);
    hangs && below(left) && below(right) && leans
}
