//! A history in a file: an image and the records behind it.

use crate::journal::{Reader, SLOT, load_image, slot_of};
use crate::{Directory, FileError, Folder, RecoveryReport, Store, StoreError};
use locox::coordinate::{Coordinate, Durable, EffectRecord, Record};
use std::io;

const HISTORY: &str = "history";
const NEW: &str = "history.new";

/// Records between two images: 8 MB.
const RECORDS: u32 = 1 << 17;
/// Bytes that are written at one time, about.
const CHUNK: usize = 1 << 16;

/// A history in one file of a folder, `history`: an image and the records behind it.
///
/// Another one with a new image is written beside it and renamed, by itself after 131,072 records. Records are
/// durable when the system says so (`fdatasync`); those of a batch are written together.
#[derive(Debug)]
pub struct Files<F = Directory> {
    folder: F,
    /// Records that are not written yet.
    unwritten: Vec<u8>,
    /// How many more records are written before the next image.
    room: u32,
}

impl<F: Folder> Files<F> {
    /// A history in this folder. Nothing is read or written yet.
    pub const fn new(folder: F) -> Self {
        Self { folder, unwritten: Vec::new(), room: 0 }
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
        let written = self.folder.append(HISTORY, &self.unwritten);
        self.unwritten.clear();
        written
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
        let folder = &mut self.folder;
        folder.write(NEW, &image)?;
        folder.rename(NEW, HISTORY)?;
        folder.sync_names()?;
        self.room = RECORDS;
        Ok(())
    }

    fn has_image<C: Coordinate>(&mut self, _: &mut Durable<C>) -> Result<bool, Self::Error> {
        Ok(self.folder.read(HISTORY)?.is_some())
    }

    fn recover<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<RecoveryReport, Self::Error> {
        let bytes = self.folder.read(HISTORY)?.ok_or(StoreError::NoImage)?;
        read_history(&bytes, pool, |_| {})
    }
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
    let taken = load_image(bytes, pool).map_err(StoreError::Image)?;
    let journal = bytes.get(taken..).unwrap_or(&[]);
    let (slots, rest) = journal.as_chunks::<SLOT>();
    let mut reader = Reader::new(pool, effect).with_batches();
    for slot in slots {
        reader.take(slot, slot.iter().all(|byte| *byte == 0))?;
    }
    let found = reader.found();
    Ok(RecoveryReport { cut: found.cut || !rest.is_empty(), ..found })
}
