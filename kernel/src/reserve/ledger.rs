//! The reservations: when, which PEs, and in which generation of their entry.

use super::refusal::{Misuse, Refusal};
use super::request::Placement;
use super::slots::layout::Layout;
use super::slots::rows::Claim;
use super::slots::tables;
use crate::bits::{Word, algebra, load, locate, word_mut};
use crate::handle::{self, Generation, Handle};
use crate::invariant::{InvariantViolation, ensure};
use crate::list::Ref;
use crate::slab::{Rows, RowsMut, Slab, Tag};
use crate::time::Instant;
use core::ops::Range;

/// Names a reservation of one timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ReservationId(Handle);

impl ReservationId {
    /// The name by its handle.
    pub const fn from_handle(handle: Handle) -> Self {
        Self(handle)
    }

    /// The handle that the entry is checked against.
    pub const fn handle(self) -> Handle {
        self.0
    }

    /// The number of its entry, below the limit of reservations; it may be in use again by
    /// another reservation.
    pub const fn index(self) -> u32 {
        self.0.index()
    }
}

crate::display::display! { ReservationId: it => "reservation {}" (it.index()) }

/// What is known of a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Reservation {
    /// Its name.
    pub id: ReservationId,
    /// From when to when.
    pub at: Placement,
    /// How many PEs.
    pub pes: u32,
}

crate::display::display! { Reservation: it => "{} on {} PEs" (it.at, it.pes) }

/// The entries, one after the other: start, end, generation, and the PEs or their number. The
/// first word of one that is closed is a link.
#[derive(Clone, Copy)]
pub(super) struct Entries<'a, W, const IDENTITY: bool> {
    pub(super) layout: &'a Layout,
    pub(super) words: W,
}

impl<const IDENTITY: bool> Rows for Entries<'_, &[Word], IDENTITY> {
    fn count(&self) -> usize {
        self.layout.limits.reservations as usize
    }

    fn tag(&self, row: u32) -> Tag {
        let entry = self.layout.entry::<IDENTITY>(row).of(self.words);
        let [generation, next] = [Layout::GENERATION, 0].map(|at| load(entry, at) as u32);
        Tag { generation: Generation::from_raw(generation), next: Ref::from_raw(next) }
    }
}

impl<const IDENTITY: bool> Rows for Entries<'_, &mut [Word], IDENTITY> {
    fn count(&self) -> usize {
        self.view().count()
    }

    fn tag(&self, row: u32) -> Tag {
        self.view().tag(row)
    }
}

impl<const IDENTITY: bool> Entries<'_, &mut [Word], IDENTITY> {
    fn view(&self) -> Entries<'_, &[Word], IDENTITY> {
        Entries { layout: self.layout, words: self.words }
    }

    fn get_mut(&mut self, index: u32) -> &mut [Word] {
        self.layout.entry::<IDENTITY>(index).of_mut(self.words)
    }
}

impl<const IDENTITY: bool> RowsMut for Entries<'_, &mut [Word], IDENTITY> {
    fn set_tag(&mut self, row: u32, tag: Tag) {
        let entry = self.get_mut(row);
        for (at, value) in [(Layout::GENERATION, tag.generation.raw()), (0, tag.next.raw())] {
            word_mut(entry, at).into_iter().for_each(|word| *word = value as Word);
        }
    }
}

/// The reservations, for reading.
///
/// - A reservation is live if its entry is open and its end is yet to come. The entry of one that
///   has ended is closed when its place is needed; nobody can tell the difference.
#[derive(Clone, Copy)]
pub(super) struct Ledger<'a, const IDENTITY: bool> {
    pub(super) slab: &'a Slab,
    pub(super) entries: Entries<'a, &'a [Word], IDENTITY>,
    /// The present.
    pub(super) now: u64,
}

