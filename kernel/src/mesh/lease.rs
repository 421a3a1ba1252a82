//! Leases of meshes.

use super::{Embedding, Shape};
use crate::cube::{Node, Subcube};
use crate::handle::Handle;
use crate::subcube::Lease;

crate::data::data! {
    /// A mesh granted to somebody, until it is released to the pool that granted it.
    ///
    /// A copy is the same lease: after one is released the others are stale.
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

/// As its mesh, `5x5 in ******`; in the alternate form with its handle, which tells it from the leases of
/// the same subcube before it: `5x5 in ****** as 0.3@1 (pool 7)`.
impl core::fmt::Display for MeshLease {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.mesh())?;
        if f.alternate() { write!(f, " as {:#}", self.handle()) } else { Ok(()) }
    }
}
