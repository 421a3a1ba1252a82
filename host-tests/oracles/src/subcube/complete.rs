//! The complete strategy: all subcubes.

use super::{NodeSet, Rule};
use locox::cube::{Dim, Subcube};
use locox::subcube::{self, Effort};

/// Sees every free subcube. Of the first so many by mask and then base, a request gets the one
/// with nodes in the fewest free subcubes of the next dimension; of equals, the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Complete {
    effort: u32,
}

impl Complete {
    /// The rule under another effort than the default.
    pub fn with_effort(effort: Effort) -> Self {
        Self { effort: effort.0 }
    }
}

impl Rule for Complete {
    type Strategy = subcube::Complete;

    fn new(_: Dim) -> Self {
        Self::with_effort(Effort::default())
    }

    fn seen(&self, free: &NodeSet, dim: Dim) -> Vec<Subcube> {
        free.subcubes(dim).collect()
    }

    fn choose(&self, free: &NodeSet, dim: Dim) -> Option<Subcube> {
        let larger: Vec<_> = dim.up().map_or(vec![], |up| free.subcubes(up).collect());
        let spoilt = |cube: &Subcube| larger.iter().filter(|it| it.distance(cube) == 0).count();
        // The first of equals is what `min_by_key` returns.
        free.subcubes(dim).take(self.effort.max(1) as usize).min_by_key(spoilt)
    }
}
