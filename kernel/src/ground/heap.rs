//! Leftist heaps threaded through rows that the caller owns.
//!
//! A heap of n rows has at most log n of them on its right side, and all work is done there:
//! inserting one and taking any one out cost that much at the worst, without memory of their own.
//!
//! Source: C. A. Crane, *Linear lists and priority queues as balanced binary trees*, 1972.

use crate::list::Ref;
use core::cmp::Ordering;

/// A row's place in a heap.
///
/// - Neither child comes before it.
/// - `rank` is one more than the right child's, and that is no higher than the left one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapNode {
    /// The child of the higher rank.
    pub left: Ref,
    /// The other child.
    pub right: Ref,
    /// The row above it; none of the top.
    pub parent: Ref,
    /// 0 outside of heaps.
    pub rank: u32,
}

impl HeapNode {
    /// Of a row in no heap.
    pub const EMPTY: Self = Self { left: Ref::NONE, right: Ref::NONE, parent: Ref::NONE, rank: 0 };
    /// Of the only row of a heap.
    pub const ALONE: Self = Self { rank: 1, ..Self::EMPTY };
}

crate::stored!(HeapNode { left, right, parent, rank });

/// A row that can be in a heap, or in one on each of several sides.
pub trait Heaped {
    /// Tells a row's heaps apart.
    type Side: Copy;

    /// Its place on this side.
    fn node(&self, side: Self::Side) -> &HeapNode;
    /// The same, to be changed.
    fn node_mut(&mut self, side: Self::Side) -> &mut HeapNode;

    /// The order in the heaps of a side: the least is on top, and among equals the one of the lower number.
    fn order(&self, other: &Self, side: Self::Side) -> Ordering;
}

/// The root of the heap with `row` in it.
pub fn insert<T: Heaped>(rows: &mut [T], side: T::Side, root: Ref, row: u32) -> Ref {
    let new = Ref::to(row);
    let (mut above, mut below) = (Ref::NONE, root);
    while below != Ref::NONE && comes_before(rows, side, below, new) {
        (above, below) = (below, node(rows, side, below).right);
    }
    edit(rows, side, new, |node| {
        *node = HeapNode { left: below, parent: above, ..HeapNode::ALONE }
    });
    edit(rows, side, below, |node| node.parent = new);
    edit(rows, side, above, |node| node.right = new);
    settle(rows, side, above, true);
    if above == Ref::NONE { new } else { root }
}

/// The root of the heap without `row`, which is in it.
pub fn remove<T: Heaped>(rows: &mut [T], side: T::Side, root: Ref, row: u32) -> Ref {
    let HeapNode { left, right, parent, .. } = *node(rows, side, Ref::to(row));
    edit(rows, side, Ref::to(row), |node| *node = HeapNode::EMPTY);
    for child in [left, right] {
        edit(rows, side, child, |node| node.parent = Ref::NONE);
    }
    let rest = merge(rows, side, left, right);
    if parent == Ref::NONE {
        return rest;
    }
    edit(rows, side, rest, |node| node.parent = parent);
    edit(rows, side, parent, |node| {
        if node.left == Ref::to(row) {
            node.left = rest;
        } else {
            node.right = rest;
        }
    });
    settle(rows, side, parent, true);
    root
}

