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

/// Some of a rate's two heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sides {
    pub(super) wants: bool,
    pub(super) holds: bool,
}

impl Sides {
    pub(super) const NONE: Self = Self { wants: false, holds: false };

    /// Those that a station is in.
    pub(super) const fn of(demand: Demand) -> Self {
        Self { wants: demand.wants > 0, holds: demand.holds > 0 }
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self { wants: self.wants && !other.wants, holds: self.holds && !other.holds }
    }

    pub(super) fn each(self) -> impl Iterator<Item = Side> {
        let wants = self.wants.then_some(Side::Wants);
        wants.into_iter().chain(self.holds.then_some(Side::Holds))
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

/// The stations of the heap with this root, which is in order; `None` if it is broken.
pub(super) fn audit(rows: &[TimedRow], side: Side, root: Ref) -> Option<u32> {
    // In the order of a walk that needs no memory: down to the left, then up or to the right.
    let (mut at, mut from, mut count) = (root, Ref::NONE, 0u32);
    let steps = rows.len().saturating_mul(3).saturating_add(1);
    for _ in 0..steps {
        if at == Ref::NONE {
            return Some(count);
        }
        let HeapNode { left, right, parent, .. } = *node(rows, side, at);
        let next = if from == parent || (from == Ref::NONE && at == root) {
            count = count.saturating_add(1);
            check_node(rows, side, at)?;
            if left != Ref::NONE { left } else { parent }
        } else if from == left && right != Ref::NONE {
            right
        } else {
            parent
        };
        (from, at) = (at, next);
    }
    None
}

fn check_node(rows: &[TimedRow], side: Side, at: Ref) -> Option<()> {
    let HeapNode { left, right, rank, .. } = *node(rows, side, at);
    let rate = |it: Ref| Some(rows.get(it.get()? as usize)?.rate_of_station());
    let below = |child: Ref| {
        let follows = node(rows, side, child).parent == at && rate(child) == rate(at);
        child == Ref::NONE || (follows && comes_before(rows, side, at, child))
    };
    let ranks = [left, right].map(|child| node(rows, side, child).rank);
    let [left_rank, right_rank] = ranks;
    let leans = right_rank <= left_rank && rank == right_rank.saturating_add(1);
    (below(left) && below(right) && leans).then_some(())
}
