//! A disk that fails at a write, and works again after a restart.

use locox_agent::copied::Copied;
use locox_storage::Folder;
use std::cell::RefCell;
use std::io;
use std::rc::Rc;

/// What a disk has, and when it fails.
#[derive(Debug, Default)]
struct State {
    files: Copied,
    /// So many more writes succeed; `None`: all.
    good: Option<u64>,
}

/// A disk that others hold as well.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk(Rc<RefCell<State>>);

impl Disk {
    /// It fails after so many more writes; `None`: never.
    pub(crate) fn fail_after(&self, writes: Option<u64>) {
        self.0.borrow_mut().good = writes;
    }

    /// Whether it has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.0.borrow().good == Some(0)
    }

    /// Takes a file away, or damages one.
    pub(crate) fn spoil(&self, change: impl FnOnce(&mut Copied)) {
        change(&mut self.0.borrow_mut().files);
    }

    /// Whether a write succeeds; one that fails may have been done in part.
    fn write(
        &self,
        whole: impl FnOnce(&mut Copied) -> io::Result<()>,
        part: impl FnOnce(&mut Copied),
    ) -> io::Result<()> {
        let State { files, good } = &mut *self.0.borrow_mut();
        match good {
            Some(0) => Err(io::Error::other("the disk has failed")),
            Some(1) => {
                *good = Some(0);
                part(files);
                Err(io::Error::other("the disk fails"))
            }
            Some(good) => {
                *good -= 1;
                whole(files)
            }
            None => whole(files),
        }
    }
}

impl Folder for Disk {
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.0.borrow_mut().files.read(name)
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let half = bytes.get(..bytes.len() / 2).unwrap_or(&[]);
        Self::write(self, |files| files.write(name, bytes), |files| _ = files.write(name, half))
    }

    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let half = bytes.get(..bytes.len() / 2).unwrap_or(&[]);
        Self::write(self, |files| files.append(name, bytes), |files| _ = files.append(name, half))
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        Self::write(self, |files| files.sync(name), |_| {})
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        // It may have been done, although it says that it was not.
        Self::write(self, |files| files.rename(from, to), |files| _ = files.rename(from, to))
    }

    fn sync_names(&mut self) -> io::Result<()> {
        Self::write(self, |files| files.sync_names(), |_| {})
    }
}
