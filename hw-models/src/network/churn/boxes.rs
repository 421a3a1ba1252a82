//! Boxes in meshes and tori.

use super::{Churned, Topology};
use crate::streams::Stream;
use locox::cube::Node;
use locox::grid::{BoxLease, BoxRequest, GridPool, Outage, Sides};
use locox::subcube::InvariantViolation;
use rand::RngExt;

impl<S: AsRef<[u64]> + AsMut<[u64]>> Churned for GridPool<S> {
    type Lease = BoxLease;

    fn topology(&self) -> Topology {
        self.grid().into()
    }

    /// Small boxes and large ones, as they stand, turned, or any of as many nodes.
    fn ask(&mut self, random: &mut Stream) -> Option<BoxLease> {
        let mut sides = [1; 4];
        for (side, axis) in sides.iter_mut().zip(self.grid().axes()) {
            let most = if random.random_range(0..4) == 0 { axis.nodes() } else { 4 };
            *side = random.random_range(1..=most.min(axis.nodes()));
        }
        let sides = Sides::new(&sides).expect("sides are at least 1, and at most the machine's");
        let request = match random.random_range(0..3) {
            0 => BoxRequest::Fixed(sides),
            1 => BoxRequest::Turned(sides),
            _ => BoxRequest::Nodes(sides.nodes()),
        };
        self.allocate(request).ok()
    }

    fn nodes(&self, lease: &BoxLease) -> Vec<Node> {
        lease.cuboid().nodes().collect()
    }

    /// One that begins at no step is in leftover.
    fn depth<'a>(&self, lease: &BoxLease, _live: impl Iterator<Item = &'a BoxLease>) -> usize {
        let (grid, anchors, cuboid) = (self.grid(), self.anchors(), lease.cuboid());
        let spans = cuboid.corner().into_iter().zip(cuboid.sides().all()).zip(grid.axes());
        let at_step = (0..).zip(spans).all(|(place, ((at, side), &axis))| {
            anchors.along(place, side, axis).any(|step| step == at)
        });
        if at_step { 1 } else { 2 }
    }

    fn give_back(&mut self, lease: BoxLease) {
        self.release(lease).expect("the lease is live");
    }

    fn fail(&mut self, node: Node) {
        self.withdraw(&[node], Outage::Failed, |_| ()).expect("the node exists");
    }

    fn mend(&mut self, node: Node) {
        self.repair(&[node]).expect("the node exists");
    }

    fn check(&mut self) -> Result<(), InvariantViolation> {
        self.check_invariants()
    }
}
