//! What somebody else wrote into the storage of a pool of meshes, as the check names it.
//!
//! How often each is named stands in `planted.txt`, for words of 64 bits.
#![cfg(target_pointer_width = "64")]

use super::common::{dim, rectangle};
use crate::tampered::{Change, Tampered, found, lines_of};
use locox::cube::Node;
use locox::handle::PoolId;
use locox::mesh::{Leftover, MeshPool, Shape, words};
use locox::subcube::{Outage, Strategy};
use locox_oracles::subcube::{Buddy, FreeList, FreeListPlain, Rule};

const DIMS: u8 = 5;

/// A mesh with tenants in its leftover, one of which has a tenant itself, nodes out of service, and refusals.
fn used<T: Strategy>(leftover: Leftover) -> (MeshPool<T, Tampered>, Change) {
    let (storage, change) = Tampered::new(words::<T>(DIMS));
    let mut pool = MeshPool::new(PoolId(1), dim(DIMS), storage, leftover).unwrap();
    let lines = [9, 3, 1, 1].map(|side| pool.allocate(Shape::line(side).unwrap()));
    pool.allocate(rectangle(2, 2)).unwrap();
    pool.withdraw(&[Node(1), Node(14), Node(30)], Outage::Failed, |_| ()).unwrap();
    pool.release(lines[3].unwrap()).unwrap();
    dim(DIMS).up_to().for_each(|dim| _ = pool.would_fit(Shape::line(dim.nodes()).unwrap()));
    pool.check_invariants().unwrap();
    (pool, change)
}

/// Bits that somebody turned are found, and named as in the lines of this strategy.
fn check<R: Rule>(leftover: Leftover) {
    let (pool, change) = used::<R::Strategy>(leftover);
    let name = format!("{}, leftover {leftover}", pool.name());
    let told =
        found(&name, &pool, (words::<R::Strategy>(DIMS), &change), MeshPool::check_invariants);
    assert_eq!(told, lines_of(&name, include_str!("planted.txt")));
}

#[test]
fn who_writes_to_the_storage_of_a_buddy_is_found() {
    check::<Buddy>(Leftover::Reused);
}

#[test]
fn who_writes_to_the_storage_of_a_free_list_is_found() {
    check::<FreeList>(Leftover::Reused);
}

#[test]
fn who_writes_to_the_storage_of_a_plain_free_list_is_found() {
    check::<FreeListPlain>(Leftover::Reused);
}

#[test]
fn who_writes_to_the_storage_of_a_free_list_that_keeps_leftover_is_found() {
    check::<FreeList>(Leftover::Kept);
}
