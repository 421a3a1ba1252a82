//! Where the slots of a timeline lie: in sorted leaves under a small directory, so that a change or a search
//! passes over two leaves of slots, and over a summary of each leaf between.
//!
//! - No leaf is empty; two neighbouring leaves together hold more than half of what one can.
//! - A change that covers a leaf is noted once, at the leaf, and pushed down to the slots when one
//!   covers a part of it (lazy propagation): a slot's count is the stored one plus the lazy addend
//!   `low - base` of its leaf, its set the union of its own row and the lazy set of its leaf.
//! - Of each leaf, `low` and `high` are the least and the greatest count, `base` the least stored
//!   count, and the union is that of its own rows.
//!
//! A *flat* timeline is one leaf as large as is needed, with neither directory nor summaries: where slots are
//! few that takes less. What is not kept reads as zero. Without the feature `leaf-index` all are flat, and
//! what concerns other leaves is left out of the program.

use super::array::Shape;
use super::tables::Table;
use crate::bits::{Packed, Word};
use core::ops::Range;

/// Where the leaves lie, and the directory behind them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaves<const IDENTITY: bool> {
    /// The array of slots that a leaf begins with.
    pub(crate) shape: Shape,
    #[cfg(feature = "leaf-index")]
    directory: Directory,
}

/// The tables behind the leaves, and how large a leaf is. A flat timeline has none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Directory {
    /// Leaves that there is room for.
    pub(crate) room: usize,
    /// Words of each set behind the array of slots of a leaf. First the lazy set, the PEs busy in all slots as
    /// far as they were added to the leaf as a whole; then the union of its rows.
    row: usize,
    /// The last leaf in use, and the last block that has been in use. The directory lists those blocks that
    /// are free again behind the leaves in use.
    pub(crate) marks: Table,
    /// One entry a leaf in each table from here on, in the order of time.
    pub(crate) firsts: Table,
    /// The block of each leaf.
    pub(crate) blocks: Table,
    /// Lanes for the numbers of blocks.
    pub(crate) block_lanes: Packed,
    pub(crate) lows: Table,
    pub(crate) highs: Table,
    /// The least stored counts.
    pub(crate) bases: Table,
}

impl Directory {
    /// That of a flat timeline.
    const NONE: Self = {
        let (none, block_lanes) = (Table { start: 0, len: 0 }, Packed::HALVES);
        let [marks, firsts, blocks, lows, highs, bases] = [none; 6];
        Self { room: 1, row: 0, marks, firsts, blocks, block_lanes, lows, highs, bases }
    };

    /// Of so many leaves, which begin with arrays of this shape; `None` for too many.
    #[cfg(feature = "leaf-index")]
    const fn new(room: usize, shape: &Shape) -> Option<Self> {
        let (row, lanes) = (shape.row, Packed::holding(room as u32));
        let Some(block_lanes) = lanes else { return None };
        let block_words = shape.words.saturating_add(row.saturating_mul(2));
        let marks = Table { start: room.saturating_mul(block_words), len: 2 };
        let firsts = marks.next(room.saturating_mul(super::tables::TICK_WORDS));
        let blocks = firsts.next(block_lanes.words(room));
        let lows = blocks.next(shape.counts.words(room));
        let highs = lows.next(lows.len);
        let bases = highs.next(lows.len);
        Some(Self { room, row, marks, firsts, blocks, block_lanes, lows, highs, bases })
    }
}

/// A leaf: its place in the order of time, and where its block begins. A flat timeline has the first only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Leaf {
    #[cfg(feature = "leaf-index")]
    place: usize,
    #[cfg(feature = "leaf-index")]
    block: usize,
}

/// A slot: the leaf, and the place in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LeafSlot {
    pub(crate) leaf: Leaf,
    pub(crate) slot: usize,
}

impl LeafSlot {
    /// The place behind it in its leaf.
    pub(crate) const fn after(self) -> Self {
        self.leaf.slot(self.slot.wrapping_add(1))
    }
}

