//! A pool and its model, driven side by side.

use super::ask::Ask;
use super::command::{Command, Pick};
use super::model::Model;
use crate::Mismatch;
use crate::mismatch::{Steps, equal};
use locox::cube::Node;
use locox::grid::{
    Anchors, BoxLease, Grid, GridPool, GridStats, NoSuchNode, NodeState, Placement, Refusal, words,
};
use locox::handle::{Epoch, Misuse, PoolId};

/// A pool over storage of its own.
pub type Pool = GridPool<Box<[u64]>>;

/// A pool of all of a machine, in storage full of anything.
pub fn pool(id: PoolId, grid: Grid, placement: Placement, anchors: Anchors) -> Pool {
    let storage = vec![u64::MAX / 3; words(grid)].into_boxed_slice();
    GridPool::new(id, grid, storage, placement, anchors).expect("the storage is as long as needed")
}

/// All that a pool shows without being changed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Observation {
    stats: GridStats,
    leases: Vec<BoxLease>,
    /// The last one lies outside the machine.
    states: Vec<(Result<NodeState, NoSuchNode>, Option<BoxLease>)>,
}

/// Drives a pool and its model in step.
pub struct Lockstep {
    /// The pool.
    pub pool: Pool,
    /// What must be so.
    pub model: Model,
    live: Vec<BoxLease>,
    /// The live ones by their names in the epoch before, each at the place of its present name.
    old: Vec<Option<BoxLease>>,
    gone: Vec<BoxLease>,
    foreign: Vec<BoxLease>,
    epoch: Epoch,
    steps: Steps,
}

impl Lockstep {
    /// From a fresh pool on.
    pub fn new(grid: Grid, placement: Placement, anchors: Anchors) -> Self {
        let id = PoolId(3);
        let single = Ask::Nodes(1);
        let foreign = [(PoolId(2), grid), (id, other(grid))].map(|(id, grid)| {
            let mut pool = pool(id, grid, Placement::First, Anchors::Any);
            pool.allocate(single.request()).expect("it is empty")
        });
        Self {
            pool: pool(id, grid, placement, anchors),
            model: Model::new(grid, placement, anchors),
            live: vec![],
            old: vec![],
            gone: vec![],
            foreign: foreign.to_vec(),
            epoch: Epoch(0),
            steps: Steps::default(),
        }
    }

    /// The same with none but isolated boxes granted.
    #[must_use]
    pub fn isolating(mut self) -> Self {
        self.pool = self.pool.isolating();
        self.model.isolating = true;
        self
    }

