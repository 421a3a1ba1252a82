//! What refusals have shown, so that the next one need not search all nodes again.
//!
//! A refusal holds until something is given: to take and to remove makes no subcube free. And what is
//! given makes only such subcubes free that have a node of it. So the map as it was at the last refusal
//! is kept, and the next search looks through the words where nodes are free that were not (see
//! `through`).

use super::fold::MapAt;
use super::through::Near;
use crate::bits::Word;
use crate::cube::Dim;

/// The free subcubes are of at most `most` dimensions, but for those with a node that was not free when
/// that was found out, if there was something `given` since.
///
/// - Nothing is known if `most` is that of the machine.
/// - If `exact`, one of `most` dimensions is free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    most: Dim,
    exact: bool,
    given: bool,
    /// Where a large one was found last.
    pub(super) near: Near,
}

impl Known {
    /// Of a machine of so many dimensions.
    pub(super) const fn nothing(dims: Dim) -> Self {
        Self { most: dims, exact: false, given: false, near: Near::NOWHERE }
    }

    /// The largest free subcube has so many dimensions, and was found there.
    pub(super) fn settle(&mut self, words: &mut [Word], map: MapAt, (largest, near): (Dim, Near)) {
        // If nothing was given, what is kept has what is free, and that was found out about all of it.
        if self.given || largest != self.most {
            map.keep(words);
        }
        *self = Self { most: largest, exact: true, given: false, near };
    }

    /// Nodes are free that were not.
    pub(super) const fn give(&mut self) {
        self.given = true;
    }

    /// Free nodes are free no more.
    pub(super) const fn take(&mut self) {
        self.exact = false;
    }

    /// Whether there was no subcube of dimension `dim`.
    pub(super) fn was_beyond(&self, dim: Dim) -> bool {
        dim > self.most
    }

    /// Whether there still is none. What is found out is kept.
    #[inline]
    pub(super) fn rules_out(&mut self, words: &mut [Word], map: MapAt, dim: Dim) -> bool {
        if !self.was_beyond(dim) || !self.given {
            return self.was_beyond(dim);
        }
        let Some(mut search) = map.search(words) else { return false };
        let next = self.most.up().unwrap_or(dim);
        if search.any_since(next) != Some(false) {
            return false;
        }
        map.keep(words);
        self.given = false;
        true
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