impl Leaf {
    #[cfg(feature = "leaf-index")]
    pub(crate) const fn new(place: usize, block: usize) -> Self {
        Self { place, block }
    }

    #[cfg(not(feature = "leaf-index"))]
    pub(crate) const fn new(_: usize, _: usize) -> Self {
        Self {}
    }

    pub(crate) const fn place(self) -> usize {
        #[cfg(feature = "leaf-index")]
        return self.place;
        #[cfg(not(feature = "leaf-index"))]
        0
    }

    pub(crate) const fn block(self) -> usize {
        #[cfg(feature = "leaf-index")]
        return self.block;
        #[cfg(not(feature = "leaf-index"))]
        0
    }

    pub(crate) const fn slot(self, slot: usize) -> LeafSlot {
        LeafSlot { leaf: self, slot }
    }
}

impl<const IDENTITY: bool> Leaves<IDENTITY> {
    /// The most slots of a leaf. A change passes over all rows of the leaves at its ends: where there
    /// are any, leaves are smaller.
    const SLOTS: usize = if IDENTITY { 32 } else { 64 };

    /// The most slots of a flat timeline. Counts and times are few words: to move those of three leaves
    /// takes less than to keep leaves and their summaries.
    const FLAT: usize = if IDENTITY { Self::SLOTS } else { 192 };

    /// Leaves of so many slots together; `None` for more PEs than can be counted.
    pub(crate) const fn new(pes: u32, slots: usize) -> Option<Self> {
        let flat = !cfg!(feature = "leaf-index") || slots <= Self::FLAT;
        let most = if flat { slots } else { Self::SLOTS };
        let Some(shape) = Shape::new(pes, most, IDENTITY) else { return None };
        #[cfg(feature = "leaf-index")]
        let directory = if flat {
            Directory::NONE
        } else {
            // Two neighbouring leaves together hold more than half of what one can hold.
            let room = 2 * (slots / (Self::SLOTS / 2 + 1)) + 1;
            let Some(directory) = Directory::new(room, &shape) else { return None };
            directory
        };
        Some(Self {
            shape,
            #[cfg(feature = "leaf-index")]
            directory,
        })
    }

    /// Whether there is one leaf, and nothing beside it.
    pub(crate) const fn is_flat(&self) -> bool {
        !cfg!(feature = "leaf-index") || self.directory().room == 1
    }

    /// Where the directory lies.
    pub(crate) const fn directory(&self) -> &Directory {
        #[cfg(feature = "leaf-index")]
        return &self.directory;
        #[cfg(not(feature = "leaf-index"))]
        &Directory::NONE
    }

    /// Words of a leaf.
    pub(crate) const fn block_words(&self) -> usize {
        self.shape.words.saturating_add(self.directory().row.saturating_mul(2))
    }

    /// Words of all.
    pub(crate) const fn words(&self) -> usize {
        if self.is_flat() { self.shape.words } else { self.directory().bases.end() }
    }

    /// Clears what is read before it is written: the first leaf, and the directory.
    pub(crate) fn clear(&self, words: &mut [Word]) {
        words.get_mut(..self.block_words()).unwrap_or_default().fill(0);
        if !self.is_flat() {
            let directory = self.directory().marks.start..self.words();
            words.get_mut(directory).unwrap_or_default().fill(0);
        }
    }

    /// The words of a leaf.
    pub(crate) const fn block(&self, leaf: Leaf) -> Range<usize> {
        leaf.block()..leaf.block().wrapping_add(self.block_words())
    }

    /// The lazy set and the union of a leaf.
    pub(crate) const fn summary_sets(&self, leaf: Leaf) -> [Table; 2] {
        let start = leaf.block().wrapping_add(self.shape.words);
        let lazy_set = Table { start, len: self.directory().row };
        [lazy_set, lazy_set.next(lazy_set.len)]
    }
}
