//! A pool of nodes and its model, driven side by side.

use super::{Command, Model, Setup, image, room};
use crate::Mismatch;
use crate::digits::Digits;
use crate::machine::nodes::{machine, place, request};
use crate::mismatch::{Steps, equal};
use locox::bits::Word;
use locox::cube::Node;
use locox::handle::{Epoch, Misuse, PoolId};
use locox::nodes::{Amounts, NodeLease, NodePool, NodeRequest, NodeRow};

type Pool = NodePool<'static, 1, Vec<NodeRow<1>>, Vec<u32>>;

/// Drives a pool and its model in step.
#[derive(Clone)]
pub struct Lockstep {
    real: Pool,
    model: Model,
    sets: &'static [[Word; 1]],
    gone: Vec<NodeLease<1>>,
    foreign: NodeLease<1>,
    epoch: Epoch,
    steps: Steps,
}

const ID: PoolId = PoolId(3);

fn pool(id: PoolId, setup: &Setup) -> Pool {
    let machine = machine(&setup.cluster, &setup.rule);
    let words = vec![u32::MAX; machine.pool_words()];
    let rows = vec![NodeRow::EMPTY; setup.rows];
    NodePool::new(id, machine, rows, words).expect("so many words")
}

impl Lockstep {
    /// From a pool whose nodes are all free.
    pub fn new(setup: Setup) -> Self {
        Self::beside(setup.clone(), setup)
    }

    /// The same beside a model of other nodes.
    ///
    /// # Panics
    ///
    /// If the kernel does not have such nodes, or grants nobody nothing.
    pub fn beside(setup: Setup, other: Setup) -> Self {
        let nothing = NodeRequest::of(1, Amounts::NONE);
        let foreign = pool(PoolId(ID.0 + 1), &setup).allocate(&nothing).expect("there are nodes");
        let set = |allowed: &Vec<usize>| [allowed.iter().fold(0, |set, node| set | 1 << node)];
        let sets: Vec<_> = setup.wishes.iter().map(|it| set(&it.allowed)).collect();
        let (real, model, sets) = (pool(ID, &setup), Model::new(other), sets.leak());
        let (gone, epoch, steps) = (vec![], Epoch(0), Steps::default());
        Self { real, model, sets, gone, foreign, epoch, steps }
    }

