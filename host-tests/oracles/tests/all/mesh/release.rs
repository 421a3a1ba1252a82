//! After everything is released, in whatever order, the whole machine can be had again.

use super::common::{dim, rectangles};
use crate::runner::runner;
use locox::cube::Node;
use locox::handle::PoolId;
use locox::mesh::{Leftover, MeshAllocator, MeshLease, Shape};
use locox::subcube::Outage;
use locox_oracles::subcube::Rule;
use proptest::collection::vec;
use proptest::prelude::*;

fn is_whole(pool: &mut impl MeshAllocator) -> bool {
    let all = Shape::line(pool.dims().nodes()).unwrap();
    pool.check_invariants() == Ok(()) && pool.would_fit(all) == Ok(())
}

/// Grants up to `more` further meshes in every way, and releases all in every order.
fn try_all<P: MeshAllocator + Clone>(pool: &P, live: &[MeshLease], shapes: &[Shape], more: u32) {
    release_in_every_order(&mut pool.clone(), live);
    for &shape in shapes.iter().filter(|_| more > 0) {
        let mut pool = pool.clone();
        if let Ok(lease) = pool.allocate(shape) {
            try_all(&pool, &[live, &[lease]].concat(), shapes, more - 1);
        }
    }
}

fn release_in_every_order<P: MeshAllocator + Clone>(pool: &mut P, live: &[MeshLease]) {
    if live.is_empty() {
        assert!(is_whole(pool));
    }
    for at in 0..live.len() {
        let mut pool = pool.clone();
        pool.release(live[at]).unwrap();
        let rest = [&live[..at], &live[at + 1..]].concat();
        release_in_every_order(&mut pool, &rest);
    }
}

/// All meshes of machines up to two dimensions, up to five at once in three dimensions, up to
/// three in four; all orders.
fn small_machines_become_whole_in_every_order<R: Rule>() {
    for (dims, most) in [(0, 1), (1, 2), (2, 4), (3, 5), (4, 3)] {
        let shapes: Vec<_> = (0..=dims).flat_map(rectangles).collect();
        try_all(&R::mesh_pool(PoolId(0), dim(dims), Leftover::Reused), &[], &shapes, most);
    }
}

/// Meshes of lines only, so that more of them can be tried: what is left over, and nested, is the
/// same as with an axis of side 1.
fn lines_become_whole_in_every_order<R: Rule>() {
    let shapes: Vec<_> = (1..=8).map(|side| Shape::line(side).unwrap()).collect();
    try_all(&R::mesh_pool(PoolId(0), dim(3), Leftover::Reused), &[], &shapes, 5);
}

#[derive(Clone, Debug)]
struct Case {
    dims: u8,
    shapes: Vec<[u32; 3]>,
    /// The lease to release after each grant, if that many are live, then all in this order.
    picks: Vec<usize>,
    /// Nodes that fail at first and are repaired before the last release.
    faulty: Vec<u32>,
}

fn cases() -> impl Strategy<Value = Case> {
    (3u8..=9).prop_flat_map(|dims| {
        let side = (0..=dims, any::<u32>()).prop_map(|(log2, it)| 1 + it % (1 << log2));
        let shapes = vec((side.clone(), side.clone(), side).prop_map(|(x, y, z)| [x, y, z]), 1..40);
        let faulty = vec(0..1u32 << dims, 0..4);
        (shapes, vec(any::<usize>(), 80), faulty).prop_map(move |(shapes, picks, faulty)| Case {
            dims,
            shapes,
            picks,
            faulty,
        })
    })
}

fn run<R: Rule>(case: &Case) -> Result<(), TestCaseError> {
    let mut pool = R::mesh_pool(PoolId(0), dim(case.dims), Leftover::Reused);
    let faulty: Vec<Node> = case.faulty.iter().copied().map(Node).collect();
    let mut live: Vec<MeshLease> = vec![];
    let mut picks = case.picks.iter();
    for (at, &sides) in case.shapes.iter().enumerate() {
        if at == case.shapes.len() / 2 {
            pool.withdraw(&faulty, Outage::Failed, &mut |_| {}).unwrap();
        }
        let Ok(shape) = Shape::try_from(sides) else { continue };
        live.extend(pool.allocate(shape).ok());
        let pick = picks.next().unwrap();
        if pick.is_multiple_of(3) && !live.is_empty() {
            let lease = live.swap_remove(pick / 3 % live.len());
            prop_assert_eq!(pool.release(lease), Ok(()));
        }
    }
    while live.len() > 1 {
        let lease = live.swap_remove(picks.next().unwrap() % live.len());
        prop_assert_eq!(pool.release(lease), Ok(()));
    }
    pool.repair(&faulty).unwrap();
    prop_assert!(live.into_iter().all(|lease| pool.release(lease) == Ok(())));
    prop_assert!(is_whole(&mut pool));
    Ok(())
}

fn larger_machines_become_whole_in_any_order<R: Rule>() {
    runner("mesh_release", 600).run(&cases(), |case| run::<R>(&case)).unwrap();
}

locox_oracles::for_each_strategy!(
    small_machines_become_whole_in_every_order,
    lines_become_whole_in_every_order,
    larger_machines_become_whole_in_any_order,
);
