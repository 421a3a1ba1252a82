//! Pools of subcubes, meshes, boxes and slices.

use super::random::Random;
use locox::accelerator::{ProfileId, SlicePool, Table};
use locox::cube::{Dim, Node};
use locox::grid::{self, Anchors, BoxRequest, Grid, GridPool, Placement, Sides};
use locox::handle::PoolId;
use locox::mesh::{self, Leftover, MeshPool, Shape};
use locox::subcube::{self, FreeList, Pool};
use std::hint::black_box;

fn dims(nodes: usize) -> Dim {
    Dim::new(nodes.ilog2() as u8).expect("a cube")
}

/// Fills half of the nodes, then gives one lease back and asks for another, so many times. Each lease has a number of nodes.
fn churn<L: Copy>(
    nodes: usize,
    times: usize,
    mut allocate: impl FnMut(&mut Random) -> Option<(L, u32)>,
    mut release: impl FnMut(L),
) {
    let (mut random, mut live, mut held) = (Random::new(), vec![], 0);
    while held < nodes / 2 {
        let (lease, size) = allocate(&mut random).expect("half of the nodes are free");
        live.push((lease, size));
        held += size as usize;
    }
    for _ in 0..times {
        if !live.is_empty() && held >= nodes / 2 {
            let (lease, size) = live.swap_remove(random.below(live.len()));
            release(lease);
            held -= size as usize;
        }
        if let Some((lease, size)) = allocate(&mut random) {
            live.push((lease, size));
            held += size as usize;
        }
    }
}

/// A pool after so many releases and allocations.
fn churned(nodes: usize, times: usize) -> Pool<FreeList, Vec<usize>> {
    let dims = dims(nodes);
    let storage = vec![0; subcube::words::<FreeList>(dims.get())];
    let pool =
        Pool::<FreeList, _>::new(PoolId(0), dims, storage).expect("it says how much it needs");
    let pool = std::cell::RefCell::new(pool);
    churn(
        nodes,
        times,
        |random| {
            let dim = Dim::new(random.below(5) as u8).expect("a cube");
            let lease = black_box(pool.borrow_mut().allocate(dim)).ok()?;
            Some((lease, lease.cube().len()))
        },
        |lease| black_box(pool.borrow_mut().release(lease)).expect("it is live"),
    );
    pool.into_inner()
}

pub(crate) fn subcube(nodes: usize, times: usize) {
    black_box(churned(nodes, times));
}

pub(crate) fn node(nodes: usize, times: usize) {
    let pool = churned(nodes, 4 * nodes);
    let free = (0..nodes as u32).map(Node).filter(|&node| pool.lease_at(node).is_none());
    let node = free.max_by_key(|node| node.0.count_ones()).expect("half of the nodes are free");
    for _ in 0..times {
        black_box(black_box(&pool).state(node)).expect("it is a node");
    }
}

pub(crate) fn mesh(nodes: usize, times: usize) {
    let dims = dims(nodes);
    let storage = vec![0; mesh::words::<FreeList>(dims.get())];
    let pool = MeshPool::<FreeList, _>::new(PoolId(0), dims, storage, Leftover::Reused);
    let pool = std::cell::RefCell::new(pool.expect("it says how much it needs"));
    churn(
        nodes,
        times,
        |random| {
            let mut side = || 1 + random.below(6) as u32;
            let shape = Shape::rectangle(side(), side()).expect("two sides");
            let lease = black_box(pool.borrow_mut().allocate(shape)).ok()?;
            Some((lease, shape.nodes()))
        },
        |lease| black_box(pool.borrow_mut().release(lease)).expect("it is live"),
    );
}

pub(crate) fn cuboid(nodes: usize, times: usize) {
    let third = |rest: usize| 1 << (rest.ilog2().div_ceil(2));
    let x: usize = 1 << nodes.ilog2().div_ceil(3);
    let y: usize = third(nodes / x);
    let torus = Grid::torus(&[x, y, nodes / x / y].map(|side| side as u8)).expect("a torus");
    let storage = vec![0; grid::words(torus)];
    let pool = GridPool::new(PoolId(0), torus, storage, Placement::Corner, Anchors::Any);
    let pool = std::cell::RefCell::new(pool.expect("it says how much it needs"));
    churn(
        nodes,
        times,
        |random| {
            let sides = Sides::new(&[0; 3].map(|_| 1 + random.below(4) as u8)).expect("sides");
            let lease = black_box(pool.borrow_mut().allocate(BoxRequest::Fixed(sides))).ok()?;
            Some((lease, lease.cuboid().sides().nodes()))
        },
        |lease| black_box(pool.borrow_mut().release(lease)).expect("it is live"),
    );
}

pub(crate) fn slices(_: usize, times: usize) {
    let mut pool = SlicePool::new(PoolId(0), Table::H100);
    let mut random = Random::new();
    for _ in 0..times {
        let profile = ProfileId(random.below(6) as u32);
        if let Ok(lease) = black_box(pool.allocate(profile)) {
            black_box(pool.release(lease)).expect("it is live");
        }
    }
}
