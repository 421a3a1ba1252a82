//! Where in the storage of a timeline everything lies.

use super::super::ends::Ends;
use super::tables::TICK_WORDS;
use crate::bits::{Packed, Word, words_for};
use core::ops::Range;

/// How much a timeline can hold.
///
/// ```
/// use locox::reserve::{Limits, Timeline};
/// const SMALL: Limits = Limits { pes: 64, reservations: 15 };
/// assert_eq!(SMALL.slots(), 31);
/// // 15 reservations of 64 PEs fit in 1 KiB, whatever the width of a word.
/// const _: () = assert!(Timeline::words(SMALL) * size_of::<usize>() <= 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Limits {
    /// Processing elements of the machine, 1 to [`Limits::MOST`].
    pub pes: u32,
    /// Reservations held at the same time, 1 to [`Limits::MOST`].
    pub reservations: u32,
}

impl Limits {
    /// The largest limit, 2^30 - 1.
    pub const MOST: u32 = (1 << 30) - 1;

    /// The most slots that a timeline can need: one at either end of each reservation and one
    /// for the present.
    pub const fn slots(self) -> usize {
        (self.reservations as usize).saturating_mul(2).saturating_add(1)
    }
}

/// Limits out of range, or storage too small for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unusable {
    /// A limit is zero or above [`Limits::MOST`].
    Limits,
    /// The storage is too short.
    Storage {
        /// The words needed.
        words: usize,
    },
}

crate::display::error! { Unusable:
    Self::Limits => "a limit is not in 1..={}" (Limits::MOST),
    Self::Storage { words } => "the storage is shorter than {words} words",
}

/// Whether slots are kept in leaves where there are many of them; else all are in one, and the code for
/// more is not linked.
pub(crate) const LEAVES: bool = cfg!(feature = "leaf-index");

/// The most slots of a leaf. A change passes over all rows of the leaves at its ends: where there
/// are any, leaves are smaller, and a word has a bit for each.
const fn leaf_slots(row: usize) -> usize {
    if row == 0 { 64 } else { 32 }
}

/// The most slots of a flat timeline. Counts and times are few words: to move those of three leaves
/// takes less than to keep leaves and their summaries.
const fn flat_slots(row: usize) -> usize {
    if row == 0 { 192 } else { leaf_slots(row) }
}

/// Words of the widest row that moves with its slot. To look for a row by its number takes as long
/// as to move some words of it.
const MOST_MOVED: usize = 32;

/// A table: its first word and its length in words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub(crate) start: usize,
    pub(crate) len: usize,
}

impl Table {
    const NONE: Self = Self { start: 0, len: 0 };

    pub(crate) const fn end(self) -> usize {
        self.start.saturating_add(self.len)
    }

    /// The same, `offset` words further on.
    pub(crate) const fn at(self, offset: usize) -> Self {
        Self { start: self.start.wrapping_add(offset), ..self }
    }

    pub(crate) const fn span(self) -> Range<usize> {
        self.start..self.start.wrapping_add(self.len)
    }

    /// Its words; nothing if they are not all there.
    pub(crate) fn of(self, words: &[Word]) -> &[Word] {
        words.get(self.span()).unwrap_or_default()
    }

    /// As [`Table::of`], to change them.
    pub(crate) fn of_mut(self, words: &mut [Word]) -> &mut [Word] {
        words.get_mut(self.span()).unwrap_or_default()
    }
}

/// Lays tables out one behind the other.
struct Cursor(usize);

impl Cursor {
    /// The next `len` words.
    const fn take(&mut self, len: usize) -> Table {
        let table = Table { start: self.0, len };
        self.0 = table.end();
        table
    }
}

/// The places of all tables in the words of one timeline. First come the slots: the blocks of
/// the leaves, and the directory; after them the reservations.
///
/// A timeline of few slots is *flat*: a plain sorted array, with neither a
/// directory nor summaries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) limits: Limits,
    /// Words of a row; 0 if only counts are kept.
    pub(crate) row: usize,
    /// Lanes for numbers of busy PEs.
    pub(crate) counts: Packed,
    pub(crate) block: Block,
    beside: [Beside; LEAVES as usize],
    directory: [Directory; LEAVES as usize],
    /// Where the reservations begin.
    pub(crate) entries: usize,
    /// Behind them, counted from where they begin, when they end.
    pub(crate) ends: Ends,
}

/// The block of a leaf: where its tables begin, counted from its first word. The times come first, then
/// these, the rows last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) counts: usize,
    /// One word: the last place in use.
    pub(crate) last: usize,
    /// As many rows as slots: the PEs busy in a slot, those of the lazy set left out.
    pub(crate) rows: usize,
    /// Where it ends.
    pub(crate) words: usize,
}

/// What the block of a leaf has beside, before the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beside {
    /// The row of each slot; nothing if rows move with their slots.
    pub(crate) row_ids: Table,
    /// One word: which rows are in use; nothing if those of the slots in use are.
    pub(crate) used: Table,
    /// PEs busy in all slots of the leaf, as far as they were added to the leaf as a whole.
    pub(crate) lazy_set: Table,
    /// The union of the rows.
    pub(crate) union: Table,
}

impl Beside {
    const NONE: Self =
        Self { row_ids: Table::NONE, used: Table::NONE, lazy_set: Table::NONE, union: Table::NONE };
}

