//! Names, counts and figures, and their form as data.

use super::common::{commands, dim};
use locox::cube::{Dim, Node};
use locox::handle::{Misuse, PoolId};
use locox::subcube::{
    ClaimError, InvariantViolation, Lease, NoSuchNode, NodeState, NotFree, Outage, Refusal,
    StorageTooSmall,
};
use locox_oracles::subcube::{
    Answer, Buddy, Client, Complete, FreeList, FreeListPlain, GrayCode, Rule, subcubes,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

fn counts_when_empty<R: Rule>(dims: Dim) -> Vec<u64> {
    let stats = R::pool(PoolId(0), dims).stats();
    let (counts, beyond) = stats.subcubes.split_at(usize::from(dims.get()) + 1);
    assert!(beyond.iter().all(|&count| count == 0));
    counts.to_vec()
}

/// C(n, k), by Pascal's triangle.
fn choose(n: u32, k: u32) -> u64 {
    if k == 0 || k == n {
        return 1;
    }
    choose(n - 1, k - 1) + choose(n - 1, k)
}

/// Turner 1995, chapter 3.
#[test]
fn an_empty_machine_shows_as_many_subcubes_as_the_formulas_say() {
    for n in 0..=12u8 {
        let formula = |of: &dyn Fn(u32, u32) -> u64| {
            (0..=u32::from(n)).map(|k| of(u32::from(n), k)).collect::<Vec<_>>()
        };
        let buddy = |n, k| 1u64 << (n - k);
        let gray = |n, k| if (1..n).contains(&k) { 1u64 << (n - k + 1) } else { buddy(n, k) };
        let complete = |n, k| choose(n, k) << (n - k);
        assert_eq!(counts_when_empty::<Buddy>(dim(n)), formula(&buddy));
        assert_eq!(counts_when_empty::<GrayCode>(dim(n)), formula(&gray));
        assert_eq!(counts_when_empty::<FreeList>(dim(n)), formula(&complete));
        assert_eq!(counts_when_empty::<FreeListPlain>(dim(n)), formula(&complete));
        assert_eq!(counts_when_empty::<Complete>(dim(n)), formula(&complete));
        if n <= 8 {
            let counted = |_, k| subcubes(dim(n), dim(k as u8)).count() as u64;
            assert_eq!(formula(&complete), formula(&counted));
        }
    }
}

#[test]
fn fragmentation_is_the_share_of_free_nodes_outside_the_largest_free_subcube() {
    let mut pool = Complete::pool(PoolId(0), dim(3));
    assert_eq!(pool.stats().fragmentation_permille(), 0);
    let leases: Vec<_> = (0..8).map(|_| pool.allocate(dim(0)).unwrap()).collect();
    assert_eq!(pool.stats().fragmentation_permille(), 0);
    for (lease, expected) in leases.iter().zip([0, 0, 333, 0, 200, 333, 428, 0]) {
        pool.release(*lease).unwrap();
        assert_eq!(pool.stats().fragmentation_permille(), expected);
    }
}

#[test]
fn figures_read_as_a_line() {
    let mut pool = FreeList::pool(PoolId(0), dim(3));
    let text = "free 8 of 8, leased 0, out 0, largest 3, fragmentation 0 permille";
    assert_eq!(pool.stats().to_string(), text);
    pool.allocate(dim(0)).unwrap();
    pool.withdraw(&[Node(7)], Outage::Failed, |_| ()).unwrap();
    let text = "free 6 of 8, leased 1, out 1, largest 1, fragmentation 666 permille";
    assert_eq!(pool.stats().to_string(), text);
    pool.withdraw(&(1..7).map(Node).collect::<Vec<_>>(), Outage::Failed, |_| ()).unwrap();
    let text = "free 0 of 8, leased 1, out 7, largest none, fragmentation 0 permille";
    assert_eq!(pool.stats().to_string(), text);
}

fn a_pool_says_who_it_is<R: Rule>() {
    let pool = R::pool(PoolId(77), dim(4));
    assert_eq!((pool.id(), pool.dims(), pool.free()), (PoolId(77), dim(4), 16));
}

#[test]
fn strategies_have_the_names_that_options_use() {
    let names = [
        Buddy::pool(PoolId(0), dim(0)).name(),
        GrayCode::pool(PoolId(0), dim(0)).name(),
        FreeList::pool(PoolId(0), dim(0)).name(),
        FreeListPlain::pool(PoolId(0), dim(0)).name(),
        Complete::pool(PoolId(0), dim(0)).name(),
    ];
    assert_eq!(names, ["buddy", "gray-code", "free-list", "free-list-plain", "complete"]);
}

fn reads_as_written<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
    let text = serde_json::to_string(&value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
}

fn what_a_pool_answers_reads_as_written<R: Rule>() {
    let (mut pool, mut client) = (R::pool(PoolId(3), dim(5)), Client::new(PoolId(3), dim(5)));
    let mut leases = 0;
    for command in commands(dim(5), 300) {
        match client.run(&mut pool, &command) {
            Answer::Allocated(answer) => {
                leases += u32::from(answer.is_ok());
                reads_as_written::<Result<Lease, Refusal>>(answer);
            }
            Answer::Claimed(answer) => {
                reads_as_written::<Result<Lease, ClaimError>>(answer);
            }
            Answer::Released(_, answer) => reads_as_written::<Result<(), Misuse>>(answer),
            Answer::Repaired(answer) => reads_as_written::<Result<(), NoSuchNode>>(answer),
            Answer::Withdrawn(Ok(hit)) => reads_as_written::<Vec<Lease>>(hit),
            Answer::Observed(stats) => {
                let text = serde_json::to_value(*stats).unwrap();
                assert_eq!(text["free"], stats.free);
                assert_eq!(text["subcubes"].as_array().unwrap().len(), stats.subcubes.len());
            }
            _ => (),
        }
    }
    assert!(leases > 20);
    for outage in [None, Some(Outage::Failed), Some(Outage::Drained)] {
        reads_as_written(NodeState { leased: outage.is_none(), outage });
    }
}

/// What users and logs get to read: one line that says what is the matter.
#[test]
fn reasons_and_errors_read_as_sentences() {
    let texts = [
        (Refusal::TooLarge.to_string(), "larger than the machine"),
        (Refusal::Faulty.to_string(), "impossible until nodes are repaired"),
        (
            Refusal::TooFewFree { needed: 4, free: 1 }.to_string(),
            "too few free nodes: 1 of the 4 needed",
        ),
        (
            Refusal::Fragmented { largest: dim(2) }.to_string(),
            "fragmented: the largest free subcube has 4 nodes",
        ),
        (
            Refusal::Fragmented { largest: dim(0) }.to_string(),
            "fragmented: the largest free subcube has 1 node",
        ),
        (Misuse::Foreign.to_string(), "the handle belongs to another pool"),
        (Misuse::Stale.to_string(), "the handle was released already"),
        (NoSuchNode(Node(9)).to_string(), "the machine has no node 9"),
        (NotFree(Node(9)).to_string(), "node 9 is not free"),
        (StorageTooSmall { needed: 4 }.to_string(), "the pool needs a storage of 4 words"),
        (
            InvariantViolation("leases are disjoint").to_string(),
            "broken invariant: leases are disjoint",
        ),
    ];
    for (text, expected) in texts {
        assert_eq!(text, expected);
    }
}

locox_oracles::for_each_strategy!(a_pool_says_who_it_is, what_a_pool_answers_reads_as_written);
