//! The reservations: when, which PEs, and in which generation of their entry.

use super::claim::{Claim, Wish};
use super::layout::Layout;
use super::refusal::Refusal;
use super::request::Placement;
use super::ticks::{self, TICK_WORDS};
use crate::bits::algebra;
use crate::bits::{Word, load, locate};
use crate::handle::{Generation, Handle, Misuse, PoolId};
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

/// What the storage does not say about the reservations.
///
/// - Entries below `used` have been open once; those closed again form a chain through their
///   first words. `free` and the links are one more than the number of an entry, 0 at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entries {
    pub(super) pool: PoolId,
    used: u32,
    free: u32,
}

impl Entries {
    pub(super) const fn new(pool: PoolId) -> Self {
        Self { pool, used: 0, free: 0 }
    }
}

/// The reservations, for reading.
///
/// - An entry is live if its generation is and its end is yet to come. One that has ended is
///   closed when its place is needed; nobody can tell the difference.
#[derive(Clone, Copy)]
pub(super) struct Ledger<'a> {
    pub(super) layout: &'a Layout,
    pub(super) entries: &'a Entries,
    pub(super) now: u64,
    /// The storage of the reservations.
    pub(super) words: &'a [Word],
}

impl<'a> Ledger<'a> {
    fn entry(&self, index: u32) -> &'a [Word] {
        let start = (index as usize).wrapping_mul(self.layout.entry());
        self.words.get(start..start.wrapping_add(self.layout.entry())).unwrap_or(&[])
    }

    fn generation(&self, index: u32) -> Generation {
        Generation::from_raw(load(self.entry(index), 2 * TICK_WORDS) as u32)
    }

    pub(super) fn placement(&self, index: u32) -> Placement {
        let entry = self.entry(index);
        let (start, end) = (ticks::get(entry, 0), ticks::get(entry, 1));
        Placement { start: Instant::from_ticks(start), end: Instant::from_ticks(end) }
    }

    /// The PEs, or one word with their number if identity is not kept.
    pub(super) fn set(&self, index: u32) -> &'a [Word] {
        self.entry(index).get(2 * TICK_WORDS + 1..).unwrap_or(&[])
    }

    pub(super) fn claim(&self, index: u32) -> Claim<'a> {
        let set = self.set(index);
        if self.layout.row == 0 { Claim::of_count(load(set, 0) as u32) } else { Claim::of_set(set) }
    }

    pub(super) fn holds(&self, index: u32, pe: u32) -> bool {
        let (at, mask) = locate(pe as usize);
        self.layout.row > 0 && load(self.set(index), at) & mask != 0
    }

    /// What is known of the reservation of an entry.
    pub(super) fn reservation(&self, index: u32, id: ReservationId) -> Reservation {
        Reservation { id, at: self.placement(index), pes: self.claim(index).count }
    }

    fn is_live(&self, index: u32) -> bool {
        self.generation(index).is_live() && self.placement(index).end.ticks() > self.now
    }

    fn id(&self, index: u32) -> ReservationId {
        ReservationId(Handle::new(self.entries.pool, index, self.generation(index)))
    }

    /// The entry of a live reservation.
    pub(super) fn find(&self, id: ReservationId) -> Result<u32, Misuse> {
        let index = id.0.index();
        // What was never open holds whatever the storage held.
        let known = index < self.entries.used;
        let generation = if known { self.generation(index) } else { Generation::default() };
        id.0.check(self.entries.pool, generation)?;
        if self.is_live(index) { Ok(index) } else { Err(Misuse::Stale) }
    }

    /// The live reservations, in the order of their entries.
    pub(super) fn live(self) -> impl Iterator<Item = (u32, ReservationId)> + 'a {
        let indices = 0..self.entries.used;
        indices.filter(move |&index| self.is_live(index)).map(move |index| (index, self.id(index)))
    }
}

/// The reservations, to be changed.
pub(super) struct LedgerMut<'a> {
    pub(super) layout: &'a Layout,
    pub(super) entries: &'a mut Entries,
    pub(super) now: u64,
    /// The storage of the reservations.
    pub(super) words: &'a mut [Word],
}

impl LedgerMut<'_> {
    pub(super) fn view(&self) -> Ledger<'_> {
        let Self { layout, entries, now, words } = self;
        Ledger { layout, entries, now: *now, words }
    }

    fn entry(&mut self, index: u32) -> &mut [Word] {
        let start = (index as usize).wrapping_mul(self.layout.entry());
        self.words.get_mut(start..start.wrapping_add(self.layout.entry())).unwrap_or(&mut [])
    }

    /// As [`Ledger::set`], to change it.
    pub(super) fn set(&mut self, index: u32) -> &mut [Word] {
        self.entry(index).get_mut(2 * TICK_WORDS + 1..).unwrap_or(&mut [])
    }

    /// Notes what a reservation takes.
    pub(super) fn record(&mut self, index: u32, wish: Wish<'_>) {
        let set = self.set(index);
        set.fill(0);
        match wish {
            Wish::Count(count) => algebra::copy(set, &[count as Word]),
            Wish::Set(pes) => algebra::copy(set, pes),
        }
    }

    /// An entry that can be opened; it stays closed until then.
    pub(super) fn vacant(&mut self) -> Result<u32, Refusal> {
        if self.entries.free == 0 && self.entries.used >= self.layout.reservations {
            self.close_ended();
        }
        match self.entries.free.checked_sub(1) {
            Some(index) => Ok(index),
            None if self.entries.used < self.layout.reservations => Ok(self.entries.used),
            None => Err(Refusal::Full),
        }
    }

    /// Closes what has ended. It passes over all entries, but only when none is free.
    fn close_ended(&mut self) {
        for index in 0..self.entries.used {
            if self.view().generation(index).is_live() && !self.view().is_live(index) {
                self.close(index);
            }
        }
    }

    /// Opens the entry that [`LedgerMut::vacant`] returned last.
    pub(super) fn open(&mut self, index: u32, placement: Placement) -> ReservationId {
        if index == self.entries.used {
            self.entries.used = index.wrapping_add(1);
            self.set_generation(index, Generation::default());
        } else {
            self.entries.free = load(self.entry(index), 0) as u32;
        }
        self.turn(index);
        self.place(index, placement);
        self.view().id(index)
    }

    pub(super) fn place(&mut self, index: u32, placement: Placement) {
        let entry = self.entry(index);
        ticks::set(entry, 0, placement.start.ticks());
        ticks::set(entry, 1, placement.end.ticks());
    }

    pub(super) fn close(&mut self, index: u32) {
        self.turn(index);
        let next = self.entries.free;
        if let Some(link) = self.entry(index).first_mut() {
            *link = next as Word;
        }
        self.entries.free = index.wrapping_add(1);
    }

    /// Passes on to the next generation of an entry.
    fn turn(&mut self, index: u32) {
        self.set_generation(index, self.view().generation(index).next());
    }

    fn set_generation(&mut self, index: u32, generation: Generation) {
        if let Some(word) = self.entry(index).get_mut(2 * TICK_WORDS) {
            *word = generation.raw() as Word;
        }
    }
}
