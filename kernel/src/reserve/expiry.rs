//! When reservations end, by groups of entries: which may have ended is found without a look at all.
//!
//! Of each group of 64 entries an instant is kept that is not after the first end of an open entry
//! in it. A new end lowers it; an entry that is closed or ends later does not raise it, until somebody looks
//! in vain. So a search may recompute the bounds of many groups, but each of them once for an entry that
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

/// Where the bounds of the groups lie in the words of the reservations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expiry(Table);

impl Expiry {
    /// The bounds for so many entries, from a word on.
    pub(crate) const fn new(start: usize, entries: usize) -> Self {
        let groups = if BOUNDS { entries.div_ceil(GROUP) } else { 0 };
        Self(Table { start, len: groups.saturating_mul(TICK_WORDS) })
    }

    /// The word behind the last.
    pub(crate) const fn end(&self) -> usize {
        self.0.end()
    }

    /// Nothing is known of any end.
    pub(crate) fn clear(&self, words: &mut [Word]) {
        self.0.of_mut(words).fill(0);
    }

    /// An instant that no open entry of the group of one ends before.
    pub(crate) fn bound(&self, words: &[Word], index: u32) -> u64 {
        if BOUNDS { tables::tick(self.0.of(words), index as usize / GROUP) } else { 0 }
    }

    /// Makes it another one.
    pub(crate) fn set_bound(&self, words: &mut [Word], index: u32, bound: u64) {
        if BOUNDS {
            tables::set_tick(self.0.of_mut(words), index as usize / GROUP, bound);
        }
    }

    /// An entry ends at `end`.
    pub(crate) fn lower(&self, words: &mut [Word], index: u32, end: u64) {
        if self.bound(words, index) > end {
            self.set_bound(words, index, end);
        }
    }

    /// The first group of entries in which one may have ended by `now`, of those that are `untried`.
    pub(crate) fn first_group(
        &self,
        words: &[Word],
        now: u64,
        untried: Range<u32>,
    ) -> Option<Range<u32>> {
        let mut group = untried.start..untried.start.saturating_add(GROUP as u32);
        while group.start < untried.end && self.bound(words, group.start) > now {
            group = group.end..group.end.saturating_add(GROUP as u32);
        }
        (group.start < untried.end).then_some(group)
    }
}
