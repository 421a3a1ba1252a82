//! A history in a file: an image and the records behind it.

use crate::journal::{Reader, SLOT, load_image, slot_of};
use crate::{RecoveryReport, Store, StoreError};
use locox::coordinate::{Coordinate, Durable, EffectRecord, Record};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const HISTORY: &str = "history";
const NEW: &str = "history.new";
const LOCK: &str = "lock";

/// Records between two images: 4 MB.
const RECORDS: u32 = 1 << 16;

/// What files do. A test has another than [`Directory`], which is cut at every step.
pub trait Folder {
    /// All that is in a file; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Writes a file that is durable when this returns, but may have no name yet that lasts.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Writes to the end of a file. It need not be durable before [`Folder::sync`].
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Makes durable what was written to the end of a file, if the file still has this name.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn sync(&mut self, name: &str) -> io::Result<()>;

    /// Gives a file another name, in place of the file that had it.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()>;

    /// Makes names last.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn sync_names(&mut self) -> io::Result<()>;
}

/// A folder of a file system, for one writer at a time.
///
/// A second writer would replace the history that the first one writes to, and answered commands would
/// be lost. So the file `lock` is locked as long as this lives; it says which process has it.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    _lock: File,
    /// The file that was written to last, and its name.
    open: Option<(String, File)>,
}

impl Directory {
    /// The folder of this path, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// Those of the system; [`io::ErrorKind::ResourceBusy`] while somebody else has the folder open, with
    /// the number of that process.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        fs::create_dir_all(&path)?;
        let path = path.as_ref().to_path_buf();
        let lock = lock(&path)?;
        Ok(Self { path, _lock: lock, open: None })
    }
}

/// Locks a folder until the file is closed.
fn lock(folder: &Path) -> io::Result<File> {
    let path = folder.join(LOCK);
    let mut file = File::options().create(true).truncate(false).write(true).open(&path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::Error(error)) => return Err(error),
        Err(TryLockError::WouldBlock) => {
            // Some systems let nobody read what is locked.
            let holder = fs::read_to_string(&path).unwrap_or_default();
            let holder = if holder.is_empty() { "another process" } else { holder.trim() };
            let what = format!("{} is in use by {holder}", folder.display());
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, what));
        }
    }
    file.set_len(0)?;
    writeln!(file, "process {}", std::process::id())?;
    Ok(file)
}

impl Directory {
    /// The file of this name, open to write to its end.
    fn file(&mut self, name: &str) -> io::Result<&mut File> {
        let open = self.open.take().filter(|(is, _)| is == name);
        let file = match open {
            Some((_, file)) => file,
            None => File::options().append(true).open(self.path.join(name))?,
        };
        Ok(&mut self.open.insert((name.into(), file)).1)
    }
}

impl Folder for Directory {
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.path.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create(self.path.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()?;
        self.open = Some((name.into(), file));
        Ok(())
    }

    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.file(name)?.write_all(bytes)
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        let path = self.path.join(name);
        let file = self.file(name)?;
        check_name(file, &path)?;
        file.sync_data()
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    fn sync_names(&mut self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()
    }
}

/// Whether the file of this name is still the one that is open: what is written to another would not be
/// found again.
#[cfg(unix)]
fn check_name(file: &File, path: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let (open, named) = (file.metadata()?, fs::metadata(path)?);
    if (open.dev(), open.ino()) == (named.dev(), named.ino()) {
        return Ok(());
    }
    let what = format!("{} was replaced by somebody else", path.display());
    Err(io::Error::new(io::ErrorKind::NotFound, what))
}

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
fn check_name(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}

/// A history in one file of a folder, `history`: an image and the records behind it.
///
/// Another one with a new image is written beside it and renamed. Records are durable when the
/// system says so (`fdatasync`).
#[derive(Debug)]
pub struct Files<F = Directory> {
    folder: F,
    /// How many more records are written before the next image.
    room: u32,
}

impl<F: Folder> Files<F> {
    /// A history in this folder. Nothing is read or written yet.
    pub const fn new(folder: F) -> Self {
        Self { folder, room: 0 }
    }

    /// Gives the folder back.
    pub fn into_inner(self) -> F {
        self.folder
    }
}

impl<F: Folder> Store for Files<F> {
    type Error = StoreError<io::Error>;

    fn has_room(&self) -> bool {
        self.room > 0
    }

    fn append(&mut self, record: &Record) -> Result<(), Self::Error> {
        // After a write that failed nobody knows where the next one would go.
        let room = std::mem::take(&mut self.room);
        self.folder.append(HISTORY, &slot_of(record)).map_err(StoreError::Medium)?;
        self.room = room.saturating_sub(1);
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Self::Error> {
        // After a sync that failed a later one may succeed although nothing was stored.
        let room = std::mem::take(&mut self.room);
        self.folder.sync(HISTORY).map_err(StoreError::Medium)?;
        self.room = room;
        Ok(())
    }

    fn checkpoint<C: Coordinate>(&mut self, pool: &Durable<C>) -> Result<(), Self::Error> {
        self.room = 0;
        let mut image = Vec::new();
        pool.export(&mut |word| image.extend(word.to_le_bytes()));
        let folder = &mut self.folder;
        let mut store = || {
            folder.write(NEW, &image)?;
            folder.rename(NEW, HISTORY)?;
            folder.sync_names()
        };
        store().map_err(StoreError::Medium)?;
        self.room = RECORDS;
        Ok(())
    }

    fn recover<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<RecoveryReport, Self::Error> {
        let bytes =
            self.folder.read(HISTORY).map_err(StoreError::Medium)?.ok_or(StoreError::NoImage)?;
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
