//! Meshes in a hypercube.

use super::{Churned, Topology};
use crate::streams::Stream;
use locox::cube::{Dim, Node};
use locox::mesh::{MeshAllocator, MeshLease, Shape};
use locox::subcube::{InvariantViolation, Outage};
use rand::RngExt;

impl Churned for dyn MeshAllocator + Send + '_ {
    type Lease = MeshLease;

    fn topology(&self) -> Topology {
        self.dims().into()
    }

    /// Small meshes and large ones, flat ones and long ones, of up to three axes.
    fn ask(&mut self, random: &mut Stream) -> Option<MeshLease> {
        let mut left = self.dims().get();
        let sides = [(); 3].map(|()| {
            let dim = random.random_range(0..=left);
            left -= dim;
            let most = Dim::new(dim).map_or(1, Dim::nodes);
            random.random_range(most / 2 + 1..=most)
        });
        let [x, y, z] = sides;
        let shape = Shape::cuboid(x, y, z)
            .expect("sides are at least 1, their dimensions at most the machine's");
        self.allocate(shape).ok()
    }

    fn nodes(&self, lease: &MeshLease) -> Vec<Node> {
        lease.mesh().nodes().collect()
    }

    fn depth<'a>(&self, lease: &MeshLease, live: impl Iterator<Item = &'a MeshLease>) -> usize {
        live.filter(|outer| outer.cube().contains_cube(&lease.cube())).count()
    }

    fn give_back(&mut self, lease: MeshLease) {
        self.release(lease).expect("the lease is live");
    }

    fn fail(&mut self, node: Node) {
        self.withdraw(&[node], Outage::Failed, &mut |_| ()).expect("the node exists");
    }

    fn mend(&mut self, node: Node) {
        self.repair(&[node]).expect("the node exists");
    }

    fn check(&mut self) -> Result<(), InvariantViolation> {
        self.check_invariants()
    }
}
