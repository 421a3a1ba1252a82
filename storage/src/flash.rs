//! A history in NOR flash: two areas that take turns.
//!
//! An area has an image, slots for records behind it, slots for claims, and a mark in its last slot. The mark
//! says that the image in the other area is whole and counts. If that is not whole, it is damaged.
//!
//! # Two owners
//!
//! Whoever recovered or formatted a flash last owns it. A claim is a number above all those before. That of an
//! owner is in the first slot for claims beside its image, and is written before the image. Whoever recovers
//! writes a claim behind it *before* it reads the records. An owner looks for claims behind its own before it
//! writes a record and again *before* it answers. So either it sees the claim, or its record was there before
//! the claim and is read (Dekker's argument). A claim that an owner wrote is not there any more if others
//! stored images since, however many. An owner also looks at the slot for its next record, and reads back what
//! it wrote: that stops a copy of it, and whoever else writes there.
//!
//! Whoever recovers answers nothing until its image is in the other area and the mark is there. If recoveries
//! that were cut have used up the slots of an area, the next one claims the other area, which is erased first if
//! need be. The claims behind the image go on to stop the owner before.
//!
//! An image is longer than one write, so the owner looks again before each, and before the mark. Whoever
//! recovers looks for the mark, too: it may have chosen the area before that was written. That leaves one operation between a look and what depends on it, which only a flash with an atomic operation
//! could close: [`Flash`] says what an owner can destroy that stands still there, and for how long it has to.

use crate::claim::{CLAIMS, Claim, generation_of};
use crate::journal::Reader;
use crate::slot::{BLANK, SLOT, bits_unlike, is_blank, is_near, slot_of};
use crate::{RecoveryReport, Store, StoreError};
use embedded_storage::nor_flash::NorFlash;
use locox::image::BadImage;
use locox_coordinators::coordinate::{Coordinate, Durable, Record};

/// A history in NOR flash.
///
/// It needs twice the room of an image and 64 bytes for each record between two images, and 256
/// more; all of the flash is used, in two halves. A flash that writes parts of 64 bytes or fewer
/// (a power of two) will do; nothing is written twice between erasures. A flash with ECC may refuse to read a word
/// whose write or erasure was cut: that is a write that was cut, as it is where such a word reads as anything.
///
/// # Two owners
///
/// Whoever recovers or formats a flash owns it from then on. The owner before is refused with
/// [`StoreError::OtherOwner`], and no command that it answered is lost. Each owner reads what others wrote, so no
/// cache may lie between. No flash has the atomic operation that would exclude this: while an owner stands
/// still between its last look and the erasure or the write of an image behind that, another one recovers *and*
/// stores its own image, which the first one then damages. To recover takes reading a whole half after the claim, so an
/// owner that never stands still for that long is safe.
#[derive(Clone, Debug)]
pub struct Flash<F> {
    flash: F,
    /// Bytes of an area.
    length: u32,
    /// Which area is in use: 0 or 1.
    area: u32,
    /// Whether it has a mark.
    marked: bool,
    /// Where in it the next record goes.
    next: u32,
    mends: bool,
    owner: Owner,
    /// The number of this owner.
    number: u32,
    /// Of the last claim or image.
    generation: u32,
    /// What this owner wrote when it came, or with the image in use.
    claim: Option<Claim>,
    /// What it wrote before an image that is not in use yet.
    new: Option<Claim>,
}

/// Who has a flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// Nothing was recovered or formatted yet.
    Nobody,
    This,
    Other,
}

impl<F: NorFlash> Flash<F> {
    /// A history in all of this flash. Nothing is read or written yet.
    ///
    /// # Errors
    ///
    /// [`StoreError::Geometry`] or [`StoreError::TooSmall`].
    pub fn new(flash: F) -> Result<Self, StoreError<F::Error>> {
        if F::WRITE_SIZE > SLOT || !SLOT.is_multiple_of(F::WRITE_SIZE) || F::READ_SIZE > SLOT {
            return Err(StoreError::Geometry);
        }
        let half = flash.capacity() / 2;
        let length =
            u32::try_from(half - half % F::ERASE_SIZE).map_err(|_| StoreError::Geometry)?;
        if length < (4 + CLAIMS) * SLOT as u32 {
            return Err(StoreError::TooSmall);
        }
        // Until an image is there, there is no room for records.
        let (area, marked, next) = (0, false, length);
        let (owner, number, generation, claim, new) = (Owner::Nobody, 0, 0, None, None);
        let mends = true;
        Ok(Self { flash, length, area, marked, next, mends, owner, number, generation, claim, new })
    }

