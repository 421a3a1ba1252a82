//! Where placements go in large machines, and what the rules rest on.

use super::common::dim;
use locox::cube::Node;
use locox::handle::PoolId;
use locox_oracles::subcube::{Complete, NodeSet, Rule, subcubes};

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

fn claimed(dims: u8, nodes: &[u32]) -> locox_oracles::subcube::Subcubes<Complete> {
    let mut pool = Complete::pool(PoolId(0), dim(dims));
    let nodes: Vec<_> = nodes.iter().copied().map(Node).collect();
    pool.claim_nodes(&nodes, |_| ()).unwrap();
    pool
}

/// At the first level windows have 64 nodes, at the second one 4096.
#[test]
fn a_window_that_is_wholly_free_is_spared() {
    let base = |dims: u8, nodes: &[u32], wanted: u8| {
        claimed(dims, nodes).allocate(dim(wanted)).unwrap().cube().base().0
    };
    for wanted in 0..6 {
        assert_eq!(base(7, &[70], wanted) & 64, 64, "{wanted}");
        assert_eq!(base(7, &[6], wanted) & 64, 0, "{wanted}");
        assert_eq!(base(13, &[4500], 6 + wanted) & 4096, 4096, "{wanted}");
        assert_eq!(base(13, &[400], 6 + wanted) & 4096, 0, "{wanted}");
    }
}

/// Of three free quarters of a machine two have a lease in the half that they share with the fourth, where less is lost.
#[test]
fn leases_in_a_window_count_on_the_levels_above_it() {
    assert_eq!(claimed(14, &[3 << 12 | 5]).allocate(dim(12)).unwrap().cube().base().0, 1 << 12);
    assert_eq!(claimed(14, &[5]).allocate(dim(12)).unwrap().cube().base().0, 1 << 12);
    assert_eq!(claimed(14, &[1 << 12 | 5]).allocate(dim(12)).unwrap().cube().base().0, 0);
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
