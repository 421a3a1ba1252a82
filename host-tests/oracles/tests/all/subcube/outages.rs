//! Nodes that fail, are drained and repaired, and the leases that they hit.

use super::common::dim;
use locox::cube::Node;
use locox::handle::PoolId;
use locox::subcube::{Allocator, Lease, NoSuchNode, NodeState, Outage, Refusal, Strategy};
use locox_oracles::subcube::{FreeList, NodeSet, Observation, Rule};

/// Withdraws and returns the leases reported.
fn withdraw(pool: &mut dyn Allocator, nodes: &[u32], why: Outage) -> Vec<Lease> {
    let nodes: Vec<_> = nodes.iter().copied().map(Node).collect();
    let mut hit = vec![];
    pool.withdraw(&nodes, why, &mut |lease| hit.push(lease)).unwrap();
    pool.check_invariants().unwrap();
    hit
}

fn each_lease_hit_is_reported_once_and_no_other<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(4));
    let leases = [3, 1, 2].map(|wanted| pool.allocate(dim(wanted)).unwrap());
    let nodes = |lease: &Lease| lease.cube().nodes().map(|node| node.0).collect::<Vec<_>>();
    let free = (0..16).find(|&node| pool.lease_at(Node(node)).is_none()).unwrap();

    assert_eq!(withdraw(&mut pool, &[], Outage::Failed), []);
    assert_eq!(withdraw(&mut pool, &[free], Outage::Failed), []);
    assert_eq!(withdraw(&mut pool, &nodes(&leases[0]), Outage::Drained), [leases[0]]);
    // In the order in which they are named, also when the nodes are out already.
    let (a, b) = (nodes(&leases[0]), nodes(&leases[2]));
    let mixed = [b[3], a[7], free, b[0], a[0], b[3]];
    assert_eq!(withdraw(&mut pool, &mixed, Outage::Failed), [leases[2], leases[0]]);
    assert_eq!(pool.stats().out, 1 + 8 + 2);
}

fn a_lease_goes_on_until_it_is_released_and_then_the_node_stays_out<R: Rule>() {
    for why in [Outage::Failed, Outage::Drained] {
        let mut pool = R::pool(PoolId(0), dim(3));
        let lease = pool.allocate(dim(2)).unwrap();
        let lost = lease.cube().nodes().nth(2).unwrap();
        withdraw(&mut pool, &[lost.0], why);
        assert_eq!(pool.lease_at(lost), Some(lease));
        assert_eq!(pool.state(lost), Ok(NodeState { leased: true, outage: Some(why) }));
        assert_eq!((pool.free(), pool.stats().leased, pool.stats().out), (4, 4, 1));

        pool.release(lease).unwrap();
        assert_eq!(pool.state(lost), Ok(NodeState { leased: false, outage: Some(why) }));
        assert_eq!((pool.free(), pool.stats().leased, pool.stats().out), (7, 0, 1));
        while let Ok(lease) = pool.allocate(dim(0)) {
            assert_ne!(lease.cube().base(), lost);
        }
        assert_eq!(pool.free(), 0);

        pool.repair(&[lost]).unwrap();
        assert_eq!(pool.allocate(dim(0)).map(|lease| lease.cube().base()), Ok(lost));
    }
}

fn a_node_repaired_under_its_lease_is_free_after_it<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(3));
    let lease = pool.allocate(dim(3)).unwrap();
    withdraw(&mut pool, &[1, 6], Outage::Failed);
    pool.repair(&[Node(6), Node(1), Node(6), Node(0)]).unwrap();
    assert_eq!((pool.free(), pool.stats().out), (0, 0));
    assert_eq!(pool.state(Node(6)), Ok(NodeState { leased: true, outage: None }));
    pool.release(lease).unwrap();
    assert_eq!(pool.would_fit(dim(3)), Ok(()));
}

fn a_drained_node_may_fail_but_a_failed_one_is_not_drained<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(2));
    withdraw(&mut pool, &[0, 1], Outage::Drained);
    withdraw(&mut pool, &[1, 2], Outage::Failed);
    withdraw(&mut pool, &[2, 3, 3], Outage::Drained);
    let outages = [0, 1, 2, 3].map(|node| pool.state(Node(node)).unwrap().outage.unwrap());
    assert_eq!(outages, [Outage::Drained, Outage::Failed, Outage::Failed, Outage::Drained]);
    assert_eq!(pool.stats().out, 4);
    // What failed once and was repaired is drained like any other.
    pool.repair(&[Node(1)]).unwrap();
    withdraw(&mut pool, &[1], Outage::Drained);
    assert_eq!(pool.state(Node(1)).unwrap().outage, Some(Outage::Drained));
}

