//! The rules of a pool of meshes, one by one.

use super::common::{dim, rectangle};
use crate::runner::runner;
use locox::bits::Word;
use locox::cube::Node;
use locox::handle::{Misuse, PoolId};
use locox::mesh::{self, Leftover, MeshAllocator, MeshLease, MeshPool, MeshStats, Shape};
use locox::subcube::{self, NoSuchNode, Outage, Refusal, StorageTooSmall};
use locox_oracles::subcube::{FreeList, Meshes, Rule};
use proptest::collection::vec;
use proptest::prelude::*;

fn reused<R: Rule>(dims: u8) -> Meshes<R> {
    R::mesh_pool(PoolId(7), dim(dims), Leftover::Reused)
}

fn grant(pool: &mut impl MeshAllocator, x: u32, y: u32) -> MeshLease {
    pool.allocate(rectangle(x, y)).unwrap()
}

fn hits(pool: &mut impl MeshAllocator, nodes: &[u32]) -> Vec<MeshLease> {
    let nodes: Vec<_> = nodes.iter().copied().map(Node).collect();
    let mut hit = vec![];
    pool.withdraw(&nodes, Outage::Failed, &mut |lease| hit.push(lease)).unwrap();
    hit
}

/// All that a pool shows.
fn view(pool: &mut impl MeshAllocator) -> (MeshStats, Vec<Option<MeshLease>>) {
    pool.check_invariants().unwrap();
    let leases = (0..pool.dims().nodes()).map(|node| pool.lease_at(Node(node))).collect();
    (pool.stats(), leases)
}

fn a_request_looks_in_the_auxiliary_list_first<R: Rule>() {
    let mut pool = reused::<R>(4);
    let line = grant(&mut pool, 5, 1); // leaves 10* and 111 of its 3-cube
    let single = grant(&mut pool, 1, 1);
    assert!(line.mesh().leftover().any(|it| it.dim() == dim(0) && it == single.cube()));
    let pair = grant(&mut pool, 2, 1);
    assert!(line.mesh().leftover().any(|it| it == pair.cube()));
    assert_eq!(pool.stats().auxiliary, 0);
    assert!(!line.cube().contains_cube(&grant(&mut pool, 1, 1).cube()));
}

fn a_larger_leftover_is_split_and_the_rest_stays_where_it_was<R: Rule>() {
    let mut pool = reused::<R>(5);
    let line = grant(&mut pool, 17, 1); // leaves subcubes of 8, 4, 2, 1 nodes
    let four = line.mesh().leftover().find(|it| it.dim() == dim(2)).unwrap();
    let eight = line.mesh().leftover().find(|it| it.dim() == dim(3)).unwrap();
    assert_eq!(grant(&mut pool, 4, 1).cube(), four);
    let half = grant(&mut pool, 4, 1);
    assert!(eight.contains_cube(&half.cube()));
    assert_eq!((pool.stats().auxiliary, pool.stats().nodes.subcubes[2]), (4 + 2 + 1, 1));
    pool.release(half).unwrap();
    assert_eq!(pool.stats().nodes.largest, Some(dim(3)));
}

fn a_subcube_returns_to_its_leftover_while_the_owner_lives<R: Rule>() {
    let mut pool = reused::<R>(4);
    let owner = grant(&mut pool, 9, 1);
    let before = view(&mut pool);
    let tenants: Vec<_> = (0..7).map(|_| grant(&mut pool, 1, 1)).collect();
    assert_eq!(pool.free(), 0);
    tenants.into_iter().for_each(|tenant| pool.release(tenant).unwrap());
    assert_eq!(view(&mut pool), before);
    assert_eq!(pool.lease_at(owner.cube().base()), Some(owner));
}

