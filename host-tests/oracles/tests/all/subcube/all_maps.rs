//! Strategies that see every free subcube, on all 2^16 maps of free nodes of the 4-cube.

use super::common::dim;
use locox::cube::Node;
use locox::handle::PoolId;
use locox::subcube::{Lease, Refusal};
use locox_oracles::subcube::{Complete, FreeList, NodeSet, Rule, Subcubes, subcubes};

/// A pool whose nodes are all leased, one by one.
fn full<R: Rule>() -> (Subcubes<R>, Vec<Lease>) {
    let mut pool = R::pool(PoolId(0), dim(4));
    let leases = (0..16).map(|_| pool.allocate(dim(0)).unwrap()).collect();
    (pool, leases)
}

/// Calls `see` with each map whose number is a multiple of `step`, and the pool that has it.
fn for_maps<R: Rule>(step: usize, mut see: impl FnMut(NodeSet, Subcubes<R>)) {
    let (full, leases) = full::<R>();
    for map in (0u32..1 << 16).step_by(step) {
        let free = NodeSet::of(dim(4), |node| map >> node.0 & 1 == 1);
        let mut pool = full.clone();
        for &lease in leases.iter().filter(|lease| free.contains(lease.cube().base())) {
            pool.release(lease).unwrap();
        }
        see(free, pool);
    }
}

fn refuses_exactly_what_does_not_exist<R: Rule>() {
    for_maps::<R>(1, |free, mut pool| {
        let largest = dim(4).up_to().rev().find(|&dim| free.subcubes(dim).next().is_some());
        for dim in dim(4).up_to() {
            let expected = match largest {
                Some(largest) if largest >= dim => Ok(()),
                Some(largest) if free.len() >= dim.nodes() => Err(Refusal::Fragmented { largest }),
                _ => Err(Refusal::TooFewFree { needed: dim.nodes(), free: free.len() }),
            };
            assert_eq!(pool.would_fit(dim), expected, "{dim} dimensions of {free:?}");
            assert_eq!(pool.clone().allocate(dim).err(), expected.err());
        }
    });
}

#[test]
fn complete_refuses_as_fragmented_exactly_if_no_free_subcube_exists() {
    refuses_exactly_what_does_not_exist::<Complete>();
}

#[test]
fn the_free_list_refuses_as_fragmented_exactly_if_no_free_subcube_exists() {
    refuses_exactly_what_does_not_exist::<FreeList>();
}

#[test]
fn a_placement_is_the_one_that_harms_larger_requests_least() {
    for_maps::<Complete>(1, |free, pool| {
        // All leases are single nodes: none are linked.
        let rule = Complete::new(dim(4));
        for dim in dim(4).up_to() {
            let granted = pool.clone().allocate(dim).ok().map(|lease| lease.cube());
            assert_eq!(granted, rule.choose(&free, dim), "{dim} dimensions of {free:?}");
        }
    });
}

/// Where there are several windows, and where there are two levels of them.
#[test]
fn placements_in_several_windows_are_the_rules_as_well() {
    for (dims, wanted) in [
        (8, [3, 2, 3, 1, 2, 4, 0, 3, 2, 1, 1, 2, 3, 0, 2]),
        (9, [6, 2, 3, 1, 5, 4, 0, 3, 6, 7, 1, 2, 6, 0, 2]),
        (13, [6, 2, 12, 1, 5, 4, 0, 8, 6, 7, 11, 2, 6, 0, 9]),
    ] {
        let mut rule = Complete::new(dim(dims));
        let mut pool = Complete::pool(PoolId(0), dim(dims));
        // Every third node and every seventh of some is in the way.
        let out: Vec<_> = (0..256).filter(|at| at % 3 == 0 && at % 7 < 4).map(Node).collect();
        pool.withdraw(&out, locox::subcube::Outage::Drained, |_| ()).unwrap();
        let mut free = NodeSet::of(dim(dims), |node| !out.contains(&node));
        for wanted in wanted {
            let lease = pool.allocate(dim(wanted)).ok();
            let granted = lease.map(|it| it.cube());
            assert_eq!(granted, rule.choose(&free, dim(wanted)), "{wanted} of {dims}");
            if let Some(cube) = granted {
                rule.take(cube);
                free.remove(&cube);
            }
        }
    }
}

/// What the rules rest on: a set of nodes finds the subcubes that lie in it by halves.
#[test]
fn a_set_has_the_subcubes_all_of_whose_nodes_it_has() {
    for dims in 0..=8 {
        for (step, most) in [(1, 1), (3, 1), (7, 4), (31, 29), (64, 63)] {
            let set = NodeSet::of(dim(dims), |node| node.0 * 5 % step < most);
            for wanted in dim(dims).up_to() {
                let inside = subcubes(dim(dims), wanted).filter(|cube| set.contains_cube(cube));
                assert!(set.subcubes(wanted).eq(inside), "{dims} {step} {most} {wanted:?}");
            }
        }
    }
}
