//! What loads draw from: the same numbers on every target.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

pub(super) fn random() -> Pcg32 {
    Pcg32::seed_from_u64(1)
}

/// A number below `below`, of a width that is the same everywhere.
pub(super) fn draw(random: &mut Pcg32, below: u32) -> u32 {
    random.random_range(0..below)
}
