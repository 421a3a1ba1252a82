//! A simulated manager that is stored in a file from one command to the next.

use super::{Simulated, World};
use crate::backend::{Abilities, Act, Backend, BackendError, Finding, Outcome, Snapshot};
use locox_storage::read_regular;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A simulated manager that is stored in a file after each call.
#[derive(Debug)]
pub struct SimulatedFile {
    path: PathBuf,
    manager: Simulated,
    /// Whether it only tells what there is.
    looks_only: bool,
    /// Whether it is another one than was asked for.
    is_other: bool,
}

impl SimulatedFile {
    /// The manager of this file; if there is none, one to which nothing has come yet and that begins now.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no such file.
    pub fn open(path: &Path, world: &World, looks_only: bool) -> io::Result<Self> {
        let manager = match read_regular(path, u64::MAX) {
            Ok(bytes) => {
                let wrong = |why: String| {
                    let text = format!("{why}; mend it, or remove it to begin a cluster anew");
                    io::Error::new(io::ErrorKind::InvalidData, text)
                };
                let manager = serde_json::from_slice(&bytes);
                let manager: Simulated = manager.map_err(|error| wrong(error.to_string()))?;
                manager.check().map_err(wrong)?;
                manager
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH);
                let begin = since.map_or(world.begin, |since| since.as_secs());
                Simulated::new(World { begin, ..world.clone() })
            }
            Err(error) => return Err(error),
        };
        let is_other = manager.world != World { begin: manager.world.begin, ..world.clone() };
        Ok(Self { path: path.into(), manager, looks_only, is_other })
    }

    fn store(&self) -> Result<(), BackendError> {
        let new = self.path.with_extension("new");
        let stored = serde_json::to_vec(&self.manager).map_err(io::Error::from);
        let stored = stored.and_then(|bytes| fs::write(&new, bytes));
        stored.and_then(|()| fs::rename(&new, &self.path)).map_err(|error| {
            let _ = fs::remove_file(&new);
            let (what, why) = (self.path.display().to_string(), error.to_string());
            BackendError::Silent { what, why }
        })
    }
}

impl Backend for SimulatedFile {
    fn abilities(&self) -> Abilities {
        // It goes on by a poll with each command, however soon the next one comes.
        Abilities { own_clock: true, ..self.manager.abilities() }
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        if self.looks_only {
            return Ok(self.manager.truth());
        }
        let told = self.manager.snapshot();
        self.store()?;
        told
    }

    fn examine(&mut self, _needs_gate: bool) -> Vec<Finding> {
        let text = || {
            let path = self.path.display();
            format!(
                "has no effect: what [simulated] or poll say differently since {path} was made; remove that to begin a cluster anew"
            )
        };
        let text = self.is_other.then(text);
        text.map(|text| Finding { is_good: true, text }).into_iter().collect()
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        let done = self.manager.act(acts);
        self.store()?;
        done
    }
}
