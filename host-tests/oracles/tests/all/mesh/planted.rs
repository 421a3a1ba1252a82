//! What somebody else wrote into the storage of a pool of meshes, as the check names it.
//!
//! How often each is named stands in `planted.txt`, for words of 64 bits.
#![cfg(target_pointer_width = "64")]

use super::common::{dim, rectangle};
use crate::tampered::{Tampered, Turned, found};
use locox::cube::Node;
use locox::handle::PoolId;
use locox::mesh::{Leftover, MeshPool, Shape, words};
use locox::subcube::{Outage, Strategy};
use locox_oracles::subcube::{Buddy, FreeList, FreeListPlain, Rule};

const DIMS: u8 = 5;

/// A mesh with tenants in its leftover, one of which has a tenant itself, nodes out of service, and refusals.
fn used<T: Strategy>(leftover: Leftover) -> (MeshPool<T, Tampered>, Turned) {
    let (storage, turned) = Tampered::new(words::<T>(DIMS));
    let mut pool = MeshPool::new(PoolId(1), dim(DIMS), storage, leftover).unwrap();
    let lines = [9, 3, 1, 1].map(|side| pool.allocate(Shape::line(side).unwrap()));
    pool.allocate(rectangle(2, 2)).unwrap();
    pool.withdraw(&[Node(1), Node(14), Node(30)], Outage::Failed, |_| ()).unwrap();
    pool.release(lines[3].unwrap()).unwrap();
    dim(DIMS).up_to().for_each(|dim| _ = pool.would_fit(Shape::line(dim.nodes()).unwrap()));
    pool.check_invariants().unwrap();
    (pool, turned)
}

fn told<R: Rule>(leftover: Leftover) -> String {
    let (pool, turned) = used::<R::Strategy>(leftover);
    let name = format!("{}, leftover {leftover}", pool.name());
    found(&name, &pool, (words::<R::Strategy>(DIMS), &turned), MeshPool::check_invariants)
}

#[test]
fn bits_that_somebody_turned_are_found_and_named() {
    let all = [
        told::<Buddy>(Leftover::Reused),
        told::<FreeList>(Leftover::Reused),
        told::<FreeListPlain>(Leftover::Reused),
        told::<FreeList>(Leftover::Kept),
    ];
    assert_eq!(all.concat(), include_str!("planted.txt"));
}
