//! Machines of the kernel that are replayed on.

use crate::machine::Spot;
use locox::bits::{Word, set_bit};
use locox::cube::{Node, Subcube};
use locox::grid::{Boxes, Cuboid, Sides};
use locox::image::Stored;
use locox::machine::{Count, Machine, Tree};
use locox::nodes::{NodePlace, NodeRequest, Nodes};
use locox::subcube::{ByMap, Subcubes};

/// A machine of the kernel that is replayed on.
pub(super) trait Planned:
    Machine<Place: Stored + Send + Sync, Word: Send + Sync, Request: Send + Sync>
where
    Self: Clone + Send + Sync + 'static,
{
    /// Whether any nodes will do, so that nobody needs to know which.
    const ANY: bool = false;

    /// The place that is one node.
    fn node(&self, node: Node) -> Self::Place;

    /// A request has come; for machines whose choice of a place depends on what is asked for.
    fn learn(&mut self, _of: &Self::Request) {}

    /// A place, as machines of a replay are told.
    fn spot(place: &Self::Place) -> Spot<'_>;
}

impl Planned for Count {
    const ANY: bool = true;

    fn node(&self, _: Node) -> u32 {
        1
    }

    fn spot(_: &u32) -> Spot<'_> {
        Spot::Any
    }
}

impl Planned for Boxes {
    fn node(&self, node: Node) -> Cuboid {
        let one = Sides::new(&[1]).expect("a side of one node");
        Cuboid::new(self.grid(), node, one).expect("a node of the machine")
    }

    fn spot(place: &Cuboid) -> Spot<'_> {
        Spot::Box(*place)
    }
}

impl<S: ByMap + Clone + Send + Sync + 'static> Planned for Subcubes<S> {
    fn node(&self, node: Node) -> Subcube {
        Subcube::new(self.dims(), node, 0).expect("a node of the machine")
    }

    fn spot(place: &Subcube) -> Spot<'_> {
        Spot::Subcube(*place)
    }
}

impl<const W: usize> Planned for Tree<'static, W> {
    fn node(&self, node: Node) -> [Word; W] {
        let mut place = [0; W];
        set_bit(&mut place, 0, node.0, true);
        place
    }

    fn spot(place: &[Word; W]) -> Spot<'_> {
        Spot::Nodes(place)
    }
}

impl<const W: usize> Planned for Nodes<'static, W> {
    fn node(&self, node: Node) -> NodePlace<W> {
        NodePlace::whole([node])
    }

    fn learn(&mut self, of: &NodeRequest<'static>) {
        Nodes::learn(self, of);
    }

    fn spot(place: &NodePlace<W>) -> Spot<'_> {
        match (place.part(), place.nodes().next()) {
            (Some((_, device)), Some(node)) => Spot::Part(node, device),
            _ => Spot::Nodes(place.set()),
        }
    }
}
