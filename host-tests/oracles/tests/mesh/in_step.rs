//! Every strategy under the auxiliary list against a naive model, operation by operation.

use crate::common::{dim, runner};
use locox::cube::{Dim, Node};
use locox::handle::{Misuse, PoolId};
use locox::mesh::{Embedding, Leftover, MeshLease, Shape};
use locox::subcube::{NoSuchNode, Outage};
use locox_oracles::mesh::{Flaw, Model};
use locox_oracles::subcube::{Meshes, Rule};
use proptest::collection::vec;
use proptest::prelude::*;

/// An operation; whatever it picks is taken modulo what there is.
#[derive(Clone, Debug)]
enum Op {
    Allocate([u32; 3]),
    Release(usize),
    /// A lease released before.
    ReleaseAgain(usize),
    Withdraw(Vec<u32>, Outage),
    Repair(Vec<u32>),
}

#[derive(Clone, Debug)]
struct Case {
    dims: Dim,
    leftover: Leftover,
    ops: Vec<Op>,
}

/// Sides whose subcubes have at most one dimension more than the machine.
fn shapes(dims: u8) -> impl Strategy<Value = [u32; 3]> {
    let sides = (1u32..=1 << dims, 1u32..=1 << dims, prop_oneof![4 => Just(1u32), 1 => 2u32..=4]);
    let small = move |sides: &[u32; 3]| {
        Shape::try_from(*sides).is_ok_and(|shape| shape.dim().get() <= dims + 1)
    };
    sides.prop_map(move |(x, y, z)| {
        let shrunk = [[x, y, z], [x, y, 1], [x, y.div_ceil(x), 1]];
        shrunk.into_iter().find(small).unwrap_or([x, 1, 1])
    })
}

fn ops(dims: u8) -> impl Strategy<Value = Op> {
    // Now and then a node beyond the machine.
    let nodes = vec(0..(1u32 << dims) + 1, 1..4);
    let outage = prop_oneof![Just(Outage::Failed), Just(Outage::Drained)];
    prop_oneof![
        10 => shapes(dims).prop_map(Op::Allocate),
        8 => any::<usize>().prop_map(Op::Release),
        1 => any::<usize>().prop_map(Op::ReleaseAgain),
        1 => (nodes.clone(), outage).prop_map(|(nodes, why)| Op::Withdraw(nodes, why)),
        2 => nodes.prop_map(Op::Repair),
    ]
}

fn cases(dims: impl Strategy<Value = u8>, len: usize) -> impl Strategy<Value = Case> {
    let leftover = prop_oneof![4 => Just(Leftover::Reused), 1 => Just(Leftover::Kept)];
    (dims, leftover).prop_flat_map(move |(dims, leftover)| {
        let case = move |ops| Case { dims: dim(dims), leftover, ops };
        vec(ops(dims), 1..len).prop_map(case)
    })
}

/// A pool and its model, and the leases in the order of the model's meshes.
struct Pair<R: Rule> {
    pool: Meshes<R>,
    model: Model<R>,
    live: Vec<MeshLease>,
    gone: Vec<MeshLease>,
}

impl<R: Rule> Pair<R> {
    fn step(&mut self, op: &Op) -> Result<(), TestCaseError> {
        match op {
            Op::Allocate(sides) => self.allocate(Shape::try_from(*sides).unwrap())?,
            Op::Release(_) if self.live.is_empty() => {}
            Op::Release(pick) => {
                let at = pick % self.live.len();
                let lease = self.live.remove(at);
                prop_assert_eq!(self.pool.release(lease), Ok(()));
                self.model.release(at);
                self.gone.push(lease);
            }
            Op::ReleaseAgain(_) if self.gone.is_empty() => {}
            Op::ReleaseAgain(pick) => {
                let lease = self.gone[pick % self.gone.len()];
                prop_assert_eq!(self.pool.release(lease), Err(Misuse::Stale));
            }
            Op::Withdraw(nodes, why) => self.withdraw(nodes, *why)?,
            Op::Repair(nodes) => {
                let nodes: Vec<_> = nodes.iter().copied().map(Node).collect();
                let expected = self.outside(&nodes);
                prop_assert_eq!(self.pool.repair(&nodes), expected);
                if expected.is_ok() {
                    self.model.repair(&nodes);
                }
            }
        }
        self.compare()
    }

    fn outside(&self, nodes: &[Node]) -> Result<(), NoSuchNode> {
        let outside = nodes.iter().find(|node| node.0 >= self.pool.dims().nodes());
        outside.map_or(Ok(()), |&node| Err(NoSuchNode(node)))
    }

    fn allocate(&mut self, shape: Shape) -> Result<(), TestCaseError> {
        let expected = self.model.choose(shape);
        let fits = self.pool.would_fit(shape);
        prop_assert_eq!(fits, expected.map(|_| ()));
        match self.pool.allocate(shape) {
            Ok(lease) => {
                let (cube, home) = expected.unwrap();
                prop_assert_eq!((lease.cube(), lease.shape()), (cube, shape));
                self.model.open(lease.mesh(), home);
                self.live.push(lease);
            }
            Err(refusal) => prop_assert_eq!(Err(refusal), expected),
        }
        Ok(())
    }

    fn withdraw(&mut self, nodes: &[u32], why: Outage) -> Result<(), TestCaseError> {
        let nodes: Vec<_> = nodes.iter().copied().map(Node).collect();
        let mut hit = vec![];
        let answer = self.pool.withdraw(&nodes, why, &mut |lease| hit.push(lease));
        prop_assert_eq!(answer, self.outside(&nodes));
        let expected = answer.map_or(vec![], |()| self.model.withdraw(&nodes, why));
        let meshes: Vec<Embedding> = hit.iter().map(|lease| lease.mesh()).collect();
        prop_assert_eq!(meshes, expected);
        prop_assert!(hit.iter().all(|lease| self.live.contains(lease)));
        Ok(())
    }

    /// Everything that can be seen.
    fn compare(&mut self) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.pool.check_invariants(), Ok(()));
        prop_assert_eq!(self.pool.stats(), self.model.stats());
        prop_assert_eq!(self.pool.free(), self.model.stats().free);
        for node in (0..self.pool.dims().nodes()).map(Node) {
            prop_assert_eq!(self.pool.state(node), Ok(self.model.state(node)));
            let lease = self.pool.lease_at(node);
            prop_assert_eq!(lease.map(|it| it.mesh()), self.model.holder(node));
            prop_assert!(lease.is_none_or(|lease| self.live.contains(&lease)));
        }
        let beyond = Node(self.pool.dims().nodes());
        prop_assert_eq!(self.pool.state(beyond), Err(NoSuchNode(beyond)));
        Ok(())
    }
}

fn run<R: Rule>(case: &Case) -> Result<(), TestCaseError> {
    let pool = R::mesh_pool(PoolId(1), case.dims, case.leftover);
    let model = Model::new(case.dims, case.leftover, Flaw::None);
    let mut pair = Pair::<R> { pool, model, live: vec![], gone: vec![] };
    case.ops.iter().try_for_each(|op| pair.step(op))
}

fn small_machines_follow_the_model<R: Rule>() {
    runner("mesh_in_step", 1500).run(&cases(0u8..=4, 80), |case| run::<R>(&case)).unwrap();
}

fn machines_of_several_words_follow_the_model<R: Rule>() {
    runner("mesh_in_step", 300).run(&cases(5u8..=7, 60), |case| run::<R>(&case)).unwrap();
}

locox_oracles::for_each_strategy!(
    small_machines_follow_the_model,
    machines_of_several_words_follow_the_model
);
