//! What tells a batch of assignments from older ones.

use locox::ground::stored;
locox::ground::data! {
    /// All that a host is to run at some time, as it is told; a later one is greater.
    ///
    /// 1. What a host is to run has one batch: sent again it is the same one, and after any change a new one. A host
    ///    also gets a new batch without a change when it is lost, when it returns, and when its coordinator is
    ///    [restored](super::Coordinator::restore) or [resynced](super::Coordinator::resync).
    /// 2. A host does not go back: once it has heard a batch, older ones are nothing to it.
    /// 3. It says in each report which one it has heard. If there is a newer one, it is told again.
    ///
    /// # Bounds
    ///
    /// Each start of a host has 2^32 - 2 batches. Each `restore` or `resync` of the coordinator skips 65,536 to
    /// 131,071 of them for the hosts that it knows, and 65,536 for all later starts of any host. The sum is part of
    /// its images.
    ///
    /// - If a host has used up its batches, the coordinator sends it nothing more and refuses its reports as
    ///   [`BootOver`](super::Refusal::BootOver), until the host starts again. Until it does, or is
    ///   [lost](super::Command::HostLost), it counts as there and gets jobs that it is never told of. A host that
    ///   does not start again is at this bound after 32,768 restores at the latest.
    /// - After 65,536 restores no host can be told anything, and starting again does not help. Before that, begin without
    ///   an image and restart all hosts.
    /// - Reports are believed. A report of batch 4,294,967,294 uses up the batches of its start, a report of 4,294,967,295
    ///   is refused, and one with a boot of `u32::MAX` can take the host out of service.
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

locox::ground::display! { Batch:
    Self { boot, number } => "{boot}.{number}",
}

stored!(Batch { boot, number });
