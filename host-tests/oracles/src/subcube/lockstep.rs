//! A pool and its model, driven side by side.

use super::{Answer, Client, Command, Model, Rule};
use crate::Mismatch;
use crate::mismatch::{Steps, equal};
use locox::cube::{Dim, Node};
use locox::subcube::{Allocator, Lease, NoSuchNode, NodeState, Refusal, Stats};

/// All that a pool shows without being changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    stats: Stats,
    /// The last one lies outside the machine.
    states: Vec<Result<NodeState, NoSuchNode>>,
    leases: Vec<Option<Lease>>,
    /// The last one is larger than the machine, where that can be.
    fits: Vec<Result<(), Refusal>>,
}

fn nodes_and_one_more(dims: Dim) -> impl Iterator<Item = Node> {
    (0..=dims.nodes()).map(Node)
}

fn dims_and_one_more(dims: Dim) -> impl Iterator<Item = Dim> {
    dims.up().unwrap_or(dims).up_to()
}

impl Observation {
    /// What `pool` shows.
    pub fn of_pool(pool: &mut dyn Allocator) -> Self {
        let dims = pool.dims();
        Self {
            stats: pool.stats(),
            states: nodes_and_one_more(dims).map(|node| pool.state(node)).collect(),
            leases: nodes_and_one_more(dims).map(|node| pool.lease_at(node)).collect(),
            fits: dims_and_one_more(dims).map(|dim| pool.would_fit(dim)).collect(),
        }
    }

    /// What a pool must show.
    pub fn of_model<R: Rule>(model: &Model<R>) -> Self {
        let stats = model.stats();
        Self {
            stats,
            states: nodes_and_one_more(stats.dims).map(|node| model.state(node)).collect(),
            leases: nodes_and_one_more(stats.dims).map(|node| model.lease_at(node)).collect(),
            fits: dims_and_one_more(stats.dims).map(|dim| model.choose(dim).map(|_| ())).collect(),
        }
    }
}

/// Drives a pool and its model in step.
pub struct Lockstep<'a, R> {
    pool: &'a mut dyn Allocator,
    client: Client,
    model: Model<R>,
    steps: Steps,
}

impl<'a, R: Rule> Lockstep<'a, R> {
    /// From a fresh pool on, under the rule of its strategy.
    pub fn new(pool: &'a mut dyn Allocator) -> Self {
        let rule = R::new(pool.dims());
        Self::under(pool, rule)
    }

    /// From a fresh pool on, under a rule with options.
    pub fn under(pool: &'a mut dyn Allocator, rule: R) -> Self {
        let (id, dims) = (pool.id(), pool.dims());
        Self::resume(pool, Client::new(id, dims), Model::new(id, dims, rule))
    }

    /// From a state on in which pool, client and model agree.
    pub fn resume(pool: &'a mut dyn Allocator, client: Client, model: Model<R>) -> Self {
        Self { pool, client, model, steps: Steps::default() }
    }

    /// The client and the model, to go on from here another time.
    pub fn into_parts(self) -> (Client, Model<R>) {
        (self.client, self.model)
    }

    /// Carries out one command and compares the answer, the counts and the invariants; after an
    /// error, after a query and after an observation, all that the pool shows.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<Answer, Mismatch> {
        let answer = self.answer(command)?;
        let compared = self.inspect(command, &answer);
        self.steps.check_last(command, compared)?;
        Ok(answer)
    }

    /// Carries out one command and compares the answer only, and how many nodes are free.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn answer(&mut self, command: &Command) -> Result<Answer, Mismatch> {
        let answer = self.client.run(self.pool, command);
        let compared = self.compare(command, &answer).and_then(|()| self.file(&answer));
        let free = || equal("free nodes", self.pool.free(), self.model.free().len());
        self.steps.check(command, compared.and_then(|()| free()))?;
        Ok(answer)
    }

    /// The answer against what the model says.
    fn compare(&mut self, command: &Command, answer: &Answer) -> Result<(), String> {
        match (command, answer) {
            (Command::Allocate(dim), Answer::Allocated(got)) => {
                equal("cube", got.map(|lease| lease.cube()), self.model.choose(*dim))
            }
            (Command::Claim(cube), Answer::Claimed(got)) => {
                equal("cube", got.map(|lease| lease.cube()), self.model.claim(*cube))
            }
            (Command::Restart, Answer::Restarted(got)) => {
                self.model.restart(self.client.live());
                equal("answer", *got, Ok(()))
            }
            (Command::WouldFit(dim), Answer::Fits(got)) => {
                equal("answer", *got, self.model.choose(*dim).map(|_| ()))
            }
            (Command::Release(_), Answer::Released(lease, got)) => {
                equal("answer", *got, self.model.release(*lease))
            }
            (Command::Withdraw(nodes, why), Answer::Withdrawn(got)) => {
                equal("leases hit", got.clone(), self.model.withdraw(nodes, *why))
            }
            (Command::Repair(nodes), Answer::Repaired(got)) => {
                equal("answer", *got, self.model.repair(nodes))
            }
            _ => Ok(()),
        }
    }

    /// Files a new lease, whose handle must be in order and new.
    fn file(&mut self, answer: &Answer) -> Result<(), String> {
        let (Answer::Allocated(Ok(lease)) | Answer::Claimed(Ok(lease))) = answer else {
            return Ok(());
        };
        equal("pool of the handle", lease.handle().pool(), self.pool.id())?;
        equal("index of the handle", lease.handle().index(), lease.cube().base().0)?;
        equal("machine of the cube", lease.cube().dims(), self.pool.dims())?;
        equal("handle used before", self.client.has_been(lease), false)?;
        self.model.open(*lease);
        Ok(())
    }

    /// The pool's state against the model's.
    fn inspect(&mut self, command: &Command, answer: &Answer) -> Result<(), String> {
        equal("invariants", self.pool.check_invariants(), Ok(()))?;
        let query = matches!(command, Command::WouldFit(_) | Command::Observe);
        if query || answer.is_error() {
            let shown = Observation::of_pool(self.pool);
            return equal("observation", shown, Observation::of_model(&self.model));
        }
        equal("stats", self.pool.stats(), self.model.stats())
    }
}
