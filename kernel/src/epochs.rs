//! Epochs: what a pool granted before a restart is told apart from what it grants after it.

use crate::handle::Epoch;

/// The epoch in which handles are made, and the one before it.
///
/// Whoever keeps one marks what was live when the epoch began: handles to that of the epoch before
/// are still good, so whoever holds one has an epoch's time to learn its new name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Epochs {
    pub(crate) now: Epoch,
    pub(crate) last: Epoch,
}

impl Epochs {
    /// Before the first restart.
    pub(crate) const FIRST: Self = Self { now: Epoch(0), last: Epoch(0) };

    /// Another epoch begins; so it does if it has the number of the one before it.
    pub(crate) const fn begin(&mut self, epoch: Epoch) {
        *self = Self { now: epoch, last: self.now };
    }

    /// Whether a handle of this epoch names something that is `old`, that is, marked, or not.
    pub(crate) fn admit(self, epoch: Epoch, old: bool) -> bool {
        epoch == self.now || (old && epoch == self.last)
    }
}