    /// Carries out one command and compares the answer, the counts and the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.answer(command);
        self.steps.check(command, compared)?;
        let compared = equal("invariants", self.pool.check_invariants(), Ok(()));
        let counts = || equal("stats", self.pool.stats(), self.model.stats());
        self.steps.check_last(command, compared.and_then(|()| counts()))
    }

    fn answer(&mut self, command: &Command) -> Result<(), String> {
        match command {
            Command::Allocate(ask) => {
                let expected = self.model.choose(ask);
                let got = self.pool.allocate(ask.request());
                equal("box", got.map(|lease| lease.cuboid()), expected)?;
                self.file(got.ok())
            }
            Command::Claim(place) => {
                let expected = self.model.claim(*place);
                let got = self.pool.claim(*place);
                equal("box", got.map(|lease| lease.cuboid()), expected)?;
                self.file(got.ok())
            }
            Command::WouldFit(ask) => self.would_fit(ask),
            Command::Release(pick) => {
                let lease = self.pick(*pick);
                lease.map_or(Ok(()), |lease| self.release(lease))
            }
            Command::ReleaseOld(at) => {
                let lease = self.old.get(at.checked_rem(self.old.len()).unwrap_or(0)).copied();
                lease.flatten().map_or(Ok(()), |lease| self.release(lease))
            }
            Command::Withdraw(nodes, why) => {
                let mut hit = vec![];
                let done = self.pool.withdraw(nodes, *why, |lease| hit.push(lease));
                let expected = self.model.withdraw(nodes, *why);
                equal("leases hit", done.map(|()| hit), expected)
            }
            Command::Repair(nodes) => {
                equal("answer", self.pool.repair(nodes), self.model.repair(nodes))
            }
            Command::Restart => {
                let mut image = vec![];
                self.pool.export(|word| image.push(word));
                // What becomes of them is forgotten.
                self.pool.allocate(Ask::Nodes(1).request()).ok();
                self.epoch = Epoch(self.epoch.0.wrapping_add(1));
                equal("answer", self.pool.restore(image, self.epoch), Ok(()))?;
                self.rename()
            }
            Command::Begin => {
                self.epoch = Epoch(self.epoch.0.wrapping_add(1));
                self.pool.begin(self.epoch);
                self.rename()
            }
            Command::Observe => self.observe(),
        }
    }

    fn would_fit(&mut self, ask: &Ask) -> Result<(), String> {
        let expected: Result<(), Refusal> = self.model.choose(ask).map(|_| ());
        equal("answer", self.pool.would_fit(ask.request()), expected)?;
        equal("stranded", self.pool.stranded(ask.request()), self.model.stranded(ask))
    }

    fn pick(&self, pick: Pick) -> Option<BoxLease> {
        let (leases, at) = match pick {
            Pick::Live(at) => (&self.live, at),
            Pick::Gone(at) => (&self.gone, at),
            Pick::Foreign(at) => (&self.foreign, at),
        };
        leases.get(at.checked_rem(leases.len())?).copied()
    }

    fn release(&mut self, lease: BoxLease) -> Result<(), String> {
        let at = self.live.iter().position(|it| *it == lease);
        let renamed = self.old.iter().position(|it| *it == Some(lease));
        let at = at.or(renamed);
        let expected = match (at, lease.handle().pool() == self.pool.id()) {
            (Some(_), _) => Ok(()),
            (None, true) if lease.cuboid().grid() == self.pool.grid() => Err(Misuse::Stale),
            _ => Err(Misuse::Foreign),
        };
        equal("answer", self.pool.release(lease), expected)?;
        if let Some(at) = at {
            self.gone.extend([self.live.remove(at)]);
            self.gone.extend(self.old.remove(at));
            self.model.rename(&self.live);
        }
        Ok(())
    }

    /// The leases are the same in another epoch, by other names.
    fn rename(&mut self) -> Result<(), String> {
        equal("epoch", self.pool.epoch(), self.epoch)?;
        self.gone.extend(self.old.drain(..).flatten());
        for lease in &mut self.live {
            let now = self.pool.lease_at(lease.cuboid().origin()).ok_or("a lease is lost")?;
            let same = (now.cuboid(), now.handle().generation());
            equal("renamed", same, (lease.cuboid(), lease.handle().generation()))?;
            equal("epoch of a lease", now.handle().epoch(), self.epoch)?;
            self.old.push(Some(*lease));
            *lease = now;
        }
        self.model.rename(&self.live);
        Ok(())
    }

    /// Files a new lease, whose handle must be in order and new.
    fn file(&mut self, lease: Option<BoxLease>) -> Result<(), String> {
        let Some(lease) = lease else { return Ok(()) };
        equal("pool of the handle", lease.handle().pool(), self.pool.id())?;
        equal("index of the handle", Node(lease.handle().index()), lease.cuboid().origin())?;
        equal("machine of the box", lease.cuboid().grid(), self.pool.grid())?;
        let used = self.gone.iter().any(|it| it.handle() == lease.handle());
        equal("handle used before", used, false)?;
        self.live.push(lease);
        self.old.push(None);
        self.model.open(lease);
        Ok(())
    }

    fn observe(&mut self) -> Result<(), String> {
        let nodes = || (0..=self.pool.grid().nodes()).map(Node);
        let (pool, model) = (&self.pool, &self.model);
        let shown = Observation {
            stats: pool.stats(),
            leases: pool.leases().collect(),
            states: nodes().map(|node| (pool.state(node), pool.lease_at(node))).collect(),
        };
        let expected = Observation {
            stats: model.stats(),
            leases: model.leases(),
            states: nodes().map(|node| (model.state(node), model.lease_at(node))).collect(),
        };
        equal("observation", shown, expected)
    }
}

/// A machine with a node more or less.
fn other(grid: Grid) -> Grid {
    let first = grid.axes().first().map_or(1, |axis| axis.nodes());
    Grid::mesh(&[if first < 64 { first + 1 } else { first - 1 }]).expect("a line")
}
