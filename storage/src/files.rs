//! A history in a file: an image, the records behind it, and blank room behind them.
//!
//! The room is durable before records are written to it, and a blank slot of it is always left. So whatever takes
//! synced records away from the end, or puts zeros there, takes the blank slot with them. To write there changes no
//! length, which most systems sync sooner, and needs no room on a disk that is full.

use crate::journal::{Reader, load_image};
use crate::slot::{BLANK, SLOT, slot_of};
use crate::{Directory, FileError, Folder, RecoveryReport, Store, StoreError};
use locox_coordinators::coordinate::{Coordinate, Durable, EffectRecord, Record};
use std::io;

const HISTORY: &str = "history";
const NEW: &str = "history.new";
const DAMAGED: &str = "history.damaged";

/// Records between two images: 8 MB.
const RECORDS: u32 = 1 << 17;
/// Bytes that are written at one time, about.
const CHUNK: usize = 1 << 16;
/// Blank slots by which a file grows: 16 kB.
const BLANKS: u64 = 256;

/// A history in one file of a folder, `history`: an image and the records behind it.
///
/// Another one with a new image is written next to it and renamed, by itself after 131,072 records. Records are
/// durable when the system says so (`fdatasync`); those of a batch are written together. The file has blank room
/// behind its records, up to 16 kB.
///
/// If there is no room for a new image, a recovery goes on with the history that it found, in its blank room; then no
/// command is taken before there is room for an image.
#[derive(Debug)]
pub struct Files<F = Directory> {
    folder: F,
    /// Records that are not written yet.
    unwritten: Vec<u8>,
    /// How many more records are written before the next image.
    room: u32,
    /// Where in the file the next record goes.
    next: u64,
    /// Where the blank room ends that is durable.
    end: u64,
}

impl<F: Folder> Files<F> {
    /// A history in this folder. Nothing is read or written yet.
    pub const fn new(folder: F) -> Self {
        Self { folder, unwritten: Vec::new(), room: 0, next: 0, end: 0 }
    }

    /// Gives the folder back.
    pub fn into_inner(self) -> F {
        self.folder
    }

    /// Writes what is not written yet.
    fn flush(&mut self) -> io::Result<()> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.unwritten);
        let next = self.next + bytes.len() as u64;
        self.grow(next)?;
        self.folder.write_at(HISTORY, self.next, &bytes)?;
        self.next = next;
        Ok(())
    }

    /// Sees to a blank slot behind this byte.
    fn grow(&mut self, next: u64) -> io::Result<()> {
        if next + SLOT as u64 <= self.end {
            return Ok(());
        }
        let end = next + BLANKS * SLOT as u64;
        self.folder.write_at(HISTORY, self.end, &blanks(end - self.end))?;
        self.folder.sync(HISTORY)?;
        self.end = end;
        Ok(())
    }

    /// Reads what is stored. The report, the bytes, and where the last good record ends.
    fn read<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
        salvages: bool,
    ) -> Result<(RecoveryReport, Vec<u8>, u64), StoreError<FileError>> {
        let bytes = self.folder.read(HISTORY)?.ok_or(StoreError::NoImage)?;
        let (report, good) = read(&bytes, pool, salvages, |_| {})?;
        Ok((report, bytes, good))
    }

    /// Blanks what is behind the last good record, and stores one more there.
    fn append_behind(&mut self, record: &Record) -> io::Result<()> {
        self.folder.write_at(HISTORY, self.next, &blanks(self.end - self.next))?;
        self.folder.sync(HISTORY)?;
        self.folder.write_at(HISTORY, self.next, &slot_of(record))?;
        self.folder.sync(HISTORY)?;
        self.next += SLOT as u64;
        Ok(())
    }
}

impl<F: Folder> Store for Files<F> {
    type Error = StoreError<FileError>;

    fn has_room(&self) -> bool {
        self.room > 0
    }

