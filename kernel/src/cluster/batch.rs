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
    /// goes on from an image. A host that has used them up is told nothing more, and its reports are refused as
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

/// How many numbers are left out when a coordinator goes on from an image.
pub(super) const JUMP: u32 = 1 << 16;

impl Batch {
    /// The next one.
    pub(super) const fn next(self) -> Self {
        Self { number: self.number.saturating_add(1), ..self }
    }

    /// Beyond all that were told and are not known of, if those are fewer than [`JUMP`].
    pub(super) const fn beyond(self) -> Self {
        Self { number: self.number.saturating_add(JUMP), ..self }
    }

    /// Whether a host with this one is told nothing more before it starts again.
    pub(super) const fn is_last(self) -> bool {
        self.number == u32::MAX
    }
}

crate::display::display! { Batch:
    Self { boot, number } => "{boot}.{number}",
}

stored!(Batch { boot, number });
