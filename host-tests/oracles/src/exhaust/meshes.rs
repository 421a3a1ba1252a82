//! Pools of meshes: all states, all operations in each, and after each of them no channel with two users.

use super::Counts;
use super::walk::{State, walk};
use crate::Mismatch;
use crate::mesh::{Command, Isolation, Lockstep};
use crate::subcube::{Pick, Rule};
use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::mesh::{Embedding, Leftover, Shape};
use locox::subcube::Outage;

/// Which operations are tried.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Dimensions of the machine.
    pub dims: Dim,
    /// What becomes of leftovers.
    pub leftover: Leftover,
    /// Whether pools go on from images.
    pub restarts: bool,
    /// At most so many nodes are out at a time.
    pub out: u32,
}

#[derive(Clone)]
struct Meshes<R: Rule> {
    reach: Reach,
    run: Lockstep<R>,
}

/// The states of a pool of meshes over the strategy that must follow rule `R`.
pub fn meshes<R: Rule>(reach: Reach) -> Counts {
    let run = Lockstep::<R>::new(PoolId(2), reach.dims, reach.leftover);
    walk(Meshes { reach, run })
}

/// All shapes of so many dimensions or fewer, and some of one more.
fn shapes(dims: Dim) -> Vec<Shape> {
    let side = |most: u32| 1..=most;
    let most = dims.nodes();
    let all = side(most + 1)
        .flat_map(|x| side(most / 2).flat_map(move |y| side(most / 4).map(move |z| [x, y, z])));
    let beyond = dims.up().unwrap_or(dims);
    all.filter_map(|sides| Shape::try_from(sides).ok())
        .filter(|shape| {
            shape.dim() <= dims || (shape.dim() == beyond && shape.sides()[0] > most / 2)
        })
        .collect()
}

impl<R: Rule> State for Meshes<R> {
    type Operation = Command;

    fn key(&self) -> impl std::hash::Hash + std::fmt::Debug {
        self.run.model().key()
    }

    fn operations(&self) -> Vec<Command> {
        let Reach { dims, restarts, out, .. } = self.reach;
        let nodes = || (0..dims.nodes()).map(Node);
        let stranger = Node(dims.nodes());
        let model = self.run.model();
        let mut all: Vec<_> = shapes(dims).into_iter().map(Command::Allocate).collect();
        let live = (0..model.live.len()).map(Pick::Live);
        let picks = live.chain((0..3).map(Pick::Gone)).chain([Pick::Foreign(0)]);
        all.extend(picks.map(Command::Release));
        if restarts {
            all.push(Command::Restart);
        }
        let is_out = |node: Node| model.state(node).outage.is_some();
        let count = nodes().filter(|&node| is_out(node)).count() as u32;
        if out > 0 {
            all.extend(nodes().filter(|_| count < out).map(|it| failed(vec![it])));
            all.extend(nodes().filter(|&it| is_out(it)).map(|it| Command::Repair(vec![it])));
        }
        all.push(failed(vec![Node(0), stranger]));
        all.push(Command::Repair(vec![Node(0), stranger]));
        all.extend(claim_outside(dims).map(Command::Claim));
        all
    }

    fn after(&self, command: &Command) -> Result<Self, Mismatch> {
        let mut next = self.clone();
        next.run.step(command)?;
        let mut channels = Isolation::new(self.reach.dims);
        let shared = next.run.model().live.iter().try_for_each(|it| channels.add(&it.mesh));
        shared.map_err(|conflict| Mismatch {
            step: 0,
            command: format!("{command:?}"),
            what: format!("a channel with two users: {conflict:?}"),
        })?;
        Ok(next)
    }
}

fn failed(nodes: Vec<Node>) -> Command {
    Command::Withdraw(nodes, Outage::Failed)
}

/// A mesh of one node in a larger machine.
fn claim_outside(dims: Dim) -> Option<Embedding> {
    let cube = Subcube::new(dims.up()?, Node(dims.nodes()), 0)?;
    Embedding::new(cube, Shape::line(1).ok()?)
}
