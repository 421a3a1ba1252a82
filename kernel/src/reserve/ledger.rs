//! The reservations: when, which PEs, and in which generation of their entry.

use super::expiry::Expiry;
use super::limits::Limits;
use super::refusal::{Misuse, Refusal};
use super::request::Interval;
use super::slots::pes::Pes;
use super::slots::tables::{self, TICK_WORDS, Table};
use crate::bits::{Word, algebra, load, locate, words_for};
use crate::display::Count;
use crate::handle::{self, Generation, Handle};
use crate::invariant::{InvariantViolation, ensure};
use crate::list::Ref;
use crate::slab::{Rows, RowsMut, Slab, Tag};
use crate::slices::put;
use crate::time::Instant;
use core::ops::Range;

crate::data::data! {
    /// Names a reservation of one timeline.
    pub struct ReservationId(Handle);

    /// What is known of a reservation.
    pub struct Reservation {
        /// Its name.
        pub id: ReservationId,
        /// From when to when.
        pub at: Interval,
        /// How many PEs.
        pub pes: u32,
    }
}

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

crate::stored_as! {
    ReservationId: ReservationId::handle, ReservationId::from_handle;
}

crate::display::named! { ReservationId: "reservation " }

crate::display::display! { Reservation: it => "{} on {}" (it.at, Count(it.pes, "PE")) }

/// Where in the words of the reservations what lies: first the entries, then when they end.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryLayout {
    count: usize,
    /// Words of the PEs of a reservation; one if only their number is kept.
    set: usize,
    identity: bool,
    pub(super) expiry: Expiry,
}

impl EntryLayout {
    /// Where in an entry its generation stands: behind start and end.
    const GENERATION: usize = 2 * TICK_WORDS;

    /// Words of an entry before its PEs.
    const HEAD: usize = Self::GENERATION + 1;

    pub(super) const fn new(limits: Limits, identity: bool) -> Self {
        let (set, count) = (
            if identity { words_for(limits.pes as usize) } else { 1 },
            limits.reservations as usize,
        );
        let expiry = Expiry::new(count.saturating_mul(Self::HEAD + set), count);
        Self { count, set, identity, expiry }
    }

    /// An entry.
    const fn entry(&self, index: u32) -> Table {
        let len = Self::HEAD.wrapping_add(self.set);
        Table { start: (index as usize).wrapping_mul(len), len }
    }
}

/// The entries, one after the other: start, end, generation, and the PEs or their number. The
/// first word of one that is closed is a link.
#[derive(Clone, Copy)]
pub(super) struct Entries<'a, W> {
    pub(super) layout: &'a EntryLayout,
    pub(super) words: W,
}

impl<W: AsRef<[Word]>> Rows for Entries<'_, W> {
    fn count(&self) -> usize {
        self.layout.count
    }

    fn tag(&self, row: u32) -> Tag {
        let entry = self.layout.entry(row).of(self.words.as_ref());
        let [generation, next] = [EntryLayout::GENERATION, 0].map(|at| load(entry, at) as u32);
        Tag { generation: Generation::from_raw(generation), next: Ref::from_raw(next) }
    }
}

impl Entries<'_, &mut [Word]> {
    pub(super) fn view(&self) -> Entries<'_, &[Word]> {
        Entries { layout: self.layout, words: self.words }
    }

    fn get_mut(&mut self, index: u32) -> &mut [Word] {
        self.layout.entry(index).of_mut(self.words)
    }
}

impl RowsMut for Entries<'_, &mut [Word]> {
    fn set_tag(&mut self, row: u32, tag: Tag) {
        put(self.get_mut(row), EntryLayout::GENERATION, tag.generation.raw() as Word);
        if !tag.generation.is_live() {
            put(self.get_mut(row), 0, tag.next.raw() as Word);
        }
    }
}

/// The reservations, for reading.
///
/// - A reservation is live if its entry is open and its end is yet to come. The entry of one that
///   has ended is closed when its place is needed; nobody can tell the difference.
#[derive(Clone, Copy)]
pub(super) struct Ledger<'a> {
    pub(super) slab: &'a Slab,
    pub(super) entries: Entries<'a, &'a [Word]>,
    /// The present.
    pub(super) now: u64,
}

