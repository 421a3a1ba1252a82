//! Machines too large for the models: no node is granted twice, and nothing is lost.

use super::common::{commands, dim};
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::subcube::{Lease, Outage, Refusal};
use locox_oracles::subcube::{
    Answer, Buddy, Client, Command, Complete, FreeList, GrayCode, Rule, Subcubes,
};

/// Which lease holds each node, and which nodes are out.
struct Ledger {
    holders: Vec<Option<Lease>>,
    out: Vec<bool>,
}

impl Ledger {
    fn new(dims: Dim) -> Self {
        let nodes = dims.nodes() as usize;
        Self { holders: vec![None; nodes], out: vec![false; nodes] }
    }

    fn note(&mut self, command: &Command, answer: &Answer) {
        match (command, answer) {
            (Command::Allocate(dim), Answer::Allocated(Ok(lease))) => {
                assert_eq!(lease.cube().dim(), *dim);
                for Node(node) in lease.cube().nodes() {
                    let before = self.holders[node as usize].replace(*lease);
                    assert!(before.is_none() && !self.out[node as usize], "{lease:?}: {node}");
                }
            }
            (_, Answer::Released(lease, Ok(()))) => {
                for Node(node) in lease.cube().nodes() {
                    assert_eq!(self.holders[node as usize].take(), Some(*lease));
                }
            }
            (Command::Withdraw(nodes, _), Answer::Withdrawn(Ok(hit))) => {
                nodes.iter().for_each(|node| self.out[node.0 as usize] = true);
                let holders = nodes.iter().filter_map(|node| self.holders[node.0 as usize]);
                assert!(holders.clone().all(|lease| hit.contains(&lease)));
                assert!(hit.iter().all(|lease| holders.clone().any(|it| it == *lease)));
            }
            (Command::Repair(nodes), Answer::Repaired(Ok(()))) => {
                nodes.iter().for_each(|node| self.out[node.0 as usize] = false);
            }
            _ => (),
        }
    }

    fn free(&self) -> u32 {
        self.holders.iter().zip(&self.out).filter(|it| *it == (&None, &false)).count() as u32
    }
}

fn nodes_are_granted_once_and_all_come_back<R: Rule>(dims: Dim) {
    let (mut pool, mut client) = (R::pool(PoolId(9), dims), Client::new(PoolId(9), dims));
    let mut ledger = Ledger::new(dims);
    for (at, command) in commands(dims, 400).enumerate() {
        // Small requests, or the first few would take everything.
        let command = match command {
            Command::Allocate(large) => Command::Allocate(dim(large.get() % (dims.get() - 4))),
            Command::Observe | Command::Claim(_) | Command::Restart => continue,
            other => other,
        };
        let answer = client.run(&mut pool, &command);
        ledger.note(&command, &answer);
        assert_eq!(pool.free(), ledger.free(), "step {at}, {command:?}");
    }
    for node in (0..dims.nodes()).step_by(61) {
        assert_eq!(pool.lease_at(Node(node)), ledger.holders[node as usize]);
        assert_eq!(pool.state(Node(node)).unwrap().outage.is_some(), ledger.out[node as usize]);
    }
    assert!(client.live().len() > 3);
    client.live().iter().for_each(|lease| pool.release(*lease).unwrap());
    pool.repair(&(0..dims.nodes()).map(Node).collect::<Vec<_>>()).unwrap();
    assert_eq!(pool.allocate(dims).map(|lease| lease.cube().dim()), Ok(dims));
}

/// Up to 16 dimensions a mask takes 16 bits; from 13 on, summaries have three levels.
#[test]
fn strategies_for_large_machines_keep_count_on_both_sides_of_16_dimensions() {
    for dims in [13, 16, 17] {
        nodes_are_granted_once_and_all_come_back::<Buddy>(dim(dims));
        nodes_are_granted_once_and_all_come_back::<GrayCode>(dim(dims));
        nodes_are_granted_once_and_all_come_back::<FreeList>(dim(dims));
    }
}

#[test]
fn complete_keeps_count_on_the_machines_that_it_is_meant_for() {
    nodes_are_granted_once_and_all_come_back::<Complete>(dim(10));
}

/// Beyond 16 dimensions a mask takes more than half a word of 32 bits.
fn a_lease_of_17_dimensions_is_released_as_it_was_granted<R: Rule>() {
    let mut pool = R::pool(PoolId(9), dim(17));
    for wanted in [17, 16] {
        let lease = pool.allocate(dim(wanted)).unwrap();
        assert_eq!(pool.lease_at(Node((1 << wanted) - 1)), Some(lease));
        assert_eq!(pool.release(lease), Ok(()));
        assert_eq!(pool.lease_at(Node(0)), None);
    }
}

/// Lists of 8192 nodes have summaries of more than one word.
fn nodes_that_are_withdrawn_together_leave_the_lists_of_a_large_machine<R: Rule>() {
    let mut pool = R::pool(PoolId(9), dim(13));
    pool.allocate(dim(0)).unwrap();
    pool.withdraw(&[4097, 5000, 8191].map(Node), Outage::Failed, |_| ()).unwrap();
    assert_eq!(pool.free(), (1 << 13) - 4);
    for node in [4097, 5000, 8191].map(Node) {
        assert!(pool.claim_nodes(&[node], |_| ()).is_err());
    }
    assert_eq!(pool.claim_nodes(&[4096, 4999, 8190].map(Node), |_| ()), Ok(()));
}

/// Without the figures that take 3^n steps to count.
fn twenty_dimensions_are_granted_split_failed_and_merged<R: Rule>() {
    let mut pool = R::pool(PoolId(9), dim(20));
    let granted = |pool: &mut Subcubes<R>, wanted| pool.allocate(dim(wanted)).unwrap();
    let whole = granted(&mut pool, 20);
    assert_eq!(whole.cube().len(), 1 << 20);
    assert_eq!(pool.would_fit(dim(0)), Err(Refusal::TooFewFree { needed: 1, free: 0 }));
    let last = Node((1 << 20) - 1);
    let mut hit = vec![];
    pool.withdraw(&[last], Outage::Failed, &mut |lease| hit.push(lease)).unwrap();
    assert_eq!(hit, [whole]);
    pool.release(whole).unwrap();
    assert_eq!(pool.free(), (1 << 20) - 1);
    assert_eq!(pool.would_fit(dim(20)), Err(Refusal::Faulty));
    let halves = [19, 18].map(|wanted| granted(&mut pool, wanted));
    assert!(halves.iter().all(|half| !half.cube().contains(last)));
    assert_eq!(pool.lease_at(halves[1].cube().base()), Some(halves[1]));
    assert_eq!(halves[0].cube().intersection(&halves[1].cube()), None);
    let free = (1 << 18) - 1;
    assert_eq!(pool.would_fit(dim(18)), Err(Refusal::TooFewFree { needed: 1 << 18, free }));
    pool.repair(&[last]).unwrap();
    for half in halves {
        pool.release(half).unwrap();
    }
    assert_eq!(pool.allocate(dim(20)).map(|lease| lease.cube()), Ok(whole.cube()));
}

locox_oracles::for_each_strategy!(
    a_lease_of_17_dimensions_is_released_as_it_was_granted,
    nodes_that_are_withdrawn_together_leave_the_lists_of_a_large_machine,
    twenty_dimensions_are_granted_split_failed_and_merged,
);