fn tenants_outlive_the_owner_of_their_leftover_at_any_depth<R: Rule>() {
    let mut pool = reused::<R>(6);
    let outer = grant(&mut pool, 33, 1);
    let middle = grant(&mut pool, 9, 1);
    let inner = grant(&mut pool, 3, 1);
    let innermost = grant(&mut pool, 1, 1);
    assert!(outer.cube().contains_cube(&middle.cube()));
    assert!(middle.cube().contains_cube(&inner.cube()));
    pool.release(middle).unwrap();
    pool.check_invariants().unwrap();
    pool.release(outer).unwrap();
    pool.check_invariants().unwrap();
    assert_eq!(pool.lease_at(inner.cube().base()), Some(inner));
    assert_eq!(pool.free(), 64 - 3 - 1);
    pool.release(inner).unwrap();
    pool.release(innermost).unwrap();
    assert_eq!(pool.would_fit(Shape::line(64).unwrap()), Ok(()));
}

/// What Turner 1995 varies in section 4, on the machine that its figures belong to.
fn a_6_cube_holds_two_4x6_and_two_4x2_with_the_auxiliary_list_and_one_of_each_without<R: Rule>() {
    for (leftover, each) in [(Leftover::Reused, 2), (Leftover::Kept, 1)] {
        let mut pool = R::mesh_pool(PoolId(0), dim(6), leftover);
        for _ in 0..each {
            grant(&mut pool, 4, 6);
            grant(&mut pool, 4, 2);
        }
        assert!(pool.allocate(rectangle(4, 6)).is_err());
        assert_eq!(pool.stats().asked, each * 32);
        assert_eq!(pool.free(), if each == 2 { 0 } else { 64 - 32 - 8 });
    }
}

fn while_leftover_is_kept_a_mesh_holds_its_whole_subcube<R: Rule>() {
    let mut pool = R::mesh_pool(PoolId(0), dim(6), Leftover::Kept);
    let mesh = grant(&mut pool, 5, 5);
    assert_eq!((pool.stats().asked, pool.stats().nodes.leased), (25, 64));
    assert_eq!(pool.stats().internal_permille(), 609);
    assert_eq!(pool.would_fit(rectangle(1, 1)), Err(Refusal::TooFewFree { needed: 1, free: 0 }));
    let left = mesh.mesh().leftover().next().unwrap().base();
    assert_eq!(pool.lease_at(left), Some(mesh));
    assert!(pool.state(left).unwrap().leased);
    pool.release(mesh).unwrap();
    assert_eq!(pool.free(), 64);
}

/// With the auxiliary list switched off, this is the plain strategy.
fn while_leftover_is_kept_meshes_get_the_subcubes_of_the_plain_pool<R: Rule>() {
    let ops = vec((0u32..12, 0u32..12, any::<bool>(), any::<usize>()), 1..80);
    let run = |ops: Vec<(u32, u32, bool, usize)>| {
        let mut meshes = R::mesh_pool(PoolId(0), dim(7), Leftover::Kept);
        let mut plain = R::pool(PoolId(0), dim(7));
        let mut live = vec![];
        for (x, y, allocate, pick) in ops {
            if allocate || live.is_empty() {
                let shape = rectangle(x + 1, y + 1);
                let mesh = meshes.allocate(shape);
                let subcube = plain.allocate(shape.dim());
                prop_assert_eq!(mesh.map(|it| it.cube()), subcube.map(|it| it.cube()));
                live.extend(mesh.ok().zip(subcube.ok()));
            } else {
                let (mesh, subcube) = live.swap_remove(pick % live.len());
                prop_assert_eq!(meshes.release(mesh), plain.release(subcube));
            }
            prop_assert_eq!(meshes.free(), plain.free());
            prop_assert_eq!(meshes.stats().nodes.subcubes, plain.stats().subcubes);
        }
        Ok(())
    };
    runner("mesh_pool", 60).run(&ops, run).unwrap();
}

