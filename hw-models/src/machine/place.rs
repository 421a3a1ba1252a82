//! A place that is kept for later.

use super::tree::nodes_of;
use super::{Spot, interval_set, node_set, runs};
use locox::cube::Subcube;
use locox::grid::Cuboid;
use std::ops::Range;

/// A place that a queue has chosen, as [`Spot`], in few bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A box.
    Box(Cuboid),
    /// A subcube.
    Subcube(Subcube),
    /// Nodes, as intervals of their numbers.
    Nodes(Vec<Range<u32>>),
}

impl Place {
    /// The same place; `None` of any processors.
    pub fn of(spot: Spot<'_>) -> Option<Self> {
        match spot {
            Spot::Any => None,
            Spot::Box(cuboid) => Some(Self::Box(cuboid)),
            Spot::Subcube(cube) => Some(Self::Subcube(cube)),
            Spot::Part(node, _) => Some(Self::Nodes(runs(std::iter::once(node.0)))),
            Spot::Nodes(words) => Some(Self::Nodes(runs(nodes_of(words).map(|node| node.0)))),
        }
    }

    /// Its processors, as [`Machine::allocated`](super::Machine::allocated) says those of a job.
    pub fn allocated(&self) -> String {
        match self {
            Self::Box(cuboid) => node_set(cuboid.nodes()),
            Self::Subcube(cube) => node_set(cube.nodes()),
            Self::Nodes(runs) => interval_set(runs),
        }
    }
}
