//! An emptied machine is whole again, whatever was leased and in whatever order it came back.

use super::common::dim;
use crate::runner::runner;
use locox::handle::PoolId;
use locox::subcube::{Allocator, Lease};
use locox_oracles::subcube::{Observation, Rule, Subcubes};
use proptest::collection::vec;
use proptest::prelude::*;

fn is_whole_again<R: Rule>(mut pool: Subcubes<R>) {
    let dims = pool.dims();
    pool.check_invariants().unwrap();
    let fresh = Observation::of_pool(&mut R::pool(PoolId(0), dims));
    assert_eq!(Observation::of_pool(&mut pool), fresh);
    assert_eq!(pool.allocate(dims).map(|lease| lease.cube().dim()), Ok(dims));
}

/// Calls `done` after each order of releasing all leases.
fn in_any_order<P: Allocator + Clone>(pool: &P, leases: &[Lease], done: &mut impl FnMut(P)) {
    if leases.is_empty() {
        return done(pool.clone());
    }
    for at in 0..leases.len() {
        let (mut pool, mut leases) = (pool.clone(), leases.to_vec());
        pool.release(leases.swap_remove(at)).unwrap();
        in_any_order(&pool, &leases, done);
    }
}

fn eight_nodes_leased_one_by_one_return_in_all_orders<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(3));
    let leases: Vec<_> = (0..8).map(|_| pool.allocate(dim(0)).unwrap()).collect();
    let mut orders = 0;
    in_any_order(&pool, &leases, &mut |pool| {
        is_whole_again::<R>(pool);
        orders += 1;
    });
    assert_eq!(orders, 40_320);
}

fn a_machine_filled_at_random_is_whole_after_releases_in_random_order<R: Rule>() {
    // Small cubes are asked for more often: they leave more pieces.
    let wanted = vec(prop_oneof![4 => 0u8..=1, 2 => 2u8..=3, 1 => 4u8..=10], 1..200);
    let case = (0u8..=10, wanted, any::<u64>());
    let run = |(dims, wanted, order): (u8, Vec<u8>, u64)| {
        let mut pool = R::pool(PoolId(0), dim(dims));
        let mut leases: Vec<_> =
            wanted.iter().filter_map(|&wanted| pool.allocate(dim(wanted)).ok()).collect();
        let mut order = order;
        while !leases.is_empty() {
            order = order.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (order >> 33) as usize % leases.len();
            pool.release(leases.swap_remove(at)).unwrap();
        }
        is_whole_again::<R>(pool);
        Ok(())
    };
    runner("emptying", 60).run(&case, run).unwrap();
}

locox_oracles::for_each_strategy!(
    eight_nodes_leased_one_by_one_return_in_all_orders,
    a_machine_filled_at_random_is_whole_after_releases_in_random_order,
);
