//! Every reason of a refusal, in the order in which they are tried.

use super::common::dim;
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::subcube::{Allocator, Lease, Outage, Refusal};
use locox_oracles::subcube::{Buddy, FreeList, FreeListPlain, GrayCode, Observation, Rule};

/// The reason, which must be that of the query as well and change nothing.
fn refusal(pool: &mut dyn Allocator, dim: Dim) -> Refusal {
    let before = Observation::of_pool(pool);
    let reason = pool.would_fit(dim).unwrap_err();
    assert_eq!(pool.allocate(dim), Err(reason));
    assert_eq!(Observation::of_pool(pool), before);
    reason
}

fn singles(pool: &mut dyn Allocator) -> Vec<Lease> {
    (0..pool.dims().nodes()).map(|_| pool.allocate(Dim::ZERO).unwrap()).collect()
}

fn release(pool: &mut dyn Allocator, leases: &[Lease], nodes: &[u32]) {
    for lease in leases.iter().filter(|lease| nodes.contains(&lease.cube().base().0)) {
        pool.release(*lease).unwrap();
    }
}

fn more_dimensions_than_the_machine_has_are_too_large<R: Rule>() {
    for dims in dim(5).up_to() {
        let mut pool = R::pool(PoolId(0), dims);
        assert_eq!(refusal(&mut pool, dims.up().unwrap()), Refusal::TooLarge);
        assert_eq!(refusal(&mut pool, Dim::MAX), Refusal::TooLarge);
        let all: Vec<_> = (0..dims.nodes()).map(Node).collect();
        pool.withdraw(&all, Outage::Failed, &mut |_| ()).unwrap();
        assert_eq!(refusal(&mut pool, dims.up().unwrap()), Refusal::TooLarge);
    }
}

fn a_cube_that_waiting_cannot_bring_is_faulty<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(3));
    let leases = singles(&mut pool);
    pool.withdraw(&[Node(2)], Outage::Drained, &mut |_| ()).unwrap();
    assert_eq!(refusal(&mut pool, dim(3)), Refusal::Faulty);
    assert_eq!(refusal(&mut pool, dim(2)), Refusal::TooFewFree { needed: 4, free: 0 });
    // Antipodes: every square has one of them.
    pool.withdraw(&[Node(5)], Outage::Failed, &mut |_| ()).unwrap();
    assert_eq!(refusal(&mut pool, dim(2)), Refusal::Faulty);
    pool.repair(&[Node(2)]).unwrap();
    assert_eq!(refusal(&mut pool, dim(2)), Refusal::TooFewFree { needed: 4, free: 0 });
    for lease in leases {
        pool.release(lease).unwrap();
    }
    assert_eq!(pool.would_fit(dim(2)), Ok(()));
    pool.withdraw(&(0..8).map(Node).collect::<Vec<_>>(), Outage::Drained, &mut |_| ()).unwrap();
    assert_eq!(refusal(&mut pool, dim(0)), Refusal::Faulty);
}

fn fewer_nodes_than_asked_for_are_counted<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(4));
    pool.allocate(dim(3)).unwrap();
    assert_eq!(refusal(&mut pool, dim(4)), Refusal::TooFewFree { needed: 16, free: 8 });
    pool.allocate(dim(2)).unwrap();
    assert_eq!(refusal(&mut pool, dim(3)), Refusal::TooFewFree { needed: 8, free: 4 });
    pool.allocate(dim(2)).unwrap();
    assert_eq!(refusal(&mut pool, dim(0)), Refusal::TooFewFree { needed: 1, free: 0 });
}

fn enough_nodes_in_pieces_are_fragmented_and_the_largest_piece_is_told<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(4));
    let leases = singles(&mut pool);
    // No two of these are neighbours.
    release(&mut pool, &leases, &[0, 3, 5, 6, 9, 10, 12, 15]);
    for wanted in 1..=3 {
        assert_eq!(refusal(&mut pool, dim(wanted)), Refusal::Fragmented { largest: dim(0) });
    }
    assert_eq!(refusal(&mut pool, dim(4)), Refusal::TooFewFree { needed: 16, free: 8 });
    release(&mut pool, &leases, &[1]);
    assert_eq!(refusal(&mut pool, dim(3)), Refusal::Fragmented { largest: dim(1) });
}

