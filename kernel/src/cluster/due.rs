//! Which hosts are to be told what they are to run.

use crate::bits::{WORD_LOG2, Word, bit, ones, set_bit};
use crate::timeshare::HostId;

/// The hosts that are to be told, a bit each.
#[derive(Debug)]
pub(super) struct Due<'a> {
    pub(super) words: &'a mut [Word],
    /// How many of its jobs the first of them was told of.
    pub(super) told: u32,
}

impl Due<'_> {
    /// The first host that is to be told.
    pub(super) fn first(&self) -> Option<HostId> {
        let (at, word) = (0u32..).zip(&*self.words).find(|(_, word)| **word != 0)?;
        let bit = ones(*word).next()?;
        Some(HostId((at << WORD_LOG2).wrapping_add(bit)))
    }

    pub(super) fn contains(&self, host: HostId) -> bool {
        bit(self.words, 0, host.0)
    }

    /// A host is to be told all that it is to run, or nothing more. Whoever is being told is told
    /// from the beginning.
    pub(super) fn put(&mut self, host: HostId, is_due: bool) {
        set_bit(self.words, 0, host.0, is_due);
        self.told = 0;
    }
}
