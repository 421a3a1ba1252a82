//! Strategies that see every free subcube, on all 2^16 maps of free nodes of the 4-cube.

use crate::common::dim;
use locox::cube::Node;
use locox::handle::PoolId;
use locox::subcube::Effort;
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
                _ => Err(Refusal::TooFewFree { free: free.len() }),
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

fn places_like_the_rule(step: usize, effort: Effort) {
    let rule = Complete::with_effort(effort);
    for_maps::<Complete>(step, |free, mut pool| {
        pool.set_effort(effort);
        for dim in dim(4).up_to() {
            let granted = pool.clone().allocate(dim).ok().map(|lease| lease.cube());
            assert_eq!(granted, rule.choose(&free, dim), "{dim} dimensions of {free:?}");
        }
    });
}

#[test]
fn an_exact_placement_spoils_the_fewest_larger_subcubes() {
    places_like_the_rule(1, Effort::EXACT);
}

#[test]
fn a_limited_placement_is_the_best_of_the_first_candidates() {
    places_like_the_rule(5, Effort(0));
    places_like_the_rule(5, Effort(1));
    places_like_the_rule(5, Effort(3));
    places_like_the_rule(5, Effort::default());
}

/// Above the word the maps are folded in another way, so the small cube is not enough.
#[test]
fn placements_in_a_cube_of_several_words_are_the_rules_as_well() {
    for effort in [Effort::EXACT, Effort(1), Effort(5), Effort(40)] {
        let rule = Complete::with_effort(effort);
        let mut pool = Complete::pool(PoolId(0), dim(8));
        pool.set_effort(effort);
        let mut free = NodeSet::all(dim(8));
        // Every third node and every seventh is in the way.
        let out: Vec<_> = (0..256).filter(|at| at % 3 == 0 && at % 7 < 4).map(Node).collect();
        pool.withdraw(&out, locox::subcube::Outage::Drained, &mut |_| ()).unwrap();
        let mut taken: Vec<_> = out;
        for wanted in [3, 2, 3, 1, 2, 4, 0, 3, 2, 1, 1, 2, 3, 0, 2] {
            free = NodeSet::of(free.dims(), |node| !taken.contains(&node));
            let lease = pool.allocate(dim(wanted)).ok();
            assert_eq!(lease.map(|it| it.cube()), rule.choose(&free, dim(wanted)), "{effort:?}");
            taken.extend(lease.into_iter().flat_map(|lease| lease.cube().nodes()));
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
