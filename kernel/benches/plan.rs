//! Speed of plans of moves: on tori of 4,096 nodes that filled up with small leases, most of which have ended, and where the
//! slowest plans were found that were sought.
//!
//! `cargo bench -p locox --bench plan`; the slowest of all states stands beside the median.

use divan::Bencher;
use locox::cube::Node;
use locox::grid::{Anchors, BoxRequest, Cuboid, Grid, GridPool, Placement, Sides, words};
use locox::handle::PoolId;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Steps after which the best plan so far is told.
const STEPS: u32 = 400;

fn main() {
    divan::main();
}

/// A torus on which so many per cent of the leases are left.
fn crowded(seed: u64, left: u32) -> GridPool<Vec<u64>> {
    let grid = Grid::torus(&[16; 3]).unwrap();
    let storage = vec![0; words(grid)];
    let mut pool = GridPool::new(PoolId(0), grid, storage, Placement::First, Anchors::Any).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut leases = vec![];
    loop {
        let sides = [0; 3].map(|_| random.random_range(1..5));
        match pool.allocate(BoxRequest::Fixed(Sides::new(&sides).unwrap())) {
            Ok(lease) => leases.push(lease),
            Err(_) => break,
        }
    }
    for lease in leases {
        if random.random_range(0..100) >= left {
            pool.release(lease).unwrap();
        }
    }
    pool
}

/// Each sample is another state; the request is a cube of this side.
#[divan::bench(args = [4, 6, 8, 10], consts = [10, 30, 50], sample_count = 100, sample_size = 1)]
fn torus_16x16x16<const LEFT: u32>(bencher: Bencher<'_, '_>, side: u8) {
    let mut seed = 0;
    let request = BoxRequest::Fixed(Sides::new(&[side; 3]).unwrap());
    let state = || {
        seed += 1;
        (crowded(seed, LEFT), vec![0; 4096])
    };
    bencher.with_inputs(state).bench_local_values(|(mut pool, mut scratch)| {
        pool.defragment(request, 16, STEPS, &mut scratch)
    });
}

/// Two hundred boxes wherever they fit, and of what they leave over of their blocks others have parts; the request is for
/// so many nodes in any shape.
#[divan::bench(args = [336, 720, 1440], sample_count = 100, sample_size = 1)]
fn torus_8x8x8x8_lent(bencher: Bencher<'_, '_>, nodes: u32) {
    let mut seed = 0;
    let state = || {
        seed += 1;
        (scattered(seed), vec![0; 4096])
    };
    bencher.with_inputs(state).bench_local_values(|(mut pool, mut scratch)| {
        pool.defragment(BoxRequest::Nodes(nodes), 8, STEPS, &mut scratch)
    });
}

/// A torus of four axes with boxes anywhere, on which leftover is lent.
fn scattered(seed: u64) -> GridPool<Vec<u64>> {
    let grid = Grid::torus(&[8; 4]).unwrap();
    let anchors = Anchors::steps(&[1, 2, 1, 1], &[7, 2, 7, 3]).unwrap().reused();
    let storage = vec![0; words(grid)];
    let mut pool = GridPool::new(PoolId(0), grid, storage, Placement::First, anchors).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..200 {
        let sides = Sides::new(&[0; 4].map(|_| random.random_range(1..4))).unwrap();
        let origin = Node(random.random_range(0..grid.nodes()));
        // Where something is leased already there is room for one box less.
        _ = pool.claim(Cuboid::new(grid, origin, sides).unwrap());
    }
    pool
}
