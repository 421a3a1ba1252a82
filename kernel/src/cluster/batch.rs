//! What tells a batch of assignments from older ones.

use crate::coordinate::stored;

crate::data::data! {
    /// All that a host is to run at some time, as it is told; a later one is greater.
    ///
    /// 1. What a host is to run has one batch: told again it is the same one, and after any change a new one.
    /// 2. A host does not go back: once it has heard a batch, older ones are nothing to it.
    /// 3. It says in each report which one it has heard. If there is a newer one, it is told again.
    ///
    /// There are four thousand million of them for a start of a host, less 65,536 each time that the coordinator
    /// goes on from an image.
    #[derive(Default, PartialOrd, Ord)]
    pub struct Batch {
        /// How often the host has started, as it [says](super::HostConfig::boot).
        pub boot: u32,
        /// Counts the batches since then; 0: it has heard none.
        pub number: u32,
    }
}

impl Batch {
    /// The next one.
    pub(super) const fn next(self) -> Self {
        Self { number: self.number.saturating_add(1), ..self }
    }

    /// Beyond all that were told and are not known of.
    pub(super) const fn beyond(self) -> Self {
        Self { number: self.number | 0xFFFF, ..self }.next()
    }
}

crate::display::display! { Batch:
    Self { boot, number } => "{boot}.{number}",
}

stored!(Batch { boot, number });
