//! Leases of boxes.

use super::cuboid::Cuboid;
use crate::cube::Node;
use crate::handle::{Epoch, Generation, Handle, PoolId};

crate::data::data! {
    /// A box granted to somebody, until it is released to the pool that granted it.
    ///
    /// A copy is the same lease: after one is released the others are stale, until in one epoch 2^30 more
    /// with the same origin were granted.
    pub struct BoxLease {
        cuboid: Cuboid,
        generation: Generation,
        pool: PoolId,
        epoch: Epoch,
    }
}

impl BoxLease {
    /// The lease of this box and handle; `None` if the handle is not that of the box's origin.
    pub fn from_parts(cuboid: Cuboid, handle: Handle) -> Option<Self> {
        if handle.index() != cuboid.origin().0 {
            return None;
        }
        let (pool, epoch) = (handle.pool(), handle.epoch());
        Some(Self { cuboid, generation: handle.generation(), pool, epoch })
    }

    /// The nodes that it grants.
    pub const fn cuboid(&self) -> Cuboid {
        self.cuboid
    }

    /// The nodes that it grants, from the origin on, the first axis running fastest.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + Clone + use<> {
        self.cuboid.nodes()
    }

    /// Pool, origin, generation and epoch.
    pub fn handle(&self) -> Handle {
        Handle::new(self.pool, self.cuboid.origin().0, self.generation).in_epoch(self.epoch)
    }
}

// As `4x4x2 at 3,0,1`.
crate::display::leases! { BoxLease: cuboid }
