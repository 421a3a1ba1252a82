//! A machine of a million nodes.

mod common;

use common::dim;
use locox::cube::Node;
use locox::handle::PoolId;
use locox::subcube::{Allocator, Outage, Refusal};
use locox_oracles::Rule;

/// Without the figures that take 3^n steps to count.
fn twenty_dimensions_are_granted_split_failed_and_merged<R: Rule>() {
    let mut pool = R::pool(PoolId(9), dim(20));
    let granted = |pool: &mut R::Pool, wanted| pool.allocate(dim(wanted)).unwrap();
    let whole = granted(&mut pool, 20);
    assert_eq!(whole.cube().len(), 1 << 20);
    assert_eq!(pool.would_fit(dim(0)), Err(Refusal::TooFewFree { free: 0 }));
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
    assert_eq!(pool.would_fit(dim(18)), Err(Refusal::TooFewFree { free }));
    pool.repair(&[last]).unwrap();
    for half in halves {
        pool.release(half).unwrap();
    }
    assert_eq!(pool.allocate(dim(20)).map(|lease| lease.cube()), Ok(whole.cube()));
}

for_each_strategy!(twenty_dimensions_are_granted_split_failed_and_merged);
