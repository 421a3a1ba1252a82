//! What refusals have shown of leftovers, so that the next one need not search them again.
//!
//! To take makes no subcube free, and a leftover with 2^k free nodes more or less has none of more than k
//! dimensions: so a bound holds until more is given into some leftover than it says.

use crate::cube::Dim;

/// No free subcube of a leftover has more than `most` dimensions, but for leftovers that are free as a
/// whole: those are listed.
///
/// - If `exact`, one has so many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Largest {
    most: Dim,
    exact: bool,
}

impl Largest {
    /// Without a leftover.
    pub(super) const NONE: Self = Self { most: Dim::ZERO, exact: false };

    /// A free subcube of `largest` dimensions, if any is larger than `known`, is the largest.
    pub(super) fn shown(&mut self, largest: Dim, known: Dim) {
        if largest > known || largest < self.most {
            *self = Self { most: largest, exact: largest > known };
        }
    }

    /// Nothing is known of a machine of so many dimensions.
    pub(super) const fn forget(&mut self, dims: Dim) {
        *self = Self { most: dims, exact: false };
    }

    /// A leftover has so many free nodes, some of which are new there.
    pub(super) fn given(&mut self, free: u32) {
        let most = free.checked_ilog2().and_then(|most| Dim::new(most as u8));
        if let Some(most) = most.filter(|&most| most > self.most) {
            *self = Self { most, exact: false };
        }
    }

    /// A leftover has fewer free nodes, or is no more.
    pub(super) const fn taken(&mut self) {
        self.exact = false;
    }

    pub(super) const fn most(&self) -> Dim {
        self.most
    }

    /// A dimension of which there is a free subcube in a leftover.
    pub(super) fn least(&self) -> Option<Dim> {
        self.exact.then_some(self.most)
    }
}
