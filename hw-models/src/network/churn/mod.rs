//! Meshes or boxes that come and go at random, and nodes that fail, under the eyes of the oracle.

mod boxes;
mod meshes;

use super::{Isolation, Shared, Topology};
use crate::streams::{Stream, stream};
use locox::cube::Node;
use locox::subcube::InvariantViolation;
use rand::RngExt;

/// A long random course of operations: requests, releases, failures, repairs.
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
    /// Meshes or boxes released.
    pub released: u64,
    /// Nodes taken out of service.
    pub withdrawn: u64,
    /// The most that were nested: 1 is a mesh or a box in nobody's leftover.
    pub depth: usize,
}

/// Why a course ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Leak {
    /// Two meshes, or boxes, share a channel.
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

/// What a course is run on: whoever grants nodes of a machine.
pub trait Churned {
    /// What is granted.
    type Lease;

    /// How the machine is wired.
    fn topology(&self) -> Topology;

    /// Asks for something of a shape drawn at random; `None` if that is refused.
    fn ask(&mut self, random: &mut Stream) -> Option<Self::Lease>;

    /// The nodes that were granted.
    fn nodes(&self, lease: &Self::Lease) -> Vec<Node>;

    /// In how many of the live ones it is nested, itself included.
    fn depth<'a>(&self, lease: &Self::Lease, live: impl Iterator<Item = &'a Self::Lease>) -> usize
    where
        Self::Lease: 'a;

    /// Takes back what was granted.
    fn give_back(&mut self, lease: Self::Lease);

    /// A node fails.
    fn fail(&mut self, node: Node);

    /// It is back.
    fn mend(&mut self, node: Node);

    /// Checks its own invariants.
    ///
    /// # Errors
    ///
    /// The first that does not hold.
    fn check(&mut self) -> Result<(), InvariantViolation>;
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
    pub fn run<P: Churned + ?Sized>(&self, pool: &mut P) -> Result<Course, Leak> {
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
/// - `live` is what was granted and not released, each with its number as a job.
struct Run<'a, P: Churned + ?Sized> {
    pool: &'a mut P,
    network: Isolation,
    random: Stream,
    live: Vec<(u64, P::Lease)>,
    out: Vec<Node>,
    course: Course,
}

impl<'a, P: Churned + ?Sized> Run<'a, P> {
    fn new(seed: u64, pool: &'a mut P) -> Self {
        let network = Isolation::new(pool.topology());
        let random = stream(seed, "churn", 0);
        Self { pool, network, random, live: Vec::new(), out: Vec::new(), course: Course::default() }
    }

    /// Of twenty operations ten ask for something, eight release it, and one each lets a node fail
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
        let Some(lease) = self.pool.ask(&mut self.random) else {
            self.course.refused += 1;
            return Ok(());
        };
        let entered = self.network.enter(operation, &self.pool.nodes(&lease));
        entered.map_err(|shared| Leak::Shared { operation, shared })?;
        self.live.push((operation, lease));
        self.course.granted += 1;
        let live = || self.live.iter().map(|(_, lease)| lease);
        let depth = live().last().map_or(0, |lease| self.pool.depth(lease, live()));
        self.course.depth = self.course.depth.max(depth);
        Ok(())
    }

    fn release(&mut self) {
        if self.live.is_empty() {
            return;
        }
        let (job, lease) = self.live.swap_remove(self.random.random_range(0..self.live.len()));
        self.pool.give_back(lease);
        self.network.leave(job);
        self.course.released += 1;
    }

    /// At most an eighth of the nodes is out at once.
    fn withdraw(&mut self) {
        let nodes = self.pool.topology().nodes();
        if self.out.len() >= nodes as usize / 8 {
            return;
        }
        let node = Node(self.random.random_range(0..nodes));
        self.pool.fail(node);
        self.out.push(node);
        self.course.withdrawn += 1;
    }

    fn repair(&mut self) {
        let Some(node) = self.out.pop() else { return };
        self.pool.mend(node);
    }

    fn check(&mut self, operation: u64) -> Result<(), Leak> {
        self.pool.check().map_err(|broken| Leak::InvariantViolation { operation, broken })
    }
}