fn the_largest_that_a_refusal_tells_would_be_granted<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(4));
    let leases = singles(&mut pool);
    for map in 0u32..1 << 16 {
        let mut pool = pool.clone();
        let free: Vec<_> = (0..16).filter(|node| map >> node & 1 == 1).collect();
        release(&mut pool, &leases, &free);
        for dim in dim(4).up_to() {
            if let Err(Refusal::Fragmented { largest }) = pool.would_fit(dim) {
                assert!(largest < dim);
                assert_eq!(pool.would_fit(largest), Ok(()));
                assert_eq!(pool.stats().largest, Some(largest));
            }
        }
    }
}

/// Faulty is what the strategy can never grant, whatever others could.
#[test]
fn a_machine_faulty_to_the_buddy_may_serve_the_gray_code() {
    // What is left, 3 2 6 7, is a run of the code 0 1 3 2 6 7 5 4, but no aligned block.
    let out = [0, 1, 4, 5].map(Node);
    let mut pool = GrayCode::pool(PoolId(0), dim(3));
    pool.withdraw(&out, Outage::Failed, &mut |_| ()).unwrap();
    assert_eq!(pool.allocate(dim(2)).map(|lease| lease.cube()), Ok("*1*".parse().unwrap()));
    let mut pool = Buddy::pool(PoolId(0), dim(3));
    pool.withdraw(&out, Outage::Failed, &mut |_| ()).unwrap();
    assert_eq!(pool.allocate(dim(2)), Err(Refusal::Faulty));
}

/// Merging pairs alone would not see it: the square lies across three cubes of the lists.
#[test]
fn a_free_square_that_no_list_holds_is_granted_by_the_free_list() {
    let mut pool = FreeList::pool(PoolId(0), dim(3));
    let leases = singles(&mut pool);
    for node in [1, 5, 2, 3, 4, 6] {
        release(&mut pool, &leases, &[node]);
    }
    // Three edges in three directions: 1 and 5, 2 and 3, 4 and 6.
    assert_eq!(refusal(&mut pool, dim(2)), Refusal::Fragmented { largest: dim(1) });
    release(&mut pool, &leases, &[0]);
    assert_eq!(pool.allocate(dim(2)).map(|lease| lease.cube()), Ok("0**".parse().unwrap()));
    pool.check_invariants().unwrap();
    assert_eq!(pool.free(), 3);
}

/// The same square: the plain list misses it.
#[test]
fn a_free_square_that_no_list_holds_is_refused_by_the_plain_free_list() {
    let mut pool = FreeListPlain::pool(PoolId(0), dim(3));
    let leases = singles(&mut pool);
    for node in [1, 5, 2, 3, 4, 6, 0] {
        release(&mut pool, &leases, &[node]);
    }
    assert_eq!(refusal(&mut pool, dim(2)), Refusal::Fragmented { largest: dim(1) });
}

/// All that serves is free, and yet in pieces: that may change as jobs come and go, without a repair.
#[test]
fn what_the_plain_free_list_does_not_join_is_fragmented_although_no_lease_is_live() {
    let mut pool = FreeListPlain::pool(PoolId(0), dim(3));
    let leases = singles(&mut pool);
    pool.withdraw(&[Node(7)], Outage::Failed, &mut |_| ()).unwrap();
    for node in [7, 1, 5, 2, 3, 4, 6, 0] {
        release(&mut pool, &leases, &[node]);
    }
    assert_eq!(pool.leases().count(), 0);
    assert_eq!(refusal(&mut pool, dim(2)), Refusal::Fragmented { largest: dim(1) });
    assert_eq!(refusal(&mut pool, dim(3)), Refusal::Faulty);
}

locox_oracles::for_each_strategy!(
    more_dimensions_than_the_machine_has_are_too_large,
    a_cube_that_waiting_cannot_bring_is_faulty,
    fewer_nodes_than_asked_for_are_counted,
    enough_nodes_in_pieces_are_fragmented_and_the_largest_piece_is_told,
    the_largest_that_a_refusal_tells_would_be_granted,
);