fn every_refusal_gives_its_reason_and_changes_nothing<R: Rule>() {
    let mut pool = reused::<R>(4);
    let refused = |pool: &mut Meshes<R>, shape: Shape, reason| {
        let before = view(pool);
        assert_eq!(pool.would_fit(shape), Err(reason));
        assert_eq!(pool.allocate(shape), Err(reason));
        assert_eq!(view(pool), before);
    };
    refused(&mut pool, rectangle(17, 1), Refusal::TooLarge);
    refused(&mut pool, rectangle(3, 5), Refusal::TooLarge);
    refused(&mut pool, Shape::line(1 << 24).unwrap(), Refusal::TooLarge);
    grant(&mut pool, 9, 1); // leaves 4 + 2 + 1 nodes
    refused(&mut pool, rectangle(8, 1), Refusal::TooFewFree { needed: 8, free: 7 });
    let pair = grant(&mut pool, 2, 1);
    grant(&mut pool, 3, 1);
    refused(&mut pool, rectangle(2, 2), Refusal::TooFewFree { needed: 4, free: 2 });
    pool.release(pair).unwrap();
    refused(&mut pool, rectangle(2, 2), Refusal::Fragmented { largest: dim(1) });
}

fn a_machine_with_faults_refuses_what_waiting_would_not_bring<R: Rule>() {
    let mut pool = reused::<R>(3);
    pool.withdraw(&[Node(5)], Outage::Drained, &mut |_| unreachable!()).unwrap();
    let before = view(&mut pool);
    assert_eq!(pool.would_fit(rectangle(5, 1)), Err(Refusal::Faulty));
    assert_eq!(pool.allocate(rectangle(5, 1)), Err(Refusal::Faulty));
    assert_eq!(view(&mut pool), before);
    assert!(pool.would_fit(rectangle(3, 1)).is_ok());
    pool.repair(&[Node(5)]).unwrap();
    assert!(pool.would_fit(rectangle(5, 1)).is_ok());
}

fn misused_leases_are_refused_and_change_nothing<R: Rule>() {
    let mut pool = reused::<R>(5);
    let first = grant(&mut pool, 3, 3);
    let second = grant(&mut pool, 1, 1);
    let foreign = grant(&mut R::mesh_pool(PoolId(8), dim(5), Leftover::Reused), 3, 3);
    let mut smaller = reused::<R>(4);
    let elsewhere = grant(&mut smaller, 3, 3);
    pool.release(second).unwrap();
    let before = view(&mut pool);
    assert_eq!(pool.release(second), Err(Misuse::Stale));
    assert_eq!(pool.release(foreign), Err(Misuse::Foreign));
    assert_eq!(pool.release(elsewhere), Err(Misuse::Foreign));
    assert_eq!(view(&mut pool), before);
    let again = grant(&mut pool, 1, 1);
    assert_eq!((again.cube(), again.shape()), (second.cube(), second.shape()));
    assert_eq!(pool.release(second), Err(Misuse::Stale), "granted again since");
    pool.release(first).unwrap();
    pool.release(again).unwrap();
    // The same base and generation, another shape: only pools that share a number can meet this.
    let mut twin = reused::<R>(5);
    let other = grant(&mut twin, 4, 3);
    let mut pool = reused::<R>(5);
    let mesh = grant(&mut pool, 3, 4);
    assert_eq!(mesh.handle(), other.handle());
    assert_eq!(pool.release(other), Err(Misuse::Stale));
    assert_eq!(pool.release(mesh), Ok(()));
}

fn an_outage_in_leftover_hits_the_owner_whose_routes_pass_there<R: Rule>() {
    let mut pool = reused::<R>(6);
    let owner = grant(&mut pool, 5, 5);
    let base = owner.cube().base().0;
    let passed = owner.mesh().leftover().flat_map(|it| it.nodes());
    let (passed, avoided): (Vec<_>, Vec<_>) =
        passed.partition(|&node| owner.mesh().may_route_through(node));
    assert!(!passed.is_empty() && !avoided.is_empty());
    assert_eq!(hits(&mut pool, &[passed[0].0]), [owner]);
    assert_eq!(hits(&mut pool, &[avoided[0].0]), []);
    assert_eq!(hits(&mut pool, &[base, passed[1].0, avoided[1].0, base]), [owner], "once");
    assert_eq!(pool.free(), 64 - 25 - 4);
    pool.check_invariants().unwrap();
}

