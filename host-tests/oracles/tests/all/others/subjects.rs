//! Allocators of others, as the suite sees them. Each has eight units, and for frames more that are never free.

use bitmap_allocator::{BitAlloc, BitAlloc16};
use buddy_system_allocator::FrameAllocator;
use locox_oracles::others::Subject;
use range_alloc::RangeAllocator;

const UNITS: u32 = 8;

/// `buddy_system_allocator`: frames in blocks of powers of two.
pub(crate) struct Frames(FrameAllocator<5>);

impl Default for Frames {
    fn default() -> Self {
        let mut frames = FrameAllocator::new();
        frames.add_frame(0, UNITS as usize);
        Self(frames)
    }
}

impl Subject for Frames {
    fn name(&self) -> String {
        "buddy_system_allocator 0.13".into()
    }

    fn units(&self) -> u32 {
        UNITS
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn allocate(&mut self, units: u32) -> Option<u32> {
        self.0.alloc(units as usize).map(|begin| begin as u32)
    }

    fn free(&mut self, begin: u32, units: u32) -> bool {
        self.0.dealloc(begin as usize, units as usize);
        true
    }
}

/// `bitmap-allocator`: a tree of bits; it grants runs, and says whether what comes back was held.
pub(crate) struct Bitmap(BitAlloc16);

impl Default for Bitmap {
    fn default() -> Self {
        let mut bits = BitAlloc16::DEFAULT;
        bits.insert(0..UNITS as usize);
        Self(bits)
    }
}

impl Subject for Bitmap {
    fn name(&self) -> String {
        "bitmap-allocator 0.4".into()
    }

    fn units(&self) -> u32 {
        UNITS
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn allocate(&mut self, units: u32) -> Option<u32> {
        let aligned = units.checked_ilog2().unwrap_or(0) as usize;
        self.0.alloc_contiguous(None, units as usize, aligned).map(|begin| begin as u32)
    }

    fn free(&mut self, begin: u32, units: u32) -> bool {
        self.0.dealloc_contiguous(begin as usize, units as usize)
    }

    /// A unit at a time may come back: it keeps no blocks.
    fn frees_parts(&self) -> bool {
        true
    }
}

/// `range-alloc`: a list of free ranges, here of the slots of a day: a meeting of any length, wherever it fits best.
pub(crate) struct Slots(RangeAllocator<u64>);

impl Default for Slots {
    fn default() -> Self {
        Self(RangeAllocator::new(0..u64::from(UNITS)))
    }
}

impl Subject for Slots {
    fn name(&self) -> String {
        "range-alloc 0.1".into()
    }

    fn units(&self) -> u32 {
        UNITS
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn allocate(&mut self, units: u32) -> Option<u32> {
        self.0.allocate_range(units.into()).ok().map(|range| range.start as u32)
    }

    fn free(&mut self, begin: u32, units: u32) -> bool {
        self.0.free_range(begin.into()..u64::from(begin) + u64::from(units));
        true
    }

    fn sizes(&self) -> Vec<u32> {
        (1..=UNITS).collect()
    }

    fn may_begin(&self, _: u32, _: u32) -> bool {
        true
    }

    /// Slots may come back one by one.
    fn frees_parts(&self) -> bool {
        true
    }

    fn free_units(&self) -> Option<u32> {
        Some(
            UNITS
                - self.0.allocated_ranges().map(|range| range.end - range.start).sum::<u64>()
                    as u32,
        )
    }
}
