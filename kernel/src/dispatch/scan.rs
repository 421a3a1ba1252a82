//! Scan: one size after the other.
//!
//! Source: Krueger, Lai, Dixit-Radiya 1994, known to us by abstract. Jobs wait in a line for each
//! size. The line at hand is served, first come, first served, until it is empty, waiting for room
//! where that is needed; then the next line that is not empty is, in rising order of size or in
//! falling order, round and round. As jobs of one size run together, what one leaves fits the
//! next. Without a bound of patience the other sizes starve if jobs of the size at hand keep
//! coming.
//!
//! Cost: constant; the number of sizes to find the next line.

use super::{Discipline, Job, Offers};
use crate::cube::Dim;

/// Serves one size after the other.
#[derive(Clone, Copy, Debug)]
pub struct Scan {
    upwards: bool,
    at: Dim,
}

impl Scan {
    /// Sizes in rising order, from the smallest.
    pub const fn up() -> Self {
        Self { upwards: true, at: Dim::ZERO }
    }

    /// Sizes in falling order, from the largest.
    pub const fn down() -> Self {
        Self { upwards: false, at: Dim::MAX }
    }

    /// The line after the one at hand; the first one after the last.
    fn after(&self, line: Dim) -> Dim {
        if self.upwards { line.up().unwrap_or(Dim::ZERO) } else { line.down().unwrap_or(Dim::MAX) }
    }
}

impl Discipline for Scan {
    fn name(&self) -> &'static str {
        if self.upwards { "scan-up" } else { "scan-down" }
    }

    fn line(&self, class: Dim) -> Dim {
        class
    }

    fn choose(&mut self, offers: &mut Offers<'_>) -> Option<Job> {
        let round = core::iter::successors(Some(self.at), |&line| Some(self.after(line)));
        let mut lines = round.take(super::lines::LINES);
        self.at = lines.find(|&line| !offers.is_empty(line))?;
        offers.offer(self.at, 1)
    }
}
