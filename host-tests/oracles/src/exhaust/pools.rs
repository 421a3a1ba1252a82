//! Pools of subcubes: all states, and all operations in each.
//!
//! States are not counted up to symmetry: no automorphism of a cube but the identity commutes with the placement of any strategy
//! (`tests/all/exhaust/symmetry.rs`), so that what is right in a state need not be right in its image.

use super::Counts;
use super::walk::{State, walk};
use crate::Mismatch;
use crate::mismatch::equal;
use crate::subcube::{Client, Command, Lockstep, Model, NodeSet, Pick, Rule, Subcubes, subcubes};
use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::subcube::{Outage, Refusal};
use std::fmt::Debug;

/// Which operations are tried.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Dimensions of the machine.
    pub dims: Dim,
    /// Whether subcubes are claimed, and pools go on from images.
    pub claims: bool,
    /// For which reasons nodes go out of service.
    pub reasons: &'static [Outage],
    /// At most so many are out at a time.
    pub out: u32,
    /// At most so many leases live at a time.
    pub leases: usize,
    /// Whether all that the pool shows is compared, or only answers and how many nodes are free.
    pub looks: bool,
}

/// A pool, its client and its model in agreement.
struct Pools<R: Rule> {
    reach: Reach,
    pool: Subcubes<R>,
    client: Client,
    model: Model<R>,
}

/// The states of a pool under the strategy that must follow rule `R`.
pub fn pools<R: Rule<Strategy: Debug>>(reach: Reach) -> Counts {
    walk(Pools::<R>::start(reach))
}

impl<R: Rule> Pools<R> {
    /// All nodes are free.
    fn start(reach: Reach) -> Self {
        let (id, dims) = (PoolId(6), reach.dims);
        let model = Model::new(id, dims, R::new(dims));
        Self { reach, pool: R::pool(id, dims), client: Client::new(id, dims), model }
    }

    fn is_out(&self, node: Node) -> bool {
        self.model.state(node).is_ok_and(|it| it.outage.is_some())
    }

    /// Operations that may lead to another state.
    fn moves(&self) -> Vec<Command> {
        let Reach { dims, claims, reasons, out, .. } = self.reach;
        let nodes = || (0..dims.nodes()).map(Node);
        let release = (0..self.client.live().len()).map(|at| Command::Release(Pick::Live(at)));
        let room = dims.up_to().filter(|_| self.client.live().len() < self.reach.leases);
        let mut moves: Vec<_> = room.map(Command::Allocate).chain(release).collect();
        if claims {
            let claims = dims.up_to().flat_map(|dim| subcubes(dims, dim));
            moves.extend(claims.map(Command::Claim));
            moves.push(Command::Restart);
        }
        let several: Vec<_> = nodes().filter(|node| node.0 % 3 != 1).collect();
        for &why in reasons {
            let count = nodes().filter(|&node| self.is_out(node)).count();
            let more = nodes().filter(|&node| count < out as usize || self.is_out(node));
            moves.extend(more.map(|node| Command::Withdraw(vec![node], why)));
            if out == dims.nodes() {
                moves.push(Command::Withdraw(several.clone(), why));
            }
        }
        if !reasons.is_empty() {
            moves.extend(nodes().map(|node| Command::Repair(vec![node])));
            moves.push(Command::Repair(several));
        }
        moves
    }

    /// Operations that must not lead anywhere: leases of others, leases given back twice, nodes and sizes that there
    /// are not.
    fn misuse(&self) -> Vec<Command> {
        let dims = self.reach.dims;
        let stranger = Node(dims.nodes());
        let larger = dims.up().unwrap_or(dims);
        let releases = (0..6).map(Pick::Foreign).chain((0..4).map(Pick::Gone));
        let mut misuse: Vec<_> = releases.map(Command::Release).collect();
        misuse.push(Command::Observe);
        misuse.push(Command::Allocate(larger));
        misuse.extend(Subcube::new(larger, stranger, 0).map(Command::Claim));
        misuse.push(Command::Withdraw(vec![Node(0), stranger], Outage::Failed));
        misuse.push(Command::Repair(vec![Node(0), stranger]));
        misuse
    }
}

impl<R: Rule<Strategy: Debug>> State for Pools<R> {
    type Operation = Command;

    /// The model's state, and what the strategy remembers of refusals, which no model knows.
    fn key(&self) -> impl std::hash::Hash + Debug {
        let remembered = self.reach.looks.then(|| {
            let shown = format!("{:?}", self.pool);
            shown.split(", ledger").next().unwrap_or_default().to_owned()
        });
        (self.model.key(), remembered)
    }

    fn operations(&self) -> Vec<Command> {
        let mut operations = self.moves();
        operations.extend(self.misuse());
        operations
    }

    fn after(&self, command: &Command) -> Result<Self, Mismatch> {
        let mut pool = self.pool.clone();
        let mut run = Lockstep::resume(&mut pool, self.client.clone(), self.model.clone());
        match self.reach.looks {
            true => run.step(command)?,
            false => run.answer(command)?,
        };
        let (client, model) = run.into_parts();
        Ok(Self { reach: self.reach, pool, client, model })
    }
}

/// All sets of free nodes of the 4-cube under a strategy that sees every free subcube: what a pool refuses there is not, and
/// what there is it grants, where the rule says.
pub fn maps<R: Rule>(places: bool) -> Counts {
    let dims = Dim::new(4).expect("four dimensions");
    let mut full = R::pool(PoolId(0), dims);
    let leases: Vec<_> = (0..16).filter_map(|_| full.allocate(Dim::ZERO).ok()).collect();
    let mut counts = Counts::default();
    for map in 0u32..1 << 16 {
        counts.states += 1;
        let free = NodeSet::of(dims, |node| map >> node.0 & 1 == 1);
        let mut pool = full.clone();
        for &lease in leases.iter().filter(|lease| free.contains(lease.cube().base())) {
            let released = equal("release", pool.release(lease), Ok(()));
            counts.judge(|| format!("{free:?}"), released);
        }
        for dim in dims.up_to() {
            let compared = compare::<R>(&mut pool.clone(), &free, dim, places);
            counts.judge(|| format!("{dim} dimensions of {free:?}"), compared);
        }
    }
    counts
}

fn compare<R: Rule>(
    pool: &mut Subcubes<R>,
    free: &NodeSet,
    dim: Dim,
    places: bool,
) -> Result<(), String> {
    let dims = free.dims();
    let largest = dims.up_to().rev().find(|&dim| free.subcubes(dim).next().is_some());
    let expected = match largest {
        Some(largest) if largest >= dim => Ok(()),
        Some(largest) if free.len() >= dim.nodes() => Err(Refusal::Fragmented { largest }),
        _ => Err(Refusal::TooFewFree { needed: dim.nodes(), free: free.len() }),
    };
    equal("whether it fits", pool.would_fit(dim), expected)?;
    let granted = pool.allocate(dim).map(|lease| lease.cube());
    equal("whether it is granted", granted.map(|_| ()), expected)?;
    // All leases are single nodes, so that there is nothing for a rule to remember.
    let place = || equal("place", granted.ok(), R::new(dims).choose(free, dim));
    if places { place() } else { Ok(()) }
}
