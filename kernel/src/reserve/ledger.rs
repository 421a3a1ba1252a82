//! The reservations: when, which PEs, and in which generation of their entry.

use super::refusal::Refusal;
use super::request::Placement;
use super::slots::layout::Layout;
use super::slots::rows::{Claim, Wish};
use super::slots::tables;
use super::slots::tables::TICK_WORDS;
use crate::bits::{Word, algebra, load, locate, word_mut};
use crate::broken::Broken;
use crate::handle::{Generation, Handle, Misuse};
use crate::list::Ref;
use crate::slab::{Rows, RowsMut, Slab};
use crate::time::Instant;

/// Names a reservation of one timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ReservationId(Handle);

impl ReservationId {
    /// The number of its entry, below the limit of reservations; it may be in use again by
    /// another reservation.
    pub const fn index(self) -> u32 {
        self.0.index()
    }
}

crate::shown::shown! { ReservationId: it => "reservation {}" (it.index()) }

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

crate::shown::shown! { Reservation: it => "{} on {} PEs" (it.at, it.pes) }

/// The entries, one after the other: start, end, generation, and the PEs or their number. The
/// first word of one that is closed is a link.
#[derive(Clone, Copy)]
struct Entries<'a, W> {
    layout: &'a Layout,
    words: W,
}

/// Where in an entry the generation stands, and where the PEs begin.
const GENERATION: usize = 2 * TICK_WORDS;
const SET: usize = Layout::ENTRY_HEAD;

impl<'a> Entries<'a, &'a [Word]> {
    fn get(&self, index: u32) -> &'a [Word] {
        let start = (index as usize).wrapping_mul(self.layout.entry());
        self.words.get(start..start.wrapping_add(self.layout.entry())).unwrap_or(&[])
    }
}

impl<W: AsRef<[Word]>> Entries<'_, W> {
    fn view(&self) -> Entries<'_, &[Word]> {
        Entries { layout: self.layout, words: self.words.as_ref() }
    }
}

impl Entries<'_, &mut [Word]> {
    fn get_mut(&mut self, index: u32) -> &mut [Word] {
        let start = (index as usize).wrapping_mul(self.layout.entry());
        self.words.get_mut(start..start.wrapping_add(self.layout.entry())).unwrap_or(&mut [])
    }

    fn set_word(&mut self, index: u32, at: usize, value: u32) {
        if let Some(word) = word_mut(self.get_mut(index), at) {
            *word = value as Word;
        }
    }
}

impl<W: AsRef<[Word]>> Rows for Entries<'_, W> {
    fn count(&self) -> usize {
        self.layout.reservations as usize
    }

    fn generation(&self, row: u32) -> Generation {
        Generation::from_raw(load(self.view().get(row), GENERATION) as u32)
    }

    fn link(&self, row: u32) -> Ref {
        Ref::from_raw(load(self.view().get(row), 0) as u32)
    }
}

impl RowsMut for Entries<'_, &mut [Word]> {
    fn set_generation(&mut self, row: u32, generation: Generation) {
        self.set_word(row, GENERATION, generation.raw());
    }

    fn set_link(&mut self, row: u32, next: Ref) {
        self.set_word(row, 0, next.raw());
    }
}

/// The reservations, for reading.
///
/// - A reservation is live if its entry is open and its end is yet to come. The entry of one that
///   has ended is closed when its place is needed; nobody can tell the difference.
#[derive(Clone, Copy)]
pub(super) struct Ledger<'a> {
    slab: &'a Slab,
    entries: Entries<'a, &'a [Word]>,
    now: u64,
}

impl<'a> Ledger<'a> {
    /// Over the storage of the reservations.
    pub(super) const fn new(
        layout: &'a Layout,
        slab: &'a Slab,
        now: u64,
        words: &'a [Word],
    ) -> Self {
        Self { slab, entries: Entries { layout, words }, now }
    }

    pub(super) fn placement(&self, index: u32) -> Placement {
        let entry = self.entries.get(index);
        let (start, end) = (tables::tick(entry, 0), tables::tick(entry, 1));
        Placement { start: Instant::from_ticks(start), end: Instant::from_ticks(end) }
    }

