//! A history in NOR flash: two areas that take turns.
//!
//! An area has an image, slots for records behind it, slots for claims, and a mark in its last slot. The mark
//! says that the image in the other area is whole and counts. If that is not whole, it is damaged.
//!
//! # Two owners
//!
//! Whoever recovered or formatted a flash last owns it. A claim is a number above all those before. The owner's
//! is in the first slot for claims beside its image; it is written before the image. Whoever recovers writes a
//! claim into the next slot *before* it reads the records. An owner looks for claims behind its own before it
//! writes a record and again *before* it answers. So either the old owner sees the claim, or its record was there
//! before the claim and is read (Dekker's argument). It also looks at the slot for its next record and reads back
//! what it wrote: that stops two owners that recovered in step and have the same claim.
//!
//! A claim that is not the first of its area has answered nothing: there is no room for records until its image
//! is in the other area. So when recoveries that were cut have used up the slots for claims, the next one goes on
//! without: the claims that are there stop the last owner that answered anything.
//!
//! An image is longer than one write, so the owner looks again before each. No flash offers the
//! atomic operation that would do more: an owner that stands still between such a look and the erasure or the
//! write behind it, while another one recovers *and* stores its image, then damages that image. Recovery reads a
//! whole area between claim and erasure, so whatever takes less time than that is safe.

use crate::claim::{BLANK, CLAIMS, Claim, is_blank, is_near};
use crate::journal::{Reader, SLOT, slot_of};
use crate::{RecoveryReport, Store, StoreError};
use embedded_storage::nor_flash::NorFlash;
use locox::coordinate::{BadImage, Coordinate, Durable, Place, Record};

/// Words of an image beside its contents, and the word that counts those.
const ENVELOPE: u32 = 11;
const LENGTH: usize = 4;

/// A history in NOR flash.
///
/// It needs twice the room of an image and 64 bytes for each record between two images, and 256
/// more; all of the flash is used, in two halves. A flash that writes parts of 64 bytes or fewer
/// (a power of two) will do; nothing is written twice between erasures.
///
/// Whoever recovers or formats it is its owner from then on. One who was it before is refused with
/// [`StoreError::OtherOwner`], and nothing that it answered is lost. A read has to see what another owner wrote before,
/// so no cache may lie between.
#[derive(Clone, Debug)]
pub struct Flash<F> {
    flash: F,
    /// Bytes of an area.
    length: u32,
    /// Where the next record goes, in the area of the claim.
    next: u32,
    mends: bool,
    owner: Owner,
    /// Of this owner, in the area that is in use.
    claim: Claim,
    /// Whether that area has a mark.
    marked: bool,
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
        let claim = Claim { area: 0, slot: CLAIMS, generation: 0 };
        // Until an image is there, there is no room for records.
        let next = length;
        Ok(Self { flash, length, next, mends: true, owner: Owner::Nobody, claim, marked: false })
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