/// One entry a leaf in each table, in the order of time; all empty if the timeline is flat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Directory {
    /// Slots of a leaf.
    pub(crate) leaf: usize,
    /// Leaves that there is room for.
    pub(crate) leaves: usize,
    /// Lanes for numbers of leaves, and of the rows of a leaf.
    pub(crate) leaf_ids: Packed,
    pub(crate) row_ids: Packed,
    pub(crate) firsts: Table,
    /// The block of each leaf.
    pub(crate) ids: Table,
    pub(crate) lows: Table,
    pub(crate) highs: Table,
    /// The least stored count.
    pub(crate) bases: Table,
}

impl Directory {
    const NONE: Self = Self {
        leaf: usize::MAX,
        leaves: 1,
        leaf_ids: Packed::HALVES,
        row_ids: Packed::HALVES,
        firsts: Table::NONE,
        ids: Table::NONE,
        lows: Table::NONE,
        highs: Table::NONE,
        bases: Table::NONE,
    };
}

/// Words of a reservation.
const fn entry_words(row: usize) -> usize {
    Layout::ENTRY_HEAD + if row == 0 { 1 } else { row }
}

impl Layout {
    /// `None` for limits out of range. Without identity there are no rows.
    pub(crate) const fn new(limits: Limits, identity: bool) -> Option<Self> {
        let Limits { pes, reservations } = limits;
        if pes == 0 || reservations == 0 || pes > Limits::MOST || reservations > Limits::MOST {
            return None;
        }
        let row = if identity { words_for(pes as usize) } else { 0 };
        let slots = limits.slots();
        let most = if LEAVES { leaf_slots(row) } else { slots };
        let flat = slots <= if LEAVES { flat_slots(row) } else { slots };
        // Two neighbouring leaves together hold more than half of what one can hold.
        let leaves = if flat { 1 } else { 2 * (slots / (most / 2 + 1)) + 1 };
        // PEs out of service can come on top of busy ones when identity is not kept.
        let busiest = if row == 0 { 2 * pes } else { pes };
        let (Some(counts), Some(leaf_ids), Some(row_ids)) = (
            Packed::holding(busiest),
            Packed::holding(leaves as u32),
            Packed::holding(most as u32),
        ) else {
            return None;
        };
        let leaf = if flat { slots } else { most };
        let summary = if flat { 0 } else { row };
        let by_number = LEAVES && row > MOST_MOVED;

        let mut at = Cursor(0);
        at.take(leaf.saturating_mul(TICK_WORDS));
        let counts_at = at.take(counts.words(leaf)).start;
        let last = at.take(1).start;
        let beside = Beside {
            row_ids: at.take(if by_number { row_ids.words(leaf) } else { 0 }),
            used: at.take(by_number as usize),
            lazy_set: at.take(summary),
            union: at.take(summary),
        };
        let rows = at.take(leaf.saturating_mul(row));
        let block = Block { counts: counts_at, last, rows: rows.start, words: rows.end() };
        let mut at = Cursor(leaves.saturating_mul(block.words));
        let listed = if flat { 0 } else { leaves };
        let directory = Directory {
            leaf,
            leaves,
            leaf_ids,
            row_ids,
            firsts: at.take(listed * TICK_WORDS),
            ids: at.take(leaf_ids.words(listed)),
            lows: at.take(counts.words(listed)),
            highs: at.take(counts.words(listed)),
            bases: at.take(counts.words(listed)),
        };
        let entries = at.0;
        let reservations = reservations as usize;
        let ends = Ends::new(reservations.saturating_mul(entry_words(row)), reservations);
        let (beside, directory) = ([beside; LEAVES as usize], [directory; LEAVES as usize]);
        Some(Self { limits, row, counts, block, beside, directory, entries, ends })
    }

    /// The same if there are words enough.
    pub(crate) const fn checked(
        limits: Limits,
        identity: bool,
        words: usize,
    ) -> Result<Self, Unusable> {
        let Some(layout) = Self::new(limits, identity) else { return Err(Unusable::Limits) };
        let needed = layout.words();
        if words < needed { Err(Unusable::Storage { words: needed }) } else { Ok(layout) }
    }

    /// What a leaf has beside its slots; nothing if it is the only one.
    pub(crate) const fn beside(&self) -> Beside {
        if let [beside, ..] = self.beside.as_slice() { *beside } else { Beside::NONE }
    }

    /// What says of the leaves where they are.
    pub(crate) const fn directory(&self) -> Directory {
        if let [directory, ..] = self.directory.as_slice() { *directory } else { Directory::NONE }
    }

    /// The number of a slot's row, by the numbers of its leaf.
    pub(crate) fn row_id(&self, ids: &[Word], slot: usize) -> u32 {
        if !LEAVES || ids.is_empty() {
            slot as u32
        } else {
            self.directory().row_ids.get(ids, slot)
        }
    }

    /// A row, counted from the first one of its leaf.
    pub(crate) const fn row(&self, id: u32) -> Table {
        Table { start: (id as usize).wrapping_mul(self.row), len: self.row }
    }

    pub(crate) const fn is_flat(&self) -> bool {
        self.directory().leaves == 1
    }

    /// Where in a reservation its generation stands: behind start and end.
    pub(crate) const GENERATION: usize = 2 * TICK_WORDS;

    /// Words of a reservation before its PEs; without identity their number follows.
    pub(crate) const ENTRY_HEAD: usize = Self::GENERATION + 1;

    /// A reservation, counted from the first one.
    pub(crate) const fn entry<const IDENTITY: bool>(&self, index: u32) -> Table {
        let len = entry_words(if IDENTITY { self.row } else { 0 });
        Table { start: (index as usize).wrapping_mul(len), len }
    }

    pub(crate) const fn words(&self) -> usize {
        self.entries.saturating_add(self.ends.end())
    }
}
