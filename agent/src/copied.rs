//! A folder in memory: a copy of one that somebody else has, to look at or to try something.

use locox_storage::{Folder, read_regular};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Files by name. What is written to it stays in memory.
#[derive(Clone, Debug, Default)]
pub struct Copied(pub BTreeMap<String, Vec<u8>>);

impl Copied {
    /// The files of a folder as they are now, without its lock. `names` in the order in which they are read; what is
    /// not there is left out.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn of(folder: &Path, names: &[&str]) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        for name in names {
            let path = folder.join(name);
            match read_regular(&path, u64::MAX) {
                Ok(bytes) => _ = files.insert((*name).to_string(), bytes),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    return Err(io::Error::new(
                        error.kind(),
                        format!("{}: {error}", path.display()),
                    ));
                }
            }
        }
        Ok(Self(files))
    }

    fn file(&mut self, name: &str) -> io::Result<&mut Vec<u8>> {
        self.0.get_mut(name).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Folder for Copied {
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(self.0.get(name).cloned())
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.0.insert(name.into(), bytes.into());
        Ok(())
    }

    fn write_at(&mut self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()> {
        let (file, at) = (self.file(name)?, at as usize);
        file.resize(file.len().max(at + bytes.len()), 0);
        file[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        self.file(name).map(drop)
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let file = self.0.remove(from).ok_or(io::ErrorKind::NotFound)?;
        self.0.insert(to.into(), file);
        Ok(())
    }

    fn sync_names(&mut self) -> io::Result<()> {
        Ok(())
    }
}
