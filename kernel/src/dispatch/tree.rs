//! A search tree through the slots of jobs. Each slot knows what the jobs of its branch add up to.
//!
//! The tree is balanced by weight, so its depth is logarithmic. The weight of a branch is one more
//! than its slots, and neither child of a slot weighs more than three times the other. Source: J. Nievergelt, E. M. Reingold,
//! *Binary search trees of bounded balance*, 1973; with the numbers 3 and 2 of Y. Hirai,
//! K. Yamamoto, *Balancing weight-balanced trees*, 2011.

use super::slot::{Aggregate, JobSlot, QueueKey, TreeNode};
use crate::list::Ref;
use core::marker::PhantomData;

/// By what a tree is sorted, and what it adds up.
pub(super) trait Augment {
    fn key<N>(slot: &JobSlot<N>) -> QueueKey;
    fn combine(one: Aggregate, other: Aggregate) -> Aggregate;
}

pub(super) const LEFT: usize = 0;
pub(super) const RIGHT: usize = 1;

pub(super) fn slot<N>(slots: &[JobSlot<N>], at: Ref) -> Option<&JobSlot<N>> {
    slots.get(at.get()? as usize)
}

pub(super) fn node<N>(slots: &[JobSlot<N>], at: Ref) -> &TreeNode {
    slot(slots, at).map_or(&TreeNode::EMPTY, |slot| &slot.node)
}

fn edit<N>(slots: &mut [JobSlot<N>], at: Ref, change: impl FnOnce(&mut TreeNode)) {
    if let Some(slot) = at.get().and_then(|row| slots.get_mut(row as usize)) {
        change(&mut slot.node);
    }
}

fn set_child<N>(slots: &mut [JobSlot<N>], at: Ref, side: usize, to: Ref) {
    edit(slots, at, |node| {
        if let Some(link) = node.children.get_mut(side) {
            *link = to;
        }
    });
    edit(slots, to, |node| node.parent = at);
}

/// The side of `at` on which `child` hangs.
fn side_of<N>(slots: &[JobSlot<N>], at: Ref, child: Ref) -> usize {
    if node(slots, at).child(LEFT) == child { LEFT } else { RIGHT }
}

/// The last slot on one side of a branch, on a path of which `goes` is true.
pub(super) fn outmost<N>(
    slots: &[JobSlot<N>],
    mut at: Ref,
    side: usize,
    goes: impl Fn(&TreeNode) -> bool,
) -> Ref {
    loop {
        let next = node(slots, at).child(side);
        if next == Ref::NONE || !goes(node(slots, next)) {
            return at;
        }
        at = next;
    }
}

/// A tree of jobs, sorted and summed as `K` says. Calls are given the slots of all jobs.
///
/// `first` is the first job in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree<K> {
    root: Ref,
    first: Ref,
    augment: PhantomData<K>,
}

impl<K: Augment> Tree<K> {
    pub(super) const EMPTY: Self = Self { root: Ref::NONE, first: Ref::NONE, augment: PhantomData };

    pub(super) const fn root(&self) -> Ref {
        self.root
    }

    pub(super) fn len<N>(&self, slots: &[JobSlot<N>]) -> u32 {
        node(slots, self.root).len
    }

    pub(super) const fn first(&self) -> Option<u32> {
        self.first.get()
    }

    /// Adds a slot that is in no tree.
    pub(super) fn insert<N>(&mut self, slots: &mut [JobSlot<N>], row: u32) {
        let new = Ref::to(row);
        let Some(key) = slot(slots, new).map(K::key) else { return };
        let (mut parent, mut side, mut first) = (Ref::NONE, LEFT, true);
        let mut at = self.root;
        while let Some(there) = slot(slots, at) {
            side = usize::from(K::key(there) < key);
            first &= side == LEFT;
            (parent, at) = (at, there.node.child(side));
        }
        edit(slots, new, |node| *node = TreeNode::EMPTY);
        if first {
            self.first = new;
        }
        match parent {
            Ref::NONE => self.root = new,
            _ => set_child(slots, parent, side, new),
        }
        self.mend(slots, new);
    }