    /// A history that refuses a record of which one bit turned, as [`StoreError::Damaged`], where it
    /// would be mended.
    ///
    /// A write that was cut may look like such a record by chance, and be taken for a command that
    /// nobody gave: each of 512 bits turned back gives a record that a CRC of 32 bits lets pass with a
    /// chance of 2^-32, so 12 of 10^8 cut writes. With this none is taken, and a bit that really turned
    /// has to be dealt with by somebody.
    pub fn without_mending(self) -> Self {
        Self { mends: false, ..self }
    }

    /// A history whose owner has this number, which no other owner of the same flash has. Without numbers, two that
    /// recover it at the same instant, in step, have the same claim. The one sees records of the other, but what
    /// both write at the same instant, records or images, is lost.
    pub fn owned_by(self, number: u32) -> Self {
        Self { number, ..self }
    }

    /// Gives the flash back.
    pub fn into_inner(self) -> F {
        self.flash
    }

    /// Where a slot for claims lies, behind all records; behind the last one is the mark.
    const fn claim_at(&self, slot: u32) -> u32 {
        self.length - (CLAIMS + 1 - slot) * SLOT as u32
    }

    /// Where the mark of an area lies.
    const fn mark(&self) -> u32 {
        self.claim_at(CLAIMS)
    }

    /// Where the records of an area end.
    const fn end(&self) -> u32 {
        self.claim_at(0)
    }

    fn read(&mut self, area: u32, at: u32) -> Result<[u8; SLOT], StoreError<F::Error>> {
        let mut slot = [0; SLOT];
        self.flash.read(area * self.length + at, &mut slot).map_err(StoreError::Medium)?;
        Ok(slot)
    }

    /// A slot in which a write may have been cut. What the flash cannot read of it is zeros: so such a slot is
    /// neither blank nor, but by chance, whole, and as a mark it is what was being written or erased there.
    // Copies in all that read would take flash.
    #[inline(never)]
    fn read_torn(&mut self, area: u32, at: u32) -> [u8; SLOT] {
        self.read(area, at).unwrap_or_else(|_| {
            let (from, mut slot) = (area * self.length + at, [0; SLOT]);
            for (at, part) in (from..).step_by(F::READ_SIZE).zip(slot.chunks_mut(F::READ_SIZE)) {
                if self.flash.read(at, part).is_err() {
                    part.fill(0);
                }
            }
            slot
        })
    }

    /// Whether the flash can read all of an area.
    fn read_all(&mut self, area: u32) -> Result<(), StoreError<F::Error>> {
        (0..self.length).step_by(SLOT).try_for_each(|at| self.read(area, at).map(drop))
    }

    /// Writes if the flash still has this owner.
    fn write(&mut self, area: u32, at: u32, slot: &[u8; SLOT]) -> Result<(), StoreError<F::Error>> {
        self.check()?;
        self.put(area, at, slot)
    }

    fn put(&mut self, area: u32, at: u32, slot: &[u8; SLOT]) -> Result<(), StoreError<F::Error>> {
        self.flash.write(area * self.length + at, slot).map_err(StoreError::Medium)
    }

    fn erase(&mut self, area: u32) -> Result<(), StoreError<F::Error>> {
        let from = area * self.length;
        self.flash.erase(from, from + self.length).map_err(StoreError::Medium)
    }

    /// Takes the image in an area, if that is whole; where it ends, rounded up to slots.
    fn load<C: Coordinate>(
        &mut self,
        area: u32,
        pool: &mut Durable<C>,
    ) -> Result<Option<u32>, StoreError<F::Error>> {
        let mut at = 0;
        let mut chunk = [0; SLOT];
        let mut words = core::iter::from_fn(|| {
            if (at as usize).is_multiple_of(SLOT) {
                chunk = if at < self.end() { Some(self.read_torn(area, at)) } else { None }?;
            }
            let (words, _) = chunk.as_chunks::<4>();
            let word = words.get(at as usize % SLOT / 4)?;
            at += 4;
            Some(u32::from_le_bytes(*word))
        });
        match pool.load(&mut words) {
            Ok(()) => Ok(Some(at.next_multiple_of(SLOT as u32))),
            Err(
                BadImage::NoImage
                | BadImage::TooShort
                | BadImage::Damaged
                | BadImage::Contradiction(_),
            ) => Ok(None),
            Err(other) => Err(StoreError::Image(other)),
        }
    }

