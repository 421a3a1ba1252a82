//! Rows of what is held, sorted by ends, in the caller's storage.

use super::Held;
use crate::slices::{put, swap};

/// The rows in use, and room for more.
pub struct HeldRows<'a, P> {
    /// All of them.
    pub rows: &'a mut [Held<P>],
    /// How many are in use.
    pub used: &'a mut usize,
}

impl<P: Copy> HeldRows<'_, P> {
    /// Adds a row, for which there is room.
    pub fn add(self, it: Held<P>) {
        let Self { rows, used } = self;
        let in_use = rows.get(..*used).unwrap_or_default();
        let rank = in_use.partition_point(|other| other.at.end <= it.at.end);
        put(rows, *used, it);
        (rank..*used).rev().for_each(|at| swap(rows, at, at.wrapping_add(1)));
        *used = used.wrapping_add(1);
    }

    /// Removes the row at a place among those in use.
    pub fn remove(self, at: usize) {
        let Self { rows, used } = self;
        *used = used.wrapping_sub(1);
        (at..*used).for_each(|at| swap(rows, at, at.wrapping_add(1)));
    }
}
