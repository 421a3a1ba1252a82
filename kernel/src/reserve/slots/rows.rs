//! The rows of a leaf, which PEs are busy in each of its slots, and what a change takes or gives.

use super::layout::{LEAVES, Layout};
use crate::bits::{Word, algebra, low_mask};

use core::ops::Range;
use core::slice;

/// PEs that a change or a reservation concerns, without the zero words around them where rows may be
/// long, so that a change of few PEs touches few words of each row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim<'a> {
    /// How many PEs.
    pub(crate) count: u32,
    /// Words of a row before the first of `words`.
    pub(crate) skip: usize,
    /// Empty if only counts are kept.
    pub(crate) words: &'a [Word],
}

impl<'a> Claim<'a> {
    /// PEs without identity.
    pub(crate) const fn of_count(count: u32) -> Self {
        Self { count, skip: 0, words: &[] }
    }

    /// The members of `set`.
    pub(crate) fn of_set(set: &'a [Word]) -> Self {
        if !LEAVES {
            return Self { count: algebra::count(set), skip: 0, words: set };
        }
        let skip = set.iter().position(|&word| word != 0).unwrap_or(set.len());
        let end = set.iter().rposition(|&word| word != 0).map_or(skip, |at| at.wrapping_add(1));
        let words = set.get(skip..end).unwrap_or(&[]);
        Self { count: algebra::count(words), skip, words }
    }

    /// The members of word `skip` of a row.
    pub(crate) const fn of_word(skip: usize, word: &'a Word) -> Self {
        Self { count: word.count_ones(), skip, words: slice::from_ref(word) }
    }

    /// The words of a row that the claim reaches.
    pub(crate) fn part<'r>(&self, row: &'r [Word]) -> &'r [Word] {
        row.get(self.skip..self.skip.wrapping_add(self.words.len())).unwrap_or(&[])
    }

    /// As [`Claim::part`], to change them.
    pub(crate) fn part_mut<'r>(&self, row: &'r mut [Word]) -> &'r mut [Word] {
        row.get_mut(self.skip..self.skip.wrapping_add(self.words.len())).unwrap_or(&mut [])
    }

    pub(crate) fn meets(&self, row: &[Word]) -> bool {
        if LEAVES {
            return algebra::meet(self.part(row), self.words);
        }
        self.part(row).iter().zip(self.words).any(|(a, b)| a & b != 0)
    }
}

/// The rows of a leaf, to be changed. Sets on the same PE never overlap in time; so what is taken
/// away was added exactly once, to a row or to the lazy set.
///
/// - A slot's set is the union of its row and the lazy set.
/// - `union` is the union of the rows.
/// - Wide rows stay where they are: each slot has the number of one, and no two slots have the same.
///   Others move with their slots, and have the same numbers.
pub(crate) struct LeafRows<'a> {
    layout: &'a Layout,
    /// Slots in use.
    len: usize,
    ids: &'a mut [Word],
    /// Stored with the first bit turned, so that zeros are a slot with the first row.
    used: &'a mut [Word],
    rows: &'a mut [Word],
    /// Empty in a flat timeline, as `union` is.
    lazy_set: &'a mut [Word],
    union: &'a mut [Word],
}

impl<'a> LeafRows<'a> {
    /// Those of the leaf in `block`, which has `len` slots.
    pub(crate) fn of(layout: &'a Layout, block: &'a mut [Word], len: usize) -> Self {
        let at = layout.beside();
        let (before, rows) = block.split_at_mut_checked(layout.block.rows).unwrap_or_default();
        let mut rest = before.get_mut(at.row_ids.start..).unwrap_or_default();
        let [ids, used, lazy_set, union] =
            [at.row_ids, at.used, at.lazy_set, at.union].map(|table| match () {
                () if LEAVES => rest.split_off_mut(..table.len).unwrap_or_default(),
                () => &mut [],
            });
        Self { layout, len, ids, used, rows, lazy_set, union }
    }

    // Which rows.

    fn move_with_slots(&self) -> bool {
        !LEAVES || self.ids.is_empty()
    }

    fn used(&self) -> Word {
        self.used.first().map_or(low_mask(self.len as u32), |&stored| stored ^ 1)
    }

    fn set_used(&mut self, used: Word) {
        if let Some(stored) = self.used.first_mut() {
            *stored = used ^ 1;
        }
    }

    fn id(&self, slot: usize) -> u32 {
        self.layout.row_id(self.ids, slot)
    }

    /// A row that was free.
    fn take(&mut self) -> u32 {
        let used = self.used();
        self.set_used(used | used.wrapping_add(1));
        used.trailing_ones()
    }

    /// The rows `from..to`.
    fn from(&mut self, from: usize, to: usize) -> &mut [Word] {
        let row = self.layout.row;
        let span = from.wrapping_mul(row)..to.wrapping_mul(row);
        self.rows.get_mut(span).unwrap_or_default()
    }

    fn copy(&mut self, from: u32, to: u32) {
        let places = [to, from].map(|id| self.layout.row(id).span());
        if let Ok([to, from]) = self.rows.get_disjoint_mut(places) {
            algebra::copy(to, from);
        }
    }

