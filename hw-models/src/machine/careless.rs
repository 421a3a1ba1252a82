//! A hypercube that minds nodes and forgets channels.

use super::{Machine, Placement, Refusal, Token, Usage, node_set, slot_of, subcube_of};
use crate::workload::Job;
use locox::cube::{Dim, Node, Subcube};
use locox::mesh::Embedding;
use locox::subcube;
use slab::Slab;

/// What becomes of the auxiliary free list if leftover is joined as one likes: a mesh gets the
/// first subcube of free nodes, whoever left them over, and holds its own nodes only.
///
/// It finds every subcube that there is, and its jobs share channels: for comparison, not for use.
/// A request costs time in proportion to the 3^n subcubes of the cube.
///
/// # Invariants
///
/// - A node is busy exactly if it is one of a mesh.
pub struct Careless {
    dims: Dim,
    busy: Vec<bool>,
    meshes: Slab<Embedding>,
    usage: Usage,
}

impl Careless {
    /// An idle cube of `dims` dimensions.
    pub fn new(dims: Dim) -> Self {
        let busy = vec![false; dims.nodes() as usize];
        Self { dims, busy, meshes: Slab::new(), usage: Usage::default() }
    }

    /// The mesh of a running job.
    ///
    /// # Panics
    ///
    /// As [`Machine::finish`].
    pub fn mesh(&self, placement: Placement) -> Embedding {
        self.meshes[slot_of(placement)]
    }

    fn free_subcube(&self, dim: Dim) -> Option<Subcube> {
        let masks = (0..self.dims.nodes()).filter(|mask| mask.count_ones() == u32::from(dim.get()));
        let mut cubes = masks.flat_map(|mask| {
            let bases = (0..self.dims.nodes()).filter(move |base| base & mask == 0);
            bases.filter_map(move |base| Subcube::new(self.dims, Node(base), mask))
        });
        cubes.find(|cube| cube.nodes().all(|node| !self.busy[node.0 as usize]))
    }

    fn mark(&mut self, mesh: &Embedding, busy: bool) {
        mesh.nodes().for_each(|node| self.busy[node.0 as usize] = busy);
    }

    fn free(&self) -> u32 {
        self.processors() - self.usage.in_use
    }
}

impl Machine for Careless {
    fn name(&self) -> String {
        format!("{}-cube, meshes, channels forgotten", self.dims)
    }

    fn processors(&self) -> u32 {
        self.dims.nodes()
    }

    fn in_use(&self) -> u32 {
        self.usage.in_use
    }

    fn held(&self) -> u32 {
        self.usage.held
    }

    fn size(&self, job: &Job) -> u32 {
        subcube_of(job)
    }

    fn start(&mut self, job: &Job) -> Result<Placement, Refusal> {
        let shape = job
            .mesh()
            .filter(|shape| shape.dim() <= self.dims)
            .ok_or(subcube::Refusal::TooLarge)?;
        let Some(cube) = self.free_subcube(shape.dim()) else {
            let needed = shape.dim().nodes();
            return Err(subcube::Refusal::TooFewFree { needed, free: self.free() }.into());
        };
        let mesh = Embedding::new(cube, shape).expect("the cube has the dimension of the shape");
        self.mark(&mesh, true);
        let processors = shape.nodes();
        let token = Token::Slot(self.meshes.insert(mesh));
        let placement = Placement { processors, held: processors, token };
        self.usage.add(&placement);
        Ok(placement)
    }

    fn can_ever(&self, job: &Job) -> bool {
        job.mesh().is_some_and(|shape| shape.dim() <= self.dims)
    }

    fn finish(&mut self, placement: Placement) {
        let mesh = self.meshes.remove(slot_of(placement));
        self.mark(&mesh, false);
        self.usage.remove(&placement);
    }

    fn allocated(&self, placement: Placement) -> String {
        node_set(self.mesh(placement).nodes())
    }
}
