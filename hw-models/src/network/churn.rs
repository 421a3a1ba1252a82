//! Meshes that come and go at random, and nodes that fail, under the eyes of the oracle.

use super::{Isolation, Shared};
use crate::streams::{Stream, stream};
use locox::cube::{Dim, Node};
use locox::mesh::{MeshAllocator, MeshLease, Shape};
use locox::subcube::{InvariantViolation, Outage};
use rand::RngExt;

/// A long random course of operations: requests for meshes, releases, failures, repairs.
#[derive(Clone, Copy, Debug)]
pub struct Churn {
    /// How many operations.
    pub operations: u64,
    /// How many operations pass between two checks of the allocator's own invariants, which cost
    /// far more than an operation.
    pub check_every: u64,
    /// Seed of the choices.
    pub seed: u64,
}

/// What happened on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Requests that were granted.
    pub granted: u64,
    /// Requests that were refused.
    pub refused: u64,
    /// Meshes released.
    pub released: u64,
    /// Nodes taken out of service.
    pub withdrawn: u64,
    /// The most meshes that were nested: 1 is a mesh in nobody's leftover.
    pub depth: usize,
}

/// Why a course ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Leak {
    /// Two meshes share a channel.
    #[error("operation {operation}: {shared}")]
    Shared {
        /// The operation, counted from 0.
        operation: u64,
        /// What they share.
        shared: Shared,
    },
    /// The allocator is inconsistent.
    #[error("operation {operation}: {broken}")]
    InvariantViolation {
        /// The operation, counted from 0.
        operation: u64,
        /// What does not hold.
        broken: InvariantViolation,
    },
}

impl Churn {
    /// Runs the course on an idle allocator, and releases everything at the end.
    ///
    /// # Errors
    ///
    /// The first [`Leak`]; the allocator is then in the middle of things.
    ///
    /// ```
    /// use locox::cube::Dim;
    /// use locox::mesh::Leftover;
    /// use locox_models::machine::StrategyKind;
    /// use locox_models::network::Churn;
    /// let mut pool = StrategyKind::Buddy.mesh_allocator(Dim::new(5).unwrap(), Leftover::Reused);
    /// let churn = Churn { operations: 1000, check_every: 100, seed: 1 };
    /// let course = churn.run(&mut *pool).unwrap();
    /// assert!(course.depth > 1 && course.granted == course.released);
    /// ```
    pub fn run(&self, pool: &mut dyn MeshAllocator) -> Result<Course, Leak> {
        let mut run = Run::new(self.seed, pool);
        for operation in 0..self.operations {
            run.operate(operation)?;
            if operation % self.check_every == 0 {
                run.check(operation)?;
            }
        }
        while !run.live.is_empty() {
            run.release();
        }
        run.check(self.operations)?;
        Ok(run.course)
    }
}

/// A course under way.
///
/// - `live` are the meshes that were granted and not released, each with its number as a job.
struct Run<'a> {
    pool: &'a mut dyn MeshAllocator,
    network: Isolation,
    random: Stream,
    live: Vec<(u64, MeshLease)>,
    out: Vec<Node>,
    course: Course,
}

impl<'a> Run<'a> {
    fn new(seed: u64, pool: &'a mut dyn MeshAllocator) -> Self {
        let network = Isolation::new(pool.dims());
        let random = stream(seed, "churn", 0);
        Self { pool, network, random, live: Vec::new(), out: Vec::new(), course: Course::default() }
    }

    /// Of twenty operations ten ask for a mesh, eight release one, and one each lets a node fail
    /// and repairs one.
    fn operate(&mut self, operation: u64) -> Result<(), Leak> {
        match self.random.random_range(0..20) {
            0..10 => return self.request(operation),
            10..18 => self.release(),
            18 => self.withdraw(),
            _ => self.repair(),
        }
        Ok(())
    }

    fn request(&mut self, operation: u64) -> Result<(), Leak> {
        let shape = self.shape();
        let Ok(lease) = self.pool.allocate(shape) else {
            self.course.refused += 1;
            return Ok(());
        };
        let nodes: Vec<Node> = lease.mesh().nodes().collect();
        let entered = self.network.enter(operation, &nodes);
        entered.map_err(|shared| Leak::Shared { operation, shared })?;
        self.live.push((operation, lease));
        self.course.granted += 1;
        self.course.depth = self.course.depth.max(self.depth(&lease));
        Ok(())
    }

    /// Small meshes and large ones, flat ones and long ones, of up to three axes.
    fn shape(&mut self) -> Shape {
        let mut left = self.pool.dims().get();
        let sides = [(); 3].map(|()| {
            let dim = self.random.random_range(0..=left);
            left -= dim;
            let most = Dim::new(dim).map_or(1, Dim::nodes);
            self.random.random_range(most / 2 + 1..=most)
        });
        let [x, y, z] = sides;
        Shape::cuboid(x, y, z)
            .expect("sides are at least 1, their dimensions at most the machine's")
    }

    fn depth(&self, lease: &MeshLease) -> usize {
        let around = |(_, outer): &&(u64, MeshLease)| outer.cube().contains_cube(&lease.cube());
        self.live.iter().filter(around).count()
    }

    fn release(&mut self) {
        if self.live.is_empty() {
            return;
        }
        let (job, lease) = self.live.swap_remove(self.random.random_range(0..self.live.len()));
        self.pool.release(lease).expect("the lease is live");
        self.network.leave(job);
        self.course.released += 1;
    }

    /// At most an eighth of the nodes is out at once.
    fn withdraw(&mut self) {
        if self.out.len() >= self.pool.dims().nodes() as usize / 8 {
            return;
        }
        let node = Node(self.random.random_range(0..self.pool.dims().nodes()));
        self.pool.withdraw(&[node], Outage::Failed, &mut |_| ()).expect("the node exists");
        self.out.push(node);
        self.course.withdrawn += 1;
    }

    fn repair(&mut self) {
        let Some(node) = self.out.pop() else { return };
        self.pool.repair(&[node]).expect("the node exists");
    }

    fn check(&mut self, operation: u64) -> Result<(), Leak> {
        self.pool
            .check_invariants()
            .map_err(|broken| Leak::InvariantViolation { operation, broken })
    }
}
