//! A search tree through the slots of jobs. Each slot knows what the jobs of its branch add up to.
//!
//! The heights of two siblings differ by at most one, so its depth is logarithmic. Source:
//! G. M. Adelson-Velsky, E. M. Landis, *An algorithm for the organization of information*, 1962.
//!
//! A line of first come, first served grows at its end and shrinks at its start. There a slot
//! hangs or goes without a search, and most often the first few slots above it stay as they are.

use super::slot::{Aggregate, JobSlot, QueueKey, TreeNode};
use crate::list::Ref;
use crate::slices::put;
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
    edit(slots, at, |node| put(&mut node.children, side, to));
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
/// `ends` are the first slot in order and the last one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree<K> {
    root: Ref,
    ends: [Ref; 2],
    augment: PhantomData<K>,
}

impl<K: Augment> Tree<K> {
    pub(super) const EMPTY: Self =
        Self { root: Ref::NONE, ends: [Ref::NONE; 2], augment: PhantomData };

    pub(super) const fn root(&self) -> Ref {
        self.root
    }

    pub(super) const fn first(&self) -> Option<u32> {
        let [first, _] = self.ends;
        first.get()
    }

    /// The slots at `key` and behind it in order.
    pub(super) fn rows_from<N>(
        &self,
        slots: &[JobSlot<N>],
        key: QueueKey,
    ) -> impl Iterator<Item = u32> {
        core::iter::successors(self.from(slots, key), |&row| next(slots, row))
    }

    /// Adds a slot that is in no tree.
    pub(super) fn insert<N>(&mut self, slots: &mut [JobSlot<N>], row: u32) {
        let new = Ref::to(row);
        let Some(key) = slot(slots, new).map(K::key) else { return };
        let [first, last] = &mut self.ends;
        let is_last = slot(slots, *last).is_none_or(|last| K::key(last) < key);
        let is_first = slot(slots, *first).is_none_or(|first| key < K::key(first));
        let mut at = if is_last { *last } else { self.root };
        let (mut parent, mut side) = (Ref::NONE, LEFT);
        while let Some(there) = slot(slots, at) {
            side = usize::from(K::key(there) < key);
            (parent, at) = (at, there.node.child(side));
        }
        *first = if is_first { new } else { *first };
        *last = if is_last { new } else { *last };
        edit(slots, new, |node| *node = TreeNode::EMPTY);
        match parent {
            Ref::NONE => self.root = new,
            _ => set_child(slots, parent, side, new),
        }
        self.mend(slots, new);
    }

