//! A hypercube whose jobs run on meshes.

use super::nodes_out::NodesOut;
use super::{
    Affected, Machine, Outages, Placement, Refusal, StrategyKind, Token, Usage, node_set,
    subcube_of,
};
use crate::outages::Outage;
use crate::workload::Job;
use locox::cube::Dim;
use locox::mesh::{Leftover, MeshAllocator, MeshLease};
use locox::subcube;

/// A hypercube under the kernel's auxiliary free list over one of its strategies. A job gets the
/// mesh that it asks for ([`Job::mesh`]).
///
/// ```
/// use locox::cube::Dim;
/// use locox::mesh::Leftover;
/// use locox_models::machine::{Machine, MeshCube, StrategyKind};
/// use locox_models::workload::meshes::{Meshes, Service, Sides};
/// let sides = Sides::InTurn(vec![[5, 5], [3, 4]]);
/// let recipe = Meshes { name: "two".into(), jobs: 2, load: 1.0, sides, service: Service::Constant };
/// let jobs = recipe.generate(1, 0).jobs;
/// let six = Dim::new(6).unwrap();
/// let mut reusing = MeshCube::new(six, StrategyKind::FreeList, Leftover::Reused);
/// let mut keeping = MeshCube::new(six, StrategyKind::FreeList, Leftover::Kept);
/// for cube in [&mut reusing, &mut keeping] {
///     cube.start(&jobs[0]).unwrap();
/// }
/// assert_eq!((reusing.held(), keeping.held()), (25, 64));
/// assert!(reusing.start(&jobs[1]).is_ok() && keeping.start(&jobs[1]).is_err());
/// ```
pub struct MeshCube {
    allocator: Box<dyn MeshAllocator + Send>,
    usage: Usage,
    out: NodesOut,
}

impl MeshCube {
    /// An idle cube of `dims` dimensions under the strategy `kind`.
    pub fn new(dims: Dim, kind: StrategyKind, leftover: Leftover) -> Self {
        Self {
            allocator: kind.mesh_allocator(dims, leftover),
            usage: Usage::default(),
            out: NodesOut::default(),
        }
    }

    /// The allocator, to take nodes out or to look at what is free.
    pub fn allocator(&mut self) -> &mut dyn MeshAllocator {
        &mut *self.allocator
    }

    fn keeps(&self) -> bool {
        self.allocator.leftover() == Leftover::Kept
    }
}

fn lease_of(placement: Placement) -> MeshLease {
    match placement.token {
        Token::Mesh(lease) => lease,
        _ => panic!("{placement:?} is not a mesh"),
    }
}

impl Machine for MeshCube {
    fn name(&self) -> String {
        let list = if self.keeps() { "" } else { " + auxiliary list" };
        format!("{}-cube, meshes, {}{list}", self.allocator.dims(), self.allocator.name())
    }

    fn processors(&self) -> u32 {
        self.allocator.dims().nodes()
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
        let shape = job.mesh().ok_or(subcube::Refusal::TooLarge)?;
        let lease = self.allocator.allocate(shape)?;
        let held = if self.keeps() { shape.dim().nodes() } else { shape.nodes() };
        let placement = Placement { processors: job.processors, held, token: Token::Mesh(lease) };
        self.usage.add(&placement);
        Ok(placement)
    }

    fn can_ever(&self, job: &Job) -> bool {
        job.mesh().is_some_and(|shape| shape.dim() <= self.allocator.dims())
    }

    fn finish(&mut self, placement: Placement) {
        if let Err(misuse) = self.allocator.release(lease_of(placement)) {
            panic!("{placement:?}: {misuse}");
        }
        self.usage.remove(&placement);
    }

    fn allocated(&self, placement: Placement) -> String {
        let mesh = lease_of(placement).mesh();
        if self.keeps() { node_set(mesh.cube().nodes()) } else { node_set(mesh.nodes()) }
    }

    fn outages(&mut self) -> Option<&mut dyn Outages> {
        Some(self)
    }
}

impl Outages for MeshCube {
    fn serving(&self) -> u32 {
        self.processors() - self.out.len()
    }

    fn begin(&mut self, outage: &Outage, hit: &mut dyn FnMut(Token)) -> Affected {
        let (affected, gone) = self.out.begin(outage, self.processors());
        let failed = subcube::Outage::Failed;
        let hit = &mut |lease| hit(Token::Mesh(lease));
        self.allocator.withdraw(&gone, failed, hit).expect("nodes of the machine");
        affected
    }

    fn end(&mut self, affected: Affected) {
        let back = self.out.end(&affected);
        self.allocator.repair(&back).expect("nodes of the machine");
    }
}