    /// Which area counts, and whether it has a mark.
    fn latest<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<(u32, bool), StoreError<F::Error>> {
        // Before the images: an owner that goes on meanwhile writes the mark last.
        let marked = [self.is_marked(0), self.is_marked(1)];
        let mut place = |area| Ok(self.load(area, pool)?.map(|_| pool.place()));
        let area = match [place(0)?, place(1)?] {
            [None, None] => self.no_image(marked),
            [Some(_), Some(_)] if marked[0] != marked[1] => Ok(u32::from(marked[0])),
            // Cut before the mark.
            [Some(first), Some(second)] => Ok(u32::from(second.commands > first.commands)),
            [Some(_), None] if !marked[0] => Ok(0),
            [None, Some(_)] if !marked[1] => Ok(1),
            _ => Err(StoreError::Image(BadImage::Damaged)),
        }?;
        Ok((area, marked == [true; 2]))
    }

    /// Why there is no image: what a mark says is whole may only be unreadable.
    fn no_image<T>(&mut self, marked: [bool; 2]) -> Result<T, StoreError<F::Error>> {
        for (other, _) in [1, 0].into_iter().zip(marked).filter(|(_, marked)| *marked) {
            self.read_all(other)?;
        }
        Err(StoreError::NoImage)
    }

    /// A mark is all zeros; a bit that turned neither makes nor breaks it.
    fn is_marked(&mut self, area: u32) -> bool {
        let mark = self.read_torn(area, self.mark());
        bits_unlike(&mark, &BLANK) > 4 * SLOT as u32
    }

    /// Writes the image to an area that is erased; where it ends, rounded up to slots.
    fn write_image<C: Coordinate>(
        &mut self,
        area: u32,
        pool: &Durable<C>,
    ) -> Result<u32, StoreError<F::Error>> {
        let mut chunk = [0xFF; SLOT];
        let (mut at, mut written) = (0u32, Ok(()));
        let last = self.end() - SLOT as u32;
        let mut flush = |at: u32, chunk: &mut [u8; SLOT]| {
            if written.is_ok() {
                let fits = at < last;
                written =
                    if fits { self.write(area, at, chunk) } else { Err(StoreError::TooSmall) };
            }
            *chunk = [0xFF; SLOT];
        };
        pool.export(&mut |word| {
            let within = at as usize % SLOT;
            let place = chunk.iter_mut().skip(within);
            place.zip(word.to_le_bytes()).for_each(|(to, from)| *to = from);
            at += 4;
            if (at as usize).is_multiple_of(SLOT) {
                flush(at - SLOT as u32, &mut chunk);
            }
        });
        let end = at.next_multiple_of(SLOT as u32);
        if end != at {
            flush(end - SLOT as u32, &mut chunk);
        }
        written.map(|()| end)
    }
}

/// Who has the flash.
impl<F: NorFlash> Flash<F> {
    /// Goes on if the flash is as its owner left it.
    ///
    /// What another one changes first is read last, so that little lies between that and what follows: the
    /// next record of one with the same claim, a claim behind this owner's, the rest.
    // Copies in all that write would take flash, and stack for the slots.
    #[inline(never)]
    fn check(&mut self) -> Result<(), StoreError<F::Error>> {
        let is_marked = self.is_marked(self.area);
        if is_marked != self.marked {
            // If it cannot be read, that is no sign of another owner.
            self.read(self.area, self.mark())?;
        }
        let is_left = self.owner == Owner::This
            && is_marked == self.marked
            && self.is_last(self.new)?
            && self.is_last(self.claim)?
            && (!self.has_room() || is_blank(&self.read(self.area, self.next)?));
        self.insist(is_left)
    }

    /// There is another owner unless this holds.
    fn insist(&mut self, holds: bool) -> Result<(), StoreError<F::Error>> {
        if holds {
            return Ok(());
        }
        self.owner = Owner::Other;
        Err(StoreError::OtherOwner)
    }

    /// Whether a claim, if there is one, is still there and no other behind it.
    fn is_last(&mut self, claim: Option<Claim>) -> Result<bool, StoreError<F::Error>> {
        let Some(claim) = claim else { return Ok(true) };
        let Claim { area, slot, .. } = claim;
        let mut is_last = is_near(&self.read(area, self.claim_at(slot))?, &claim.bytes());
        for behind in (slot + 1..CLAIMS).rev() {
            is_last = is_last && is_blank(&self.read(area, self.claim_at(behind))?);
        }
        Ok(is_last)
    }

    /// Claims what the image of this area leads to.
    fn claim_to_recover(&mut self, area: u32) -> Result<(), StoreError<F::Error>> {
        let other = 1 - area;
        self.claim = self.claim_behind(area)?;
        if self.claim.is_none() {
            self.claim = self.claim_behind(other)?;
        }
        if self.claim.is_none() {
            self.erase(other)?;
            self.claim = self.claim_behind(other)?;
        }
        Ok(())
    }

