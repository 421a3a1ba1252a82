//! A sorted array of slots in plain words: all slots of a flat timeline, or those of a leaf.

use super::pes::Pes;
use super::tables::{self, TICK_WORDS};
use crate::bits::{Packed, Sought, Word, algebra, load, words_for};
use crate::slices;
use core::ops::Range;

/// Where in an array of slots what lies: first the times, then the counts, then a word with the last
/// place in use, then the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// PEs of the machine.
    pub(crate) pes: u32,
    /// Slots that there is room for.
    pub(crate) slots: usize,
    /// Words of a row; 0 if only counts are kept.
    pub(crate) row: usize,
    /// Lanes for numbers of busy PEs.
    pub(crate) counts: Packed,
    counts_at: usize,
    last_at: usize,
    rows_at: usize,
    /// Words of all.
    pub(crate) words: usize,
}

impl Shape {
    /// `None` for more PEs than can be counted.
    pub(crate) const fn new(pes: u32, slots: usize, identity: bool) -> Option<Self> {
        let row = if identity { words_for(pes as usize) } else { 0 };
        // PEs out of service can come on top of busy ones when identity is not kept.
        let busiest = if identity { pes } else { 2 * pes };
        let Some(counts) = Packed::holding(busiest) else { return None };
        let counts_at = slots.saturating_mul(TICK_WORDS);
        let last_at = counts_at.saturating_add(counts.words(slots));
        let rows_at = last_at.saturating_add(1);
        let words = rows_at.saturating_add(slots.saturating_mul(row));
        Some(Self { pes, slots, row, counts, counts_at, last_at, rows_at, words })
    }

    /// How many PEs are free where so many are busy, or may be busy where so many are to be free: none where
    /// more are promised than there are.
    pub(crate) const fn free(&self, busy: u32) -> u32 {
        self.pes.saturating_sub(busy)
    }

    fn rows(&self, slots: &Range<usize>) -> Range<usize> {
        let row = |slot: usize| self.rows_at.wrapping_add(slot.wrapping_mul(self.row));
        row(slots.start)..row(slots.end)
    }
}

/// An array of slots, for reading. The words may go on behind it.
pub(crate) struct Array<'a, const IDENTITY: bool> {
    pub(crate) shape: &'a Shape,
    pub(crate) words: &'a [Word],
}

impl<'a, const IDENTITY: bool> Array<'a, IDENTITY> {
    /// The last slot in use. It is stored, and not their number, so that a storage of zeros is an empty
    /// timeline.
    pub(crate) fn last(&self) -> usize {
        load(self.words, self.shape.last_at)
    }

    /// Slots in use.
    pub(crate) fn len(&self) -> usize {
        self.last().wrapping_add(1)
    }

    pub(crate) fn time(&self, slot: usize) -> u64 {
        tables::tick(self.words, slot)
    }

    /// The slot that `time` lies in, which is `from` or a later one; `from` for a time before it.
    pub(crate) fn locate_from(&self, from: usize, time: u64) -> usize {
        tables::last_at_most(self.words, from..self.len(), time)
    }

    fn counts(&self) -> &'a [Word] {
        self.words.get(self.shape.counts_at..).unwrap_or_default()
    }

    /// The count of a slot as stored.
    pub(crate) fn count(&self, slot: usize) -> u32 {
        self.shape.counts.get(self.counts(), slot)
    }

    /// The first slot from `from` on whose stored count is the one sought.
    pub(crate) fn first(&self, from: usize, sought: Sought) -> Option<usize> {
        self.shape.counts.first(self.counts(), from..self.len(), sought)
    }

    /// The last slot of `slots` whose stored count is the one sought.
    pub(crate) fn last_of(&self, slots: Range<usize>, sought: Sought) -> Option<usize> {
        self.shape.counts.last(self.counts(), slots, sought)
    }

    /// The least and the greatest stored count of some slots.
    pub(crate) fn range(&self, slots: Range<usize>) -> (u32, u32) {
        self.shape.counts.least_and_greatest(self.counts(), slots.start, slots.end)
    }

    pub(crate) fn row(&self, slot: usize) -> &'a [Word] {
        self.rows(slot..slot.wrapping_add(1))
    }

    /// The rows of some slots, one after the other.
    pub(crate) fn rows(&self, slots: Range<usize>) -> &'a [Word] {
        self.words.get(self.shape.rows(&slots)).unwrap_or_default()
    }

    /// Whether a slot, not the first one, says the same as the one before it.
    pub(crate) fn repeats(&self, slot: usize) -> bool {
        let before = slot.wrapping_sub(1);
        self.count(slot) == self.count(before)
            && (!IDENTITY || algebra::same(self.row(slot), self.row(before)))
    }

    /// Adds to `busy` the PEs busy in some slots, by their rows.
    pub(crate) fn unite(&self, slots: Range<usize>, busy: &mut [Word]) {
        algebra::unite_rows(busy, self.rows(slots));
    }

    /// The first slot from `from` on with a PE of `pes` in its row.
    pub(crate) fn first_meeting(&self, from: usize, pes: Pes<'_>) -> Option<usize> {
        let rows = self.rows(from..self.len());
        let passed = algebra::first_meeting(rows, self.shape.row, pes.skip, pes.words)?;
        Some(from.wrapping_add(passed))
    }

    /// The last slot before `end` with a PE of `pes` in its row.
    pub(crate) fn last_meeting(&self, end: usize, pes: Pes<'_>) -> Option<usize> {
        algebra::last_meeting(self.rows(0..end), self.shape.row, pes.skip, pes.words)
    }
}

