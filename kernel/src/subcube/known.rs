//! What refusals have shown, so that the next one need not search all nodes again.
//!
//! A refusal holds until something is given: to take and to remove makes no subcube free. And what is
//! given makes only such subcubes free that have a node of it, so the next search looks at those
//! around it.

use crate::cube::{Dim, Subcube};

/// The free subcubes are of at most `most` dimensions, but for those with a node in the cube of `base`
/// and `mask`, if there was something `given`.
///
/// - Nothing is known if `most` is that of the machine.
/// - If `exact`, one of `most` dimensions is free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    most: Dim,
    exact: bool,
    given: bool,
    base: u32,
    mask: u32,
}

impl Known {
    /// Of a machine of so many dimensions.
    pub(super) const fn nothing(dims: Dim) -> Self {
        Self { most: dims, exact: false, given: false, base: 0, mask: 0 }
    }

    /// No free subcube has more than `most` dimensions.
    pub(super) const fn at_most(most: Dim) -> Self {
        Self { most, exact: false, given: false, base: 0, mask: 0 }
    }

    /// The largest free subcube has so many dimensions.
    pub(super) const fn largest_is(largest: Dim) -> Self {
        Self { exact: true, ..Self::at_most(largest) }
    }

    /// Nodes of `cube` are free that were not.
    pub(super) const fn give(&mut self, cube: &Subcube) {
        let (base, mask) = (cube.base().0, cube.mask());
        self.mask = if self.given { self.mask | mask | (self.base ^ base) } else { mask };
        self.base = base;
        self.given = true;
    }

    /// Free nodes are free no more.
    pub(super) const fn take(&mut self) {
        self.exact = false;
    }

    /// Whether there was no subcube of dimension `dim`.
    pub(super) fn is_beyond(&self, dim: Dim) -> bool {
        dim > self.most
    }

    /// A cube of a machine of `dims` dimensions in which every free subcube of dimension `dim` has a
    /// node; `None` if there is none.
    pub(super) const fn around(&self, dims: Dim, dim: Dim) -> Option<Subcube> {
        match (dim.get() <= self.most.get(), self.given) {
            (true, _) => Some(Subcube::whole(dims)),
            (false, true) => Some(Subcube::from_parts(dims, self.base & !self.mask, self.mask)),
            (false, false) => None,
        }
    }

    /// The most dimensions that a free subcube of at most `below` can have.
    pub(super) fn most(&self, below: Dim) -> Dim {
        if self.given { below } else { below.min(self.most) }
    }

    /// A dimension of which there is a free subcube.
    pub(super) fn least(&self) -> Option<Dim> {
        self.exact.then_some(self.most)
    }
}