fn a_node_outside_the_machine_is_named_and_nothing_is_done<R: Rule>() {
    for dims in dim(4).up_to() {
        let mut pool = R::pool(PoolId(0), dims);
        let stranger = Node(dims.nodes());
        withdraw(&mut pool, &[dims.nodes() - 1], Outage::Drained);
        let before = Observation::of_pool(&mut pool);
        let nodes = [Node(0), stranger, Node(u32::MAX), Node(dims.nodes() - 1)];
        for why in [Outage::Failed, Outage::Drained] {
            let done = pool.withdraw(&nodes, why, &mut |lease| panic!("{lease:?} is not hit"));
            assert_eq!(done, Err(NoSuchNode(stranger)));
        }
        assert_eq!(pool.repair(&nodes), Err(NoSuchNode(stranger)));
        assert_eq!(pool.state(stranger), Err(NoSuchNode(stranger)));
        assert_eq!(pool.lease_at(stranger), None);
        assert_eq!(Observation::of_pool(&mut pool), before);
    }
}

/// A cube that came back node by node merged with a lone free neighbour into other cubes.
fn a_released_cube_is_granted_again_though_another_node_is_out<R: Rule>() {
    for lone in [1, 3, 5] {
        let mut pool = R::pool(PoolId(0), dim(3));
        let singles: Vec<_> = (0..8).map(|_| pool.allocate(dim(0)).unwrap()).collect();
        let single = |node| *singles.iter().find(|it| it.cube().base() == Node(node)).unwrap();
        pool.withdraw(&[Node(7)], Outage::Drained, &mut |_| ()).unwrap();
        for node in [0, 2, 4, 6] {
            pool.release(single(node)).unwrap();
        }
        let Ok(lease) = pool.allocate(dim(2)) else { continue };
        assert_eq!(lease.cube(), "**0".parse().unwrap());
        pool.release(single(lone)).unwrap();
        pool.release(lease).unwrap();
        assert_eq!(pool.would_fit(dim(2)), Ok(()), "node {lone} is free as well");
    }
}

/// All sets of nodes that can be out of the 4-cube, one node more or less at a time. Waiting helps
/// nobody while no lease is live, so no reason that says "not now" may be given, but by a strategy
/// that does not recombine what is free.
fn an_idle_machine_refuses_only_what_is_too_large_or_faulty<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(4));
    let rule = R::new(dim(4));
    for step in 1u32..1 << 16 {
        let node = Node(step.trailing_zeros());
        match pool.state(node).unwrap().outage {
            None => drop(withdraw(&mut pool, &[node.0], Outage::Failed)),
            Some(_) => pool.repair(&[node]).unwrap(),
        }
        let serving = NodeSet::of(dim(4), |node| pool.state(node).unwrap().is_free());
        for dim in dim(4).up_to() {
            let expected = if rule.possible(&serving, dim) { Ok(()) } else { Err(Refusal::Faulty) };
            let fits = pool.would_fit(dim);
            let in_pieces = matches!(fits, Err(Refusal::Fragmented { .. }));
            if R::Strategy::STARTS.recombines() || !in_pieces {
                assert_eq!(fits, expected, "{dim} dimensions of {serving:?}");
            }
            assert!(!in_pieces || expected.is_ok());
        }
    }
    assert_eq!(pool.stats().out, 1);
}

/// The same after leases, whose releases left three edges in three directions and a node.
fn a_machine_with_a_node_out_is_sound_again_when_the_last_lease_is_released<R: Rule>() {
    let mut pool = R::pool(PoolId(0), dim(3));
    let leases: Vec<_> = (0..8).map(|_| pool.allocate(dim(0)).unwrap()).collect();
    for node in [7, 1, 5, 2, 3, 4, 6, 0] {
        let lease = leases.iter().find(|it| it.cube().base() == Node(node)).unwrap();
        pool.release(*lease).unwrap();
        withdraw(&mut pool, &[7], Outage::Drained);
    }
    assert_eq!(pool.would_fit(dim(2)).is_ok(), R::Strategy::STARTS.recombines());
}

/// What is left around two nodes that went out one after the other is merged again.
#[test]
fn the_free_list_sees_a_square_beside_two_nodes_out() {
    let mut pool = FreeList::pool(PoolId(0), dim(4));
    let half = pool.allocate(dim(3)).unwrap();
    assert_eq!(half.cube(), "0***".parse().unwrap());
    for node in [0b1001, 0b1100] {
        pool.withdraw(&[Node(node)], Outage::Failed, &mut |_| ()).unwrap();
    }
    assert_eq!(pool.allocate(dim(2)).map(|lease| lease.cube()), Ok("1*1*".parse().unwrap()));
}

locox_oracles::for_each_strategy!(
    each_lease_hit_is_reported_once_and_no_other,
    a_lease_goes_on_until_it_is_released_and_then_the_node_stays_out,
    a_node_repaired_under_its_lease_is_free_after_it,
    a_drained_node_may_fail_but_a_failed_one_is_not_drained,
    a_node_outside_the_machine_is_named_and_nothing_is_done,
    an_idle_machine_refuses_only_what_is_too_large_or_faulty,
    a_machine_with_a_node_out_is_sound_again_when_the_last_lease_is_released,
    a_released_cube_is_granted_again_though_another_node_is_out,
);