    fn append(&mut self, record: &Record) -> Result<(), Self::Error> {
        // After a write that failed nobody knows where the next one would go.
        let room = std::mem::take(&mut self.room);
        self.unwritten.extend(slot_of(record));
        if self.unwritten.len() >= CHUNK {
            self.flush()?;
        }
        self.room = room.saturating_sub(1);
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Self::Error> {
        // After a sync that failed a later one may succeed although nothing was stored.
        let room = std::mem::take(&mut self.room);
        self.flush()?;
        self.folder.sync(HISTORY)?;
        self.room = room;
        Ok(())
    }

    fn checkpoint<C: Coordinate>(&mut self, pool: &Durable<C>) -> Result<(), Self::Error> {
        self.room = 0;
        self.unwritten.clear();
        let mut image = Vec::new();
        pool.export(&mut |word| image.extend(word.to_le_bytes()));
        let next = image.len() as u64;
        image.extend(blanks(BLANKS * SLOT as u64));
        let folder = &mut self.folder;
        if let Err(error) = folder.write(NEW, &image) {
            // A part of it takes room from others on a disk that is full.
            let _ = folder.write(NEW, &[]);
            return Err(error.into());
        }
        folder.rename(NEW, HISTORY)?;
        folder.sync_names()?;
        (self.next, self.end, self.room) = (next, image.len() as u64, RECORDS);
        Ok(())
    }

    fn has_image<C: Coordinate>(&mut self, _: &mut Durable<C>) -> Result<bool, Self::Error> {
        Ok(self.folder.read(HISTORY)?.is_some())
    }

    fn recover<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<RecoveryReport, Self::Error> {
        let (report, bytes, good) = self.read(pool, false)?;
        (self.next, self.end) = (good, (bytes.len() as u64).max(good));
        Ok(report)
    }

    /// What is damaged stays as `history.damaged`.
    fn salvage<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<RecoveryReport, Self::Error> {
        let (report, bytes, _) = self.read(pool, true)?;
        if report.left_out.is_some() {
            self.folder.write(DAMAGED, &bytes)?;
            self.folder.sync_names()?;
        }
        Ok(report)
    }

    /// In the blank room: a disk that is full has that.
    fn resume(&mut self, record: &Record) -> bool {
        let slots = self.end.saturating_sub(self.next) / SLOT as u64;
        let resumed = slots > 1 && self.append_behind(record).is_ok();
        // One for this record, and one that stays blank.
        self.room = if resumed { slots.saturating_sub(2) as u32 } else { 0 };
        resumed
    }
}

fn blanks(bytes: u64) -> Vec<u8> {
    BLANK.iter().copied().cycle().take(bytes as usize).collect()
}

/// Takes a fresh coordinator through the bytes of a history; `effect` gets what it told then.
///
/// # Errors
///
/// Those of [`Files::recover`](Store::recover).
pub fn read_history<C: Coordinate, E>(
    bytes: &[u8],
    pool: &mut Durable<C>,
    effect: impl FnMut(EffectRecord<C::Effect>),
) -> Result<RecoveryReport, StoreError<E>> {
    read(bytes, pool, false, effect).map(|(report, _)| report)
}

/// As [`read_history`], up to the last good record of a history that is damaged. The image has to be whole.
///
/// # Errors
///
/// Those of [`DurableCoordinator::salvage`](crate::DurableCoordinator::salvage).
pub fn salvage_history<C: Coordinate, E>(
    bytes: &[u8],
    pool: &mut Durable<C>,
    effect: impl FnMut(EffectRecord<C::Effect>),
) -> Result<RecoveryReport, StoreError<E>> {
    read(bytes, pool, true, effect).map(|(report, _)| report)
}

/// The report, and at which byte the last good record ends.
fn read<C: Coordinate, E>(
    bytes: &[u8],
    pool: &mut Durable<C>,
    salvages: bool,
    effect: impl FnMut(EffectRecord<C::Effect>),
) -> Result<(RecoveryReport, u64), StoreError<E>> {
    let image = load_image(bytes, pool).map_err(StoreError::Image)?;
    let (slots, _) = bytes.get(image..).unwrap_or(&[]).as_chunks::<SLOT>();
    let mut reader = Reader::new(pool, effect).of_file().salvaging(salvages);
    for slot in slots {
        reader.take(slot)?;
    }
    let good = image as u64 + reader.good() * SLOT as u64;
    Ok((reader.end()?, good))
}