impl<'a> Ledger<'a> {
    fn entry(&self, index: u32) -> &'a [Word] {
        self.entries.layout.entry(index).of(self.entries.words)
    }

    pub(super) fn interval(&self, index: u32) -> Interval {
        let [start, end] =
            [0, 1].map(|at| Instant::from_ticks(tables::tick(self.entry(index), at)));
        Interval { start, end }
    }

    /// The PEs, or one word with their number if identity is not kept.
    pub(super) fn set(&self, index: u32) -> &'a [Word] {
        self.entry(index).get(EntryLayout::HEAD..).unwrap_or_default()
    }

    pub(super) fn pes(&self, index: u32) -> Pes<'a> {
        let set = self.set(index);
        if self.entries.layout.identity {
            Pes::of_set(set)
        } else {
            Pes::of_count(load(set, 0) as u32)
        }
    }

    /// What is known of a live reservation.
    pub(super) fn reservation(&self, id: ReservationId) -> Reservation {
        Reservation { id, at: self.interval(id.index()), pes: self.pes(id.index()).count }
    }

    /// Whether an entry's reservation has ended, if it is open.
    fn has_ended(&self, index: u32) -> bool {
        tables::tick(self.entry(index), 1) <= self.now
    }

    /// When the reservation of an entry ends, if that is open.
    fn end_of_open(&self, index: u32) -> Option<u64> {
        let entry = self.entry(index);
        let generation = load(entry, EntryLayout::GENERATION) as u32;
        Generation::from_raw(generation).is_live().then(|| tables::tick(entry, 1))
    }

    /// The entry of a live reservation.
    pub(super) fn find(&self, id: ReservationId) -> Result<u32, Misuse> {
        let index = self.slab.find(&self.entries, id.0)?;
        if self.has_ended(index) { Err(handle::Misuse::Stale.into()) } else { Ok(index) }
    }

    /// The same, when it is and what it holds.
    pub(super) fn held(&self, id: ReservationId) -> Result<(u32, Interval, Pes<'a>), Misuse> {
        self.find(id).map(|index| (index, self.interval(index), self.pes(index)))
    }

    /// The live reservations, in the order of their entries.
    pub(super) fn live(self) -> impl Iterator<Item = ReservationId> + 'a {
        let rows = (0..self.slab.used()).filter(move |&row| !self.has_ended(row));
        let named = rows.map(move |row| ReservationId(self.slab.handle(&self.entries, row)));
        named.filter(|id| id.0.generation().is_live())
    }

    /// No bound of ends is after the end of an open entry.
    pub(super) fn check_expiry(self) -> Result<(), InvariantViolation> {
        let Entries { layout, words } = self.entries;
        let allowed = |row| layout.expiry.bound(words, row) <= self.interval(row).end.ticks();
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
pub(super) struct LedgerMut<'a> {
    pub(super) slab: &'a mut Slab,
    pub(super) entries: Entries<'a, &'a mut [Word]>,
    pub(super) now: u64,
}

impl LedgerMut<'_> {
    pub(super) fn view(&self) -> Ledger<'_> {
        Ledger { slab: self.slab, entries: self.entries.view(), now: self.now }
    }

    /// As [`Ledger::set`], to change it.
    pub(super) fn set(&mut self, index: u32) -> &mut [Word] {
        self.entries.get_mut(index).get_mut(EntryLayout::HEAD..).unwrap_or_default()
    }

    /// Notes what a reservation takes.
    pub(super) fn record(&mut self, index: u32, pes: Pes<'_>) {
        let identity = self.entries.layout.identity;
        let set = self.set(index);
        if identity {
            set.fill(0);
            algebra::copy(pes.part_mut(set), pes.words);
        } else {
            algebra::copy(set, &[pes.count as Word]);
        }
    }

    /// The entry that [`LedgerMut::open`] will take. It can be written to already.
    pub(super) fn vacant(&mut self) -> Result<u32, Refusal> {
        if !self.has_vacant() {
            self.close_ended();
        }
        let full = || Refusal::Full { reservations: self.entries.count() as u32 };
        self.slab.next_row(&self.entries).ok_or_else(full)
    }

    /// Whether an entry is not open.
    pub(super) fn has_vacant(&self) -> bool {
        self.slab.next_row(&self.entries).is_some()
    }

    /// Closes entries of what has ended, if any has: those of one group.
    fn close_ended(&mut self) {
        let (expiry, now, mut untried) = (self.entries.layout.expiry, self.now, 0);
        let used = self.slab.used();
        while let Some(group) = expiry.first_group(self.entries.words, now, untried..used) {
            let (view, end) = (self.view(), group.end.min(used));
            // The first that has ended, or when the first one ends.
            let looked = (group.start..end).try_fold(u64::MAX, |least, index| {
                let end = view.end_of_open(index).unwrap_or(u64::MAX);
                if end <= now { Err(index) } else { Ok(least.min(end)) }
            });
            match looked {
                Err(first) => return self.close_ended_of(first..end),
                Ok(least) => expiry.set_bound(self.entries.words, group.start, least),
            }
            untried = group.end;
        }
    }

    fn close_ended_of(&mut self, rows: Range<u32>) {
        for index in rows {
            if self.view().end_of_open(index).is_some_and(|end| end <= self.now) {
                self.close(index);
            }
        }
    }

    /// Opens the entry that [`LedgerMut::vacant`] returned.
    pub(super) fn open(&mut self, index: u32, interval: Interval) -> ReservationId {
        let opened = self.slab.open(&mut self.entries);
        debug_assert_eq!(opened, Some(index), "the entry that was said to be vacant is opened");
        self.place(index, interval);
        ReservationId(self.slab.handle(&self.entries, index))
    }

    pub(super) fn place(&mut self, index: u32, interval: Interval) {
        let entry = self.entries.get_mut(index);
        tables::set_tick(entry, 0, interval.start.ticks());
        tables::set_tick(entry, 1, interval.end.ticks());
        let Entries { layout, words } = &mut self.entries;
        layout.expiry.lower(words, index, interval.end.ticks());
    }

    pub(super) fn close(&mut self, index: u32) {
        self.slab.close(&mut self.entries, index);
    }
}