    /// The PEs, or one word with their number if identity is not kept.
    pub(super) fn set(&self, index: u32) -> &'a [Word] {
        self.entries.get(index).get(SET..).unwrap_or(&[])
    }

    pub(super) fn claim(&self, index: u32) -> Claim<'a> {
        let (set, row) = (self.set(index), self.entries.layout.row);
        if row == 0 { Claim::of_count(load(set, 0) as u32) } else { Claim::of_set(set) }
    }

    pub(super) fn holds(&self, index: u32, pe: u32) -> bool {
        let (at, mask) = locate(pe as usize);
        self.entries.layout.row > 0 && load(self.set(index), at) & mask != 0
    }

    /// What is known of the reservation of an entry.
    pub(super) fn reservation(&self, index: u32, id: ReservationId) -> Reservation {
        Reservation { id, at: self.placement(index), pes: self.claim(index).count }
    }

    /// Whether an open entry's reservation has ended.
    fn has_ended(&self, index: u32) -> bool {
        tables::tick(self.entries.get(index), 1) <= self.now
    }

    /// The entry of a live reservation.
    pub(super) fn find(&self, id: ReservationId) -> Result<u32, Misuse> {
        let index = self.slab.find(&self.entries, id.0)?;
        if self.has_ended(index) { Err(Misuse::Stale) } else { Ok(index) }
    }

    /// The same, and when it is.
    pub(super) fn held(&self, id: ReservationId) -> Result<(u32, Placement), Misuse> {
        self.find(id).map(|index| (index, self.placement(index)))
    }

    /// The live reservations, in the order of their entries.
    pub(super) fn live(self) -> impl Iterator<Item = (u32, ReservationId)> + 'a {
        let open = (0..self.slab.used()).filter(move |&at| self.entries.generation(at).is_live());
        let live = open.filter(move |&index| !self.has_ended(index));
        live.map(move |index| (index, ReservationId(self.slab.handle(&self.entries, index))))
    }

    pub(super) fn check(&self) -> Result<(), Broken> {
        self.slab.check(&self.entries)
    }
}

/// The reservations, to be changed.
pub(super) struct LedgerMut<'a> {
    slab: &'a mut Slab,
    entries: Entries<'a, &'a mut [Word]>,
    now: u64,
}

impl<'a> LedgerMut<'a> {
    /// Over the storage of the reservations.
    pub(super) const fn new(
        layout: &'a Layout,
        slab: &'a mut Slab,
        now: u64,
        words: &'a mut [Word],
    ) -> Self {
        Self { slab, entries: Entries { layout, words }, now }
    }

    pub(super) fn view(&self) -> Ledger<'_> {
        Ledger { slab: self.slab, entries: self.entries.view(), now: self.now }
    }

    pub(super) const fn now(&self) -> u64 {
        self.now
    }

    /// As [`Ledger::set`], to change it.
    pub(super) fn set(&mut self, index: u32) -> &mut [Word] {
        self.entries.get_mut(index).get_mut(SET..).unwrap_or(&mut [])
    }

    /// Notes what a reservation takes.
    pub(super) fn record(&mut self, index: u32, wish: Wish<'_>) {
        match wish {
            Wish::Count(count) => algebra::copy(self.set(index), &[count as Word]),
            Wish::Set(pes) => algebra::copy(self.set(index), pes),
        }
    }

    /// The entry that [`LedgerMut::open`] will take. It can be written to already.
    pub(super) fn vacant(&mut self) -> Result<u32, Refusal> {
        if self.slab.next_row(&self.entries).is_none() {
            self.close_ended();
        }
        self.slab.next_row(&self.entries).ok_or(Refusal::Full)
    }

    /// Closes what has ended. It passes over all entries, but only when none is vacant.
    fn close_ended(&mut self) {
        for index in 0..self.slab.used() {
            if self.entries.generation(index).is_live() && self.view().has_ended(index) {
                self.slab.close(&mut self.entries, index);
            }
        }
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
    }

    pub(super) fn close(&mut self, index: u32) {
        self.slab.close(&mut self.entries, index);
    }
}
