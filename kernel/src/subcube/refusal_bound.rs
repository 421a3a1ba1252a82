//! What refusals have shown, so that the next one need not search again.

use super::fold::Search;
use super::{LargestDim, Undecided};
use crate::cube::{Dim, Subcube};

/// No free subcube has more dimensions than this.
///
/// - To allocate and to remove makes no subcube free, so the bound holds then.
/// - A free subcube with nodes that were just freed lies among those, or has a half without any.
///   So a cube that is freed raises the bound by one, or to its own dimension.
/// - Where a search may be given up nothing is remembered, so that no answer depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RefusalBound {
    dims: Dim,
    most: Dim,
    remembers: bool,
}

impl RefusalBound {
    /// Nothing is known of a machine of so many dimensions.
    pub(super) const fn new(dims: Dim, remembers: bool) -> Self {
        Self { dims, most: dims, remembers }
    }

    pub(super) fn rules_out(&self, dim: Dim) -> bool {
        dim > self.most
    }

    /// There is no free subcube of `dim` dimensions.
    pub(super) fn record_refusal(&mut self, dim: Dim) {
        if self.remembers && !self.rules_out(dim) {
            self.most = dim.down().unwrap_or_default();
        }
    }

    /// The nodes of a cube of `dim` dimensions are free that were not.
    pub(super) fn raise(&mut self, dim: Dim) {
        self.most = self.most.up().map_or(dim, |most| most.max(dim)).min(self.dims);
    }

    /// The first free subcube of `dim` dimensions, searched for unless it is ruled out.
    pub(super) fn first(
        &mut self,
        search: &mut Search<'_>,
        dim: Dim,
    ) -> Result<Option<Subcube>, Undecided> {
        if self.rules_out(dim) {
            return Ok(None);
        }
        let found = search.first(dim)?;
        if found.is_none() {
            self.record_refusal(dim);
        }
        Ok(found)
    }

    /// The largest dimension of a free subcube up to `most`, if there is one of `known` dimensions.
    pub(super) fn largest(
        &mut self,
        search: &mut Search<'_>,
        known: Option<Dim>,
        most: Dim,
    ) -> LargestDim {
        if self.first(search, most)?.is_some() {
            return Ok(Some(most));
        }
        let largest = search.largest(known, self.most.min(most)).0;
        if let Some(next) = largest.and_then(Dim::up) {
            self.record_refusal(next);
        }
        Ok(largest)
    }
}
