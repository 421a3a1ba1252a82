//! Maximal rectangles: PEs that are free together, and since and until when all of them are.
//!
//! Rule, from Li et al., section 4.2: take the PEs free all through a candidate's interval, and
//! stretch it into the past and the future as long as all of them stay free.
//!
//! The source leaves two things open. Here a rectangle begins at the present at the earliest, and
//! one that stays free for good ends at the end of time. Without identity, which the source does
//! not treat, a rectangle is as high as the least number free in the interval, and is stretched
//! as long as so many are free.
//!
//! Cost: on either side a look at the union of each leaf passed, and at the rows of one leaf. In a flat
//! timeline with rows of one or two words, at the rows up to the first that has one of the PEs busy.

use super::super::slots::rows::Claim;
use super::super::slots::tables::{self, Tick};
use super::super::slots::{At, Slots};
use crate::bits::{Word, algebra};
use crate::time::Instant;
use core::ops::Range;

/// PEs that are free together, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Rectangle {
    /// Since when all of them are free; not before the present.
    pub begin: Instant,
    /// Until when all of them are free; [`Instant::MAX`] if for good.
    pub end: Instant,
    /// How many.
    pub pes: u32,
}

impl Rectangle {
    /// Its duration in ticks; an open end counts as [`Instant::MAX`].
    pub const fn duration(&self) -> u64 {
        self.end.ticks().saturating_sub(self.begin.ticks())
    }

    /// PEs times duration.
    pub const fn area(&self) -> u128 {
        (self.pes as u128).wrapping_mul(self.duration() as u128)
    }
}

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// Stretches the PEs free from the slot `head` up to but not including `to`, `pes` in number, to
    /// their maximal rectangle. The `times` are those of the leaf that they begin in.
    pub(crate) fn stretch(
        &self,
        head: At,
        to: At,
        times: &[Tick],
        pes: u32,
        free: &[Word],
    ) -> Rectangle {
        if IDENTITY
            && self.layout.is_flat()
            && let Some(rows) = self.columns(head.leaf.slot(0), times.len())
            && let Some(around) = around(rows, head.slot..to.slot, free)
        {
            let at = |slot| Instant::from_ticks(times.get(slot).map_or(u64::MAX, tables::value));
            return Rectangle { begin: at(around.start), end: at(around.end), pes };
        }
        let (before, after) = if !IDENTITY {
            let limit = self.layout.limits.pes.wrapping_sub(pes);
            (self.last_above(head, limit), self.first_above(to, u64::MAX, limit))
        } else {
            let claim = Claim { count: pes, skip: 0, words: free };
            // Behind the last slot of a leaf none of these PEs is in the leaf's lazy set.
            (self.last_meeting(head, claim), self.first_meeting(to, u64::MAX, claim))
        };
        let begin = before.and_then(|at| self.next(at)).unwrap_or_else(|| self.start());
        Rectangle {
            begin: Instant::from_ticks(self.time(begin)),
            end: after.map_or(Instant::MAX, |at| Instant::from_ticks(self.time(at))),
            pes,
        }
    }
}

/// The rows around `some` in which all PEs of `free` stay free, and these; only of the narrowest rows, which
/// stay in registers.
fn around(rows: &[Word], some: Range<usize>, free: &[Word]) -> Option<Range<usize>> {
    match *free {
        [a] => Some(algebra::stretch(rows, some, &[a])),
        [a, b] => Some(algebra::stretch(rows, some, &[a, b])),
        _ => None,
    }
}
