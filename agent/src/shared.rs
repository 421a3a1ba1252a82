//! A folder that the history and the list of nodes share.

use locox_storage::Folder;
use std::cell::RefCell;
use std::io;
use std::rc::Rc;

/// A folder with more than one owner in one thread.
#[derive(Debug, Default)]
pub(crate) struct Shared<F>(Rc<RefCell<F>>);

impl<F> Shared<F> {
    /// Shares it.
    pub(crate) fn new(folder: F) -> Self {
        Self(Rc::new(RefCell::new(folder)))
    }
}

impl<F> Clone for Shared<F> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<F: Folder> Folder for Shared<F> {
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.0.borrow_mut().read(name)
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.0.borrow_mut().write(name, bytes)
    }

    fn write_at(&mut self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.borrow_mut().write_at(name, at, bytes)
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        self.0.borrow_mut().sync(name)
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.0.borrow_mut().rename(from, to)
    }

    fn sync_names(&mut self) -> io::Result<()> {
        self.0.borrow_mut().sync_names()
    }
}
