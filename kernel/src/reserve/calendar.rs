//! The state of a timeline beside its words, and its parts in these: the slots, and the reservations.

use super::ledger::{Entries, EntryLayout, Ledger};
use super::limits::{Limits, SetupError};
use super::slots::array::Shape;
use super::slots::flat::Flat;
#[cfg(feature = "leaf-index")]
use super::slots::leaves::Leaves;
use crate::bits::Word;
use crate::handle::PoolId;
use crate::slab::Slab;

/// The store of the slots: an array where they are few, and leaves where there may be many.
#[derive(Clone, Copy, Debug)]
pub(super) enum AnyStore<const IDENTITY: bool> {
    Flat(Flat<IDENTITY>),
    #[cfg(feature = "leaf-index")]
    Leaves(Leaves<IDENTITY>),
}

impl<const IDENTITY: bool> AnyStore<IDENTITY> {
    const fn new(limits: Limits) -> Option<Self> {
        #[cfg(feature = "leaf-index")]
        if limits.slots() > Leaves::<IDENTITY>::FLAT {
            let Some(leaves) = Leaves::new(limits.pes, limits.slots()) else { return None };
            return Some(Self::Leaves(leaves));
        }
        let Some(shape) = Shape::new(limits.pes, limits.slots(), IDENTITY) else { return None };
        Some(Self::Flat(Flat { shape }))
    }

    const fn words(&self) -> usize {
        match self {
            Self::Flat(flat) => flat.shape.words,
            #[cfg(feature = "leaf-index")]
            Self::Leaves(leaves) => leaves.end(),
        }
    }

    /// Clears what is read before it is written: the first array of slots, and the directory of leaves.
    fn clear(&self, words: &mut [Word]) {
        let (first, directory) = match self {
            Self::Flat(flat) => (flat.shape.words, 0..0),
            #[cfg(feature = "leaf-index")]
            Self::Leaves(leaves) => (leaves.block_words(), leaves.directory()),
        };
        for cleared in [0..first, directory] {
            words.get_mut(cleared).unwrap_or_default().fill(0);
        }
    }
}

/// The state of a timeline beside its words. First in these come the slots, then the reservations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calendar<const IDENTITY: bool> {
    pub(super) limits: Limits,
    pub(super) store: AnyStore<IDENTITY>,
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
        let Some(store) = AnyStore::new(limits) else { return None };
        let entries = EntryLayout::new(limits, IDENTITY);
        Some(Self { limits, store, entries, slab: Slab::new(pool) })
    }

    /// The same if there are words enough.
    pub(super) const fn checked(
        pool: PoolId,
        limits: Limits,
        words: usize,
    ) -> Result<Self, SetupError> {
        let Some(calendar) = Self::new(pool, limits) else { return Err(SetupError::Limits) };
        let needed = calendar.words();
        if words < needed { Err(SetupError::Storage { words: needed }) } else { Ok(calendar) }
    }

    /// The same of another pool, as new.
    pub(super) const fn of_pool(self, pool: PoolId) -> Self {
        Self { slab: Slab::new(pool), ..self }
    }

    pub(super) const fn words(&self) -> usize {
        self.store.words().saturating_add(self.entries.expiry.end())
    }

    /// Makes all as new. Storage that is not used is not touched.
    pub(super) fn clear(&mut self, words: &mut [Word]) {
        *self = self.of_pool(self.slab.pool());
        self.store.clear(words);
        let entries = words.get_mut(self.store.words()..).unwrap_or_default();
        self.entries.expiry.clear(entries);
    }

    /// The reservations, as of `now`.
    pub(super) fn ledger<'a>(&'a self, words: &'a [Word], now: u64) -> Ledger<'a> {
        let words = words.get(self.store.words()..).unwrap_or_default();
        Ledger { slab: &self.slab, entries: Entries { layout: &self.entries, words }, now }
    }
}

/// Does something with the slots of a timeline, whichever store they lie in.
macro_rules! with_slots {
    ($timeline:expr, $slots:ident => $body:expr) => {{
        let timeline = $timeline;
        let words = timeline.words.as_ref();
        match &timeline.calendar.store {
            $crate::reserve::calendar::AnyStore::Flat(store) => {
                let $slots = $crate::reserve::slots::store::Slots { store, words };
                $body
            }
            #[cfg(feature = "leaf-index")]
            $crate::reserve::calendar::AnyStore::Leaves(store) => {
                let $slots = $crate::reserve::slots::store::Slots { store, words };
                $body
            }
        }
    }};
}

/// Changes a timeline, whichever store its slots lie in.
macro_rules! with_edit {
    ($calendar:expr, $words:expr, $edit:ident => $body:expr) => {{
        let calendar = $calendar;
        match &calendar.store {
            $crate::reserve::calendar::AnyStore::Flat(store) => {
                let parts = (&calendar.entries, &mut calendar.slab);
                let $edit = &mut $crate::reserve::edit::Edit::new(store, parts, $words);
                $body
            }
            #[cfg(feature = "leaf-index")]
            $crate::reserve::calendar::AnyStore::Leaves(store) => {
                let parts = (&calendar.entries, &mut calendar.slab);
                let $edit = &mut $crate::reserve::edit::Edit::new(store, parts, $words);
                $body
            }
        }
    }};
}

pub(super) use {with_edit, with_slots};
