//! What somebody else wrote into the storage of a pool, as the check names it.
//!
//! How often each is named stands in `planted.txt`, for words of 64 bits.
#![cfg(target_pointer_width = "64")]

use super::common::dim;
use crate::forged::agree;
use crate::tampered::{Change, Tampered, found, lines_of, turn, words_said};
use locox::cube::Node;
use locox::handle::PoolId;
use locox::subcube::{Outage, Pool, Strategy, words};
use locox_oracles::subcube::{Buddy, Complete, FreeList, FreeListPlain, GrayCode, Rule};

const DIMS: u8 = 5;

/// Leases of all shapes, nodes out of service with and without one, and refusals.
fn used<T: Strategy>() -> (Pool<T, Tampered>, Change) {
    let (storage, change) = Tampered::new(words::<T>(DIMS));
    let mut pool = Pool::new(PoolId(1), dim(DIMS), storage).unwrap();
    let leases = [2, 0, 1, 2, 0, 0].map(|wanted| pool.allocate(dim(wanted)).unwrap());
    pool.withdraw(&[Node(1), Node(15), Node(21)], Outage::Failed, |_| ()).unwrap();
    pool.withdraw(&[Node(22)], Outage::Drained, |_| ()).unwrap();
    for lease in [leases[1], leases[3]] {
        pool.release(lease).unwrap();
    }
    dim(DIMS).up_to().for_each(|wanted| _ = pool.would_fit(wanted));
    pool.check_invariants().unwrap();
    (pool, change)
}

/// Bits that somebody turned are found, and named as in the lines of this strategy.
fn check<R: Rule>() {
    let (pool, change) = used::<R::Strategy>();
    let name = pool.name();
    let told = found(name, &pool, (words::<R::Strategy>(DIMS), &change), Pool::check_invariants);
    assert_eq!(told, lines_of(name, include_str!("planted.txt")));
}

#[test]
fn who_writes_to_the_storage_of_a_buddy_is_found() {
    check::<Buddy>();
}

#[test]
fn who_writes_to_the_storage_of_a_gray_code_is_found() {
    check::<GrayCode>();
}

#[test]
fn who_writes_to_the_storage_of_a_free_list_is_found() {
    check::<FreeList>();
}

#[test]
fn who_writes_to_the_storage_of_a_plain_free_list_is_found() {
    check::<FreeListPlain>();
}

#[test]
fn who_writes_to_the_storage_of_complete_recognition_is_found() {
    check::<Complete>();
}

/// A cube of more nodes than a word has bits: its lists have a word that sums up others.
#[test]
fn who_writes_to_the_lists_of_a_larger_cube_is_found() {
    let (storage, change) = Tampered::new(words::<locox::subcube::FreeListPlain>(7));
    let mut pool: Pool<locox::subcube::FreeListPlain, _> =
        Pool::new(PoolId(1), dim(7), storage).unwrap();
    [3, 0, 5].iter().for_each(|&wanted| _ = pool.allocate(dim(wanted)).unwrap());
    pool.check_invariants().unwrap();
    let words = words::<locox::subcube::FreeListPlain>(7);
    agree(
        &words_said(words, &change, || pool.clone().check_invariants()),
        &[
            ("a failed node is out of service", 10),
            ("a node is free exactly if it serves and no lease holds it", 149),
            ("a node out of service without a lease is noted", 2),
            ("leases are disjoint", 54),
            ("nothing", 393),
            ("the count of nodes out of service", 12),
            ("the strategy's derived data", 124),
        ],
    );
}

/// Two bits that agree with each other, but not with what is free.
#[test]
fn a_free_node_does_not_belong_to_a_lease_together_with_its_neighbour() {
    let (pool, change) = used::<locox::subcube::Complete>();
    // Behind the map and the scratch, which has a word fewer for each word of it than a word has dimensions.
    let links = locox::bits::Word::BITS * locox::bits::WORD_LOG2;
    let pair = (0..32).step_by(2).find(|&node| {
        let is_free = |node| pool.state(Node(node)).unwrap().is_free();
        is_free(node) != is_free(node + 1)
    });
    let node = pair.expect("leases of single nodes") as usize;
    let pair = [node, node + 1].map(|node| links as usize + node);
    *change.borrow_mut() = Box::new(move |words| turn(&pair, words));
    let broken = pool.clone().check_invariants().unwrap_err().0;
    assert_eq!(broken, "the strategy's derived data");
}
