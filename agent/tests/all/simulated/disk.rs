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
    /// So many more writes succeed, but the last of them; `None`: all.
    good: Option<u64>,
    /// What comes of the one that fails.
    cut: Cut,
    /// Writes that were asked for.
    writes: u64,
    /// The file to which something was written since the last sync, and what it was before.
    open: Option<(String, Vec<u8>)>,
}

/// What comes of a write that fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Nothing, nor of what was written before it and not synced.
    Lost,
    /// Half of it.
    #[default]
    Torn,
    /// All of it, and nobody hears of it.
    Done,
}

/// A disk that others hold as well.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk(Rc<RefCell<State>>);

impl Disk {
    /// It fails at the write of this number, from 1 on; `None`: never.
    pub(crate) fn fail_after(&self, writes: Option<u64>) {
        self.0.borrow_mut().good = writes;
    }

    /// What comes of the write at which it fails.
    pub(crate) fn cuts(&self, cut: Cut) {
        self.0.borrow_mut().cut = cut;
    }

    /// Writes that were asked for.
    pub(crate) fn writes(&self) -> u64 {
        self.0.borrow().writes
    }

    /// Another disk, with what is left of this one if the power is cut now.
    pub(crate) fn after_cut(&self) -> Self {
        let State { files, open, .. } = &*self.0.borrow();
        let mut state = State { files: files.clone(), open: open.clone(), ..State::default() };
        state.lose();
        Self(Rc::new(RefCell::new(state)))
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
        whole: impl FnOnce(&mut State) -> io::Result<()>,
        half: impl FnOnce(&mut State) -> io::Result<()>,
    ) -> io::Result<()> {
        let state = &mut *self.0.borrow_mut();
        state.writes += 1;
        match &mut state.good {
            Some(0) => return Err(io::Error::other("the disk has failed")),
            Some(good) => *good -= 1,
            None => {}
        }
        if state.good != Some(0) {
            return whole(state);
        }
        match state.cut {
            Cut::Lost => state.lose(),
            Cut::Torn => half(state)?,
            Cut::Done => whole(state)?,
        }
        Err(io::Error::other("the disk fails"))
    }
}

impl State {
    fn write_at(&mut self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        if self.open.is_none() {
            self.open = self.files.read(name)?.map(|before| (name.into(), before));
        }
        self.files.write_at(name, at, bytes)
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        self.open = None;
        self.files.sync(name)
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.open = self.open.take().filter(|(name, _)| name != to);
        self.files.rename(from, to)
    }

    fn lose(&mut self) {
        if let Some((name, before)) = self.open.take() {
            self.files.0.entry(name).and_modify(|bytes| *bytes = before);
        }
    }
}

impl Folder for Disk {
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.0.borrow_mut().files.read(name)
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let half = &bytes[..bytes.len() / 2];
        Self::write(self, |it| it.files.write(name, bytes), |it| it.files.write(name, half))
    }

    fn write_at(&mut self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        let half = &bytes[..bytes.len() / 2];
        Self::write(self, |it| it.write_at(name, at, bytes), |it| it.write_at(name, at, half))
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        Self::write(self, |it| it.sync(name), |_| Ok(()))
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        // It may have been done, although it says that it was not.
        Self::write(self, |it| it.rename(from, to), |it| it.rename(from, to))
    }

    fn sync_names(&mut self) -> io::Result<()> {
        Self::write(self, |it| it.files.sync_names(), |_| Ok(()))
    }
}
