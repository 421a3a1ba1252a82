//! Epochs: what a pool granted before a restart is told apart from what it grants after it.

use crate::handle::{Epoch, Generation, Handle, Misuse, PoolId};

/// The epoch in which handles are made, and the one before it.
///
/// Whoever keeps one marks what was live when the epoch began: handles to that of the epoch before
/// are still good, so whoever holds one has an epoch's time to learn its new name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Epochs {
    /// That in which handles are made.
    pub now: Epoch,
    /// The one before it.
    pub last: Epoch,
}

impl Epochs {
    /// Before the first restart.
    pub const FIRST: Self = Self { now: Epoch(0), last: Epoch(0) };

    /// Another epoch begins; so it does if it has the number of the one before it.
    pub const fn begin(&mut self, epoch: Epoch) {
        *self = Self { now: epoch, last: self.now };
    }

    /// Checks a handle of an entry that the pool files with this generation.
    pub(crate) fn check(
        self,
        handle: Handle,
        pool: PoolId,
        filed: Generation,
    ) -> Result<(), Misuse> {
        handle.check(pool, filed.unmarked())?;
        let old = filed.raw() & Generation::OLD != 0 && handle.epoch() == self.last;
        if old || handle.epoch() == self.now { Ok(()) } else { Err(Misuse::Stale) }
    }
}

/// Generations as pools file them: the highest bit marks what was opened before the epoch began.
impl Generation {
    pub(crate) const OLD: u32 = 1 << 31;

    /// That of the entry opened or closed once more, in the epoch that is.
    pub(crate) const fn turned(self) -> Self {
        self.next().unmarked()
    }

    /// That of the entry in handles: without the mark.
    pub(crate) const fn unmarked(self) -> Self {
        Self::from_raw(self.raw() & !Self::OLD)
    }

    /// The same after another epoch has begun: what is open is older from now on.
    pub(crate) const fn begun(self) -> Self {
        if self.is_live() { Self::from_raw(self.raw() | Self::OLD) } else { self }
    }
}
