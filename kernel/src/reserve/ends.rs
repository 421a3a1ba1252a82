//! When reservations end, by groups of entries: which may have ended is found without a look at all.
//!
//! Of each group of 64 entries, of each group of 64 groups, and so on, an instant is kept that is
//! not after the first end of an open entry in it. A new end lowers it; what was closed or put off
//! does not raise it, until somebody looks in vain. So a search may recompute the bounds of many
//! groups, but each of them once for an entry that was closed or put off.

use super::slots::layout::{LEAVES, Table};
use super::slots::tables::{self, TICK_WORDS};
use crate::bits::Word;
use core::ops::Range;

/// Entries or groups in a group.
const GROUP: usize = 64;

/// Levels of groups that any number of entries below 2^30 needs; none where there are few entries.
const LEVELS: usize = if LEAVES { 5 } else { 0 };

/// Where the bounds lie in the words of the reservations: those of the groups of entries first,
/// that of all entries last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    levels: [Table; LEVELS],
    end: usize,
}

impl Ends {
    /// The bounds for so many entries, from a word on.
    pub(crate) const fn new(start: usize, entries: usize) -> Self {
        let mut levels = [Table { start, len: 0 }; LEVELS];
        let (mut level, mut start, mut groups) = (0, start, entries.div_ceil(GROUP));
        while level != LEVELS {
            levels[level] = Table { start, len: groups.saturating_mul(TICK_WORDS) };
            start = levels[level].end();
            groups = if groups > 1 { groups.div_ceil(GROUP) } else { 0 };
            level += 1;
        }
        Self { levels, end: start }
    }

    /// The entries of a group.
    const fn group(group: usize) -> Range<u32> {
        let first = group.saturating_mul(GROUP) as u32;
        first..first.saturating_add(GROUP as u32)
    }

    /// An entry ends at `end`.
    pub(crate) fn lower(&self, words: &mut [Word], index: u32, end: u64) {
        let mut at = index as usize;
        for level in self.levels {
            at = at.wrapping_shr(GROUP.trailing_zeros());
            let bounds = level.of_mut(words);
            if bounds.is_empty() || tables::tick(bounds, at) <= end {
                return;
            }
            tables::set_tick(bounds, at, end);
        }
    }

    /// Whether all bounds above an open entry are not after its end.
    pub(crate) fn allow(&self, words: &[Word], index: u32, end: u64) -> bool {
        let shifts = (1u32..).map(|level| level.wrapping_mul(GROUP.trailing_zeros()));
        self.levels.iter().zip(shifts).all(|(level, shift)| {
            let bounds = level.of(words);
            bounds.is_empty() || tables::tick(bounds, (index as usize).wrapping_shr(shift)) <= end
        })
    }

    /// The first group of entries in which one may have ended by `now`, of those that are `untried`;
    /// bounds above it that were too low are raised on the way.
    pub(crate) fn first_group(
        &self,
        words: &mut [Word],
        now: u64,
        untried: Range<u32>,
    ) -> Option<Range<u32>> {
        if !LEAVES {
            let end = untried.start.saturating_add(GROUP as u32);
            return (untried.start < untried.end).then_some(untried.start..end);
        }
        let top = self.levels.iter().rposition(|level| level.len > 0)?;
        loop {
            let (mut group, mut level) = (0usize, top);
            if tables::tick(self.bounds(words, top), 0) > now {
                return None;
            }
            while level > 0 {
                let below = self.bounds(words, level.wrapping_sub(1));
                let (first, least) = first_and_least(below, group, now);
                let Some(first) = first else {
                    self.raise(words, level, group, least);
                    break;
                };
                (group, level) = (first, level.wrapping_sub(1));
            }
            if level == 0 {
                return Some(Self::group(group));
            }
        }
    }

    /// No open entry of a group of entries ends before `least`.
    pub(crate) fn raise_group(&self, words: &mut [Word], group: &Range<u32>, least: u64) {
        let group = group.start.wrapping_shr(GROUP.trailing_zeros());
        self.raise(words, 0, group as usize, least);
    }

    /// The same of a group of groups.
    fn raise(&self, words: &mut [Word], level: usize, group: usize, least: u64) {
        if let Some(level) = self.levels.get(level) {
            tables::set_tick(level.of_mut(words), group, least);
        }
    }

    fn bounds<'a>(&self, words: &'a [Word], level: usize) -> &'a [Word] {
        self.levels.get(level).map_or(&[], |level| level.of(words))
    }

    /// The word behind the last.
    pub(crate) const fn end(&self) -> usize {
        self.end
    }
}

/// Of the bounds of a group of groups the first that is at most `now`, and the least.
fn first_and_least(bounds: &[Word], group: usize, now: u64) -> (Option<usize>, u64) {
    let count = bounds.len() / TICK_WORDS;
    let first = group.saturating_mul(GROUP);
    let mut least = u64::MAX;
    for at in first..first.saturating_add(GROUP).min(count) {
        let bound = tables::tick(bounds, at);
        if bound <= now {
            return (Some(at), bound);
        }
        least = least.min(bound);
    }
    (None, least)
}
