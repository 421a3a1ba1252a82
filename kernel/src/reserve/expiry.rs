//! When reservations end, by groups of entries: which may have ended is found without a look at all.
//!
//! Of each group of 64 entries an instant is kept that is not after the first end of an open entry
//! in it. A new end lowers it; an entry that is closed or ends later does not raise it, until somebody looks
//! in vain. Above the groups stands a binary tree, in which each node has the lesser instant of the two below
//! it. So a search may recompute the bounds of many groups, but each of them once for an entry that
//! was closed or put off.
//!
//! Without the feature `leaf-index` there are few entries, and no bounds of them.

use super::slots::tables::{self, TICK_WORDS, Table};
use crate::bits::Word;
use core::ops::Range;

/// Entries in a group.
const GROUP: usize = 64;

/// Whether bounds are kept.
const BOUNDS: bool = cfg!(feature = "leaf-index");

/// Where the bounds lie in the words of the reservations: node n of the tree, counted from 1, in place
/// n - 1, above nodes 2n and 2n + 1. The groups are its last nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expiry {
    bounds: Table,
    /// A power of two.
    groups: usize,
}

impl Expiry {
    /// The bounds for so many entries, from a word on.
    pub(crate) const fn new(start: usize, entries: usize) -> Self {
        let groups = entries.div_ceil(GROUP).next_power_of_two();
        let nodes = if BOUNDS { groups.saturating_mul(2).saturating_sub(1) } else { 0 };
        Self { bounds: Table { start, len: nodes.saturating_mul(TICK_WORDS) }, groups }
    }

    /// The word behind the last.
    pub(crate) const fn end(&self) -> usize {
        self.bounds.end()
    }

    /// Nothing is known of any end.
    pub(crate) fn clear(&self, words: &mut [Word]) {
        self.bounds.of_mut(words).fill(0);
    }

    fn bound(&self, words: &[Word], node: usize) -> u64 {
        tables::tick(self.bounds.of(words), node.wrapping_sub(1))
    }

    fn set_bound(&self, words: &mut [Word], node: usize, bound: u64) {
        tables::set_tick(self.bounds.of_mut(words), node.wrapping_sub(1), bound);
    }

    /// The node of an entry's group.
    const fn node_of(&self, index: u32) -> usize {
        self.groups.wrapping_add((index as usize) >> GROUP.trailing_zeros())
    }

    /// An entry ends at `end`.
    pub(crate) fn lower(&self, words: &mut [Word], index: u32, end: u64) {
        let mut node = if BOUNDS { self.node_of(index) } else { 0 };
        while node > 0 && self.bound(words, node) > end {
            self.set_bound(words, node, end);
            node >>= 1;
        }
    }

    /// No open entry of a group ends before `least`.
    pub(crate) fn raise(&self, words: &mut [Word], group: &Range<u32>, least: u64) {
        let mut node = if BOUNDS { self.node_of(group.start) } else { 0 };
        let mut bound = least;
        while node > 0 {
            self.set_bound(words, node, bound);
            bound = bound.min(self.bound(words, node ^ 1));
            node >>= 1;
        }
    }

    /// Whether all bounds above an open entry are not after its end.
    pub(crate) fn allows(&self, words: &[Word], index: u32, end: u64) -> bool {
        let above = |&node: &usize| Some(node >> 1).filter(|&node| node > 0);
        let mut nodes = core::iter::successors(Some(self.node_of(index)), above);
        !BOUNDS || nodes.all(|node| self.bound(words, node) <= end)
    }

    /// The first group of entries in which one may have ended by `now`, of those that are `untried`.
    pub(crate) fn first_group(
        &self,
        words: &[Word],
        now: u64,
        untried: Range<u32>,
    ) -> Option<Range<u32>> {
        let mut first = untried.start;
        if BOUNDS {
            let mut node = 1;
            while node < self.groups && self.bound(words, node) <= now {
                let left = node.wrapping_mul(2);
                node = if self.bound(words, left) <= now { left } else { left.wrapping_add(1) };
            }
            if self.bound(words, node) > now {
                return None;
            }
            first = node.wrapping_sub(self.groups).wrapping_mul(GROUP) as u32;
        }
        (first < untried.end).then_some(first..first.saturating_add(GROUP as u32))
    }
}
