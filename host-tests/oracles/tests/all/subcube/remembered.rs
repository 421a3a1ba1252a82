//! What a pool remembers of a refusal is true as long as it does.
//!
//! Nobody looks on: to be shown all that it can grant is to be refused most of it, and what a pool has
//! just been refused it knows.

use super::common::dim;
use crate::runner::{follows, runner};
use locox::cube::Node;
use locox::handle::{Epoch, PoolId};
use locox::subcube::{Allocator, Lease, Outage, Refusal};
use locox_oracles::subcube::{Command, Complete, EVEN, FreeList, Lockstep, Rule};
use proptest::collection::vec;
use proptest::prelude::any;

const NO_PAIR: Refusal = Refusal::Fragmented { largest: locox::cube::Dim::ZERO };

/// Leases of all nodes of odd parity; no two of the others are neighbours. A pair was just refused.
fn refused(pool: &mut dyn Allocator) -> Vec<Lease> {
    let all: Vec<_> = (0..pool.dims().nodes()).map(|_| pool.allocate(dim(0)).unwrap()).collect();
    let is_even = |lease: &Lease| lease.cube().base().0.count_ones().is_multiple_of(2);
    let (even, odd): (Vec<_>, Vec<_>) = all.into_iter().partition(is_even);
    even.into_iter().for_each(|lease| pool.release(lease).unwrap());
    assert_eq!(pool.allocate(dim(1)), Err(NO_PAIR));
    assert_eq!(pool.allocate(dim(2)), Err(NO_PAIR));
    odd
}

fn release(pool: &mut dyn Allocator, leases: &[Lease], node: u32) {
    let lease = leases.iter().find(|lease| lease.cube().base() == Node(node));
    pool.release(*lease.unwrap()).unwrap();
}

fn has_pair_with(pool: &mut dyn Allocator, node: u32) {
    assert_eq!(pool.would_fit(dim(1)), Ok(()));
    assert!(pool.allocate(dim(1)).unwrap().cube().contains(Node(node)));
    assert_eq!(pool.would_fit(dim(1)), Err(NO_PAIR));
    assert_eq!(pool.would_fit(dim(2)), Err(NO_PAIR));
}

fn a_release_makes_room<R: Rule>() {
    for node in [1, 2, 4, 7, 8, 11, 13, 14] {
        let mut pool = R::pool(PoolId(0), dim(4));
        let odd = refused(&mut pool);
        release(&mut pool, &odd, node);
        has_pair_with(&mut pool, node);
    }
}

/// Far apart, so that they have no word in common.
fn all_that_came_back_counts<R: Rule>() {
    for (first, last) in [(1, 254), (254, 1)] {
        for useless in [first, last] {
            let mut pool = R::pool(PoolId(0), dim(8));
            let odd = refused(&mut pool);
            // Without its neighbours it makes no pair.
            let around: Vec<_> = (0..8).map(|at| Node(useless ^ 1 << at)).collect();
            pool.withdraw(&around, Outage::Failed, &mut |_| ()).unwrap();
            release(&mut pool, &odd, first);
            release(&mut pool, &odd, last);
            has_pair_with(&mut pool, first ^ last ^ useless);
        }
    }
}

fn a_repair_makes_room<R: Rule>() {
    for several in [vec![Node(1)], vec![Node(1), Node(7)]] {
        let mut pool = R::pool(PoolId(0), dim(4));
        let odd = refused(&mut pool);
        pool.withdraw(&[Node(1), Node(7)], Outage::Drained, &mut |_| ()).unwrap();
        release(&mut pool, &odd, 1);
        release(&mut pool, &odd, 7);
        assert_eq!(pool.allocate(dim(1)), Err(NO_PAIR));
        pool.repair(&several).unwrap();
        assert_eq!(pool.would_fit(dim(1)), Ok(()));
        assert!(pool.allocate(dim(1)).is_ok());
    }
}

fn a_node_that_is_out_makes_no_room_when_its_lease_ends<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(4));
    let odd = refused(&mut pool);
    pool.withdraw(&[Node(1)], Outage::Failed, &mut |_| ()).unwrap();
    assert_eq!(pool.lease_at(Node(1)).map(|lease| lease.cube().base()), Some(Node(1)));
    release(&mut pool, &odd, 1);
    assert_eq!(pool.allocate(dim(1)), Err(NO_PAIR));
    release(&mut pool, &odd, 2);
    has_pair_with(&mut pool, 2);
}

fn what_was_largest_is_so_no_more_when_it_is_taken<R: Rule>() {
    let one = Err(Refusal::Fragmented { largest: dim(1) });
    for withdrawn in [false, true] {
        let mut pool = R::pool(PoolId(0), dim(4));
        let odd = refused(&mut pool);
        release(&mut pool, &odd, 1);
        assert_eq!(pool.would_fit(dim(2)), one);
        if withdrawn {
            pool.withdraw(&[Node(1)], Outage::Failed, &mut |_| ()).unwrap();
        } else {
            pool.claim("0001".parse().unwrap()).unwrap();
        }
        assert_eq!(pool.would_fit(dim(2)), Err(NO_PAIR));
    }
}

fn an_image_brings_its_own_room<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(4));
    let odd = refused(&mut pool);
    let (mut before, mut after) = (vec![], vec![]);
    pool.export(&mut |word| before.push(word));
    release(&mut pool, &odd, 1);
    pool.export(&mut |word| after.push(word));
    assert_eq!(pool.would_fit(dim(2)), Err(Refusal::Fragmented { largest: dim(1) }));
    pool.restore(before, Epoch(1)).unwrap();
    assert_eq!(pool.allocate(dim(1)), Err(NO_PAIR));
    pool.restore(after, Epoch(2)).unwrap();
    has_pair_with(&mut pool, 1);
}

fn unobserved_machines_follow_the_rule<R: Rule>() {
    for (dims, cases, len) in [(3..=5u8, 1000, 200), (6..=7, 60, 200)] {
        let numbers = (dims, any::<u16>(), vec(any::<u64>(), 1..len));
        runner("remembered", cases)
            .run(&numbers, |(dims, swarm, numbers)| {
                let (dims, weights) = (dim(dims), EVEN.swarm(swarm.into()));
                let mut pool = R::pool(PoolId(1), dims);
                let mut run = Lockstep::<R>::new(&mut pool);
                let commands = numbers.iter().map(|&it| Command::decode(dims, it, &weights));
                let kept = commands.filter(|it| !matches!(it, Command::Observe));
                kept.map(|command| run.answer(&command)).try_for_each(follows)
            })
            .unwrap();
    }
}

macro_rules! of_those_that_search {
    ($($test:ident),* $(,)?) => {
        mod free_list { $(#[test] fn $test() { super::$test::<super::FreeList>(); })* }
        mod complete { $(#[test] fn $test() { super::$test::<super::Complete>(); })* }
    };
}

of_those_that_search!(
    a_release_makes_room,
    all_that_came_back_counts,
    a_repair_makes_room,
    a_node_that_is_out_makes_no_room_when_its_lease_ends,
    what_was_largest_is_so_no_more_when_it_is_taken,
    an_image_brings_its_own_room,
    unobserved_machines_follow_the_rule,
);
