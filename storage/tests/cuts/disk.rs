//! A disk that notes what is done to it, so that it can be cut at each step.

use crate::run::Numbers;
use locox_storage::Folder;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;

#[derive(Clone)]
pub(crate) enum Step {
    Write(String, Vec<u8>),
    Append(String, Vec<u8>),
    Rename(String, String),
    Sync,
    SyncNames,
}

/// What files there are.
#[derive(Clone, Default)]
pub(crate) struct Disk(pub(crate) BTreeMap<String, Vec<u8>>);

impl Disk {
    pub(crate) fn do_all_of(&mut self, step: &Step) {
        match step {
            Step::Write(name, bytes) => _ = self.0.insert(name.clone(), bytes.clone()),
            Step::Append(name, bytes) => self.0.get_mut(name).unwrap().extend(bytes),
            Step::Rename(from, to) => {
                let file = self.0.remove(from).unwrap();
                self.0.insert(to.clone(), file);
            }
            Step::Sync | Step::SyncNames => {}
        }
    }

    /// The beginning of what is written is there; the rest is zeros or missing.
    pub(crate) fn do_part_of(&mut self, step: &Step, numbers: &mut Numbers) {
        let part = |bytes: &[u8], numbers: &mut Numbers| {
            let cut = numbers.below(bytes.len() as u64 + 1) as usize;
            let zeros = numbers.below((bytes.len() - cut) as u64 + 1) as usize;
            [&bytes[..cut], &vec![0; zeros][..]].concat()
        };
        let step = match step {
            Step::Write(name, bytes) => Step::Write(name.clone(), part(bytes, numbers)),
            Step::Append(name, bytes) => Step::Append(name.clone(), part(bytes, numbers)),
            // As a whole or not at all.
            Step::Rename(..) | Step::Sync | Step::SyncNames => return,
        };
        self.do_all_of(&step);
    }
}

#[derive(Clone, Default)]
pub(crate) struct Noting {
    pub(crate) disk: Disk,
    pub(crate) steps: Rc<RefCell<Vec<Step>>>,
}

impl Noting {
    fn note(&mut self, step: Step) -> io::Result<()> {
        self.disk.do_all_of(&step);
        self.steps.borrow_mut().push(step);
        Ok(())
    }
}

impl Folder for Noting {
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(self.disk.0.get(name).cloned())
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.note(Step::Write(name.into(), bytes.into()))
    }

    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.note(Step::Append(name.into(), bytes.into()))
    }

    fn sync(&mut self, _: &str) -> io::Result<()> {
        self.note(Step::Sync)
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.note(Step::Rename(from.into(), to.into()))
    }

    fn sync_names(&mut self) -> io::Result<()> {
        self.note(Step::SyncNames)
    }
}