    /// Claims an area behind all claims there, if there is a slot that is blank to the last bit: some flash
    /// writes to no other.
    fn claim_behind(&mut self, area: u32) -> Result<Option<Claim>, StoreError<F::Error>> {
        let mut first = None;
        for slot in (1..CLAIMS).rev() {
            let bytes = self.read_torn(area, self.claim_at(slot));
            if !is_blank(&bytes) {
                break;
            }
            first = if bytes == BLANK { Some(slot) } else { first };
        }
        first.map(|slot| self.put_claim(area, slot)).transpose()
    }

    fn put_claim(&mut self, area: u32, slot: u32) -> Result<Claim, StoreError<F::Error>> {
        let claim = Claim { area, slot, generation: self.generation, owner: self.number };
        self.put(area, self.claim_at(slot), &claim.bytes())?;
        Ok(claim)
    }

    /// Goes on to a generation above all that are there. Areas are worn out long before the numbers are.
    fn find_generation(&mut self) {
        let mut latest = 0;
        for area in 0..2 {
            for slot in 0..CLAIMS {
                let bytes = self.read_torn(area, self.claim_at(slot));
                latest = generation_of(&bytes).map_or(latest, |found| latest.max(found));
            }
        }
        self.generation = latest.wrapping_add(1);
    }

    /// Becomes the owner of an area without an image, whatever was there.
    fn seize(&mut self) -> Result<(), StoreError<F::Error>> {
        self.find_generation();
        // Whoever had the flash sees one of these.
        self.claim_behind(0)?;
        self.claim_behind(1)?;
        self.erase(self.area)?;
        self.claim = Some(self.put_claim(self.area, 0)?);
        self.owner = Owner::This;
        Ok(())
    }
}

impl<F: NorFlash> Store for Flash<F> {
    type Error = StoreError<F::Error>;

    fn has_room(&self) -> bool {
        self.next < self.end()
    }

    fn append(&mut self, record: &Record) -> Result<(), Self::Error> {
        self.check()?;
        if !self.has_room() {
            return Err(StoreError::TooSmall);
        }
        let (area, at, slot) = (self.area, self.next, slot_of(record));
        // After a write that failed the slot is lost.
        self.next += SLOT as u32;
        self.put(area, at, &slot)?;
        self.check()?;
        let is_there = is_near(&self.read(area, at)?, &slot);
        self.insist(is_there)
    }

    /// A record is durable when it is written.
    fn sync(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    fn checkpoint<C: Coordinate>(&mut self, pool: &Durable<C>) -> Result<(), Self::Error> {
        if self.owner == Owner::Nobody {
            self.seize()?;
        }
        self.check()?;
        let (old, new) = (self.area, 1 - self.area);
        // What was in the new area is gone now.
        (self.new, self.claim) = (None, self.claim.filter(|claim| claim.area == old));
        self.erase(new)?;
        self.check()?;
        self.generation = self.generation.wrapping_add(1);
        self.new = Some(self.put_claim(new, 0)?);
        let next = self.write_image(new, pool)?;
        self.check()?;
        (self.area, self.marked, self.next) = (new, false, next);
        if is_blank(&self.read_torn(old, self.mark())) {
            self.write(old, self.mark(), &[0; SLOT])?;
        }
        self.claim = self.new.take();
        Ok(())
    }

    /// Whoever owns the flash goes on.
    fn has_image<C: Coordinate>(&mut self, pool: &mut Durable<C>) -> Result<bool, Self::Error> {
        match self.latest(pool) {
            Ok(_) => Ok(true),
            Err(StoreError::NoImage) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn recover<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<RecoveryReport, Self::Error> {
        self.take_over(pool, false)
    }

    fn salvage<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<RecoveryReport, Self::Error> {
        self.take_over(pool, true)
    }
}

impl<F: NorFlash> Flash<F> {
    /// Claims what is stored and reads it; with `salvages`, as far as it is sound.
    fn take_over<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
        salvages: bool,
    ) -> Result<RecoveryReport, StoreError<F::Error>> {
        let (area, marked) = self.latest(pool)?;
        // No record is written before there is an image.
        (self.area, self.marked, self.next) = (area, marked, self.length);
        self.find_generation();
        (self.owner, self.new) = (Owner::This, None);
        self.claim_to_recover(area)?;
        // The old owner may have gone to the other area meanwhile.
        self.check()?;
        let image = self.load(area, pool)?;
        let mut at = image.ok_or(StoreError::Image(BadImage::Damaged))?;
        let mut reader = Reader::new(pool, |_| {}).mending(self.mends).salvaging(salvages);
        while at < self.end() {
            let slot = self.read_torn(area, at);
            reader.take(&slot)?;
            at += SLOT as u32;
        }
        reader.end()
    }
}
