//! Leftist heaps threaded through the stations' rows.
//!
//! A heap of n stations has at most log n of them on its right side, and all work is done there:
//! inserting one and taking any one out cost that much at the worst, without memory of their own.
//!
//! Source: C. A. Crane, *Linear lists and priority queues as balanced binary trees*, 1972.

use super::TimedRow;
use crate::list::Ref;

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
    pub(super) const fn of<T: Copy>(self, pair: [T; 2]) -> T {
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

/// A station's place in a heap.
///
/// - Neither child comes before it.
/// - `rank` is one more than the right child's, and that is no higher than the left one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    left: Ref,
    right: Ref,
    parent: Ref,
    rank: u32,
}

impl Node {
    pub(super) const EMPTY: Self =
        Self { left: Ref::NONE, right: Ref::NONE, parent: Ref::NONE, rank: 0 };
    const ALONE: Self = Self { rank: 1, ..Self::EMPTY };
}

/// The root of the heap with `station` in it.
pub(super) fn insert(rows: &mut [TimedRow], side: Side, root: Ref, station: u32) -> Ref {
    set(rows, side, station, Node::ALONE);
    merge(rows, side, root, Ref::to(station))
}

/// The root of the heap without `station`, which is in it.
pub(super) fn remove(rows: &mut [TimedRow], side: Side, root: Ref, station: u32) -> Ref {
    let Node { left, right, parent, .. } = node(rows, side, Ref::to(station));
    set(rows, side, station, Node::EMPTY);
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
    let (mut root, mut last) = (Ref::NONE, Ref::NONE);
    while a != Ref::NONE || b != Ref::NONE {
        let ends = a == Ref::NONE || b == Ref::NONE;
        if a == Ref::NONE || (!ends && comes_before(rows, side, b, a)) {
            core::mem::swap(&mut a, &mut b);
        }
        edit(rows, side, a, |node| node.parent = last);
        edit(rows, side, last, |node| node.right = a);
        if root == Ref::NONE {
            root = a;
        }
        if ends {
            break;
        }
        last = a;
        a = node(rows, side, last).right;
    }
    settle(rows, side, last, false);
    root
}

/// Sets ranks right from `at` upwards: to the root, or until one was right.
fn settle(rows: &mut [TimedRow], side: Side, mut at: Ref, until_right: bool) {
    while at != Ref::NONE {
        let before = node(rows, side, at);
        let [left, right] = [before.left, before.right].map(|child| node(rows, side, child).rank);
        let rank = left.min(right).saturating_add(1);
        edit(rows, side, at, |node| {
            node.rank = rank;
            if left < right {
                core::mem::swap(&mut node.left, &mut node.right);
            }
        });
        if until_right && rank == before.rank {
            return;
        }
        at = before.parent;
    }
}

/// Among equals the lower number.
fn comes_before(rows: &[TimedRow], side: Side, a: Ref, b: Ref) -> bool {
    let row = |it: Ref| it.get().and_then(|station| rows.get(station as usize));
    let (Some(first), Some(second)) = (row(a), row(b)) else { return false };
    let (up, down) = (first.is_below(second), second.is_below(first));
    match (up, down) {
        (false, false) => a.get() < b.get(),
        _ => (side == Side::Wants) == up,
    }
}

fn node(rows: &[TimedRow], side: Side, at: Ref) -> Node {
    let row = at.get().and_then(|station| rows.get(station as usize));
    row.map_or(Node::EMPTY, |row| side.of(row.nodes))
}

fn set(rows: &mut [TimedRow], side: Side, station: u32, node: Node) {
    if let Some(row) = rows.get_mut(station as usize) {
        *side.of_mut(&mut row.nodes) = node;
    }
}

fn edit(rows: &mut [TimedRow], side: Side, at: Ref, change: impl FnOnce(&mut Node)) {
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
        let Node { left, right, parent, .. } = node(rows, side, at);
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
    let Node { left, right, rank, .. } = node(rows, side, at);
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
