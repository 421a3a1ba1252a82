//! Speed of boxes in meshes and tori.
//!
//! `cargo bench -p locox-lab --bench grid`. Means by divan. The machine is a torus of 16x16x16 unless
//! a bench names another, three quarters in use by boxes of mixed sizes.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use locox::grid::{Anchors, BoxRequest, Grid, GridPool, Placement, Sides, words};
use locox::handle::PoolId;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

type Pool = GridPool<Box<[u64]>>;

fn main() {
    divan::main();
}

fn fresh(machine: &str, placement: Placement, anchors: Anchors) -> Pool {
    let grid: Grid = machine.parse().unwrap();
    let storage = vec![0; words(grid)].into_boxed_slice();
    GridPool::new(PoolId(1), grid, storage, placement, anchors).unwrap()
}

const MIX: [&str; 8] = ["1", "2x1x1", "2x2x1", "2x2x2", "4x2x2", "4x4x2", "4x4x4", "8x4x4"];

/// Grants and releases boxes at random, of three quarters of the machine at most.
fn used(mut pool: Pool, steps: usize) -> (Pool, usize) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut held, mut granted) = (vec![], 0);
    let most = pool.grid().nodes() / 4 * 3;
    for _ in 0..steps {
        let sides: Sides = MIX[random.random_range(0..MIX.len())].parse().unwrap();
        if pool.stats().leased + sides.nodes() <= most
            && let Ok(lease) = pool.allocate(BoxRequest::Turned(sides))
        {
            held.push(lease);
            granted += 1;
        } else if !held.is_empty() {
            pool.release(held.swap_remove(random.random_range(0..held.len()))).unwrap();
        }
    }
    (pool, granted)
}

/// A search of one shape as it stands, in a machine three quarters full.
#[divan::bench(args = ["2x2x2", "4x4x4", "8x4x4", "15x15x15"])]
fn search(bencher: Bencher, sides: &str) {
    let (mut pool, _) = used(fresh("torus:16x16x16", Placement::First, Anchors::Any), 4000);
    let sides = BoxRequest::Fixed(sides.parse().unwrap());
    bencher.bench_local(|| black_box(pool.would_fit(black_box(sides))).is_ok());
}

/// The longest search of one shape: all axes rings, each side a power of two less one.
#[divan::bench(args = ["torus:16x16x16", "torus:63x63x16", "torus:16x16x16x16"])]
fn search_worst(bencher: Bencher, machine: &str) {
    let anchors = Anchors::steps(&[3, 3, 3, 3], &[1, 1, 1, 1]).unwrap().reused();
    let mut pool = fresh(machine, Placement::First, anchors);
    let sides = BoxRequest::Fixed("15x15x15".parse().unwrap());
    let half = pool.grid().nodes() / 2;
    let nodes: Vec<_> = (0..half).map(|at| locox::cube::Node(2 * at)).collect();
    pool.withdraw(&nodes, locox::grid::Outage::Drained, |_| ()).unwrap();
    bencher.bench_local(|| black_box(pool.would_fit(black_box(sides))).is_ok());
}

/// Grants and releases of boxes in any rotation, 2,000 of them.
#[divan::bench(args = Placement::ALL)]
fn mixed(bencher: Bencher, placement: Placement) {
    let pool = fresh("torus:16x16x16", placement, Anchors::Any);
    let fresh = bencher.counter(ItemsCount::new(2000usize)).with_inputs(|| pool.clone());
    fresh.bench_local_values(|pool| used(pool, 2000).1);
}

/// A number of nodes that no box of them has free: all its shapes are searched.
#[divan::bench(args = [256, 1024, 1020])]
fn refusal_of_nodes(bencher: Bencher, nodes: u32) {
    let (mut pool, _) = used(fresh("torus:16x16x16", Placement::First, Anchors::Any), 4000);
    bencher.bench_local(|| black_box(pool.would_fit(black_box(BoxRequest::Nodes(nodes)))).is_ok());
}

/// The best of the shortlists of six rotations, in a machine of free nodes here and there.
#[divan::bench]
fn fewest_worst(bencher: Bencher) {
    let mut pool = fresh("torus:16x16x16", Placement::Fewest, Anchors::Any);
    let sides = BoxRequest::Turned("4x3x2".parse().unwrap());
    bencher.bench_local(|| {
        let lease = pool.allocate(black_box(sides)).unwrap();
        pool.release(black_box(lease)).unwrap();
    });
}
