//! The state of a timeline beside its words, and its parts in these: the slots, and the reservations.

use super::ledger::{Entries, EntryLayout, Ledger};
use super::limits::{Limits, SetupError};
use super::slots::layout::Leaves;
use super::slots::view::Slots;
use crate::bits::Word;
use crate::handle::PoolId;
use crate::slab::Slab;

/// The state of a timeline beside its words. First in these come the slots, then the reservations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calendar<const IDENTITY: bool> {
    pub(super) limits: Limits,
    pub(super) layout: Leaves<IDENTITY>,
    pub(super) entries: EntryLayout,
    pub(super) slab: Slab,
}

impl<const IDENTITY: bool> Calendar<IDENTITY> {
    /// `None` for limits out of range.
    pub(super) const fn new(pool: PoolId, limits: Limits) -> Option<Self> {
        let Limits { pes, reservations } = limits;
        if pes == 0 || reservations == 0 || pes > Limits::MOST || reservations > Limits::MOST {
            return None;
        }
        let Some(layout) = Leaves::new(pes, limits.slots()) else { return None };
        let entries = EntryLayout::new(limits, IDENTITY);
        Some(Self { limits, layout, entries, slab: Slab::new(pool) })
    }

    /// The same if there are words enough.
    pub(super) const fn checked(
        pool: PoolId,
        limits: Limits,
        words: usize,
    ) -> Result<Self, SetupError> {
        let Some(calendar) = Self::new(pool, limits) else { return Err(SetupError::Limits) };
        let needed = calendar.words();
        if words < needed { Err(SetupError::StorageTooSmall { needed }) } else { Ok(calendar) }
    }

    /// The same of another pool, as new.
    pub(super) const fn of_pool(self, pool: PoolId) -> Self {
        Self { slab: Slab::new(pool), ..self }
    }

    pub(super) const fn words(&self) -> usize {
        self.layout.words().saturating_add(self.entries.expiry.end())
    }

    /// Makes all as new, but for the epochs. Storage that is not used is not touched.
    pub(super) fn clear(&mut self, words: &mut [Word]) {
        self.slab = self.slab.emptied();
        self.layout.clear(words);
        let entries = words.get_mut(self.layout.words()..).unwrap_or_default();
        self.entries.expiry.clear(entries);
    }

    pub(super) const fn slots<'a>(&'a self, words: &'a [Word]) -> Slots<'a, IDENTITY> {
        Slots { layout: &self.layout, words }
    }

    /// The reservations, as of `now`.
    pub(super) fn ledger<'a>(&'a self, words: &'a [Word], now: u64) -> Ledger<'a> {
        let words = words.get(self.layout.words()..).unwrap_or_default();
        Ledger { slab: &self.slab, entries: Entries { layout: &self.entries, words }, now }
    }
}
