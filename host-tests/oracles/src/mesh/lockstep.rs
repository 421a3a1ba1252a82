//! A pool of meshes and its model, driven side by side.

use super::{Command, Flaw, Model};
use crate::Mismatch;
use crate::mismatch::{Steps, equal};
use crate::subcube::{Meshes, Pick, Rule};
use locox::cube::{Dim, Node, Subcube};
use locox::handle::{Epoch, Misuse, PoolId};
use locox::mesh::{Embedding, Leftover, MeshLease, Shape};
use locox::subcube::{NoSuchNode, Outage};

/// Drives a pool and its model in step.
#[derive(Clone)]
pub struct Lockstep<R: Rule> {
    pool: Meshes<R>,
    model: Model<R>,
    /// In the order of the model's meshes.
    live: Vec<MeshLease>,
    gone: Vec<MeshLease>,
    /// Of another pool.
    foreign: Vec<MeshLease>,
    steps: Steps,
}

impl<R: Rule> Lockstep<R> {
    /// From a fresh pool on, in a storage that was dirty.
    pub fn new(id: PoolId, dims: Dim, leftover: Leftover) -> Self {
        let mut other = R::mesh_pool(PoolId(id.0 ^ 1), dims, leftover);
        let foreign = Shape::line(1).ok().and_then(|node| other.allocate(node).ok());
        Self {
            pool: R::mesh_pool(id, dims, leftover),
            model: Model::new(dims, leftover, Flaw::None),
            live: vec![],
            gone: vec![],
            foreign: foreign.into_iter().collect(),
            steps: Steps::default(),
        }
    }

    /// What the model knows.
    pub fn model(&self) -> &Model<R> {
        &self.model
    }

    /// Carries out one command and compares the answer, the invariants, and all that can be seen.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        self.answer(command)?;
        let compared = self.compare();
        self.steps.check_last(command, compared)
    }

    /// Carries out one command and compares the answer only, and how many nodes are free.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn answer(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command);
        let free = || equal("free nodes", self.pool.free(), self.model.free().len());
        self.steps.check(command, compared.and_then(|()| free()))
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        match command {
            Command::Allocate(shape) => self.allocate(*shape),
            Command::Claim(mesh) => self.claim(*mesh),
            Command::Restart => self.restart(),
            Command::Release(pick) => self.release(*pick),
            Command::Withdraw(nodes, why) => self.withdraw(nodes, *why),
            Command::Repair(nodes) => {
                let expected = self.inside(nodes);
                equal("answer", self.pool.repair(nodes), expected)?;
                if expected.is_ok() {
                    self.model.repair(nodes);
                }
                Ok(())
            }
        }
    }

    fn allocate(&mut self, shape: Shape) -> Result<(), String> {
        let expected = self.model.choose(shape);
        equal("what would fit", self.pool.would_fit(shape), expected.map(|_| ()))?;
        let lease = self.pool.allocate(shape);
        let got = lease.map(|lease| (lease.cube(), lease.shape()));
        equal("cube and shape", got, expected.map(|(cube, _)| (cube, shape)))?;
        match (lease, expected) {
            (Ok(lease), Ok((_, home))) => self.open(lease, home),
            _ => Ok(()),
        }
    }

    fn open(&mut self, lease: MeshLease, home: Option<Subcube>) -> Result<(), String> {
        equal("pool of the handle", lease.handle().pool(), self.pool.id())?;
        let again = self.gone.iter().any(|gone| gone.handle() == lease.handle());
        equal("handle used before", again, false)?;
        self.model.open(lease.mesh(), home);
        self.live.push(lease);
        Ok(())
    }

    fn claim(&mut self, mesh: Embedding) -> Result<(), String> {
        let expected = self.model.claim(mesh.cube());
        let lease = self.pool.claim(mesh);
        equal("answer", lease.map(|_| ()), expected.map(|_| ()))?;
        let (Ok(lease), Ok(home)) = (lease, expected) else { return Ok(()) };
        let place = |cube: Subcube| (cube.base(), cube.mask());
        equal("cube", place(lease.cube()), place(mesh.cube()))?;
        equal("shape", lease.shape(), mesh.shape())?;
        self.open(lease, home)
    }

    /// The leases are the same afterwards, by handles of the new epoch.
    fn restart(&mut self) -> Result<(), String> {
        let mut image = vec![];
        self.pool.export(|word| image.push(word));
        let epoch = Epoch(self.pool.epoch().0.wrapping_add(1));
        equal("answer", self.pool.restore(image, epoch), Ok(()))?;
        self.model.restart();
        self.live = self.pool.leases().collect();
        let meshes: Vec<_> = self.live.iter().map(|lease| lease.mesh()).collect();
        let expected: Vec<_> = self.model.live.iter().map(|tenant| tenant.mesh).collect();
        equal("meshes", meshes, expected)
    }

    fn release(&mut self, pick: Pick) -> Result<(), String> {
        let (leases, at, expected) = match pick {
            Pick::Live(at) => (&self.live, at, Ok(())),
            Pick::Gone(at) => (&self.gone, at, Err(Misuse::Stale)),
            Pick::Foreign(at) => (&self.foreign, at, Err(Misuse::Foreign)),
        };
        let Some(at) = at.checked_rem(leases.len()) else { return Ok(()) };
        let lease = leases[at];
        equal("answer", self.pool.release(lease), expected)?;
        if expected.is_ok() {
            self.model.release(at);
            self.gone.push(self.live.remove(at));
        }
        Ok(())
    }

    fn withdraw(&mut self, nodes: &[Node], why: Outage) -> Result<(), String> {
        let mut hit = vec![];
        let expected = self.inside(nodes);
        equal("answer", self.pool.withdraw(nodes, why, |lease| hit.push(lease)), expected)?;
        let expected = expected.map_or(vec![], |()| self.model.withdraw(nodes, why));
        let meshes: Vec<Embedding> = hit.iter().map(|lease| lease.mesh()).collect();
        equal("meshes hit", meshes, expected)?;
        equal("leases hit are live", hit.iter().all(|lease| self.live.contains(lease)), true)
    }

    fn inside(&self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        let outside = nodes.iter().find(|node| node.0 >= self.pool.dims().nodes());
        outside.map_or(Ok(()), |&node| Err(NoSuchNode(node)))
    }

    fn compare(&mut self) -> Result<(), String> {
        equal("invariants", self.pool.check_invariants(), Ok(()))?;
        let stats = self.model.stats();
        equal("stats", self.pool.stats(), stats)?;
        equal("free nodes", self.pool.free(), stats.nodes.free)?;
        for node in (0..stats.nodes.dims.nodes()).map(Node) {
            equal("state", self.pool.state(node), Ok(self.model.state(node)))?;
            let lease = self.pool.lease_at(node);
            equal("mesh at a node", lease.map(|it| it.mesh()), self.model.holder(node))?;
            let known = lease.is_none_or(|lease| self.live.contains(&lease));
            equal("the lease at a node is live", known, true)?;
        }
        let beyond = Node(stats.nodes.dims.nodes());
        equal("state outside", self.pool.state(beyond), Err(NoSuchNode(beyond)))
    }
}