    /// Puts in behind `slot` another one with as many PEs busy.
    pub(crate) fn double(&mut self, slot: usize) {
        if self.move_with_slots() {
            let width = self.layout.row;
            let moved = self.from(slot, self.len.wrapping_add(1));
            algebra::copy_up(moved, width);
        } else {
            let (from, to) = (self.id(slot), self.take());
            self.copy(from, to);
            self.layout.directory().row_ids.insert(self.ids, slot.wrapping_add(1), self.len, to);
        }
        self.len = self.len.wrapping_add(1);
    }

    /// Puts in a slot behind the last one.
    pub(crate) fn push(&mut self, set: &[Word]) {
        let id = self.take();
        algebra::copy(self.layout.row(id).of_mut(self.rows), set);
        self.layout.directory().row_ids.set(self.ids, self.len, id);
        self.len = self.len.wrapping_add(1);
    }

    /// Takes slots out.
    pub(crate) fn take_out(&mut self, slots: Range<usize>) {
        if self.move_with_slots() {
            let gone = slots.len().wrapping_mul(self.layout.row);
            algebra::copy_down(self.from(slots.start, self.len), gone);
            self.len = self.len.wrapping_sub(slots.len());
            return;
        }
        for _ in slots.clone() {
            let freed = (1 as Word).wrapping_shl(self.id(slots.start));
            self.set_used(self.used() & !freed);
            self.layout.directory().row_ids.remove(self.ids, slots.start, self.len);
            self.len = self.len.wrapping_sub(1);
        }
    }

    /// No slot is in use.
    pub(crate) fn clear(&mut self) {
        self.set_used(0);
        self.len = 0;
    }

    // What they say.

    /// Changes the rows of the slots `slots`.
    fn each(&mut self, slots: Range<usize>, mut change: impl FnMut(&mut [Word])) {
        if self.move_with_slots() {
            let row = self.layout.row.max(1);
            return self.from(slots.start, slots.end).chunks_exact_mut(row).for_each(change);
        }
        for slot in slots {
            let row = self.layout.row(self.id(slot));
            change(row.of_mut(self.rows));
        }
    }

    /// Makes the PEs of `claim` busy in the slots `from..to`.
    pub(crate) fn occupy(&mut self, from: usize, to: usize, claim: Claim<'_>) {
        debug_assert!(from < to && to <= self.len, "slots of the leaf are changed");
        if from == 0 && to == self.len && !self.lazy_set.is_empty() {
            algebra::unite(claim.part_mut(self.lazy_set), claim.words);
            return;
        }
        self.each(from..to, |row| algebra::unite(claim.part_mut(row), claim.words));
        algebra::unite(claim.part_mut(self.union), claim.words);
    }

    /// In the only leaf: makes the PEs of `claim` busy in the slots `from..to`, or free, whichever they
    /// are not.
    pub(crate) fn turn(&mut self, from: usize, to: usize, claim: Claim<'_>) {
        self.each(from..to, |row| algebra::turn(claim.part_mut(row), claim.words));
    }

    /// Makes the PEs of `claim` free in the slots `from..to`.
    pub(crate) fn vacate(&mut self, from: usize, to: usize, claim: Claim<'_>) {
        let lazy = claim.meets(self.lazy_set);
        let partly = from > 0 || to < self.len;
        if lazy && partly {
            self.push_down(claim);
        } else if lazy {
            algebra::subtract(claim.part_mut(self.lazy_set), claim.words);
        }
        if self.union.is_empty() || claim.meets(self.union) {
            self.each(from..to, |row| algebra::subtract(claim.part_mut(row), claim.words));
            self.reunite(claim.skip, claim.words.len());
        }
    }

    /// Moves what the lazy set holds of `claim` into the rows.
    fn push_down(&mut self, claim: Claim<'_>) {
        let lazy_set = core::mem::take(&mut self.lazy_set);
        let held = || claim.part(lazy_set).iter().zip(claim.words).map(|(a, b)| a & b);
        let add = |row: &mut [Word]| {
            claim.part_mut(row).iter_mut().zip(held()).for_each(|(word, held)| *word |= held);
        };
        self.each(0..self.len, add);
        add(self.union);
        algebra::subtract(claim.part_mut(lazy_set), claim.words);
        self.lazy_set = lazy_set;
    }

    /// Moves the whole lazy set into the rows. The union is to be recomputed.
    pub(crate) fn push_down_all(&mut self) {
        let moved = core::mem::take(&mut self.lazy_set);
        self.each(0..self.len, |row| algebra::unite(row, moved));
        moved.fill(0);
        self.lazy_set = moved;
    }

    /// Recomputes `len` words from `skip` on of the union.
    pub(crate) fn reunite(&mut self, skip: usize, len: usize) {
        let union = core::mem::take(&mut self.union);
        if let Some(part) = union.get_mut(skip..skip.wrapping_add(len)) {
            part.fill(0);
            self.each(0..self.len, |row| algebra::unite(part, row.get(skip..).unwrap_or_default()));
        }
        self.union = union;
    }
}
