//! Rows of what is held, sorted by ends, in the caller's storage.

use crate::machine::Held;
use crate::slices::{put, swap};

/// The rows in use, and room for more.
pub(super) struct HeldRows<'a, P> {
    pub(super) rows: &'a mut [Held<P>],
    pub(super) used: &'a mut usize,
}

impl<P: Copy> HeldRows<'_, P> {
    /// Adds a row, for which there is room.
    pub(super) fn add(self, it: Held<P>) {
        let Self { rows, used } = self;
        let in_use = rows.get(..*used).unwrap_or_default();
        let rank = in_use.partition_point(|other| other.at.end <= it.at.end);
        put(rows, *used, it);
        (rank..*used).rev().for_each(|at| swap(rows, at, at.wrapping_add(1)));
        *used = used.wrapping_add(1);
    }

    /// Removes the row at a place among those in use.
    pub(super) fn remove(self, at: usize) {
        let Self { rows, used } = self;
        *used = used.wrapping_sub(1);
        (at..*used).for_each(|at| swap(rows, at, at.wrapping_add(1)));
    }
}