    /// Whether there is an image to recover. Nothing is written, so whoever owns the flash goes on.
    ///
    /// # Errors
    ///
    /// Those of [`Flash::recover`](Store::recover), but for a missing image.
    pub fn has_image<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<bool, StoreError<F::Error>> {
        match self.latest(pool) {
            Ok(_) => Ok(true),
            Err(StoreError::NoImage) => Ok(false),
            Err(error) => Err(error),
        }
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

    /// The place of the image in an area, if that is whole.
    fn load<C: Coordinate>(
        &mut self,
        area: u32,
        pool: &mut Durable<C>,
    ) -> Result<Option<Place>, StoreError<F::Error>> {
        let mut failed = None;
        let mut at = 0;
        let mut chunk = [0; SLOT];
        let mut words = core::iter::from_fn(|| {
            if (at as usize).is_multiple_of(SLOT) {
                let end = at >= self.end();
                chunk = if end {
                    None
                } else {
                    self.read(area, at).map_err(|it| failed = Some(it)).ok()
                }?;
            }
            let (words, _) = chunk.as_chunks::<4>();
            let word = words.get(at as usize % SLOT / 4)?;
            at += 4;
            Some(u32::from_le_bytes(*word))
        });
        let loaded = pool.load(&mut words);
        if let Some(error) = failed {
            return Err(error);
        }
        match loaded {
            Ok(()) => Ok(Some(pool.place())),
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
        let marked = [self.is_marked(0)?, self.is_marked(1)?];
        let area = match [self.load(0, pool)?, self.load(1, pool)?] {
            [None, None] => Err(StoreError::NoImage),
            [Some(_), Some(_)] if marked[0] != marked[1] => Ok(u32::from(marked[0])),
            // Cut before the mark.
            [Some(first), Some(second)] => Ok(u32::from(second.commands > first.commands)),
            [Some(_), None] if !marked[0] => Ok(0),
            [None, Some(_)] if !marked[1] => Ok(1),
            _ => Err(StoreError::Image(BadImage::Damaged)),
        }?;
        Ok((area, marked == [true; 2]))
    }

    /// A mark is all zeros; a bit that turned neither makes nor breaks it.
    fn is_marked(&mut self, area: u32) -> Result<bool, StoreError<F::Error>> {
        let mark = self.read(area, self.mark())?;
        Ok(mark.iter().map(|byte| byte.count_ones()).sum::<u32>() < 4 * SLOT as u32)
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

/// Owners.
impl<F: NorFlash> Flash<F> {
    /// Goes on if the flash is as its owner left it.
    ///
    /// What another one changes first is read last, so that nothing lies between that and what follows.
    fn check(&mut self) -> Result<(), StoreError<F::Error>> {
        let is_left = self.owner == Owner::This
            && (!self.has_room() || is_blank(&self.read(self.claim.area, self.next)?))
            && self.is_marked(self.claim.area)? == self.marked
            && self.is_last(self.claim)?;
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

    /// Whether a claim is there and no other behind it.
    fn is_last(&mut self, claim: Claim) -> Result<bool, StoreError<F::Error>> {
        let Claim { area, slot, .. } = claim;
        if slot == CLAIMS {
            // An area that was erased since has room for claims.
            let last = self.read(area, self.claim_at(CLAIMS - 1))?;
            return Ok(!is_blank(&last));
        }
        if !is_near(&self.read(area, self.claim_at(slot))?, &claim.bytes()) {
            return Ok(false);
        }
        for behind in (slot + 1..CLAIMS).rev() {
            if !is_blank(&self.read(area, self.claim_at(behind))?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Claims an area behind its owner, in the first slot that is blank to the last bit: some flash writes to no other.
    fn claim(&mut self, area: u32, generation: u32) -> Result<Claim, StoreError<F::Error>> {
        let mut claim = Claim { area, slot: 1, generation };
        while claim.slot < CLAIMS {
            let at = self.claim_at(claim.slot);
            if self.read(area, at)? == BLANK {
                self.put(area, at, &claim.bytes())?;
                return Ok(claim);
            }
            claim.slot += 1;
        }
        Ok(claim)
    }

    /// A generation above all that are there. Areas are worn out long before the numbers are.
    fn next_generation(&mut self) -> Result<u32, StoreError<F::Error>> {
        let mut latest = 0;
        for area in 0..2 {
            for slot in 0..CLAIMS {
                let bytes = self.read(area, self.claim_at(slot))?;
                let found = Claim::read(area, slot, &bytes);
                latest = found.map_or(latest, |claim| latest.max(claim.generation));
            }
        }
        Ok(latest.wrapping_add(1))
    }

    /// Becomes the owner of an area without an image, whatever was there.
    fn seize(&mut self) -> Result<(), StoreError<F::Error>> {
        let generation = self.next_generation()?;
        // Whoever had the flash sees one of these.
        self.claim(0, generation)?;
        self.claim(1, generation)?;
        let claim = Claim { area: 0, slot: 0, generation };
        self.erase(claim.area)?;
        self.put(claim.area, self.claim_at(claim.slot), &claim.bytes())?;
        (self.owner, self.claim, self.marked) = (Owner::This, claim, false);
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
        let (area, at, slot) = (self.claim.area, self.next, slot_of(record));
        // After a write that failed the slot is lost.
        self.next += SLOT as u32;
        self.put(area, at, &slot)?;
        let is_there = is_near(&self.read(area, at)?, &slot);
        self.insist(is_there)?;
        self.check()
    }

    fn checkpoint<C: Coordinate>(&mut self, pool: &Durable<C>) -> Result<(), Self::Error> {
        if self.owner == Owner::Nobody {
            self.seize()?;
        }
        self.check()?;
        let old = self.claim;
        let generation = old.generation.wrapping_add(1);
        let new = Claim { area: 1 - old.area, slot: 0, generation };
        self.erase(new.area)?;
        self.write(new.area, self.claim_at(0), &new.bytes())?;
        let next = self.write_image(new.area, pool)?;
        self.check()?;
        (self.claim, self.next, self.marked) = (new, next, false);
        if is_blank(&self.read(old.area, self.mark())?) {
            self.write(old.area, self.mark(), &[0; SLOT])?;
        }
        // Whoever recovers and did not see the mark has claimed the old area by now.
        let is_left = self.is_last(old)?;
        self.insist(is_left)?;
        self.check()
    }

    fn recover<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<RecoveryReport, Self::Error> {
        let (area, marked) = self.latest(pool)?;
        // No record is written before there is an image.
        self.next = self.length;
        let generation = self.next_generation()?;
        self.claim = self.claim(area, generation)?;
        self.marked = marked;
        self.owner = Owner::This;
        // The old owner may have gone to the other area meanwhile.
        self.check()?;
        if self.load(area, pool)?.is_none() {
            return Err(StoreError::Image(BadImage::Damaged));
        }
        let head = self.read(area, 0)?;
        let (words, _) = head.as_chunks::<4>();
        let contents = words.get(LENGTH).map_or(0, |word| u32::from_le_bytes(*word));
        let mut at = (4 * (contents + ENVELOPE)).next_multiple_of(SLOT as u32);
        let mut reader = Reader::new(pool, |_| {}).mending(self.mends);
        while at < self.end() {
            let slot = self.read(area, at)?;
            reader.take(&slot, is_blank(&slot))?;
            at += SLOT as u32;
        }
        Ok(reader.found())
    }
}
