//! A history in NOR flash: two areas that take turns.
//!
//! An area has an image, slots for records behind it, and a mark in its last slot. The mark says
//! that the image in the other area is whole and counts. If that is not whole, it is damaged.

use crate::journal::{Reader, SLOT, slot_of};
use crate::{RecoveryReport, Store, StoreError};
use embedded_storage::nor_flash::NorFlash;
use locox::coordinate::{BadImage, Coordinate, Durable, Place, Record};

/// Words of an image beside its contents, and the word that counts those.
const ENVELOPE: u32 = 11;
const LENGTH: usize = 4;

/// A history in NOR flash.
///
/// It needs twice the room of an image and 64 bytes for each record between two images, and 64
/// more; all of the flash is used, in two halves. A flash that writes parts of 64 bytes or fewer
/// (a power of two) will do; nothing is written twice between erasures.
#[derive(Clone, Debug)]
pub struct Flash<F> {
    flash: F,
    /// Bytes of an area.
    length: u32,
    /// Which area is in use: 0 or 1.
    area: u32,
    /// Where in it the next record goes.
    next: u32,
    mends: bool,
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
        if length < 4 * SLOT as u32 {
            return Err(StoreError::TooSmall);
        }
        // Until an image is there, there is no room for records.
        Ok(Self { flash, length, area: 0, next: length, mends: true })
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

    /// Gives the flash back.
    pub fn into_inner(self) -> F {
        self.flash
    }

    /// Where the mark of an area lies, behind all records.
    const fn mark(&self) -> u32 {
        self.length - SLOT as u32
    }

    fn read(&mut self, area: u32, at: u32) -> Result<[u8; SLOT], StoreError<F::Error>> {
        let mut slot = [0; SLOT];
        self.flash.read(area * self.length + at, &mut slot).map_err(StoreError::Medium)?;
        Ok(slot)
    }

    fn write(&mut self, area: u32, at: u32, slot: &[u8; SLOT]) -> Result<(), StoreError<F::Error>> {
        self.flash.write(area * self.length + at, slot).map_err(StoreError::Medium)
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
                let end = at >= self.mark();
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

    /// Which area counts.
    fn latest<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<u32, StoreError<F::Error>> {
        let places = [self.load(0, pool)?, self.load(1, pool)?];
        let marked = [self.is_marked(0)?, self.is_marked(1)?];
        match places {
            [None, None] => Err(StoreError::NoImage),
            [Some(_), Some(_)] if marked[0] != marked[1] => Ok(u32::from(marked[0])),
            // Cut before the mark.
            [Some(first), Some(second)] => Ok(u32::from(second.commands > first.commands)),
            [Some(_), None] if !marked[0] => Ok(0),
            [None, Some(_)] if !marked[1] => Ok(1),
            _ => Err(StoreError::Image(BadImage::Damaged)),
        }
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
        let last = self.mark() - SLOT as u32;
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

/// Whether nobody wrote there; a bit may have turned.
fn is_blank(slot: &[u8; SLOT]) -> bool {
    slot.iter().map(|byte| byte.count_zeros()).sum::<u32>() <= 1
}

impl<F: NorFlash> Store for Flash<F> {
    type Error = StoreError<F::Error>;

    fn has_room(&self) -> bool {
        self.next < self.mark()
    }

    fn append(&mut self, record: &Record) -> Result<(), Self::Error> {
        let at = self.next;
        if at >= self.mark() {
            return Err(StoreError::TooSmall);
        }
        // After a write that failed the slot is lost.
        self.next += SLOT as u32;
        self.write(self.area, at, &slot_of(record))
    }

    fn checkpoint<C: Coordinate>(&mut self, pool: &Durable<C>) -> Result<(), Self::Error> {
        let (old, new) = (self.area, 1 - self.area);
        let from = new * self.length;
        self.flash.erase(from, from + self.length).map_err(StoreError::Medium)?;
        let next = self.write_image(new, pool)?;
        (self.area, self.next) = (new, next);
        if is_blank(&self.read(old, self.mark())?) {
            self.write(old, self.mark(), &[0; SLOT])?;
        }
        Ok(())
    }

    fn recover<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<RecoveryReport, Self::Error> {
        self.area = self.latest(pool)?;
        if self.load(self.area, pool)?.is_none() {
            return Err(StoreError::Image(BadImage::Damaged));
        }
        let head = self.read(self.area, 0)?;
        let (words, _) = head.as_chunks::<4>();
        let contents = words.get(LENGTH).map_or(0, |word| u32::from_le_bytes(*word));
        self.next = (4 * (contents + ENVELOPE)).next_multiple_of(SLOT as u32);
        let mut reader = Reader::new(pool, |_| {}).mending(self.mends);
        while self.has_room() {
            let slot = self.read(self.area, self.next)?;
            reader.take(&slot, is_blank(&slot))?;
            self.next += SLOT as u32;
        }
        Ok(reader.found())
    }
}