fn while_leftover_is_kept_an_outage_in_it_hits_its_owner<R: Rule>() {
    let mut pool = R::mesh_pool(PoolId(0), dim(4), Leftover::Kept);
    let owner = grant(&mut pool, 3, 3);
    let aside = Node(0b1010);
    assert!(!owner.mesh().may_route_through(aside));
    assert_eq!(hits(&mut pool, &[aside.0]), [owner]);
    assert_eq!(hits(&mut pool, &[aside.0, 0, aside.0]), [owner], "once");
}

fn an_outage_hits_owners_at_every_depth<R: Rule>() {
    let mut pool = reused::<R>(6);
    let outer = grant(&mut pool, 33, 1);
    let middle = grant(&mut pool, 9, 1);
    let inner = grant(&mut pool, 3, 1);
    for node in inner.cube().nodes() {
        let expected: Vec<_> = [outer, middle, inner]
            .into_iter()
            .filter(|lease| lease.mesh().may_route_through(node))
            .collect();
        assert_eq!(hits(&mut pool.clone(), &[node.0]), expected);
    }
    let strangers = grant(&mut pool, 1, 1);
    assert!(!hits(&mut pool, &[outer.cube().base().0]).contains(&strangers));
}

fn a_repaired_node_returns_to_the_leftover_it_lies_in<R: Rule>() {
    let mut pool = reused::<R>(5);
    let owner = grant(&mut pool, 17, 1);
    let eight = owner.mesh().leftover().next().unwrap();
    let before = view(&mut pool);
    hits(&mut pool, &[eight.base().0]);
    assert_eq!(pool.stats().nodes.largest, Some(dim(2)));
    assert_eq!(pool.stats().auxiliary, before.0.auxiliary - 1);
    pool.repair(&[eight.base()]).unwrap();
    assert_eq!(view(&mut pool), before);
}

fn a_node_that_fails_in_a_mesh_stays_with_it_until_the_release<R: Rule>() {
    let mut pool = reused::<R>(4);
    let mesh = grant(&mut pool, 3, 3);
    let last = mesh.mesh().node([2, 2, 0]).unwrap();
    assert_eq!(hits(&mut pool, &[last.0]), [mesh]);
    assert_eq!(pool.free(), 7);
    pool.release(mesh).unwrap();
    assert_eq!((pool.free(), pool.stats().nodes.out), (15, 1));
    pool.check_invariants().unwrap();
    pool.repair(&[last]).unwrap();
    assert_eq!(pool.would_fit(rectangle(4, 4)), Ok(()));
}

fn nodes_outside_the_machine_are_refused_and_no_other_is_touched<R: Rule>() {
    let mut pool = reused::<R>(3);
    grant(&mut pool, 3, 1);
    let before = view(&mut pool);
    let nodes = [Node(0), Node(8), Node(9)];
    let answer = pool.withdraw(&nodes, Outage::Failed, &mut |_| unreachable!());
    assert_eq!(answer, Err(NoSuchNode(Node(8))));
    assert_eq!(pool.repair(&nodes), Err(NoSuchNode(Node(8))));
    assert_eq!(pool.state(Node(8)), Err(NoSuchNode(Node(8))));
    assert_eq!(pool.lease_at(Node(8)), None);
    assert_eq!(pool.lease_at(Node(u32::MAX)), None);
    assert_eq!(view(&mut pool), before);
}

fn a_pool_says_who_it_is<R: Rule>() {
    let mut pool = reused::<R>(3);
    assert_eq!((pool.id(), pool.dims(), pool.leftover()), (PoolId(7), dim(3), Leftover::Reused));
    assert_eq!(pool.name(), R::pool(PoolId(0), dim(3)).name());
    assert_eq!(pool.free(), 8);
    grant(&mut pool, 2, 2);
}

