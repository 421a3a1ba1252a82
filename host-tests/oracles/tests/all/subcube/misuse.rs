//! Leases that are not live ones of the pool: each is refused and changes nothing.

use super::common::dim;
use locox::cube::Dim;
use locox::handle::{Misuse, PoolId};
use locox::subcube::{Allocator, Lease, Outage};
use locox_oracles::subcube::{Observation, Rule};
use serde_json::{Value, json};

const ID: PoolId = PoolId(0x0102);

fn refused(pool: &mut dyn Allocator, lease: Lease, why: Misuse) {
    let before = Observation::of_pool(pool);
    assert_eq!(pool.release(lease), Err(why), "{lease:?}");
    assert_eq!(Observation::of_pool(pool), before);
    pool.check_invariants().unwrap();
}

fn a_double_release_is_stale<R: Rule>() {
    let mut pool = R::pool(ID, dim(3));
    let leases = [1, 0, 2].map(|wanted| pool.allocate(dim(wanted)).unwrap());
    for lease in leases {
        pool.release(lease).unwrap();
        refused(&mut pool, lease, Misuse::Stale);
    }
}

/// The base is in use again: by a cube of the same shape, of a smaller and of a larger one.
fn a_release_of_what_others_hold_by_now_is_stale<R: Rule>() {
    for now in 0..=3 {
        let mut pool = R::pool(ID, dim(3));
        let old = pool.allocate(dim(1)).unwrap();
        pool.release(old).unwrap();
        let new = pool.allocate(dim(now)).unwrap();
        assert_eq!(new.cube().base(), old.cube().base());
        refused(&mut pool, old, Misuse::Stale);
        pool.release(new).unwrap();
        refused(&mut pool, old, Misuse::Stale);
    }
}

fn a_lease_of_another_pool_is_foreign<R: Rule>() {
    for (id, dims) in [(ID.0 ^ 1, 3), (ID.0 ^ 0x100, 3), (ID.0, 2), (ID.0, 4), (0, 5)] {
        for wanted in 0..=2 {
            let other = R::pool(PoolId(id), dim(dims)).allocate(dim(wanted)).unwrap();
            let mut pool = R::pool(ID, dim(3));
            refused(&mut pool, other, Misuse::Foreign);
            // Also when a lease of the same base, dimension and generation is live.
            let own = pool.allocate(dim(wanted)).unwrap();
            assert_eq!(own.cube().base(), other.cube().base());
            refused(&mut pool, other, Misuse::Foreign);
            assert_eq!(pool.release(own), Ok(()));
        }
    }
}

fn a_lease_of_which_a_node_failed_is_released_once_like_any_other<R: Rule>() {
    let mut pool = R::pool(ID, dim(3));
    let lease = pool.allocate(dim(2)).unwrap();
    pool.withdraw(&[lease.cube().base()], Outage::Failed, &mut |_| ()).unwrap();
    pool.release(lease).unwrap();
    refused(&mut pool, lease, Misuse::Stale);
}

/// With `serde`, a lease may come from a file that somebody wrote: each number of it changed.
fn a_forged_lease_is_refused<R: Rule>() {
    let mut pool = R::pool(ID, dim(3));
    let other = pool.allocate(dim(0)).unwrap();
    let lease = pool.allocate(dim(1)).unwrap();
    assert_eq!(pool.allocate(dim(0)).unwrap().cube().dim(), Dim::ZERO);
    let honest = serde_json::to_value(lease).unwrap();
    let forged = |path: &str, value: Value| {
        let mut text = honest.clone();
        *text.pointer_mut(path).unwrap() = value;
        serde_json::from_value::<Lease>(text)
    };
    let base = other.cube().base().0;
    let mask = !lease.cube().mask() & 7 & !lease.cube().base().0;
    let cases = [
        ("/cube/base", json!(base), Misuse::Stale),
        ("/cube/dims", json!(4), Misuse::Foreign),
        ("/cube/mask", json!(0), Misuse::Stale),
        ("/cube/mask", json!(mask), Misuse::Stale),
        ("/generation", json!(0), Misuse::Stale),
        ("/generation", json!(3), Misuse::Stale),
        ("/pool", json!(7), Misuse::Foreign),
    ];
    for (path, value, why) in cases {
        let lease = forged(path, value.clone());
        refused(&mut pool, lease.unwrap_or_else(|e| panic!("{path} {value}: {e}")), why);
    }
    assert!(forged("/cube/base", json!(lease.cube().mask())).is_err());
    assert!(forged("/cube/dims", json!(25)).is_err());
    assert_eq!(pool.release(serde_json::from_value(honest).unwrap()), Ok(()));
}

locox_oracles::for_each_strategy!(
    a_double_release_is_stale,
    a_release_of_what_others_hold_by_now_is_stale,
    a_lease_of_another_pool_is_foreign,
    a_lease_of_which_a_node_failed_is_released_once_like_any_other,
    a_forged_lease_is_refused,
);
