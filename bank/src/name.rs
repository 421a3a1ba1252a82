//! What callers call a lease, a reservation or a job.

use core::fmt;
use core::str::FromStr;
use locox::handle::{Epoch, Generation, Handle, PoolId};
use serde::{Deserialize, Serialize};

/// An entry and how often it was opened: `5.1` in text.
///
/// A name outlives a restart, and is stale for ever once what it names is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name {
    /// The entry.
    pub index: u32,
    /// Its generation.
    pub generation: u32,
}

impl Name {
    pub(crate) const fn of(handle: Handle) -> Self {
        Self { index: handle.index(), generation: handle.generation().raw() }
    }

    pub(crate) const fn in_pool(self, pool: PoolId) -> Handle {
        Handle::from_parts(pool, self.index, Generation::from_raw(self.generation), Epoch(0))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.index, self.generation)
    }
}

impl FromStr for Name {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        // By a list of one: the search for a single character keeps a panic path.
        let (index, generation) = text.split_once(['.']).ok_or(())?;
        let number = |digits: &str| digits.parse().map_err(drop);
        Ok(Self { index: number(index)?, generation: number(generation)? })
    }
}
