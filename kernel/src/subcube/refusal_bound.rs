//! What refusals have shown, so that the next one need not search again.

use super::LargestDim;
use super::fold::Search;
use crate::cube::{Dim, Subcube};

/// No free subcube has more than `most` dimensions, and one has `least`, if any is known.
///
/// - To allocate and to remove makes no subcube free, so `most` holds then.
/// - A free subcube with nodes that were just freed lies among those, or has a half without any.
///   So a cube that is freed raises `most` by one, or to its own dimension.
/// - To free makes no free subcube less, so `least` holds then.
/// - Where a search may be given up nothing is remembered, so that no answer depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RefusalBound {
    dims: Dim,
    most: Dim,
    least: Option<Dim>,
    remembers: bool,
}

impl RefusalBound {
    /// Nothing is known of a machine of so many dimensions.
    pub(super) const fn new(dims: Dim, remembers: bool) -> Self {
        Self { dims, most: dims, least: None, remembers }
    }

    pub(super) fn rules_out(&self, dim: Dim) -> bool {
        dim > self.most
    }

    /// There is no free subcube of `dim` dimensions, which are at most one more than `most`.
    fn record_refusal(&mut self, dim: Dim) {
        if self.remembers {
            self.most = dim.down().unwrap_or_default();
        }
    }

    /// Free nodes are free no more.
    pub(super) fn lower(&mut self) {
        self.least = None;
    }

    /// The nodes of a cube of `dim` dimensions are free that were not.
    pub(super) fn raise(&mut self, dim: Dim) {
        self.most = self.most.up().unwrap_or(self.dims).max(dim).min(self.dims);
        if self.remembers {
            self.least = self.least.max(Some(dim));
        }
    }

    /// The first free subcube of `dim` dimensions, which are not ruled out, by a search.
    pub(super) fn first(&mut self, search: &mut Search<'_>, dim: Dim) -> Option<Subcube> {
        let found = search.first(dim);
        if found == Ok(None) {
            self.record_refusal(dim);
        }
        found.ok().flatten()
    }

    /// The largest dimension of a free subcube up to `most`, if there is one of `known` dimensions and
    /// no search is needed.
    pub(super) fn known(&self, known: Option<Dim>, most: Dim) -> Option<Dim> {
        let most = most.min(self.most);
        (known.max(self.least) >= Some(most)).then_some(most)
    }

    /// The same, by a search.
    pub(super) fn largest(
        &mut self,
        search: &mut Search<'_>,
        known: Option<Dim>,
        most: Dim,
    ) -> LargestDim {
        if !self.remembers && search.first(most)?.is_some() {
            return Ok(Some(most));
        }
        let (largest, _) = search.largest(known.max(self.least), most.min(self.most));
        if self.remembers {
            self.least = largest;
        }
        if let Some(next) = largest.map_or(Some(Dim::ZERO), Dim::up).filter(|&next| next <= most) {
            self.record_refusal(next);
        }
        Ok(largest)
    }
}
