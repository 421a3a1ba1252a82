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

use super::{Discipline, Offers};
use crate::dispatch::SizeClass;

/// Serves one size after the other.
#[derive(Clone, Copy, Debug)]
pub struct Scan {
    upwards: bool,
    at: SizeClass,
}

impl Scan {
    /// Sizes in rising order, from the smallest.
    pub const fn up() -> Self {
        Self { upwards: true, at: SizeClass::SMALLEST }
    }

    /// Sizes in falling order, from the largest.
    pub const fn down() -> Self {
        Self { upwards: false, at: SizeClass::LARGEST }
    }

    /// All lines once, from the one at hand on.
    fn lines(self) -> impl Iterator<Item = SizeClass> {
        let after =
            move |&line: &SizeClass| Some(if self.upwards { line.up() } else { line.down() });
        core::iter::successors(Some(self.at), after).take(SizeClass::COUNT)
    }
}

impl Discipline for Scan {
    fn name(&self) -> &'static str {
        if self.upwards { "scan-up" } else { "scan-down" }
    }

    fn line(&self, class: SizeClass) -> SizeClass {
        class
    }

    fn choose(&mut self, offers: &mut Offers<'_>) {
        let Some(at) = self.lines().find(|&line| !offers.is_empty(line)) else { return };
        self.at = at;
        offers.offer(at, 1);
    }

    /// Steps from the line that it starts with.
    fn state(&self) -> u32 {
        let at = self.at.get();
        u32::from(if self.upwards { at } else { SizeClass::LARGEST.get().wrapping_sub(at) })
    }

    fn resume(&mut self, state: u32) {
        let start = if self.upwards { Self::up() } else { Self::down() };
        let at = start.lines().nth(state as usize);
        self.at = at.unwrap_or(start.at);
    }
}
