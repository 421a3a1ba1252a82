//! A manager that is looked at only.

use crate::backend::{Abilities, Act, Backend, BackendError, Known, Outcome, Snapshot};

/// A manager of which snapshots are taken, and which is asked for nothing.
pub struct Looking<'a> {
    backend: &'a mut dyn Backend,
    /// What was told last.
    pub told: Snapshot,
}

impl<'a> Looking<'a> {
    /// Looks at this one.
    pub fn at(backend: &'a mut dyn Backend) -> Self {
        Self { backend, told: Snapshot::default() }
    }
}

impl Backend for Looking<'_> {
    fn abilities(&self) -> Abilities {
        self.backend.abilities()
    }

    fn snapshot(&mut self) -> Result<Snapshot, BackendError> {
        self.told = self.backend.snapshot()?;
        Ok(self.told.clone())
    }

    fn act(&mut self, acts: &[Act]) -> Result<Vec<Outcome>, BackendError> {
        Ok(acts.iter().map(|_| Outcome::Taken).collect())
    }

    fn remember(&mut self, known: &Known<'_>) {
        self.backend.remember(known);
    }
}