/// An array of slots, to be changed.
pub(crate) struct ArrayMut<'a, const IDENTITY: bool> {
    pub(crate) shape: &'a Shape,
    pub(crate) words: &'a mut [Word],
}

impl<const IDENTITY: bool> ArrayMut<'_, IDENTITY> {
    pub(crate) fn view(&self) -> Array<'_, IDENTITY> {
        Array { shape: self.shape, words: self.words }
    }

    pub(crate) fn set_len(&mut self, len: usize) {
        slices::put(self.words, self.shape.last_at, len.wrapping_sub(1));
    }

    pub(crate) fn set_time(&mut self, slot: usize, time: u64) {
        tables::set_tick(self.words, slot, time);
    }

    fn counts(&mut self) -> &mut [Word] {
        self.words.get_mut(self.shape.counts_at..).unwrap_or_default()
    }

    /// The rows of some slots, one after the other.
    pub(crate) fn rows(&mut self, slots: Range<usize>) -> &mut [Word] {
        self.words.get_mut(self.shape.rows(&slots)).unwrap_or_default()
    }

    /// Puts in a slot behind `slot`: the same, but beginning at `time`.
    pub(crate) fn insert_after(&mut self, slot: usize, time: u64) {
        let (len, after) = (self.view().len(), slot.wrapping_add(1));
        debug_assert!(len < self.shape.slots, "the array has room");
        debug_assert!(self.view().time(slot) < time, "times rise");
        let (lanes, count) = (self.shape.counts, self.view().count(slot));
        tables::insert_tick(self.words, after, len, time);
        lanes.insert(self.counts(), after, len, count);
        if IDENTITY {
            let row = self.shape.row;
            algebra::copy_up(self.rows(slot..len.wrapping_add(1)), row);
        }
        self.set_len(len.wrapping_add(1));
    }

    /// Takes some slots out, but not all.
    pub(crate) fn remove(&mut self, slots: Range<usize>) {
        let (len, lanes) = (self.view().len(), self.shape.counts);
        debug_assert!(slots.end <= len && slots.len() < len, "a slot stays");
        tables::remove_ticks(self.words, slots.start, slots.end, len);
        for taken in 0..slots.len() {
            lanes.remove(self.counts(), slots.start, len.wrapping_sub(taken));
        }
        if IDENTITY {
            let gone = slots.len().wrapping_mul(self.shape.row);
            algebra::copy_down(self.rows(slots.start..len), gone);
        }
        self.set_len(len.wrapping_sub(slots.len()));
    }

    /// Adds `amount` to the stored counts of some slots.
    pub(crate) fn add(&mut self, slots: Range<usize>, amount: i32) {
        let lanes = self.shape.counts;
        lanes.add(self.counts(), slots.start, slots.end, amount);
    }

    /// Changes the row of each of some slots.
    pub(crate) fn each_row(&mut self, slots: Range<usize>, change: impl FnMut(&mut [Word])) {
        let row = self.shape.row.max(1);
        self.rows(slots).chunks_exact_mut(row).for_each(change);
    }

    /// Puts some slots of another array behind those that there are.
    pub(crate) fn append(&mut self, other: &Array<'_, IDENTITY>, slots: Range<usize>) {
        let (len, lanes) = (self.view().len(), self.shape.counts);
        let all = len.wrapping_add(slots.len());
        tables::append_ticks(self.words, len, other.words, slots.clone());
        for (behind, slot) in (len..).zip(slots.clone()) {
            lanes.set(self.counts(), behind, other.count(slot));
        }
        if IDENTITY {
            algebra::copy(self.rows(len..all), other.rows(slots));
        }
        self.set_len(all);
    }
}
