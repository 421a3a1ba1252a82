//! Epochs: what a pool granted before a restart is told apart from what it grants after it.

use crate::handle::{Epoch, Generation, Handle, Misuse, PoolId};

/// The epoch in which handles are made, and the one before it.
///
/// Whoever keeps one marks what was live when the epoch began: handles to that of the epoch before
/// are still good, so whoever holds one has an epoch's time to learn its new name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Epochs {
    pub now: Epoch,
    pub last: Epoch,
}

impl Epochs {
    /// Before the first restart.
    pub const FIRST: Self = Self { now: Epoch(0), last: Epoch(0) };

    /// Another epoch begins; so it does if it has the number of the one before it.
    pub const fn begin(&mut self, epoch: Epoch) {
        *self = Self { now: epoch, last: self.now };
    }

    /// Whether a handle of this epoch names something that is `old`, that is, marked, or not.
    pub fn admit(self, epoch: Epoch, old: bool) -> bool {
        epoch == self.now || (old && epoch == self.last)
    }
}

/// The generation of an entry as pools of machines store it: above a bit that says whether the lease
/// is older than the epoch, the mark of [`Epochs`].
#[derive(Clone, Copy)]
pub(crate) struct Filed(pub(crate) u32);

impl Filed {
    const OLD: u32 = 1;

    /// A generation of the epoch that is.
    pub(crate) const fn of(generation: Generation) -> Self {
        Self(generation.raw() << 1)
    }

    pub(crate) const fn generation(self) -> Generation {
        Generation::from_raw(self.0 >> 1)
    }

    pub(crate) const fn is_live(self) -> bool {
        self.generation().is_live()
    }

    /// The same after another epoch has begun: what is live is older from now on.
    pub(crate) const fn begun(self) -> Self {
        if self.is_live() { Self(self.0 | Self::OLD) } else { self }
    }

    /// Checks a handle of this entry.
    pub(crate) fn check(self, handle: Handle, pool: PoolId, epochs: Epochs) -> Result<(), Misuse> {
        handle.check(pool, self.generation())?;
        let admitted = epochs.admit(handle.epoch(), self.0 & Self::OLD != 0);
        if admitted { Ok(()) } else { Err(Misuse::Stale) }
    }
}