/// One heap of two: their right sides are laced together from the top.
fn merge<T: Heaped>(rows: &mut [T], side: T::Side, mut a: Ref, mut b: Ref) -> Ref {
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

fn link<T: Heaped>(rows: &mut [T], side: T::Side, parent: Ref, right: Ref) {
    edit(rows, side, right, |node| node.parent = parent);
    edit(rows, side, parent, |node| node.right = right);
}

/// Sets ranks right from `at` upwards: to the root, or until one was right.
fn settle<T: Heaped>(rows: &mut [T], side: T::Side, mut at: Ref, until_right: bool) {
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
fn comes_before<T: Heaped>(rows: &[T], side: T::Side, a: Ref, b: Ref) -> bool {
    let row = |it: Ref| it.get().and_then(|row| rows.get(row as usize));
    let (Some(first), Some(second)) = (row(a), row(b)) else { return false };
    match first.order(second, side) {
        Ordering::Equal => a.get() < b.get(),
        order => order == Ordering::Less,
    }
}

fn node<T: Heaped>(rows: &[T], side: T::Side, at: Ref) -> &HeapNode {
    let row = at.get().and_then(|row| rows.get(row as usize));
    row.map_or(&HeapNode::EMPTY, |row| row.node(side))
}

fn edit<T: Heaped>(rows: &mut [T], side: T::Side, at: Ref, change: impl FnOnce(&mut HeapNode)) {
    if let Some(row) = at.get().and_then(|row| rows.get_mut(row as usize)) {
        change(row.node_mut(side));
    }
}

/// Whether a row stands where order and ranks want it, and both its neighbours know; `belongs` says whether a child is one
/// of the same heap. As each goes behind its parent, all hang on tops then.
pub fn is_sound<T: Heaped>(
    rows: &[T],
    side: T::Side,
    row: u32,
    is_top: bool,
    belongs: impl Fn(&T) -> bool,
) -> bool {
    let at = Ref::to(row);
    let HeapNode { left, right, parent, rank } = *node(rows, side, at);
    let is_own = |it: Ref| it.get().and_then(|it| rows.get(it as usize)).is_some_and(&belongs);
    let below = |child: Ref| {
        let follows = node(rows, side, child).parent == at && is_own(child);
        child == Ref::NONE || (follows && comes_before(rows, side, at, child))
    };
    let above = node(rows, side, parent);
    let hangs = if is_top { parent == Ref::NONE } else { above.left == at || above.right == at };
    let [left_rank, right_rank] = [left, right].map(|child| node(rows, side, child).rank);
    let leans = right_rank <= left_rank && rank == right_rank.saturating_add(1);
    hangs && below(left) && below(right) && leans
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::collections::BTreeSet;

    #[derive(Clone, Copy)]
    struct Keyed {
        key: u32,
        node: HeapNode,
    }

    impl Heaped for Keyed {
        type Side = ();

        fn node(&self, (): ()) -> &HeapNode {
            &self.node
        }

        fn node_mut(&mut self, (): ()) -> &mut HeapNode {
            &mut self.node
        }

        fn order(&self, other: &Self, (): ()) -> Ordering {
            self.key.cmp(&other.key)
        }
    }

    fn alone(key: u32) -> Keyed {
        Keyed { key, node: HeapNode::EMPTY }
    }

    fn sound(rows: &[Keyed], root: Ref, row: u32) -> bool {
        is_sound(rows, (), row, Ref::to(row) == root, |_| true)
    }

    #[test]
    fn the_least_is_on_top_and_among_equals_the_lower_number() {
        let mut rows: [Keyed; 20] = core::array::from_fn(|row| alone(row as u32 * 7 % 5));
        let (mut root, mut model, mut state) = (Ref::NONE, BTreeSet::new(), 3u64);
        for _ in 0..2000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let row = (state >> 33) as u32 % 20;
            let key = (rows[row as usize].key, row);
            if model.remove(&key) {
                root = remove(&mut rows, (), root, row);
            } else {
                model.insert(key);
                root = insert(&mut rows, (), root, row);
            }
            assert_eq!(root.get(), model.first().map(|&(_, row)| row));
            assert!(model.iter().all(|&(_, row)| sound(&rows, root, row)));
        }
    }

    #[test]
    fn each_fault_alone_makes_a_heap_unsound() {
        let mut rows = [1, 2, 3].map(alone);
        let root = (0..3).fold(Ref::NONE, |root, row| insert(&mut rows, (), root, row));
        let HeapNode { left, right, .. } = rows[0].node;
        assert_eq!((root, left, right), (Ref::to(0), Ref::to(1), Ref::to(2)));
        assert!((0..3).all(|row| sound(&rows, root, row)));
        assert!(!is_sound(&rows, (), 0, true, |_| false), "a child of another heap");
        assert!(!is_sound(&rows, (), 0, false, |_| true), "it hangs on nothing");
        assert!(!is_sound(&rows, (), 1, true, |_| true), "a top hangs on something");
        type Fault = fn(&mut [Keyed; 3]);
        let faults: [Fault; 7] = [
            |rows| rows[1].node.parent = Ref::NONE,
            |rows| rows[2].node.parent = Ref::NONE,
            |rows| rows[1].key = 0,
            |rows| rows[2].key = 0,
            |rows| rows[0].node.rank = 1,
            // The right one is higher than the left one.
            |rows| (rows[2].node.rank, rows[0].node.rank) = (2, 3),
            |rows| (rows[1].node.rank, rows[0].node.rank) = (2, 3),
        ];
        for (at, fault) in faults.iter().enumerate() {
            let mut rows = rows;
            fault(&mut rows);
            assert!(!sound(&rows, root, 0), "fault {at}");
        }
    }
}