    /// The model, to be asked.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Makes one call and compares the answer, all that can be seen, and the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command).and_then(|()| self.compare());
        self.steps.check(command, compared)
    }

    fn request(&self, at: usize) -> NodeRequest<'static> {
        request(&self.model.setup().wishes[at], &self.sets[at])
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        match *command {
            Command::Allocate(at) => self.allocate(at % self.sets.len()),
            Command::Release(at) => {
                let live = self.model.live();
                let picked = at.checked_rem(live.len()).and_then(|at| live.get(at).copied());
                let Some(lease) = picked else { return Ok(()) };
                self.gone.push(lease);
                self.model.release(lease);
                equal("answer", self.real.release(lease), Ok(()))
            }
            Command::ReleaseGone(at) => {
                let Some(at) = at.checked_rem(self.gone.len()) else { return Ok(()) };
                equal("answer", self.real.release(self.gone[at]), Err(Misuse::Stale))
            }
            Command::ReleaseForeign => {
                equal("answer", self.real.release(self.foreign), Err(Misuse::Foreign))
            }
            Command::Withdraw(node, why) => {
                let mut hit = vec![];
                let real = self.real.withdraw(&[named(node)], why, |it| hit.push(it));
                let expected = self.model.withdraw(node, why);
                equal("leases hit", real.is_ok().then_some(hit), expected)
            }
            Command::Repair(node) => {
                let real = self.real.repair(&[named(node)]).is_ok();
                equal("whether it is repaired", real, self.model.repair(node))
            }
            Command::Learn(at) => {
                let at = at % self.sets.len();
                self.model.learn(at);
                self.real.learn(&self.request(at));
                Ok(())
            }
            Command::MakeRoom(at, costs) => self.make_room(at % self.sets.len(), Digits(costs)),
            Command::Restart => self.restart(),
            Command::Forge(at, word) => self.forge(at, word),
        }
    }

    fn allocate(&mut self, at: usize) -> Result<(), String> {
        let of = self.request(at);
        let expected = self.model.choose(&self.model.setup().wishes[at]);
        let places = expected.clone().map(|it| place(&it));
        equal("place that it would have", self.real.would_fit(&of), places)?;
        let real = self.real.allocate(&of);
        equal("place", real.map(|it| *it.place()), places)?;
        let Some((holder, lease)) = expected.ok().zip(real.ok()) else { return Ok(()) };
        let handle = lease.handle();
        equal("pool and epoch", (handle.pool(), handle.epoch()), (ID, self.epoch))?;
        let mut known = self.gone.iter().copied().chain(self.model.live());
        equal("handle used before", known.any(|it| it.handle() == handle), false)?;
        self.model.open(holder, lease);
        Ok(())
    }

    fn make_room(&self, at: usize, mut costs: Digits) -> Result<(), String> {
        let mut cost = || match costs.below(4) {
            0 => 1 << costs.below(58),
            _ => 1 + costs.below(9),
        };
        let (held, setup) = (self.model.held(), self.model.setup());
        let holders: Vec<_> = held.into_iter().map(|it| (it, cost())).collect();
        let wish = (&setup.wishes[at], &self.sets[at][..]);
        room((&setup.cluster, self.real.machine()), wish, &self.model.out(), &holders)
    }

    fn image(&self) -> Vec<u32> {
        let mut image = vec![];
        self.real.export(|word| image.push(word));
        image
    }

    /// The leases are the same afterwards, by handles of the new epoch.
    fn restart(&mut self) -> Result<(), String> {
        let image = self.image();
        self.epoch = Epoch(self.epoch.0 + 1);
        equal("answer", self.real.restore(image, self.epoch), Ok(()))?;
        for old in self.model.live() {
            let lease = self.real.lease(old.handle());
            equal("place of an old name", lease.map(|it| *it.place()), Ok(*old.place()))?;
        }
        let real = &self.real;
        self.model.restart(|old| real.lease(old.handle()).unwrap_or(old));
        Ok(())
    }

    /// If an altered image is taken, the pool grants and takes back what it holds as any other.
    fn forge(&self, at: usize, word: u32) -> Result<(), String> {
        let mut other = self.real.clone();
        if other.load(image::forged(self.image(), at, word)).is_err() {
            return equal("leases", other.leases().count(), 0);
        }
        for at in 0..self.sets.len() {
            let _ = other.allocate(&self.request(at));
            equal("invariants", other.check_invariants(), Ok(()))?;
        }
        for lease in other.leases().collect::<Vec<_>>() {
            equal("release", other.release(lease), Ok(()))?;
        }
        let nodes: Vec<_> = (0..other.machine().nodes()).map(Node).collect();
        equal("repair", other.repair(&nodes), Ok(()))?;
        equal("free then", other.free(Node(0)), Ok(other.machine().has_node(0)))
    }

    fn compare(&mut self) -> Result<(), String> {
        let (real, model) = (&mut self.real, &self.model);
        let cluster = &model.setup().cluster;
        equal("invariants", real.check_invariants(), Ok(()))?;
        let mut live = model.live();
        live.sort_by_key(|it| it.handle().index());
        equal("leases", real.leases().collect(), live)?;
        let beside = [model.held(), model.out()].concat();
        for node in 0..cluster.nodes.len() {
            let free = cluster.free(node, &beside);
            equal("free", real.free(named(node)), Ok(Amounts::of(&free.amounts)))?;
            for (device, &parts) in (0..).zip(&free.parts) {
                equal("free parts", real.free_parts(named(node), device), Ok(parts))?;
            }
            equal("state", real.state(named(node)), Ok(model.state(node)))?;
        }
        let held = |at| beside.iter().filter_map(move |it| it.common.get(at)).sum::<u32>();
        let common: Vec<_> = (0..).zip(&cluster.common).map(|(at, it)| it - held(at)).collect();
        equal("common", real.free_common(), Amounts::of(&common))?;
        equal("invariants of a drawn map", real.check_invariants(), Ok(()))
    }
}

fn named(node: usize) -> Node {
    Node(node as u32)
}