    /// Takes out a slot that is in this tree.
    pub(super) fn remove<N>(&mut self, slots: &mut [JobSlot<N>], row: u32) {
        let gone = Ref::to(row);
        if self.first == gone {
            self.first = next(slots, row).map_or(Ref::NONE, Ref::to);
        }
        let TreeNode { parent, children: [left, right], .. } = *node(slots, gone);
        if left == Ref::NONE || right == Ref::NONE {
            let rest = if left == Ref::NONE { right } else { left };
            self.replace(slots, parent, gone, rest);
            return self.mend(slots, parent);
        }
        // The next slot takes its place. That one has no left child.
        let heir = outmost(slots, right, LEFT, |_| true);
        let TreeNode { parent: above_heir, children: [_, rest], .. } = *node(slots, heir);
        if above_heir != gone {
            set_child(slots, above_heir, LEFT, rest);
            set_child(slots, heir, RIGHT, right);
        }
        set_child(slots, heir, LEFT, left);
        self.replace(slots, parent, gone, heir);
        self.mend(slots, if above_heir == gone { heir } else { above_heir });
    }

    /// Makes `new` the child of `parent` in place of `old`.
    fn replace<N>(&mut self, slots: &mut [JobSlot<N>], parent: Ref, old: Ref, new: Ref) {
        match parent {
            Ref::NONE => {
                self.root = new;
                edit(slots, new, |node| node.parent = Ref::NONE);
            }
            _ => set_child(slots, parent, side_of(slots, parent, old), new),
        }
    }

    /// Restores balance and sums from a slot up to the root, after one slot below it came or left, or
    /// its job changed without a change of its key. Above a slot whose sums stay, all others stay too.
    pub(super) fn mend<N>(&mut self, slots: &mut [JobSlot<N>], mut at: Ref) {
        while let Some(top) = slot(slots, at) {
            let children = top.node.children.map(|child| slot(slots, child));
            let (parent, sums) = (top.node.parent, sums::<K, N>(top, children));
            at = if let Some(side) = heavy_side(children) {
                let risen = self.level(slots, at, side);
                node(slots, risen).parent
            } else if sums == (top.node.len, top.node.sum) {
                return;
            } else {
                edit(slots, at, |node| (node.len, node.sum) = sums);
                parent
            };
        }
    }

    /// Rotates a branch of which one side has become too heavy. Returns its new top.
    fn level<N>(&mut self, slots: &mut [JobSlot<N>], at: Ref, heavy: usize) -> Ref {
        let child = node(slots, at).child(heavy);
        let inner = node(slots, child).child(heavy ^ 1);
        let outer = node(slots, child).child(heavy);
        if node(slots, inner).weight() >= node(slots, outer).weight().saturating_mul(2) {
            self.rotate(slots, child, heavy ^ 1);
        }
        self.rotate(slots, at, heavy)
    }

    /// The child on one side rises above `at`. Returns that child.
    fn rotate<N>(&mut self, slots: &mut [JobSlot<N>], at: Ref, side: usize) -> Ref {
        let parent = node(slots, at).parent;
        let risen = node(slots, at).child(side);
        let inner = node(slots, risen).child(side ^ 1);
        self.replace(slots, parent, at, risen);
        set_child(slots, at, side, inner);
        set_child(slots, risen, side ^ 1, at);
        sum_up::<K, N>(slots, at);
        sum_up::<K, N>(slots, risen);
        risen
    }

    /// The first slot at `key` or behind it, and how many slots stand before.
    pub(super) fn split<N>(&self, slots: &[JobSlot<N>], key: QueueKey) -> (Option<u32>, u32) {
        let (mut at, mut found, mut before) = (self.root, Ref::NONE, 0u32);
        while let Some(there) = slot(slots, at) {
            let [left, right] = there.node.children;
            if K::key(there) >= key {
                (found, at) = (at, left);
            } else {
                before = before.saturating_add(node(slots, left).weight());
                at = right;
            }
        }
        (found.get(), before)
    }