locox_oracles::for_each_strategy!(
    a_request_looks_in_the_auxiliary_list_first,
    a_larger_leftover_is_split_and_the_rest_stays_where_it_was,
    a_subcube_returns_to_its_leftover_while_the_owner_lives,
    tenants_outlive_the_owner_of_their_leftover_at_any_depth,
    a_6_cube_holds_two_4x6_and_two_4x2_with_the_auxiliary_list_and_one_of_each_without,
    while_leftover_is_kept_a_mesh_holds_its_whole_subcube,
    while_leftover_is_kept_meshes_get_the_subcubes_of_the_plain_pool,
    every_refusal_gives_its_reason_and_changes_nothing,
    a_machine_with_faults_refuses_what_waiting_would_not_bring,
    misused_leases_are_refused_and_change_nothing,
    an_outage_in_leftover_hits_the_owner_whose_routes_pass_there,
    while_leftover_is_kept_an_outage_in_it_hits_its_owner,
    an_outage_hits_owners_at_every_depth,
    a_repaired_node_returns_to_the_leftover_it_lies_in,
    a_node_that_fails_in_a_mesh_stays_with_it_until_the_release,
    nodes_outside_the_machine_are_refused_and_no_other_is_touched,
    a_pool_says_who_it_is,
);

#[test]
fn the_free_list_alone_would_not_hold_what_the_auxiliary_list_does() {
    let mut pool = reused::<FreeList>(10);
    grant(&mut pool, 20, 30);
    assert_eq!(pool.stats().auxiliary, 424);
    for (x, y) in [(16, 16), (16, 8), (8, 4), (4, 2)] {
        grant(&mut pool, x, y);
    }
    assert_eq!((pool.free(), pool.stats().asked), (0, 1024));
}

#[test]
fn a_storage_that_is_too_small_is_refused_with_the_words_that_are_needed() {
    let needed = mesh::words::<subcube::Buddy>(4);
    let (id, leftover) = (PoolId(0), Leftover::Reused);
    let short = vec![0; needed - 1];
    let refused = MeshPool::<subcube::Buddy, _>::new(id, dim(4), short, leftover).err();
    assert_eq!(refused, Some(StorageTooSmall { needed }));
}

#[test]
fn a_pool_in_a_static_is_the_same_as_one_built_at_run_time() {
    const POOL: MeshPool<subcube::FreeList, [Word; mesh::words::<subcube::FreeList>(5)]> =
        MeshPool::new_static::<5>(PoolId(7), Leftover::Reused);
    let (mut fixed, mut built) = (POOL, reused::<FreeList>(5));
    for (x, y) in [(3, 3), (1, 1), (2, 3), (1, 7)] {
        assert_eq!(fixed.allocate(rectangle(x, y)), built.allocate(rectangle(x, y)));
    }
    assert_eq!(view(&mut fixed), view(&mut built));
}

#[test]
fn requests_by_node_count_hold_just_what_they_ask_for() {
    let mut pool = reused::<FreeList>(7);
    let mesh = pool.allocate(Shape::of_nodes(100).unwrap()).unwrap();
    // 10x10 would need a machine of eight dimensions.
    assert_eq!((mesh.shape(), pool.stats().nodes.leased), (rectangle(4, 25), 100));
}

#[test]
fn figures_of_fragmentation_are_shares_of_what_is_held_and_of_what_is_free() {
    let mut pool = reused::<FreeList>(4);
    assert_eq!(
        (pool.stats().nodes.fragmentation_permille(), pool.stats().internal_permille()),
        (0, 0)
    );
    grant(&mut pool, 9, 1);
    assert_eq!(pool.stats().nodes.fragmentation_permille(), 1000 * 3 / 7);
    grant(&mut pool, 2, 2);
    assert_eq!((pool.stats().nodes.leased, pool.stats().internal_permille()), (13, 0));
    let mut keeping = FreeList::mesh_pool(PoolId(7), dim(4), Leftover::Kept);
    grant(&mut keeping, 9, 1);
    assert_eq!(
        (keeping.stats().nodes.leased, keeping.stats().internal_permille()),
        (16, 1000 * 7 / 16)
    );
}
