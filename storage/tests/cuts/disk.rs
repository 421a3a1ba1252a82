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
    WriteAt(String, u64, Vec<u8>),
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
            Step::WriteAt(name, at, bytes) => {
                let (file, at) = (self.0.get_mut(name).unwrap(), *at as usize);
                assert!(at <= file.len(), "there is no hole in a file");
                file.resize(file.len().max(at + bytes.len()), 0);
                file[at..at + bytes.len()].copy_from_slice(bytes);
            }
            Step::Rename(from, to) => {
                let file = self.0.remove(from).unwrap();
                self.0.insert(to.clone(), file);
            }
            Step::Sync | Step::SyncNames => {}
        }
    }

    /// The beginning of what is written is there. The rest is as before; behind the end it is zeros or missing.
    pub(crate) fn do_part_of(&mut self, step: &Step, numbers: &mut Numbers) {
        let part = |bytes: &[u8], numbers: &mut Numbers| {
            let cut = numbers.below(bytes.len() as u64 + 1) as usize;
            let zeros = numbers.below((bytes.len() - cut) as u64 + 1) as usize;
            [&bytes[..cut], &vec![0; zeros][..]].concat()
        };
        let step = match step {
            Step::Write(name, bytes) => Step::Write(name.clone(), part(bytes, numbers)),
            Step::WriteAt(name, at, bytes) => {
                let before = self.0[name].get(*at as usize..).unwrap_or(&[]);
                let bytes = match before.get(..bytes.len()) {
                    None if before.is_empty() => part(bytes, numbers),
                    None => panic!("a file grows by a write of its own"),
                    Some(before) => {
                        let cut = numbers.below(bytes.len() as u64 + 1) as usize;
                        [&bytes[..cut], &before[cut..]].concat()
                    }
                };
                Step::WriteAt(name.clone(), *at, bytes)
            }
            // As a whole or not at all.
            Step::Rename(..) | Step::Sync | Step::SyncNames => return,
        };
        self.do_all_of(&step);
    }
}

/// Where the records of a history end, and blank room begins.
pub(crate) fn end_of_records(history: &[u8]) -> usize {
    let blank = history.iter().rev().take_while(|byte| **byte == 0xFF).count();
    history.len() - blank / 64 * 64
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

    fn write_at(&mut self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.note(Step::WriteAt(name.into(), at, bytes.into()))
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
