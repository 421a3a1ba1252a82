//! Timelines and profiles as images.
//!
//! Contents: which entries are in use; the present; of each entry its generation and what follows it
//! among the vacant ones, and of one that is open its interval and its PEs; then the PEs that are out of
//! service. PEs are sets of 32 a word, or one word with their number. Slots follow from all that.

use super::calendar::Calendar;
use super::edit::Edit;
use super::ledger::ReservationId;
use super::profile::Profile;
use super::refusal::Misuse;
use super::request::Interval;
use super::slots::pes::{Change, Pes};
use super::timeline::Timeline;
use crate::bits::{Word, load, padding_is_clear, word_mut};
use crate::epochs::Epochs;
use crate::handle::Generation;
use crate::image::{BadImage, Identity, Snapshot, Stored, Take, digest_of, restart_api};
use crate::slab::{Rows, RowsMut, Tag};
use crate::time::Instant;

/// Bits of a word of an image.
const BITS: u32 = u32::BITS;

crate::stored!(Interval { start, end });
crate::stored!(Tag { generation, next });

/// The word of an image with the members from `32 * at` on.
fn part(set: &[Word], at: usize) -> u32 {
    let (word, shift) = place(at);
    (load(set, word) >> shift) as u32
}

/// Where those lie in a set.
const fn place(at: usize) -> (usize, u32) {
    let bit = at.wrapping_mul(BITS as usize);
    (bit / Word::BITS as usize, bit as u32 % Word::BITS)
}

impl<const IDENTITY: bool> Calendar<IDENTITY> {
    fn identity(&self) -> Identity {
        let kind = if IDENTITY { *b"TIME" } else { *b"PROF" };
        Identity::of(kind, self.slab.pool(), digest_of(&[u64::from(self.limits.pes)]))
    }

    /// Words of an image that a set of PEs takes, or their number.
    fn parts(&self) -> usize {
        if IDENTITY { self.limits.pes.div_ceil(BITS) as usize } else { 1 }
    }

    fn store(&self, words: &[Word], mut put: &mut dyn FnMut(u32)) {
        let slots = self.slots(words);
        let ledger = self.ledger(words, slots.now());
        self.slab.store_head(&mut put);
        Instant::from_ticks(slots.now()).store(&mut put);
        for row in 0..self.slab.used() {
            let tag = ledger.entries.tag(row);
            tag.generation.store(&mut put);
            if !tag.generation.is_live() {
                tag.next.store(&mut put);
                continue;
            }
            ledger.interval(row).store(&mut put);
            (0..self.parts()).for_each(|at| put(part(ledger.set(row), at)));
        }
        if IDENTITY {
            (0..self.parts()).for_each(|at| {
                let (word, shift) = place(at);
                put((slots.out_of_service(word) >> shift) as u32);
            });
        } else {
            put(slots.busy_for_good());
        }
    }

    fn load_contents(
        &mut self,
        words: &mut [Word],
        mut take: &mut Take<'_>,
    ) -> Result<(), BadImage> {
        let parts = self.parts();
        self.slab.load_head(self.limits.reservations as usize, &mut take)?;
        let now = Instant::load(&mut take)?;
        let mut edit = Edit::new(self, words);
        edit.slots.advance(now).map_err(contradiction)?;
        edit.ledger.now = now.ticks();
        for row in 0..edit.ledger.slab.used() {
            edit.load_entry(row, parts, take)?;
        }
        let Edit { ledger, .. } = &mut edit;
        ledger.slab.count_open(&ledger.entries.view());
        ledger.slab.check(&ledger.entries.view()).map_err(BadImage::broken)?;
        edit.load_outages(parts, take)
    }
}

fn contradiction(_: Misuse) -> BadImage {
    BadImage::Contradiction("an interval, or PEs that the machine does not have")
}