    /// Takes out a slot that is in this tree.
    pub(super) fn remove<N>(&mut self, slots: &mut [JobSlot<N>], row: u32) {
        let gone = Ref::to(row);
        for (end, inward) in self.ends.iter_mut().zip([RIGHT, LEFT]) {
            if *end == gone {
                *end = beside(slots, row, inward).map_or(Ref::NONE, Ref::to);
            }
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
        // As high as no branch is, so that its new parent is mended too.
        edit(slots, heir, |node| node.height = 0);
        if above_heir != gone {
            self.mend(slots, above_heir);
        }
        self.mend(slots, heir);
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
    /// its job changed without a change of its key. Above a slot that stays as it was, all others do
    /// too.
    pub(super) fn mend<N>(&mut self, slots: &mut [JobSlot<N>], mut at: Ref) {
        while at != Ref::NONE {
            if let Some(side) = heavy_side(slots, at) {
                at = self.level(slots, at, side);
            } else if !sum_up::<K, N>(slots, at) {
                return;
            }
            at = node(slots, at).parent;
        }
    }

    /// Rotates a branch of which one side has become too high. Returns its new top.
    fn level<N>(&mut self, slots: &mut [JobSlot<N>], at: Ref, heavy: usize) -> Ref {
        let child = node(slots, at).child(heavy);
        let inner = node(slots, child).child(heavy ^ 1);
        let outer = node(slots, child).child(heavy);
        if node(slots, inner).height > node(slots, outer).height {
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

    /// The first slot at `key` or behind it.
    pub(super) fn from<N>(&self, slots: &[JobSlot<N>], key: QueueKey) -> Option<u32> {
        let (mut at, mut found) = (self.root, Ref::NONE);
        while let Some(there) = slot(slots, at) {
            let is_behind = K::key(there) >= key;
            found = if is_behind { at } else { found };
            at = there.node.child(if is_behind { LEFT } else { RIGHT });
        }
        found.get()
    }

    /// How many slots the tree holds, if it is sorted and balanced and its sums are right. Ends for
    /// any contents.
    pub(super) fn audit<N>(
        &self,
        slots: &[JobSlot<N>],
        belongs: impl Fn(&JobSlot<N>) -> bool,
    ) -> Option<u32> {
        let (mut count, mut at, mut last) = (0u32, self.first(), Ref::NONE);
        while let Some(row) = at {
            let slot_at = slot(slots, Ref::to(row))?;
            let is_in_order = slot(slots, last).map(K::key) < Some(K::key(slot_at));
            let fits = belongs(slot_at) && is_in_order && is_sound::<K, N>(slots, row, slot_at);
            if !fits || count as usize >= slots.len() {
                return None;
            }
            (count, last) = (count.saturating_add(1), Ref::to(row));
            at = next(slots, row);
        }
        let is_whole = node(slots, self.root).parent == Ref::NONE;
        let [_, end] = self.ends;
        (is_whole && end == last).then_some(count)
    }
}

/// Whether a slot's sums are right, its children hang from it, and neither is too high.
fn is_sound<K: Augment, N>(slots: &[JobSlot<N>], row: u32, top: &JobSlot<N>) -> bool {
    let hangs = |child: &Ref| *child == Ref::NONE || node(slots, *child).parent == Ref::to(row);
    top.node.children.iter().all(hangs)
        && sums::<K, N>(slots, top) == (top.node.height, top.node.sum)
        && heavy_side(slots, Ref::to(row)).is_none()
}

/// The side that is higher than the other by more than one.
fn heavy_side<N>(slots: &[JobSlot<N>], at: Ref) -> Option<usize> {
    let [left, right] = node(slots, at).children.map(|child| node(slots, child).height);
    match () {
        () if right > left.wrapping_add(1) => Some(RIGHT),
        () if left > right.wrapping_add(1) => Some(LEFT),
        () => None,
    }
}

/// How high a branch is, and what its jobs add up to.
fn sums<K: Augment, N>(slots: &[JobSlot<N>], top: &JobSlot<N>) -> (u32, Aggregate) {
    let (mut height, mut sum) = (0u32, top.own());
    for child in top.node.children.into_iter().filter_map(|child| slot(slots, child)) {
        height = height.max(child.node.height);
        sum = K::combine(sum, child.node.sum);
    }
    (height.wrapping_add(1), sum)
}

/// Whether that has changed.
// Its copies in three callers take 0.6 KB of flash at level 3.
#[inline(never)]
fn sum_up<K: Augment, N>(slots: &mut [JobSlot<N>], at: Ref) -> bool {
    let Some(top) = slot(slots, at) else { return false };
    let sums = sums::<K, N>(slots, top);
    let changed = sums != (top.node.height, top.node.sum);
    edit(slots, at, |node| (node.height, node.sum) = sums);
    changed
}

/// The nearest slot above that stands on one side of `at` in order.
pub(super) fn climb<N>(slots: &[JobSlot<N>], mut at: Ref, side: usize) -> Option<u32> {
    loop {
        let parent = node(slots, at).parent;
        if parent == Ref::NONE || side_of(slots, parent, at) != side {
            return parent.get();
        }
        at = parent;
    }
}

/// The slot before or behind another one.
fn beside<N>(slots: &[JobSlot<N>], row: u32, side: usize) -> Option<u32> {
    let at = Ref::to(row);
    match node(slots, at).child(side) {
        Ref::NONE => climb(slots, at, side),
        inner => outmost(slots, inner, side ^ 1, |_| true).get(),
    }
}

/// The next slot of a tree.
pub(super) fn next<N>(slots: &[JobSlot<N>], row: u32) -> Option<u32> {
    beside(slots, row, RIGHT)
}
