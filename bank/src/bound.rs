//! How long a command may take.

use crate::Command;

/// Instructions that storing an image takes, which any command may have to wait for.
const IMAGE: u32 = 400_000;

impl Command {
    /// Instructions that it takes at the most on a Cortex-M4 in the sizes of
    /// [`size`](crate::size), its record in the journal included, and an image if that is full. The
    /// firmware asserts it over the runs of `ci/bank`, where the longest took 397,000 with an image
    /// and 55,000 without.
    pub const fn bound(&self) -> u32 {
        IMAGE
            + match self {
                // All stations, all jobs.
                Self::Tick | Self::Station(_) => 200_000,
                _ => 100_000,
            }
    }
}