impl<const IDENTITY: bool> Edit<'_, IDENTITY> {
    fn load_entry(
        &mut self,
        row: u32,
        parts: usize,
        mut take: &mut Take<'_>,
    ) -> Result<(), BadImage> {
        let generation = Generation::load(&mut take)?;
        let next = if generation.is_live() { Default::default() } else { Stored::load(&mut take)? };
        self.ledger.entries.set_tag(row, Tag { generation, next });
        if !generation.is_live() {
            return Ok(());
        }
        let at = Interval::load(&mut take)?;
        let set = self.ledger.set(row);
        set.fill(0);
        for place in (0..parts).map(place) {
            let word = take()?;
            if let Some(held) = word_mut(set, place.0) {
                *held |= (word as Word) << place.1;
            }
        }
        self.ledger.place(row, at);
        self.take_loaded(row, at)
    }

    /// Takes the PEs of an entry that was loaded, as far as its interval is yet to come.
    fn take_loaded(&mut self, row: u32, at: Interval) -> Result<(), BadImage> {
        let Self { slots, ledger } = self;
        let (ledger, view) = (ledger.view(), slots.view());
        let pes = ledger.pes(row);
        let is_set = !IDENTITY || padding_is_clear(ledger.set(row), view.pes() as usize);
        view.check_pes(pes).map_err(|_| contradiction(Misuse::NoSuchPe))?;
        if !is_set || at.end <= at.start || at.end == Instant::MAX {
            return Err(contradiction(Misuse::NoTime));
        }
        if at.end.ticks() <= ledger.now {
            return Ok(());
        }
        let overlap = |_| BadImage::Contradiction("reservations overlap");
        let window = view.check_free(at, pes).map_err(overlap)?;
        slots.change_window(&window, Change::Occupy(pes));
        Ok(())
    }

    /// Takes PEs out of service.
    fn load_outages(&mut self, parts: usize, take: &mut Take<'_>) -> Result<(), BadImage> {
        if !IDENTITY {
            return self.slots.set_out_of_service(take()?).map_err(contradiction);
        }
        for (at, shift) in (0..parts).map(place) {
            let out = (take()? as Word) << shift;
            if out & !self.slots.view().known(at) != 0 {
                return Err(contradiction(Misuse::NoSuchPe));
            }
            if out != 0 {
                self.take_out(at, out);
            }
        }
        Ok(())
    }

    /// Takes the PEs `out` of word `at` of a set out of service. Reservations that hold some keep them.
    fn take_out(&mut self, at: usize, out: Word) {
        let Self { slots, ledger } = self;
        let ledger = ledger.view();
        for row in ledger.live().map(ReservationId::index) {
            let held = load(ledger.set(row), at) & out;
            if held != 0 {
                slots.change(ledger.interval(row), Change::Vacate(Pes::of_word(at, &held)));
            }
        }
        slots.change(Interval::ALWAYS, Change::Occupy(Pes::of_word(at, &out)));
    }
}

/// A timeline or profile outlives a restart.
macro_rules! restart {
    ($($Type:ident),+) => {$(
        impl<S: AsRef<[Word]> + AsMut<[Word]>> Snapshot for $Type<S> {
            type Kept = Epochs;

            fn identity(&self) -> Identity {
                self.calendar.identity()
            }

            fn kept(&self) -> Epochs {
                self.calendar.slab.epochs
            }

            fn store(&self, put: &mut dyn FnMut(u32)) {
                self.calendar.store(self.words.as_ref(), put);
            }

            fn load_contents(&mut self, take: &mut Take<'_>) -> Result<(), BadImage> {
                self.calendar.load_contents(self.words.as_mut(), take)
            }

            fn reset(&mut self, epochs: Epochs) {
                self.clear();
                self.calendar.slab.epochs = epochs;
            }
        }

        restart_api! {
            [S: AsRef<[Word]> + AsMut<[Word]>] $Type<S>, calendar.slab, "ids", |it, epoch| {
                let Edit { ledger, .. } = &mut it.edit();
                ledger.slab.begin(&mut ledger.entries, epoch);
            }
        }
    )+};
}

restart! { Timeline, Profile }