    /// How many slots the tree holds, if it is sorted and balanced and its sums are right. Ends for
    /// any contents.
    pub(super) fn audit<N>(
        &self,
        slots: &[JobSlot<N>],
        belongs: impl Fn(&JobSlot<N>) -> bool,
    ) -> Option<u32> {
        let (mut count, mut at, mut last) = (0u32, self.first(), None);
        while let Some(row) = at {
            let slot = slot(slots, Ref::to(row))?;
            let is_in_order = last < Some(K::key(slot));
            let fits = belongs(slot) && is_in_order && is_sound::<K, N>(slots, row, &slot.node);
            if !fits || count as usize >= slots.len() {
                return None;
            }
            (count, last) = (count.saturating_add(1), Some(K::key(slot)));
            at = next(slots, row);
        }
        let is_whole = node(slots, self.root).parent == Ref::NONE && self.len(slots) == count;
        is_whole.then_some(count)
    }
}

/// Whether a slot's sums are right, its children hang from it, and neither is too heavy.
fn is_sound<K: Augment, N>(slots: &[JobSlot<N>], row: u32, stored: &TreeNode) -> bool {
    let [left, right] = stored.children.map(|child| *node(slots, child));
    let heavier = left.weight().max(right.weight());
    let hangs = |&child: &Ref| child == Ref::NONE || node(slots, child).parent == Ref::to(row);
    let sums = sums_of::<K, N>(slots, Ref::to(row));
    stored.children.iter().all(hangs)
        && sums == Some((stored.len, stored.sum))
        && heavier <= left.weight().min(right.weight()).saturating_mul(3)
}

/// The side that has more than three times the weight of the other.
fn heavy_side<N>(children: [Option<&JobSlot<N>>; 2]) -> Option<usize> {
    let [left, right] = children.map(|child| child.map_or(1, |slot| slot.node.weight()));
    match () {
        () if right > left.saturating_mul(3) => Some(RIGHT),
        () if left > right.saturating_mul(3) => Some(LEFT),
        () => None,
    }
}

/// How many slots a branch has, and what their jobs add up to.
fn sums<K: Augment, N>(top: &JobSlot<N>, children: [Option<&JobSlot<N>>; 2]) -> (u32, Aggregate) {
    let (mut len, mut sum) = (1u32, top.own());
    for child in children.into_iter().flatten() {
        len = len.saturating_add(child.node.len);
        sum = K::combine(sum, child.node.sum);
    }
    (len, sum)
}

fn sums_of<K: Augment, N>(slots: &[JobSlot<N>], at: Ref) -> Option<(u32, Aggregate)> {
    let top = slot(slots, at)?;
    Some(sums::<K, N>(top, top.node.children.map(|child| slot(slots, child))))
}

fn sum_up<K: Augment, N>(slots: &mut [JobSlot<N>], at: Ref) {
    if let Some(sums) = sums_of::<K, N>(slots, at) {
        edit(slots, at, |node| (node.len, node.sum) = sums);
    }
}

/// The nearest slot above that stands behind `at`.
pub(super) fn climb<N>(slots: &[JobSlot<N>], mut at: Ref) -> Option<u32> {
    loop {
        let parent = node(slots, at).parent;
        if parent == Ref::NONE || side_of(slots, parent, at) == LEFT {
            return parent.get();
        }
        at = parent;
    }
}

/// The next slot of a tree.
pub(super) fn next<N>(slots: &[JobSlot<N>], row: u32) -> Option<u32> {
    let at = Ref::to(row);
    match node(slots, at).child(RIGHT) {
        Ref::NONE => climb(slots, at),
        right => outmost(slots, right, LEFT, |_| true).get(),
    }
}
