//! A folder of a file system, for one writer at a time.

use crate::Folder;
use crate::regular::{check_regular, read_regular};
use std::fs::{self, File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

const LOCK: &str = "lock";

/// A folder of a file system, for one writer at a time.
///
/// A second writer would replace the history that the first one writes to, and answered commands would
/// be lost. So the file `lock` is locked as long as this lives; it says which process has it. When the folder
/// is moved or replaced, or its file `lock` is, the lock keeps nobody out: nothing more is written then, and each
/// call says so.
#[derive(Debug)]
pub struct Directory {
    /// Absolute: it means the same wherever the process goes.
    path: PathBuf,
    lock: File,
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
        let path = std::path::absolute(path)?;
        make(&path)?;
        let lock = lock(&path)?;
        Ok(Self { path, lock, open: None })
    }

    /// The file of this name, open to write to.
    fn file(&mut self, name: &str) -> io::Result<&mut File> {
        let open = self.open.take().filter(|(is, _)| is == name);
        let file = match open {
            Some((_, file)) => file,
            None => self
                .check()
                .and_then(|()| File::options().write(true).open(self.path.join(name)))?,
        };
        Ok(&mut self.open.insert((name.into(), file)).1)
    }

    /// Whether the lock still keeps others out of the folder of this path.
    fn check(&self) -> io::Result<()> {
        if is_named(&self.lock, &self.path.join(LOCK)) {
            return Ok(());
        }
        let what = "the folder, or its file `lock`, was moved or replaced: stop, and start anew";
        Err(io::Error::new(io::ErrorKind::ResourceBusy, what))
    }

    /// What the system says, with the path.
    fn of<T>(&self, name: &str, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| of(&self.path.join(name), &error))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // Whoever reads it before the next one has written its number is not told this one's.
        let _ = self.lock.set_len(0);
        // Closing does not unlock it while a process that is being started has a copy of the file.
        let _ = self.lock.unlock();
    }
}

fn of(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Makes a folder and those above it, and lets their names last.
fn make(folder: &Path) -> io::Result<()> {
    let missing: Vec<_> = folder.ancestors().take_while(|it| !it.exists()).collect();
    fs::create_dir_all(folder).map_err(|error| of(folder, &error))?;
    for parent in missing.into_iter().filter_map(Path::parent) {
        sync_folder(parent)?;
    }
    Ok(())
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder).and_then(|open| open.sync_all()).map_err(|error| of(folder, &error))
}

/// Locks a folder until the file is closed.
fn lock(folder: &Path) -> io::Result<File> {
    let path = folder.join(LOCK);
    let with_path = |error: io::Error| of(&path, &error);
    // To open a FIFO would wait for who reads it.
    match check_regular(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(with_path(error)),
        _ => {}
    }
    let options = File::options().create(true).truncate(false).write(true).open(&path);
    let mut file = options.map_err(with_path)?;
    match file.try_lock() {
        Ok(()) if is_named(&file, &path) => {}
        Err(TryLockError::Error(error)) => return Err(with_path(error)),
        Ok(()) | Err(TryLockError::WouldBlock) => {
            let (folder, holder) = (folder.display(), holder(&path));
            let what = format!("{folder} is in use by {holder}: stop that one first");
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, what));
        }
    }
    // At once, so that nobody reads half of it; what is left of a longer one is in the next line.
    let own = format!("process {}\n", std::process::id());
    file.write_all(own.as_bytes()).map_err(with_path)?;
    file.set_len(own.len() as u64).map_err(with_path)?;
    Ok(file)
}

/// Who has a lock. In the first moment after it took it a process has not yet written its number.
fn holder(lock: &Path) -> String {
    for _ in 0..20 {
        // Some systems let nobody read what is locked.
        let text = fs::read_to_string(lock).unwrap_or_default();
        let number = text.lines().next().and_then(|line| line.strip_prefix("process "));
        if let Some(number) = number.filter(|it| it.parse::<u32>().is_ok()) {
            return format!("process {number}");
        }
        thread::sleep(Duration::from_millis(1));
    }
    "another process".into()
}

/// Whether the file of this name is still the one that is open.
#[cfg(unix)]
fn is_named(open: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(named)) = (open.metadata(), fs::metadata(path)) else { return false };
    (open.dev(), open.ino()) == (named.dev(), named.ino())
}

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
fn is_named(_: &File, _: &Path) -> bool {
    true
}

impl Folder for Directory {
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.of("", self.check())?;
        match read_regular(&self.path.join(name), u64::MAX) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => self.of(name, Err(error)),
        }
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.of("", self.check())?;
        let write = |path: PathBuf| {
            let mut file = File::create(path)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            Ok(file)
        };
        let file = self.of(name, write(self.path.join(name)))?;
        self.open = Some((name.into(), file));
        Ok(())
    }

    fn write_at(&mut self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        let written = self.file(name).and_then(|file| {
            file.seek(SeekFrom::Start(at))?;
            file.write_all(bytes)
        });
        self.of(name, written)
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        let path = self.path.join(name);
        let synced = self.file(name).and_then(|file| match is_named(file, &path) {
            true => file.sync_data(),
            false => Err(io::Error::new(io::ErrorKind::NotFound, "it was moved or replaced")),
        });
        self.of(name, synced)?;
        // Last: an answer is good if nobody else could come in before it was durable.
        self.of("", self.check())
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.of("", self.check())?;
        self.of(to, fs::rename(self.path.join(from), self.path.join(to)))?;
        // Opened anew by its name it might be somebody else's.
        self.open =
            self.open.take().filter(|(is, _)| is == from).map(|(_, file)| (to.into(), file));
        Ok(())
    }

    fn sync_names(&mut self) -> io::Result<()> {
        sync_folder(&self.path)?;
        self.of("", self.check())
    }
}
