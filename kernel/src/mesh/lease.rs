//! Leases of meshes.

use super::{Embedding, Shape};
use crate::cube::{Node, Subcube};
use crate::handle::Handle;
use crate::subcube::Lease;

crate::data::data! {
    /// A mesh granted to somebody, until it is released to the pool that granted it.
    ///
    /// A copy is the same lease: after one is released the others are stale.
    #[cfg_attr(feature = "serde", serde(try_from = "Parts"))]
    pub struct MeshLease {
        pub(super) lease: Lease,
        shape: Shape,
    }
}

impl MeshLease {
    pub(super) const fn new(lease: Lease, shape: Shape) -> Self {
        Self { lease, shape }
    }

    /// The lease of this mesh and handle; `None` if the handle is not that of the subcube's base.
    pub const fn from_parts(mesh: Embedding, handle: Handle) -> Option<Self> {
        match Lease::from_parts(mesh.cube(), handle) {
            Some(lease) => Some(Self::new(lease, mesh.shape())),
            None => None,
        }
    }

    /// The mesh that it grants: shape, subcube, nodes, and what is left over.
    pub const fn mesh(&self) -> Embedding {
        Embedding { cube: self.lease.cube(), shape: self.shape }
    }

    /// The subcube that the mesh lies in.
    pub const fn cube(&self) -> Subcube {
        self.lease.cube()
    }

    /// The sides of the mesh.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The nodes of the mesh, the last axis running fastest.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        self.mesh().nodes()
    }

    /// Pool, base node, generation and epoch.
    pub const fn handle(&self) -> Handle {
        self.lease.handle()
    }
}

/// What is read of a [`MeshLease`] before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Parts {
    lease: Lease,
    shape: Shape,
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for MeshLease {
    type Error = &'static str;

    fn try_from(Parts { lease, shape }: Parts) -> Result<Self, Self::Error> {
        let mesh = Embedding::new(lease.cube(), shape);
        mesh.map(|_| Self { lease, shape }).ok_or("a mesh lies in a subcube of its dimension")
    }
}

// As `5x5 in ******`.
crate::display::leases! { MeshLease: mesh }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Word;
    use crate::handle::{Epoch, PoolId};
    use crate::mesh::{Leftover, MeshPool, words};
    use crate::subcube::Buddy;
    extern crate std;
    use std::vec::Vec;

    /// A 6-cube with a mesh of 5x5 in it, and its lease.
    fn leased(leftover: Leftover) -> (MeshPool<Buddy, [Word; words::<Buddy>(6)]>, MeshLease) {
        let mut pool = MeshPool::new_static::<6>(PoolId(1), leftover);
        let lease = pool.allocate(Shape::rectangle(5, 5).unwrap()).unwrap();
        (pool, lease)
    }

    #[test]
    fn a_lease_is_put_together_from_its_mesh_and_its_handle() {
        let (_, lease) = leased(Leftover::Reused);
        let handle = lease.handle();
        assert_eq!(MeshLease::from_parts(lease.mesh(), handle), Some(lease));
        let (index, generation) = (handle.index() + 1, handle.generation());
        let other = Handle::from_parts(handle.pool(), index, generation, handle.epoch());
        assert_eq!(MeshLease::from_parts(lease.mesh(), other), None);
        assert_eq!(lease.nodes().count(), 25);
        assert!(lease.nodes().eq(lease.mesh().nodes()));
        assert_eq!(Shape::try_from(<[u32; 3]>::from(lease.shape())), Ok(lease.shape()));
    }

    #[test]
    fn leftover_that_is_kept_is_what_nobody_asked_for() {
        // 39 of 64 nodes.
        assert_eq!(leased(Leftover::Kept).0.stats().internal_permille(), 609);
        assert_eq!(leased(Leftover::Reused).0.stats().internal_permille(), 0);
    }

    #[test]
    fn an_image_of_a_pool_with_another_use_of_leftover_is_refused() {
        let mut image = Vec::new();
        leased(Leftover::Kept).0.export(|word| image.push(word));
        assert!(leased(Leftover::Kept).0.restore(image.iter().copied(), Epoch(1)).is_ok());
        assert!(leased(Leftover::Reused).0.restore(image.iter().copied(), Epoch(1)).is_err());
    }
}