impl<'a, const IDENTITY: bool> Ledger<'a, IDENTITY> {
    fn entry(&self, index: u32) -> &'a [Word] {
        self.entries.layout.entry::<IDENTITY>(index).of(self.entries.words)
    }

    pub(super) fn placement(&self, index: u32) -> Placement {
        let [start, end] =
            [0, 1].map(|at| Instant::from_ticks(tables::tick(self.entry(index), at)));
        Placement { start, end }
    }

    /// The PEs, or one word with their number if identity is not kept.
    pub(super) fn set(&self, index: u32) -> &'a [Word] {
        self.entry(index).get(Layout::ENTRY_HEAD..).unwrap_or_default()
    }

    pub(super) fn claim(&self, index: u32) -> Claim<'a> {
        let set = self.set(index);
        if IDENTITY { Claim::of_set(set) } else { Claim::of_count(load(set, 0) as u32) }
    }

    /// What is known of a live reservation.
    pub(super) fn reservation(&self, id: ReservationId) -> Reservation {
        Reservation { id, at: self.placement(id.index()), pes: self.claim(id.index()).count }
    }

    /// Whether an entry's reservation has ended, if it is open.
    fn has_ended(&self, index: u32) -> bool {
        tables::tick(self.entry(index), 1) <= self.now
    }

    /// The entry of a live reservation.
    pub(super) fn find(&self, id: ReservationId) -> Result<u32, Misuse> {
        let index = self.slab.find(&self.entries, id.0)?;
        if self.has_ended(index) { Err(handle::Misuse::Stale.into()) } else { Ok(index) }
    }

    /// The same, when it is and what it holds.
    pub(super) fn held(&self, id: ReservationId) -> Result<(u32, Placement, Claim<'a>), Misuse> {
        self.find(id).map(|index| (index, self.placement(index), self.claim(index)))
    }

    /// The live reservations, in the order of their entries.
    pub(super) fn live(self) -> impl Iterator<Item = ReservationId> + 'a {
        let rows = (0..self.slab.used()).filter(move |&row| !self.has_ended(row));
        let named = rows.map(move |row| ReservationId(self.slab.handle(&self.entries, row)));
        named.filter(|id| id.0.generation().is_live())
    }

    /// No bound of ends is after the end of an open entry.
    pub(super) fn check_ends(self) -> Result<(), InvariantViolation> {
        let Entries { layout, words } = self.entries;
        let allowed = |row| layout.ends.allow(words, row, self.placement(row).end.ticks());
        let open = self.slab.open_rows(&self.entries).all(allowed);
        ensure(open, "a bound of ends is not after the end of an open entry")
    }

    /// Those of them that hold a PE.
    pub(super) fn holders(self, pe: u32) -> impl Iterator<Item = ReservationId> + 'a {
        let (at, mask) = locate(pe as usize);
        self.live().filter(move |id| load(self.set(id.index()), at) & mask != 0)
    }
}

/// The reservations, to be changed.
pub(super) struct LedgerMut<'a, const IDENTITY: bool> {
    pub(super) slab: &'a mut Slab,
    pub(super) entries: Entries<'a, &'a mut [Word], IDENTITY>,
    pub(super) now: u64,
}

impl<const IDENTITY: bool> LedgerMut<'_, IDENTITY> {
    pub(super) fn view(&self) -> Ledger<'_, IDENTITY> {
        Ledger { slab: self.slab, entries: self.entries.view(), now: self.now }
    }

    /// As [`Ledger::set`], to change it.
    pub(super) fn set(&mut self, index: u32) -> &mut [Word] {
        self.entries.get_mut(index).get_mut(Layout::ENTRY_HEAD..).unwrap_or_default()
    }

    /// Notes what a reservation takes.
    pub(super) fn record(&mut self, index: u32, claim: Claim<'_>) {
        let set = self.set(index);
        if IDENTITY {
            set.fill(0);
            algebra::copy(claim.part_mut(set), claim.words);
        } else {
            algebra::copy(set, &[claim.count as Word]);
        }
    }

    /// The entry that [`LedgerMut::open`] will take. It can be written to already.
    pub(super) fn vacant(&mut self) -> Result<u32, Refusal> {
        if !self.has_vacant() {
            self.close_ended();
        }
        self.slab.next_row(&self.entries).ok_or(Refusal::Full)
    }

    /// Whether an entry is not open.
    pub(super) fn has_vacant(&self) -> bool {
        self.slab.next_row(&self.entries).is_some()
    }

    /// Closes entries of what has ended, if any has: those of one group.
    fn close_ended(&mut self) {
        let (ends, mut untried) = (self.entries.layout.ends, 0);
        while let Some(group) =
            ends.first_group(self.entries.words, self.now, untried..self.slab.used())
        {
            let open = self.slab.open_count();
            let least = self.close_ended_of(group.clone());
            ends.raise_group(self.entries.words, &group, least);
            if self.slab.open_count() < open {
                return;
            }
            untried = group.end;
        }
    }

    /// Closes those of a group; when the first of the others ends.
    fn close_ended_of(&mut self, group: Range<u32>) -> u64 {
        let mut least = u64::MAX;
        for index in group.start..group.end.min(self.slab.used()) {
            if !self.entries.tag(index).generation.is_live() {
                continue;
            }
            let end = self.view().placement(index).end.ticks();
            if end <= self.now { self.close(index) } else { least = least.min(end) }
        }
        least
    }

    /// Opens the entry that [`LedgerMut::vacant`] returned.
    pub(super) fn open(&mut self, index: u32, placement: Placement) -> ReservationId {
        let opened = self.slab.open(&mut self.entries);
        debug_assert_eq!(opened, Some(index), "the entry that was said to be vacant is opened");
        self.place(index, placement);
        ReservationId(self.slab.handle(&self.entries, index))
    }

    pub(super) fn place(&mut self, index: u32, placement: Placement) {
        let entry = self.entries.get_mut(index);
        tables::set_tick(entry, 0, placement.start.ticks());
        tables::set_tick(entry, 1, placement.end.ticks());
        let Entries { layout, words } = &mut self.entries;
        layout.ends.lower(words, index, placement.end.ticks());
    }

    pub(super) fn close(&mut self, index: u32) {
        self.slab.close(&mut self.entries, index);
    }
}
