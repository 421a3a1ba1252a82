//! The slots of a timeline, for reading: one after the other, by time, and what is known of each leaf.

use super::array::Array;
use super::layout::{Directory, Leaf, LeafSlot, Leaves};
use super::pes::Pes;
use super::tables::{self, Table};
use crate::bits::{Word, load, low_mask};
use crate::time::Instant;

/// From `time` until the next slot's, so many PEs are busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Slot {
    /// When it begins.
    pub time: Instant,
    /// PEs reserved or out of service.
    pub busy: u32,
}

/// The slots: from its time on, a slot says which PEs are busy and how many, up to the time of
/// the next; the last one says it for good.
///
/// - Times rise strictly; the first slot's is the present.
/// - Neighbouring slots differ: in their sets, or in their counts if those are all there is.
/// - The last slot's busy PEs are those out of service: all reservations have ended by then.
#[derive(Clone, Copy)]
pub(crate) struct Slots<'a, const IDENTITY: bool> {
    pub(crate) layout: &'a Leaves<IDENTITY>,
    pub(crate) words: &'a [Word],
}

impl<'a, const IDENTITY: bool> Slots<'a, IDENTITY> {
    // Leaves.

    pub(crate) const fn directory(&self) -> &'a Directory {
        self.layout.directory()
    }

    /// Leaves in use.
    pub(crate) fn leaves(&self) -> usize {
        if self.layout.is_flat() {
            return 1;
        }
        load(self.directory().marks.of(self.words), 0).wrapping_add(1)
    }

    /// Blocks that have been in use.
    pub(crate) fn blocks(&self) -> usize {
        load(self.directory().marks.of(self.words), 1).wrapping_add(1)
    }

    /// The leaf at a place.
    pub(crate) fn leaf(&self, place: usize) -> Leaf {
        if self.layout.is_flat() {
            return Leaf::default();
        }
        let Directory { block_lanes, blocks, .. } = self.directory();
        let block = block_lanes.get_from(self.words, blocks.start, place);
        Leaf::new(place, (block as usize).wrapping_mul(self.layout.block_words()))
    }

    /// The leaf after `leaf`.
    pub(crate) fn leaf_after(&self, leaf: Leaf) -> Option<Leaf> {
        let place = leaf.place().wrapping_add(1);
        (place < self.leaves()).then(|| self.leaf(place))
    }

    /// The slots of a leaf.
    pub(crate) fn array(&self, leaf: Leaf) -> Array<'a, IDENTITY> {
        let words = self.words.get(leaf.block()..).unwrap_or_default();
        Array { shape: &self.layout.shape, words }
    }

    /// Slots in use in a leaf.
    pub(crate) fn len(&self, leaf: Leaf) -> usize {
        self.array(leaf).len()
    }

    /// The times of the first slots of the leaves.
    pub(crate) fn firsts(&self) -> &'a [Word] {
        self.directory().firsts.of(self.words)
    }

    /// What a table of counts has of a leaf.
    fn count_of(&self, table: Table, leaf: Leaf) -> u32 {
        self.layout.shape.counts.get_from(self.words, table.start, leaf.place())
    }

    /// The least count of a leaf.
    pub(crate) fn low(&self, leaf: Leaf) -> u32 {
        self.count_of(self.directory().lows, leaf)
    }

    /// The greatest count of a leaf.
    pub(crate) fn high(&self, leaf: Leaf) -> u32 {
        self.count_of(self.directory().highs, leaf)
    }

    /// What the counts of a leaf are above the stored ones.
    pub(crate) fn lazy_addend(&self, leaf: Leaf) -> i32 {
        if self.layout.is_flat() {
            return 0;
        }
        let base = self.count_of(self.directory().bases, leaf);
        self.low(leaf).wrapping_sub(base) as i32
    }

    /// The lazy set and the union of a leaf.
    pub(crate) fn summary_sets(&self, leaf: Leaf) -> [&'a [Word]; 2] {
        if self.layout.is_flat() {
            return [&[]; 2];
        }
        self.layout.summary_sets(leaf).map(|table| table.of(self.words))
    }

    /// Whether a PE of `pes` is busy in some slot of a leaf that has summaries.
    pub(crate) fn meets(&self, leaf: Leaf, pes: Pes<'_>) -> bool {
        self.summary_sets(leaf).into_iter().any(|set| pes.meets(set))
    }

    // One slot after the other.

    pub(crate) fn start(&self) -> LeafSlot {
        self.leaf(0).slot(0)
    }

    /// The last slot of a leaf.
    pub(crate) fn last_of(&self, leaf: Leaf) -> LeafSlot {
        leaf.slot(self.array(leaf).last())
    }

    pub(crate) fn last(&self) -> LeafSlot {
        self.last_of(self.leaf(self.leaves().wrapping_sub(1)))
    }

    pub(crate) fn next(&self, at: LeafSlot) -> Option<LeafSlot> {
        if at.slot < self.array(at.leaf).last() {
            return Some(at.after());
        }
        self.leaf_after(at.leaf).map(|leaf| leaf.slot(0))
    }

    /// The slot before one.
    fn before(&self, at: LeafSlot) -> Option<LeafSlot> {
        match at.slot.checked_sub(1) {
            Some(slot) => Some(at.leaf.slot(slot)),
            None => Some(self.last_of(self.leaf(at.leaf.place().checked_sub(1)?))),
        }
    }

    /// All slots.
    pub(crate) fn all(&self) -> impl Iterator<Item = LeafSlot> {
        core::iter::successors(Some(self.start()), |&at| self.next(at))
    }

    pub(crate) fn time(&self, at: LeafSlot) -> u64 {
        self.array(at.leaf).time(at.slot)
    }

    /// When a slot begins.
    pub(crate) fn instant(&self, at: LeafSlot) -> Instant {
        Instant::from_ticks(self.time(at))
    }

    /// PEs busy in a slot.
    pub(crate) fn busy(&self, at: LeafSlot) -> u32 {
        self.array(at.leaf).count(at.slot).wrapping_add_signed(self.lazy_addend(at.leaf))
    }

    /// The PEs busy in a slot, as the union of two sets.
    pub(crate) fn sets(&self, at: LeafSlot) -> [&'a [Word]; 2] {
        let [lazy_set, _] = self.summary_sets(at.leaf);
        [self.array(at.leaf).row(at.slot), lazy_set]
    }

    /// Word `at` of the set of PEs busy in a slot.
    pub(crate) fn word(&self, slot: LeafSlot, at: usize) -> Word {
        let [a, b] = self.sets(slot).map(|set| load(set, at));
        a | b
    }

    /// Whether a slot says the same as the one before it.
    pub(crate) fn repeats(&self, at: LeafSlot) -> bool {
        let Some(before) = self.before(at) else { return false };
        if before.leaf == at.leaf {
            return self.array(at.leaf).repeats(at.slot);
        }
        self.busy(at) == self.busy(before)
            && (0..self.layout.shape.row).all(|word| self.word(at, word) == self.word(before, word))
    }

    /// The slot that `time` lies in; the first one for a time in the past.
    pub(crate) fn locate(&self, time: u64) -> LeafSlot {
        let leaf = self.leaf(tables::last_at_most(self.firsts(), 0..self.leaves(), time));
        leaf.slot(self.array(leaf).locate_from(0, time))
    }

    /// The same if it is known to be `at` or a slot after it.
    pub(crate) fn locate_from(&self, at: LeafSlot, time: u64) -> LeafSlot {
        let leaf = self.leaf_from(at.leaf, time);
        let from = if leaf == at.leaf { at.slot } else { 0 };
        leaf.slot(self.array(leaf).locate_from(from, time))
    }

    /// The leaf that `time` lies in, if it is known to be `leaf` or one after it.
    pub(crate) fn leaf_from(&self, leaf: Leaf, time: u64) -> Leaf {
        if self.layout.is_flat() {
            return leaf;
        }
        let (from, firsts, leaves) = (leaf.place(), self.firsts(), self.leaves());
        // It is likely not much later.
        let mut ends = (0..usize::BITS).map(|log| from.saturating_add(1 << log));
        let end = ends.find(|&end| end >= leaves || tables::tick(firsts, end) > time);
        let place = tables::last_at_most(firsts, from..end.unwrap_or(leaves).min(leaves), time);
        if place == from { leaf } else { self.leaf(place) }
    }

    /// The slot that begins at the time `next`, which becomes that of the one after it.
    pub(crate) fn pass(&self, next: &mut Option<u64>) -> Option<Slot> {
        let at = self.locate((*next)?);
        *next = self.next(at).map(|after| self.time(after));
        Some(Slot { time: self.instant(at), busy: self.busy(at) })
    }

    /// The present.
    pub(crate) fn now(&self) -> u64 {
        self.time(self.start())
    }

    /// The PEs of the machine.
    pub(crate) const fn pes(&self) -> u32 {
        self.layout.shape.pes
    }

    /// The PEs that word `at` of a set may name.
    pub(crate) fn known(&self, at: usize) -> Word {
        let before = (at as u32).saturating_mul(Word::BITS);
        low_mask(self.pes().saturating_sub(before))
    }

    /// How many PEs are out of service.
    pub(crate) fn busy_for_good(&self) -> u32 {
        self.busy(self.last())
    }

    /// Word `at` of the set of PEs out of service.
    pub(crate) fn out_of_service(&self, at: usize) -> Word {
        self.word(self.last(), at)
    }
}
