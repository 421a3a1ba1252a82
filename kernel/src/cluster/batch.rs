//! What tells a batch of assignments from older ones.

use crate::coordinate::stored;

crate::data::data! {
    /// All that a host is to run at some time, as it is told; a later one is greater.
    ///
    /// 1. What a host is to run has one batch: told again it is the same one, and after any change a new one.
    /// 2. A host does not go back: once it has heard a batch, older ones are nothing to it.
    /// 3. It says in each report which one it has heard. If there is a newer one, it is told again.
    ///
    /// There are four thousand million of them for a start of a host, less 65,536 to 131,071 each time that the
    /// coordinator goes on from an image. A host that has used them up is told nothing more, and its reports are refused as
    /// [`BootOver`](super::Refusal::BootOver) until it has started again; so is one that says it has heard the last
    /// of them. Reports are believed: who can send one with a boot of `u32::MAX` takes the host out of service.
    #[derive(Default, PartialOrd, Ord)]
    pub struct Batch {
        /// How often the host has started, as it [says](super::HostConfig::boot).
        pub boot: u32,
        /// Counts the batches since then; 0: it has heard none.
        pub number: u32,
    }
}

impl Batch {
    /// The next one. The last number is never told.
    pub(super) const fn next(self) -> Self {
        Self { number: self.number.saturating_add(1), ..self }
    }

    /// Beyond 65,535 that were told and are not known of, from a multiple of 65,536 on; of a host that never reported none.
    pub(super) const fn beyond(self) -> Self {
        if self.number == 0 {
            return self;
        }
        Self { number: self.number.saturating_add(0xFFFF) | 0xFFFF, ..self }.next()
    }
}

crate::display::display! { Batch:
    Self { boot, number } => "{boot}.{number}",
}

stored!(Batch { boot, number });
