//! A disk under a folder: it tears writes, is full, turns bits, and says that something is durable that is not.

use locox_agent::copied::Copied;
use locox_storage::Folder;
use std::cell::RefCell;
use std::io;
use std::rc::Rc;

/// Something that was done and may not last.
#[derive(Clone, Debug)]
enum Step {
    Write(String, Vec<u8>),
    WriteAt(String, u64, Vec<u8>),
    Rename(String, String),
}

/// What a disk holds.
#[derive(Debug, Default)]
struct Platter {
    /// What is left if the power is cut now.
    lasting: Copied,
    /// What the system shows.
    shown: Copied,
    /// Leads from the one to the other.
    steps: Vec<Step>,
    /// So many more writes are done, and at the next one the power is cut.
    left: Option<u64>,
    is_off: bool,
    is_full: bool,
    /// Says that something is durable, and does nothing for it.
    lies: bool,
    /// Something was lost that it said was durable.
    has_lied: bool,
    /// How many of the steps were said to be durable.
    promised: usize,
}

/// A disk that others hold as well.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk(Rc<RefCell<Platter>>);

impl Disk {
    /// The power is cut at a write, after so many others.
    pub(crate) fn cut_after(&self, writes: u64) {
        self.0.borrow_mut().left = Some(writes);
    }

    /// Whether the power was cut.
    pub(crate) fn is_off(&self) -> bool {
        self.0.borrow().is_off
    }

    /// Whether there is no room.
    pub(crate) fn set_full(&self, full: bool) {
        self.0.borrow_mut().is_full = full;
    }

    /// Whether it lies. One that does so no more stores what it has.
    pub(crate) fn set_lies(&self, lies: bool) {
        let disk = &mut *self.0.borrow_mut();
        disk.lies = lies;
        if !lies && !disk.is_off {
            let promised = disk.promised;
            disk.settle(promised);
        }
    }

    /// Nothing goes wrong any more.
    pub(crate) fn mend(&self) {
        self.0.borrow_mut().left = None;
        self.set_full(false);
        self.set_lies(false);
    }

    /// The power is cut: what was not durable is there up to any point, and half of what was written there.
    pub(crate) fn cut(&self, number: u64) {
        let disk = &mut *self.0.borrow_mut();
        let count = disk.steps.len();
        let kept = if count == 0 { 0 } else { number as usize % (count + 1) };
        disk.has_lied |= kept < disk.promised;
        let torn = disk.steps.get(kept).cloned();
        disk.settle(kept);
        match torn {
            Some(Step::Write(name, bytes)) => _ = disk.lasting.write(&name, half(&bytes, number)),
            Some(Step::WriteAt(name, at, bytes)) => {
                _ = disk.lasting.write_at(&name, at, half(&bytes, number));
            }
            _ => {}
        }
        disk.steps.clear();
        disk.promised = 0;
        disk.shown = disk.lasting.clone();
        disk.is_off = true;
        disk.left = None;
    }

    /// The power is there again; whether something was lost that was said to be durable.
    pub(crate) fn turn_on(&self) -> bool {
        let disk = &mut *self.0.borrow_mut();
        disk.is_off = false;
        std::mem::take(&mut disk.has_lied)
    }

    /// Turns one bit of a file: which one, by any number; `None` if there is no such file, or nothing in it.
    pub(crate) fn turn_bit(&self, name: &str, number: u64) -> Option<u64> {
        let disk = &mut *self.0.borrow_mut();
        let promised = disk.steps.len();
        disk.settle(promised);
        let bits = disk.lasting.0.get(name).map_or(0, |bytes| bytes.len() as u64 * 8);
        let bit = number.checked_rem(bits)?;
        for files in [&mut disk.lasting, &mut disk.shown] {
            let bytes = files.0.get_mut(name)?;
            *bytes.get_mut(bit as usize / 8)? ^= 1 << (bit % 8);
        }
        Some(bit)
    }

    /// What a file has.
    pub(crate) fn file(&self, name: &str) -> Option<Vec<u8>> {
        self.0.borrow().shown.0.get(name).cloned()
    }

    /// Has a file be something else.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) {
        let disk = &mut *self.0.borrow_mut();
        for files in [&mut disk.lasting, &mut disk.shown] {
            files.0.insert(name.into(), bytes.into());
        }
    }

    /// Notes a step and whether it is done: at a cut it is not, where there is no room half of it is.
    fn step(&self, step: Step) -> io::Result<()> {
        let disk = &mut *self.0.borrow_mut();
        disk.may_go_on()?;
        let part = |bytes: &[u8]| half(bytes, bytes.len() as u64).to_vec();
        let part = match &step {
            Step::Write(name, bytes) => Step::Write(name.clone(), part(bytes)),
            // What is there already takes no room.
            Step::WriteAt(name, at, bytes) if disk.grows(name, *at, bytes) => {
                Step::WriteAt(name.clone(), *at, part(bytes))
            }
            _ => return disk.note(step),
        };
        if !disk.is_full {
            return disk.note(step);
        }
        disk.note(part)?;
        Err(io::ErrorKind::StorageFull.into())
    }

    /// What was done so far is durable.
    fn settle(&self) -> io::Result<()> {
        let disk = &mut *self.0.borrow_mut();
        disk.may_go_on()?;
        disk.promised = disk.steps.len();
        if !disk.lies {
            let promised = disk.promised;
            disk.settle(promised);
        }
        Ok(())
    }
}

impl Platter {
    /// The next write, if the power is there.
    fn may_go_on(&mut self) -> io::Result<()> {
        match &mut self.left {
            Some(0) => self.is_off = true,
            Some(left) => *left -= 1,
            None => {}
        }
        if self.is_off { Err(io::Error::other("the power is cut")) } else { Ok(()) }
    }

    fn grows(&self, name: &str, at: u64, bytes: &[u8]) -> bool {
        let length = self.shown.0.get(name).map_or(0, Vec::len);
        at as usize + bytes.len() > length
    }

    fn note(&mut self, step: Step) -> io::Result<()> {
        apply(&mut self.shown, &step)?;
        self.steps.push(step);
        Ok(())
    }

    fn settle(&mut self, count: usize) {
        for step in self.steps.drain(..count) {
            let done = apply(&mut self.lasting, &step);
            debug_assert!(done.is_ok(), "what was shown can last");
        }
        self.promised = self.promised.saturating_sub(count);
    }
}

fn apply(files: &mut Copied, step: &Step) -> io::Result<()> {
    match step {
        Step::Write(name, bytes) => files.write(name, bytes),
        Step::WriteAt(name, at, bytes) => files.write_at(name, *at, bytes),
        Step::Rename(from, to) => files.rename(from, to),
    }
}

fn half(bytes: &[u8], number: u64) -> &[u8] {
    &bytes[..(bytes.len() / 2).min(number as usize % (bytes.len() + 1))]
}

impl Folder for Disk {
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let disk = &mut *self.0.borrow_mut();
        if disk.is_off { Err(io::Error::other("the power is cut")) } else { disk.shown.read(name) }
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.step(Step::Write(name.into(), bytes.into()))?;
        self.settle()
    }

    fn write_at(&mut self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.step(Step::WriteAt(name.into(), at, bytes.into()))
    }

    fn sync(&mut self, _: &str) -> io::Result<()> {
        self.settle()
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.step(Step::Rename(from.into(), to.into()))
    }

    fn sync_names(&mut self) -> io::Result<()> {
        self.settle()
    }
}
