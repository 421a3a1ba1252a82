//! By which rule a machine finds places: what a queue needs to plan with them.

use super::{Cluster, Layout, Nearness, NodeStrategy, Racks, StrategyKind};
use locox::bits::Word;
use locox::cube::{Dim, Node, Subcube};
use locox::grid::{Boxes, Cuboid};

/// Which processors a job can have together.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Any of so many.
    Count(u32),
    /// A box.
    Boxes(Boxes, Layout),
    /// A subcube that this strategy recognises among the free nodes.
    Subcubes(Dim, StrategyKind),
    /// Nodes of one rack or block.
    Domains(Racks, Nearness),
    /// So much of each of some nodes.
    Nodes(Cluster, NodeStrategy),
}

/// A place that a queue has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot<'a> {
    /// Any processors.
    Any,
    /// A box.
    Box(Cuboid),
    /// A subcube.
    Subcube(Subcube),
    /// Nodes, a bit each.
    Nodes(&'a [Word]),
    /// A node, and the device of it of which a job has a part.
    Part(Node, u32),
}
